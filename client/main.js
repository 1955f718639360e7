import { alreadyAllowed, locate } from "./geolocation.js";
import * as page from "./page.js";
import { pageUrl, placeFromBrowser, placeFromForm, placeFromLink } from "./place.js";
import { fetchSky } from "./sky.js";
import { Watch } from "./watch.js";

const watch = new Watch((signal) => fetchSky(wanted.query, signal), answered, silent);

/** The place that the server is asked for. */
let wanted;

/** The last good answer: the place that it is for, and when it came. Null before the first. */
let shown = null;

function want(place) {
  wanted = place;
  page.showNote("");
  page.clearProblem();
  page.showFresh("Asking the server for this place.");
  watch.restart();
}

/** The place in the page's address or, without one, the browser's if that needs no prompt. */
async function wantLink() {
  const place = placeFromLink(location.search);
  page.fillForm(place);
  want(place);
  if (place.query === "" && (await alreadyAllowed())) {
    wantBrowserPlace();
  }
}

function wantBrowserPlace() {
  const before = wanted; // a place that is chosen in the meantime is not overridden
  page.showNote("Waiting for the browser to report its place.");
  locate(
    (coords) => wanted === before && want(placeFromBrowser(coords)),
    (sentence) => wanted === before && page.showNote(sentence),
  );
}

function answered({ sky, problem }) {
  if (problem) {
    refused(problem);
    return;
  }
  const isNew = wanted !== shown?.place;
  shown = { place: wanted, at: new Date() };
  page.showSky(wanted, sky);
  page.showFresh();
  if (isNew) {
    arrived(wanted);
  }
}

/** The first answer for a place: it is one, so the page's address may say it. */
function arrived(place) {
  page.showLinks(place);
  if (place.source === "typed") {
    page.closeForm();
    setAddress(pageUrl(place.query));
  } else if (place.source === "browser") {
    setAddress(pageUrl(""));
  }
  if (page.form.hidden) {
    page.fillForm(place); // an open form may be being typed in
  }
}

function setAddress(url) {
  if (url !== location.pathname + location.search) {
    history.pushState(null, "", url);
  }
}

/** What was typed is put right in the form, over the sky before it; a bad link has no sky. */
function refused(problem) {
  page.openForm();
  page.showProblem(problem);
  if (wanted.source === "typed") {
    page.focusProblem();
  }
  if (wanted.source !== "link" && shown) {
    wanted = shown.place;
    page.showFresh();
  } else {
    watch.stop();
    shown = null;
    page.showNoSky();
  }
}

function silent() {
  page.showStale(shown?.at);
}

page.form.addEventListener("submit", (event) => {
  event.preventDefault();
  want(placeFromForm(page.form));
});
page.typeButton.addEventListener("click", () =>
  page.form.hidden ? page.openForm() : page.closeForm(),
);
page.locateButton.addEventListener("click", () => {
  page.closeForm();
  wantBrowserPlace();
});
window.addEventListener("popstate", wantLink);
wantLink();
