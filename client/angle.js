/**
 * One angle as people write it: 48.1, −0,1276, ۳۵٫۶۹, 51°28′N, 51 28 40 N, N 51:28:40. Its value is
 * text, as the server takes numbers, with the digits that were typed.
 *
 * @typedef {object} Angle
 * @property {string} text in degrees, for example "-51.47778"
 * @property {"N" | "S" | "E" | "W" | null} side the letter that came with it
 * @property {string | null} hint the key of what is wrong with it
 */

const ZEROS = ["۰", "٠", "０"].map((zero) => zero.codePointAt(0));

/** What people type for the same thing, in the order in which it is replaced. */
const ALIKE = [
  [/[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069]/g, ""], // marks of direction, and joiners
  [/[٫．]/g, "."],
  [/[،，٬/]/g, ","], // in Persian a slash is a decimal point, too
  [/[؛；|\n]/g, ";"],
  [/[−–—‐‑﹣－]/g, "-"],
  [/＋/g, "+"],
  [/[º˚∘]/g, "°"],
  [/[″"“”„ʺ]|[′'’‘ʹ´`]{2}/g, "″"],
  [/[′'’‘ʹ´`]/g, "′"],
  [/ي/g, "ی"],
  [/[()[\]]|\s+/g, " "],
];

const WORDS = {
  N: ["n", "north", "شمال", "شمالی"],
  S: ["s", "south", "جنوب", "جنوبی"],
  E: ["e", "east", "شرق", "شرقی"],
  W: ["w", "west", "غرب", "غربی"],
  m: ["m", "metre", "metres", "meter", "meters", "متر"],
};
const LETTERS = new Map(
  Object.entries(WORDS).flatMap(([letter, words]) => words.map((word) => [word, letter])),
);

const NUMBER = "(\\d+(?:[.,]\\d*)?|[.,]\\d+)";
const SECONDS = `(?: ?[′:] ?| )${NUMBER} ?″?`;
const MINUTES = `(?: ?[°:] ?| )${NUMBER}(?:${SECONDS}| ?′?)`;
const ANGLE = new RegExp(`^([NSEW])? ?([+-])? ?${NUMBER}(?:${MINUTES}| ?°?) ?([NSEW])?$`);

const DECIMALS = 5; // a metre; a second of arc is 31

/**
 * The same text in one script: ASCII digits, signs and marks, N, S, E and W for the words, m for
 * metres. Other words stay.
 */
export function plain(text) {
  const inDigits = text.replace(/[۰-۹٠-٩０-９]/g, (digit) => {
    const code = digit.codePointAt(0);
    return String(code - ZEROS.find((zero) => code >= zero && code < zero + 10));
  });
  return ALIKE.reduce((line, [found, one]) => line.replace(found, one), inDigits)
    .replace(/\p{L}+/gu, (word) => LETTERS.get(word.toLowerCase()) ?? word)
    .replace(/ +/g, " ")
    .trim();
}

/**
 * @param {string} line as `plain` returns it
 * @returns {Angle | null} null where the line is no angle
 */
export function readAngle(line) {
  const [matches, before, sign = "", degrees, minutes, seconds, after] = ANGLE.exec(line) ?? [];
  if (!matches || hasFraction(degrees, minutes) || hasFraction(minutes, seconds)) {
    return null;
  }
  const side = before ?? after ?? null;
  const value = minutes ? inDegrees(degrees, minutes, seconds) : pointed(degrees);
  return {
    text: signed(value, sign === "-" || side === "S" || side === "W"),
    side,
    hint: fault({ before, after, sign, minutes, seconds }),
  };
}

/** Whether a part that smaller ones follow is not whole, as in "48.1 11.6": that is no angle. */
function hasFraction(part, smaller) {
  return smaller !== undefined && /[.,]/.test(part);
}

function inDegrees(degrees, minutes, seconds = "0") {
  const parts = [degrees, minutes, seconds].map((part) => Number(pointed(part)));
  const value = parts[0] + parts[1] / 60 + parts[2] / 3600;
  return String(Number(value.toFixed(DECIMALS)));
}

function pointed(number) {
  return number.replace(",", ".");
}

function signed(value, isNegative) {
  return isNegative && Number(value) !== 0 ? `-${value}` : value;
}

function fault({ before, after, sign, minutes = "0", seconds = "0" }) {
  if ((before && after) || (sign && (before || after))) {
    return "place.twoSides";
  }
  return Math.max(Number(pointed(minutes)), Number(pointed(seconds))) < 60 ? null : "place.sixty";
}
