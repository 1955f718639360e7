import { alreadyAllowed, locate } from "./geolocation.js";
import { brightestPlanet } from "./headline.js";
import { keepOffline } from "./offline.js";
import * as page from "./page.js";
import { Panels } from "./panels.js";
import { placeFromBrowser, placeFromChoice, placeFromLink } from "./place.js";
import { PlaceForm } from "./place-form.js";
import { fetchSky } from "./sky.js";
import * as state from "./state.js";
import { Surroundings } from "./surroundings.js";
import { onLanguage } from "./texts.js";
import { Watch } from "./watch.js";

const ADDRESS_PAUSE_MS = 500; // a browser refuses more than some three changes a second

const watch = new Watch(askSky, answered, silent);
const surroundings = new Surroundings(render);

/** The last good answer: the state that it is for, its sky, and when it came. Null before one. */
let shown = null;

/** What is selected where nobody has selected anything: it stays the same for a place. */
let suggested = null;

let addressTimer;

/** Those who wait for the next answer. */
const waiting = [];

async function askSky(signal) {
  const asked = state.current();
  return { asked, ...(await fetchSky({ query: asked.place.query, moment: asked.moment }, signal)) };
}

/** @param {Partial<state.State>} changes with the place */
function want(changes) {
  page.showNote("");
  placeForm.showProblem(null);
  page.showFresh("shell.askingPlace");
  state.update(changes);
}

/** The place in the page's address or, without one, the browser's if that needs no prompt. */
async function wantLink() {
  const place = placeFromLink(location.search);
  placeForm.fill(place);
  want({ place, ...state.fromLink(location.search) });
  if (place.query === "" && (await alreadyAllowed())) {
    wantBrowserPlace();
  }
}

function wantBrowserPlace() {
  const before = state.current().place; // one that is chosen in the meantime is not overridden
  const isAwaited = () => state.current().place === before;
  page.showNote("shell.waiting");
  locate(
    (coords) => isAwaited() && want({ place: placeFromBrowser(coords) }),
    (key) => isAwaited() && page.showNote(key),
  );
}

/**
 * @param {Date | null} moment null is now
 * @returns {Promise<void>} until the server has answered, or failed to
 */
function wantMoment(moment) {
  state.update({ moment });
  return new Promise((resolve) => waiting.push(resolve));
}

function stopWaiting() {
  waiting.splice(0).forEach((resolve) => resolve());
}

/** @param {string | null} selected the name of a body */
function select(selected) {
  state.update({ selected });
}

function changed(now, before) {
  if (now.place !== before.place && now.place !== shown?.asked.place) {
    watch.restart();
  } else if (now.place !== before.place || now.moment !== before.moment) {
    watch.hurry();
  }
  if (shown?.asked.place === now.place) {
    followSelected();
    render();
    mindAddress();
  }
}

function answered({ asked, answer, stack, since, problem }) {
  stopWaiting();
  const { place, moment } = state.current();
  if (problem) {
    refused(problem);
    return;
  }
  if (asked.place !== place || (asked.moment === null) !== (moment === null)) {
    return; // overtaken: the next answer is on its way
  }
  const isOld = since !== null && moment === null; // the sky of a fixed moment does not age
  if (isOld && place === shown?.asked.place && shown.asked.moment === null) {
    page.showStale(shown.at); // what is shown came later
    return;
  }
  if (asked.moment && asked.moment === moment) {
    watch.stop(); // there is nothing to wait for
  }
  const isNewPlace = place !== shown?.asked.place;
  shown = { asked, sky: answer, at: since ?? new Date() };
  if (isNewPlace) {
    surroundings.forget();
    suggested = suggestion(answer.bodies);
  }
  page.showStack(stack);
  if (isOld) {
    page.showStale(since);
  } else {
    page.showFresh(moment ? "shell.fixed" : "shell.live");
  }
  followSelected();
  render();
  if (isNewPlace) {
    arrived(place);
  } else {
    mindAddress();
  }
}

/** The planet of the headline; by day the Sun, at night without planets the Moon. */
function suggestion(bodies) {
  const sun = bodies.find(({ name }) => name === "sun");
  return (brightestPlanet(bodies) ?? (sun.up ? sun : { name: "moon" })).name;
}

/** The body to show, which a link may have misnamed. */
function selectedBody() {
  const { selected } = state.current();
  return shown.sky.bodies.find(({ name }) => name === selected)?.name ?? suggested;
}

function followSelected() {
  const { place, moment } = shown.asked;
  surroundings.follow(place.query, new Date(shown.sky.time), moment === null, selectedBody());
}

function render() {
  if (shown) {
    const { asked, sky } = shown;
    const { preferences } = state.current();
    const selected = selectedBody();
    page.showSky({ ...asked, preferences }, sky, selected, surroundings.almanac?.zone.name);
    panels.show({ asked, sky, selected, preferences, surroundings });
    page.showLinks({ ...asked, selected: state.current().selected });
  }
}

/** The first answer for a place: it is one, so the page's address may say it. */
function arrived(place) {
  if (place.source !== "link") {
    setAddress("pushState");
  }
  if (isChosen(place)) {
    page.closeForm();
  }
  if (page.form.hidden) {
    placeForm.fill(place); // an open form may be being typed in
  }
}

/** Whether the place was chosen in the form, and not a link's or the browser's. */
function isChosen({ source }) {
  return source === "typed" || source === "city";
}

/** The address follows what is shown, but not faster than a browser lets it. */
function mindAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => setAddress("replaceState"), ADDRESS_PAUSE_MS);
}

/** @param {"pushState" | "replaceState"} change */
function setAddress(change) {
  clearTimeout(addressTimer);
  if (!shown) {
    return;
  }
  const { place } = shown.asked; // not one that is asked for: it may be none
  const { moment, selected } = state.current();
  const url = state.address(place.source === "browser" ? "" : place.query, { moment, selected });
  if (url !== location.pathname + location.search) {
    history[change](null, "", url);
  }
}

/** What was typed is put right in the form, over the sky before it; a bad link has no sky. */
function refused(problem) {
  const { place } = state.current();
  page.openForm();
  placeForm.showProblem(problem);
  if (isChosen(place)) {
    placeForm.focusProblem();
  }
  if (place.source !== "link" && shown) {
    page.showFresh(shown.asked.moment ? "shell.fixed" : "shell.live");
    state.update({ place: shown.asked.place });
  } else {
    state.update({ moment: null }); // or no place that is typed could be shown at a refused time
    watch.stop();
    shown = null;
    page.showNoSky();
  }
}

function silent() {
  stopWaiting();
  page.showStale(shown?.at);
}

page.typeButton.addEventListener("click", () =>
  page.form.hidden ? page.openForm() : page.closeForm(),
);
page.locateButton.addEventListener("click", () => {
  page.closeForm();
  wantBrowserPlace();
});
window.addEventListener("popstate", wantLink);
page.start({ onSelect: select });
const placeForm = new PlaceForm(page.form, {
  onPlace: (choice) => want({ place: placeFromChoice(choice) }),
});
const panels = new Panels({ onSelect: select, onMoment: wantMoment });
state.subscribe(changed);
onLanguage(render);
wantLink();
keepOffline();
