/** What the page says: one function for each part of index.html that changes. */

import * as clock from "./clock.js";
import { headline } from "./headline.js";
import { pageUrl, placeSentence } from "./place.js";
import { skyUrl } from "./sky.js";
import { BodyTable } from "./table.js";
import { write } from "./text.js";

const byId = (id) => document.getElementById(id);
const table = new BodyTable(byId("above"), byId("below"));
export const form = byId("form");
export const typeButton = byId("type");
export const locateButton = byId("locate");

write(byId("zone"), `(${clock.zone()})`);

/**
 * @param {import("./place.js").Place} place
 * @param {import("./sky.js").Sky} sky
 */
export function showSky(place, sky) {
  const bodies = [...sky.bodies].sort((one, other) => one.magnitude - other.magnitude);
  const time = new Date(sky.time);
  write(byId("headline"), headline(bodies));
  write(byId("place"), placeSentence(place, sky.observer));
  write(byId("utc"), clock.utc(time));
  write(byId("local"), clock.local(time));
  byId("utc").dateTime = sky.time;
  byId("local").dateTime = sky.time;
  table.show(bodies);
  byId("sky").hidden = false;
}

export function showNoSky() {
  byId("sky").hidden = true;
  byId("share").hidden = true;
  write(byId("headline"), "There is no sky to show for this place.");
  write(byId("place"), "");
  showFresh("");
}

export function showFresh(sentence = "Updated every 2 seconds.") {
  write(byId("freshness"), sentence);
  byId("main").classList.remove("stale");
}

/** @param {Date | undefined} since the last good answer, if there was one */
export function showStale(since) {
  const sentence = since
    ? `No answer from the server since ${clock.timeOfDay(since)}; showing the last one.`
    : "No answer from the server yet; asking again every 2 seconds.";
  write(byId("freshness"), sentence);
  byId("main").classList.add("stale");
}

/** The address bar links to any other place; the browser's own is shared only on purpose. */
export function showLinks({ query, source }) {
  byId("share").hidden = source !== "browser";
  byId("share-link").href = pageUrl(query);
  byId("api").href = skyUrl(query);
}

/** About the browser's place: what is awaited, or what to do without it. */
export function showNote(sentence) {
  write(byId("locate-note"), sentence);
}

/** @param {import("./sky.js").Problem} problem */
export function showProblem({ detail, parameter }) {
  write(byId("place-error"), detail);
  for (const field of form.querySelectorAll("input")) {
    field.setAttribute("aria-invalid", String(field.name === parameter));
  }
}

export function clearProblem() {
  showProblem({ detail: "" });
}

export function focusProblem() {
  form.querySelector('[aria-invalid="true"]')?.focus();
}

export function fillForm({ query }) {
  const parameters = new URLSearchParams(query);
  for (const field of form.querySelectorAll("input")) {
    field.value = parameters.get(field.name) ?? "";
  }
}

export function openForm() {
  form.hidden = false;
  typeButton.setAttribute("aria-expanded", "true");
}

export function closeForm() {
  if (form.contains(document.activeElement)) {
    typeButton.focus(); // or the focus would be lost with the form
  }
  form.hidden = true;
  typeButton.setAttribute("aria-expanded", "false");
}
