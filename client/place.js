import { coordinates } from "./format.js";

/**
 * A place is the query that asks for it, and where that came from. What the query means, and
 * whether it is a place at all, only the server says.
 *
 * @typedef {object} Place
 * @property {string} query for example "lat=48.1&lon=11.6&elevation=520"; "" for none
 * @property {"link" | "typed" | "browser"} source
 */

const PARAMETERS = ["lat", "lon", "elevation"];
/** The server answers these with a sentence; without them it would show another place. */
const MISTAKEN = ["latitude", "longitude", "long", "lng", "altitude", "height"];

/** @returns {Place} with the link's own texts; what no place has is left out */
export function placeFromLink(search) {
  const pairs = [...new URLSearchParams(search)].filter(([name]) =>
    [...PARAMETERS, ...MISTAKEN].includes(name),
  );
  return { query: new URLSearchParams(pairs).toString(), source: "link" };
}

/** @returns {Place} without the fields that are blank */
export function placeFromForm(form) {
  const pairs = [...new FormData(form)]
    .map(([name, text]) => [name, text.trim()])
    .filter(([, text]) => text !== "");
  return { query: new URLSearchParams(pairs).toString(), source: "typed" };
}

/**
 * Four decimals are 11 metres. The altitude is left out: it is above an ellipsoid and not above
 * the sea, often absent, and moves even the Moon by less than the table shows.
 * @param {GeolocationCoordinates} coords
 * @returns {Place}
 */
export function placeFromBrowser({ latitude, longitude }) {
  const pairs = { lat: latitude.toFixed(4), lon: longitude.toFixed(4) };
  return { query: new URLSearchParams(pairs).toString(), source: "browser" };
}

/** The page's address for a place. */
export function pageUrl(query) {
  return query ? `/?${query}` : "/";
}

const WHENCE = {
  link: "the place in this link",
  typed: "the place you typed",
  browser: "the place that this browser reports",
};

/** Which place the sky is shown for, and why that one. */
export function placeSentence(place, observer) {
  if (observer.source === "default") {
    return "Showing the sky above Greenwich, because no place was given.";
  }
  return `Showing the sky above ${WHENCE[place.source]}: ${coordinates(observer)}.`;
}
