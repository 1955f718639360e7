/**
 * What a text finds: cities, or the place that its coordinates are.
 *
 * @typedef {object} Chosen a place as it is chosen
 * @property {Partial<import("./place-input.js").Values>} values
 * @property {Record<string, string>} [names] of a city, by language
 *
 * @typedef {import("./combobox.js").Option & {place: Chosen}} PlaceOption
 *
 * @typedef {object} Found
 * @property {PlaceOption[]} options
 * @property {{key: string, count?: number} | null} note what to say of it
 */

import { countryName, loadCities, nearestCity, searchCities } from "./cities.js";
import { coordinates } from "./format.js";
import { readPlace } from "./place-input.js";
import { language, t } from "./texts.js";

const FAR_KM = 200; // a place that is nearer to a city is probably the one that is meant
const NEAR_KM = 50;

/** @param {string} text @returns {Promise<Found>} */
export async function findPlaces(text) {
  if (text.trim() === "") {
    return { options: [], note: null };
  }
  const read = readPlace(text);
  return read ? ofCoordinates(read) : ofCities(text);
}

async function ofCities(text) {
  let cities;
  try {
    cities = await loadCities();
  } catch {
    return { options: [], note: { key: "place.noList" } };
  }
  const options = searchCities(cities, text).map(cityOption);
  const count = options.length;
  return { options, note: count ? { key: "place.count", count } : { key: "place.none" } };
}

async function ofCoordinates({ values, hint, swapped }) {
  const isRead = values !== null && hint === null;
  const options = isRead
    ? [{ label: coordinatesText(values), detail: t("place.coordinates"), place: { values } }]
    : [];
  const other = isRead ? await likelier(values) : swapped && { values: swapped };
  return {
    options: other ? [...options, otherWayOption(other)] : options,
    note: hint ? { key: hint } : null,
  };
}

/**
 * The place with its coordinates the other way round, where that is near a city and this is far
 * from any: they are probably swapped.
 * @param {import("./place-input.js").Values} values
 * @returns {Promise<{values: import("./place-input.js").Values, city: string} | null>}
 */
export async function likelier(values) {
  const [lat, lon] = [Number(values.lat), Number(values.lon)];
  const cities = await loadCities().catch(() => []);
  if (nearestCity(cities, { lat, lon }, FAR_KM)) {
    return null;
  }
  const city = nearestCity(cities, { lat: lon, lon: lat }, NEAR_KM);
  const swapped = { ...values, lat: values.lon, lon: values.lat };
  return city && { values: swapped, city: nameOf(namesOf(city)) };
}

/** @returns {PlaceOption} */
function cityOption(city) {
  const names = namesOf(city);
  const { lat, lon, elevation } = city;
  const values = { lat: String(lat), lon: String(lon), elevation: String(elevation) };
  return {
    label: nameOf(names),
    detail: countryName(city.country, language()),
    place: { values, names },
  };
}

/** @returns {PlaceOption} */
function otherWayOption({ values, city }) {
  return {
    label: coordinatesText(values),
    detail: city ? t("place.otherWayNear", { city }) : t("place.otherWay"),
    isSuggestion: true,
    place: { values },
  };
}

function namesOf({ name, fa }) {
  return { en: name, fa };
}

/** A city's name in the page's language, in English where it has none. */
export function nameOf(names) {
  return names[language()] ?? names.en;
}

/** For example "48.1° N, 11.6° E, 520 m above sea level". */
export function coordinatesText({ lat, lon, elevation = "0" }) {
  return coordinates({ lat: Number(lat), lon: Number(lon), elevation: Number(elevation) });
}
