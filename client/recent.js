/**
 * The places that were chosen last, remembered by this browser alone.
 *
 * @typedef {object} RecentPlace
 * @property {string} query for example "lat=48.1&lon=11.6"
 * @property {Record<string, string>} [names] of a city, by language
 */

const KEY = "recent places";
const MOST = 8;

let places = []; // all that there is where the browser refuses storage

/** @returns {RecentPlace[]} the latest first */
export function recentPlaces() {
  try {
    places = understood(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    // storage refused, or not ours: what this page remembers has to do
  }
  return places;
}

/** @param {RecentPlace} place */
export function rememberPlace({ query, names }) {
  const others = recentPlaces().filter((place) => place.query !== query);
  keep([names ? { query, names } : { query }, ...others].slice(0, MOST));
}

/** @param {string} query */
export function forgetPlace(query) {
  keep(recentPlaces().filter((place) => place.query !== query));
}

function keep(wanted) {
  places = wanted;
  try {
    localStorage.setItem(KEY, JSON.stringify(places));
  } catch {
    // as above
  }
}

/** What another version, or another hand, may have left there. */
function understood(kept) {
  return Array.isArray(kept) ? kept.filter(isPlace).slice(0, MOST) : [];
}

function isPlace(place) {
  const { query, names = { en: "" } } = place ?? {};
  return typeof query === "string" && typeof names?.en === "string";
}
