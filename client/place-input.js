/**
 * What people type for a place, as the text that the server takes, or a hint at what is wrong. The
 * server still decides what is a place: text that nothing is made of goes to it as it was typed.
 *
 * @typedef {object} Reading of one field
 * @property {string} text for the server
 * @property {boolean} isConverted whether other text than this was typed
 * @property {string | null} hint the key of what is wrong with it
 *
 * @typedef {object} Values the texts for the server
 * @property {string} lat
 * @property {string} lon
 * @property {string} [elevation]
 *
 * @typedef {object} Checked
 * @property {Record<keyof Values, Reading>} readings
 * @property {string | null} hint the key of what is wrong with both or one of them
 * @property {Values | null} swapped what they are the other way round, where only that is a place
 */

import { plain, readAngle } from "./angle.js";

const AXES = { N: "lat", S: "lat", E: "lon", W: "lon" };
const RANGES = { lat: [-90, 90], lon: [-180, 360] };
const OUTSIDE = { lat: "place.latRange", lon: "place.lonRange" };
const WRONG_SIDE = { lat: "place.latSide", lon: "place.lonSide" };
const AS_THE_SERVER_READS = /^[+-]?(\d+\.?\d*|\.\d+)$/;

/**
 * @param {string} typed
 * @param {"lat" | "lon"} axis
 * @returns {Reading}
 */
export function readCoordinate(typed, axis) {
  const text = typed.trim();
  const angle = readAngle(plain(text));
  if (!angle) {
    return { text, isConverted: false, hint: isPlace(text) ? "place.two" : null };
  }
  if (angle.side && AXES[angle.side] !== axis) {
    return { text, isConverted: false, hint: WRONG_SIDE[axis] };
  }
  if (angle.hint) {
    return { text, isConverted: false, hint: angle.hint };
  }
  const hint = isWithin(angle.text, axis) ? null : OUTSIDE[axis];
  return { ...converted(text, angle.text), hint };
}

/**
 * Metres, with a decimal point or comma; a comma or space before just three digits is between
 * thousands.
 * @param {string} typed
 * @returns {Reading}
 */
export function readElevation(typed) {
  const text = typed.trim();
  const line = plain(text).replace(/ ?m$/, "");
  const [thousands] = /^[+-]?\d{1,3}[, ]\d{3}$/.exec(line) ?? [];
  const number = line.replace(/[, ]/, thousands ? "" : ".");
  const reading = AS_THE_SERVER_READS.test(number)
    ? converted(text, number)
    : { text, isConverted: false };
  return { ...reading, hint: null };
}

/**
 * The three fields together.
 * @param {Values} typed
 * @returns {Checked}
 */
export function check({ lat, lon, elevation = "" }) {
  const readings = {
    lat: readCoordinate(lat, "lat"),
    lon: readCoordinate(lon, "lon"),
    elevation: readElevation(elevation),
  };
  const hint = readings.lat.hint ?? readings.lon.hint;
  return { readings, hint, swapped: hint ? otherWayRound(lat, lon) : null };
}

/** @returns {Values | null} null unless both are right the other way round */
function otherWayRound(lat, lon) {
  const readings = { lat: readCoordinate(lon, "lat"), lon: readCoordinate(lat, "lon") };
  const isRight = Object.values(readings).every(
    ({ text, hint }) => hint === null && AS_THE_SERVER_READS.test(text),
  );
  return isRight ? { lat: readings.lat.text, lon: readings.lon.text } : null;
}

/**
 * Latitude and longitude, and perhaps the elevation, in one text.
 * @param {string} typed
 * @returns {{values: Values | null, hint: string | null, swapped: Values | null} | null} null where
 *   it cannot be coordinates, but perhaps a name; no values where they cannot be told apart
 */
export function readPlace(typed) {
  const line = plain(typed);
  if (!/\d/.test(line) || /[^\d.,;:°′″+\-NSEWm ]/.test(line)) {
    return null;
  }
  const [first = "", second, elevation, ...more] = split(withPoints(line));
  if (second === undefined && readAngle(first)) {
    return unread("place.half");
  }
  if (second === undefined || more.length > 0) {
    return unread("place.unclear");
  }
  return assign(first, second, elevation);
}

function isPlace(text) {
  return Boolean(readPlace(text)?.values);
}

function unread(hint) {
  return { values: null, hint, swapped: null };
}

/** Letters tell which is which; without them the latitude comes first. */
function assign(first, second, elevation) {
  const angles = [readAngle(first), readAngle(second)];
  if (angles.includes(null)) {
    return unread("place.unclear");
  }
  const [one, other] = angles.map(({ side }) => side && AXES[side]);
  if (one && one === other) {
    return unread("place.sameAxis");
  }
  const [lat, lon] = one === "lon" || other === "lat" ? [second, first] : [first, second];
  const { readings, hint, swapped } = check({ lat, lon, elevation });
  const height = readings.elevation.text && { elevation: readings.elevation.text };
  return {
    values: { lat: readings.lat.text, lon: readings.lon.text, ...height },
    hint,
    swapped: swapped && { ...swapped, ...height },
  };
}

/**
 * The text with its decimal commas as points. A comma that a space follows, or that stands beside
 * a decimal point, is between two numbers. Left to itself, the comma of "48,11" is, too, and the
 * middle one of "48,1,11,6"; of "48,1,11" nobody knows.
 */
function withPoints(line) {
  const tight = line.match(/\d,(?=\d)/g)?.length ?? 0;
  if (tight === 0 || line.includes(".")) {
    return line;
  }
  const isSplitElsewhere = /[;NSEW°]|, | ,|,[+-]|\d [+-]?\d/.test(line);
  if (isSplitElsewhere) {
    return line.replace(/(\d),(?=\d)/g, "$1.");
  }
  const alone = { 1: line, 3: line.replace(/(\d),(\d+,\d+),(?=\d)/, "$1.$2.") };
  return alone[tight] ?? "";
}

/** @returns {string[]} the parts that should be an angle each, and the elevation */
function split(line) {
  const ways = [
    () => line.split(/[,;]/), // at commas
    () => (/^[NSEW]/.test(line) ? line.match(/[NSEW][^NSEW]*/g) : []), // before letters
    () => line.match(/[^NSEW]+[NSEW]|[^NSEW]+$/g) ?? [], // after letters
    () => line.split(/ (?=[+-]?[\d.]+ ?°)/), // before degrees
    () => line.split(/ (?=[+-])/), // before signs
    () => halves(line.split(" ")),
  ];
  for (const way of ways) {
    const parts = way().map((part) => part.trim()).filter(Boolean);
    if (parts.length > 1) {
      return parts;
    }
  }
  return [line.replace(/[ ,;]+$/, "")];
}

/** Two numbers, or two of degrees and minutes, or of seconds, too. */
function halves(words) {
  const half = words.length / 2;
  return [1, 2, 3].includes(half)
    ? [words.slice(0, half).join(" "), words.slice(half).join(" ")]
    : [];
}

function converted(typed, text) {
  return AS_THE_SERVER_READS.test(typed)
    ? { text: typed, isConverted: false }
    : { text, isConverted: text !== typed };
}

function isWithin(text, axis) {
  const [least, most] = RANGES[axis];
  return Number(text) >= least && Number(text) <= most;
}
