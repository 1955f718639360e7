import { coordinates } from "./format.js";
import { nameOf } from "./place-search.js";
import { readInstant } from "./state.js";
import { t } from "./texts.js";

/**
 * A place is the query that asks for it, and where that came from. What the query means, and
 * whether it is a place at all, only the server says.
 *
 * @typedef {object} Place
 * @property {string} query for example "lat=48.1&lon=11.6&elevation=520"; "" for none
 * @property {"link" | "typed" | "browser" | "city"} source
 * @property {Record<string, string>} [names] of a city, by language
 */

const PARAMETERS = ["lat", "lon", "elevation"];
/** The server answers these with a sentence; without them it would show another place. */
const MISTAKEN = ["latitude", "longitude", "long", "lng", "altitude", "height"];

/** @returns {Place} with the link's own texts; what no place has is left out */
export function placeFromLink(search) {
  const pairs = [...new URLSearchParams(search)].filter(
    ([name, text]) =>
      [...PARAMETERS, ...MISTAKEN].includes(name) || (name === "time" && isNoInstant(text)),
  );
  return { query: new URLSearchParams(pairs).toString(), source: "link" };
}

/** The server refuses such a time with a sentence; without it, it would show another moment. */
function isNoInstant(text) {
  return text.trim() !== "" && readInstant(text) === null;
}

/** @param {import("./place-form.js").PlaceChoice} choice @returns {Place} */
export function placeFromChoice({ query, names }) {
  return names ? { query, names, source: "city" } : { query, source: "typed" };
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

/** Which place the sky is shown for, and why that one. */
export function placeSentence(place, observer) {
  return observer.source === "default"
    ? t("shell.aboveGreenwich")
    : t("shell.above", {
        whence: place.names ? nameOf(place.names) : t(`shell.${place.source}`),
        coordinates: coordinates(observer),
      });
}
