/** A date's almanac as a picture, in parts of the time that it spans: 0 is its begin, 1 its end. */

import { wallTime } from "./civil.js";
import { at, courseOf, isUp, lightOf, upSpans } from "./spans.js";

const TICK_HOURS = 6;
/** Clocks are put forward and back by whole quarters of an hour, and differ from UTC by those. */
const QUARTER_MS = 15 * 60_000;
/** What light there is, from the faintest to the day's: each is painted over the one before. */
const TWILIGHTS = ["astronomical", "nautical", "civil"];

/**
 * @typedef {{from: number, to: number}} Part of the chart's time
 *
 * @typedef {object} Row of one body
 * @property {string} name
 * @property {Part[]} bars when it is up
 * @property {number[]} transits those above the horizon
 * @property {number | null} best
 *
 * @typedef {object} Chart
 * @property {number} begin in milliseconds
 * @property {number} end
 * @property {{kind: "astronomical" | "nautical" | "civil" | "day", parts: Part[]}[]} light
 * @property {Row[]} rows
 */

/**
 * A date, or with a second almanac the date and the night that follows, until the noon after.
 * @param {object[]} almanacs the date's, and the next date's if it is known
 * @returns {Chart}
 */
export function chartOf(almanacs) {
  const [first, second] = almanacs;
  const begin = Date.parse(first.begin);
  const end = second ? middle(second) : Date.parse(first.end);
  const part = (ms) => (ms - begin) / (end - begin);
  const parts = (course) =>
    upSpans(course, begin, end).map(({ from, to }) => ({ from: part(from), to: part(to) }));
  const row = ({ name, best }) => {
    const course = courseOf(name, almanacs);
    const transits = course.transits.map(at).filter((ms) => ms < end && isUp(course, ms));
    return { name, bars: parts(course), transits: transits.map(part), best: bestPart(best, part) };
  };
  const light = TWILIGHTS.map((kind) => ({ kind, parts: parts(lightOf(kind, almanacs)) }));
  light.push({ kind: "day", parts: parts(courseOf("sun", almanacs)) });
  return { begin, end, light, rows: first.bodies.map(row) };
}

/**
 * The instants from begin to end, in milliseconds, at which the zone's clocks show 0, 6, 12 or 18.
 * @returns {{at: number, hour: number}[]}
 */
export function ticks(begin, end, zone) {
  const found = [];
  for (let ms = Math.ceil(begin / QUARTER_MS) * QUARTER_MS; ms <= end; ms += QUARTER_MS) {
    const { minutes } = wallTime(new Date(ms), zone);
    if (minutes % (TICK_HOURS * 60) === 0) {
      found.push({ at: ms, hour: minutes / 60 });
    }
  }
  return found;
}

function middle({ begin, end }) {
  return (Date.parse(begin) + Date.parse(end)) / 2;
}

function bestPart(best, part) {
  const found = best ? part(at(best)) : null;
  return found !== null && found >= 0 && found <= 1 ? found : null;
}
