/**
 * A direction in words, in English or Persian whatever the page's language: "low in the
 * south-east", "30 degrees up in the west", "az 135 alt 20", "پایین در جنوب شرقی".
 */

import { wrap } from "./projection.js";

/** Where somebody looks who names no height: about where most things that are noticed stand. */
const USUAL_ALT = 30;
const FIST_DEG = 10; // at arm's length

const POINTS = "n nne ne ene e ese se sse s ssw sw wsw w wnw nw nnw".split(" ");

const SIDES = {
  n: ["n", "north", "شمال", "شمالی"],
  e: ["e", "east", "شرق", "شرقی", "خاور", "خاوری"],
  s: ["s", "south", "جنوب", "جنوبی"],
  w: ["w", "west", "غرب", "غربی", "باختر", "باختری"],
};
const LETTERS = new Map(
  Object.entries(SIDES).flatMap(([letter, words]) => words.map((word) => [word, letter])),
);

/** The longest phrase that fits counts, so that "very low" is not "low". */
const HEIGHTS = [
  { alt: 90, phrases: ["overhead", "straight up", "zenith", "above me"] },
  { alt: 90, phrases: ["بالای سر", "بالای سرم", "سمت الراس", "سرسو"] },
  { alt: 80, phrases: ["almost overhead", "nearly overhead", "تقریبا بالای سر"] },
  { alt: 75, phrases: ["very high", "خیلی بالا", "بسیار بالا", "خیلی بلند"] },
  { alt: 60, phrases: ["high", "بالا", "بلند"] },
  { alt: 45, phrases: ["half way", "halfway", "middle", "وسط", "میانه", "نیمه راه"] },
  { alt: 15, phrases: ["low", "پایین", "پائین", "کم ارتفاع"] },
  { alt: 5, phrases: ["very low", "near the horizon", "close to the horizon"] },
  { alt: 5, phrases: ["just above the horizon", "خیلی پایین", "خیلی پائین", "بسیار پایین"] },
  { alt: 5, phrases: ["نزدیک افق", "کمی بالای افق"] },
  { alt: 2, phrases: ["on the horizon", "at the horizon", "لب افق", "روی افق"] },
]
  .flatMap(({ alt, phrases }) => phrases.map((phrase) => ({ phrase, alt })))
  .sort((one, other) => other.phrase.length - one.phrase.length);

const COUNTS = Object.entries({
  1: ["a", "one", "یک"],
  2: ["two", "دو"],
  3: ["three", "سه"],
  4: ["four", "چهار"],
  5: ["five", "پنج"],
  6: ["six", "شش"],
});

/**
 * @param {string} text
 * @returns {{az: number, alt: number} | {hint: "noDirection" | "twoDirections" | "tooHigh"}}
 */
export function readDirection(text) {
  const words = normal(text);
  const numbers = readNumbers(words);
  const points = readPoints(words);
  if (points === null) {
    return { hint: "twoDirections" };
  }
  const { az, alt } = settle(numbers, points, readHeight(words));
  if (alt > 90 || az > 360) {
    return { hint: "tooHigh" };
  }
  if (az === undefined && alt !== 90) {
    return { hint: "noDirection" };
  }
  return { az: wrap(az ?? 0), alt: alt ?? USUAL_ALT };
}

/** A named number first; then the point of the compass; then bare numbers, in the order az, alt. */
function settle({ az, alt, bare }, point, height) {
  const rest = [...bare];
  const azimuth = az ?? point ?? (rest.length > 1 ? rest.shift() : undefined);
  return { az: azimuth, alt: alt ?? rest.shift() ?? height };
}

/** Small letters, Latin digits, one space between words, and nothing that is not said. */
function normal(text) {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[٠-٩۰-۹]/g, (digit) => digit.codePointAt(0) & 15)
    .replace(/٫/g, ".")
    .replace(/[أإ]/g, "ا")
    .replace(/[يى]/g, "ی")
    .replace(/ك/g, "ک")
    .replace(/[\u064b-\u065f\u0670]/g, "") // vowel signs
    .replace(/['’]\p{L}*/gu, "") // or the s of "it's" would be south
    .replace(/\.(?!\d)/g, " ")
    .replace(/(\d)([^\d.])/g, "$1 $2")
    .replace(/[^\p{L}\d.]+/gu, " ");
  return counted(plain.trim());
}

/** "two fists" as "20". */
function counted(words) {
  const digits = words.split(" ").map((word, index, all) => {
    const count = COUNTS.find(([, names]) => names.includes(word))?.[0];
    return count && isFist(all[index + 1]) ? count : word;
  });
  return digits
    .join(" ")
    .replace(/(\d+(?:\.\d+)?) (?:fists?|مشت)(?= |$)/g, (match, count) => count * FIST_DEG);
}

function isFist(word) {
  return ["fist", "fists", "مشت"].includes(word);
}

const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const AZIMUTH = new RegExp(`(?:^| )(?:az|azimuth|سمت) ${NUMBER}`);
const ALTITUDE = new RegExp(`(?:^| )(?:alt|altitude|ارتفاع) ${NUMBER}`);

function readNumbers(words) {
  const named = [AZIMUTH, ALTITUDE].map((pattern) => words.match(pattern)?.[1]);
  const rest = words.replace(AZIMUTH, " ").replace(ALTITUDE, " ");
  const [az, alt] = named.map((text) => (text === undefined ? undefined : Number(text)));
  return { az, alt, bare: (rest.match(new RegExp(NUMBER, "g")) ?? []).map(Number) };
}

function readHeight(words) {
  return HEIGHTS.find(({ phrase }) => ` ${words} `.includes(` ${phrase} `))?.alt;
}

/** @returns {number | undefined | null} degrees; undefined: none is named; null: no single one */
function readPoints(words) {
  const groups = words
    .split(" ")
    .map((word) => letters(word) ?? " ")
    .join("")
    .split(/ +/)
    .filter((group) => group !== "");
  const degrees = groups.map((group) => POINTS.indexOf(group) * 22.5);
  if (degrees.some((az) => az < 0) || degrees.length > 2) {
    return null;
  }
  return degrees.length === 2 ? middle(...degrees) : degrees[0];
}

/** "north-east", "northeastern" and "ne" are "ne"; undefined for any other word. */
function letters(word) {
  const stem = word.replace(/(?:ern|erly|wards?)$/, "");
  const [, first, second] = stem.match(/^(north|south)(east|west)$/) ?? [];
  if (first) {
    return LETTERS.get(first) + LETTERS.get(second);
  }
  return LETTERS.get(stem) ?? (POINTS.includes(word) ? word : undefined);
}

/** "Between south and west"; but not north and south. */
function middle(one, other) {
  const apart = wrap(other - one + 180) - 180;
  return Math.abs(apart) <= 90 ? wrap(one + apart / 2) : null;
}
