/**
 * What the page shows: one frozen object, changed by `update` alone. The page's address says it
 * too, so that a link shows the same sky.
 *
 * @typedef {object} Preferences
 * @property {"decimal" | "minutes"} degrees
 * @property {boolean} hour12
 * @property {boolean} mirrored whether east is on the right of the dome
 *
 * @typedef {object} State
 * @property {import("./place.js").Place} place
 * @property {Date | null} moment null is now, and goes on
 * @property {string | null} selected the name of a body
 * @property {Preferences} preferences remembered by this browser
 */

const KEY = "preferences";
const PREFERENCES = { degrees: "decimal", hour12: false, mirrored: false };
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[ +-]\d\d:?\d\d)$/;

const listeners = new Set();
let state = Object.freeze({
  place: { query: "", source: "link" },
  moment: null,
  selected: null,
  preferences: remembered(),
});

/** @returns {State} */
export function current() {
  return state;
}

/** @param {Partial<State>} changes */
export function update(changes) {
  const before = state;
  if (Object.entries(changes).every(([name, value]) => before[name] === value)) {
    return;
  }
  state = Object.freeze({ ...before, ...changes });
  if (state.preferences !== before.preferences) {
    remember(state.preferences);
  }
  for (const listener of listeners) {
    listener(state, before);
  }
}

/** @param {Partial<Preferences>} changes */
export function prefer(changes) {
  update({ preferences: Object.freeze({ ...state.preferences, ...changes }) });
}

/** @param {(state: State, before: State) => void} listener called after each change */
export function subscribe(listener) {
  listeners.add(listener);
}

/** The moment and the body of a link; a time that is no instant is left for the server to refuse. */
export function fromLink(search) {
  const parameters = new URLSearchParams(search);
  return {
    moment: readInstant(parameters.get("time") ?? ""),
    selected: parameters.get("body")?.trim().toLowerCase() || null,
  };
}

/** @returns {Date | null} null unless the text is an instant with its offset */
export function readInstant(text) {
  const trimmed = text.trim();
  if (!INSTANT.test(trimmed)) {
    return null;
  }
  const instant = new Date(trimmed.replace(" ", "+")); // a query's "+" decodes to a space
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** An instant as the server takes it, in whole seconds. */
export function writeInstant(moment) {
  return `${moment.toISOString().slice(0, 19)}Z`;
}

/**
 * The page's address for a place, a moment and a body.
 * @param {string} query of the place
 * @param {Pick<State, "moment" | "selected">} shown
 */
export function address(query, { moment, selected }) {
  const parameters = new URLSearchParams(query);
  if (moment) {
    parameters.set("time", writeInstant(moment));
  }
  if (selected) {
    parameters.set("body", selected);
  }
  const text = parameters.toString().replaceAll("%3A", ":"); // a colon needs no escape in a query
  return text ? `/?${text}` : "/";
}

function remembered() {
  try {
    return Object.freeze({ ...PREFERENCES, ...JSON.parse(localStorage.getItem(KEY)) });
  } catch {
    return Object.freeze(PREFERENCES); // storage refused, or not ours
  }
}

function remember(preferences) {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // a browser may refuse storage; the choice then lasts until the page is left
  }
}
