/**
 * The cities of cities.json, loaded when they are first asked for, and the search among them.
 *
 * @typedef {object} City
 * @property {string} name in English
 * @property {string} fa in Persian
 * @property {string} country ISO 3166-1
 * @property {number} lat degrees
 * @property {number} lon degrees
 * @property {number} elevation metres above the sea
 * @property {string[]} [also] other names, in any language
 */

/** Letters that are written with others, and do not come apart into those by themselves. */
const LETTERS = {
  ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe", þ: "th",
  ي: "ی", ى: "ی", ك: "ک", ة: "ه", ە: "ه", ہ: "ه", ھ: "ه",
};
const DROPPED = /[\p{M}\u0640'’‘ʻʼ]/gu; // accents, vowel marks, the Arabic stretch, apostrophes

const LANGUAGES = ["en", "fa"];
const KM_PER_DEGREE = 111.2;

let loading = null;
const keys = new WeakMap();

/**
 * Every city; the file is asked for once. Rejects where it does not come, and asks again then.
 * @returns {Promise<City[]>}
 */
export function loadCities() {
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load() {
  const response = await fetch("/cities.json");
  if (!response.ok) {
    throw new Error(`The server answered ${response.status}.`);
  }
  return response.json();
}

/**
 * The cities whose name, or a word of it, begins with the text, or whose country does: in any
 * language and whatever its accents, spaces, hyphens and variants of Arabic letters.
 * @param {City[]} cities
 * @param {string} text
 * @returns {City[]} the whole name first, then its beginning, then a word of it, then the country
 */
export function searchCities(cities, text, most = 8) {
  const wanted = words(text).join("");
  if (wanted === "") {
    return [];
  }
  return cities
    .map((city) => ({ city, rank: rank(city, wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ city }) => city);
}

function rank(city, wanted) {
  const { names, countries } = keysOf(city);
  const ranks = names.flatMap((name) =>
    endings(name).map((ending, index) => {
      const isWhole = index === 0 && ending === wanted;
      return ending.startsWith(wanted) ? (isWhole ? 0 : Math.min(index, 1) + 1) : Infinity;
    }),
  );
  const isOfCountry = countries.some((name) => name.join("").startsWith(wanted));
  return Math.min(...ranks, isOfCountry ? 3 : Infinity);
}

/** The name from each of its words on, so that "petersburg" and "saintp" both find it. */
function endings(name) {
  return name.map((_, index) => name.slice(index).join(""));
}

function keysOf(city) {
  if (!keys.has(city)) {
    const names = [city.name, city.fa, ...(city.also ?? [])].map(words);
    const countries = LANGUAGES.map((language) => words(countryName(city.country, language)));
    keys.set(city, { names, countries });
  }
  return keys.get(city);
}

/** The words of a text, by letters that look alike to one who searches. */
function words(text) {
  const folded = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(DROPPED, "")
    .replace(/\p{L}/gu, (letter) => LETTERS[letter] ?? letter);
  return folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** @param {string} code ISO 3166-1 @param {string} language */
export function countryName(code, language) {
  if (!displayNames.has(language)) {
    displayNames.set(language, new Intl.DisplayNames([language], { type: "region" }));
  }
  return displayNames.get(language).of(code);
}
const displayNames = new Map(); // making one takes a thousand times as long as using it

/**
 * The city that is nearest to a place, or null where none is within the distance.
 * @param {City[]} cities
 * @param {{lat: number, lon: number}} place
 * @param {number} most kilometres
 */
export function nearestCity(cities, place, most) {
  let nearest = null;
  let least = most;
  for (const city of cities) {
    const distance = kilometres(city, place);
    if (distance <= least) {
      nearest = city;
      least = distance;
    }
  }
  return nearest;
}

/** Good to some per cent over the distances that matter here. */
function kilometres(one, other) {
  const east = Math.abs(one.lon - other.lon) % 360;
  const shortest = Math.min(east, 360 - east) * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(one.lat - other.lat, shortest) * KM_PER_DEGREE;
}
