/** What the page says of place, time and bodies: one function for each part that changes. */

import { browserZone, dateAndTime } from "./clock.js";
import { headline } from "./headline.js";
import { placeSentence } from "./place.js";
import { skyUrl } from "./sky.js";
import { address } from "./state.js";
import { BodyTable } from "./table.js";
import { write } from "./text.js";
import {
  language,
  languages,
  onLanguage,
  setLanguage,
  t,
  time,
  translate,
  zoneName,
} from "./texts.js";

const byId = (id) => document.getElementById(id);
export const form = byId("form");
export const typeButton = byId("type");
export const locateButton = byId("locate");

let table;

/** What was said last in each element, to be said again in another language. */
const said = new Map();

/** @param {{onSelect: (name: string) => void}} actions */
export function start({ onSelect }) {
  const groups = { visible: byId("visible"), above: byId("above"), below: byId("below") };
  table = new BodyTable(groups, onSelect);
  byId("languages").append(...languages().map(languageButton));
  say("headline", () => t("shell.asking"));
  speak();
  onLanguage(speak);
}

function languageButton({ code, name, direction }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.lang = code;
  button.dir = direction;
  button.addEventListener("click", () => {
    setLanguage(code);
    byId("languages").querySelector("button:not([hidden])").focus(); // this one has gone
  });
  return button;
}

function speak() {
  document.title = t("shell.title");
  translate();
  for (const button of byId("languages").children) {
    button.hidden = button.lang === language();
  }
  for (const [id, sentence] of said) {
    write(byId(id), sentence());
  }
}

/** @param {() => string} sentence in the page's language at the time */
function say(id, sentence) {
  said.set(id, sentence);
  write(byId(id), sentence());
}

/**
 * @param {import("./state.js").State} shown with the place and the moment of the sky
 * @param {import("./sky.js").Sky} sky
 * @param {string | null} selected the body
 * @param {string | undefined} zone of the place, once it is known
 */
export function showSky({ place, moment, preferences }, sky, selected, zone) {
  const bodies = [...sky.bodies].sort((one, other) => one.magnitude - other.magnitude);
  say("headline", () => headline(sky, moment === null));
  say("place", () => placeSentence(place, sky.observer));
  showTimes(new Date(sky.time), zone, preferences);
  table.show(bodies, selected);
  showParts(true);
}

/** In the place's own zone, the browser's where that is another, and UTC. */
function showTimes(instant, zone, { hour12 }) {
  const there = zone ? dateAndTime(instant, zone, hour12) : "";
  const here = dateAndTime(instant, undefined, hour12);
  showTime("there", instant, there, zone);
  showTime("local", instant, here === there ? "" : here, browserZone());
  showTime("utc", instant, dateAndTime(instant, "UTC", hour12), "UTC");
}

function showTime(id, instant, text, zone) {
  const element = byId(id);
  element.closest("div").hidden = text === "";
  element.dateTime = instant.toISOString();
  write(element, text);
  if (text && id !== "utc") {
    write(byId(`${id}-zone`), `(${zoneName(zone, instant)})`);
  }
}

/** The parts of the page that need a sky. */
function showParts(areShown) {
  for (const part of document.querySelectorAll("[data-needs-sky]")) {
    part.hidden = !areShown;
  }
}

export function showNoSky() {
  showParts(false);
  byId("share").hidden = true;
  say("headline", () => t("shell.noSky"));
  say("place", () => "");
  showFresh("");
}

/** @param {string} key of the text, or "" */
export function showFresh(key) {
  say("freshness", () => key && t(key));
  byId("main").classList.remove("stale");
}

/** @param {Date | undefined} since the last good answer, if there was one */
export function showStale(since) {
  say("freshness", () => (since ? staleSentence(since) : t("shell.silent")));
  byId("main").classList.add("stale");
}

function staleSentence(since) {
  return since.toDateString() === new Date().toDateString()
    ? t("shell.stale", { time: time(since, undefined, { seconds: true }) })
    : t("offline.stale", { when: dateAndTime(since) });
}

/** @param {string} stack as the server calls itself */
export function showStack(stack) {
  say("stack", () => stack && t("shell.stack", { stack }));
}

/** The address bar links to any other place; the browser's own is shared only on purpose. */
export function showLinks({ place, moment, selected }) {
  byId("share").hidden = place.source !== "browser";
  byId("share-link").href = address(place.query, { moment, selected });
  byId("api").href = skyUrl({ query: place.query, moment });
}

/** About the browser's place: what is awaited, or what to do without it. @param {string} key */
export function showNote(key) {
  say("locate-note", () => key && t(key));
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
