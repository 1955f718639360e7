/** The civil time of a zone, where the page must turn the time of a clock into an instant. */

import { zoneKey } from "./texts.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIELDS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};
const formats = new Map();

/**
 * What the clocks of a zone show.
 * @param {Date} instant
 * @param {string} [zone] the browser's own without it
 * @returns {{date: string, minutes: number}} the date as 2026-11-30, the minutes since midnight
 */
export function wallTime(instant, zone) {
  const { year, month, day, hour, minute } = parts(instant, zone);
  return { date: `${year}-${month}-${day}`, minutes: Number(hour) * 60 + Number(minute) };
}

/**
 * The instant at which the clocks of a zone show a time: the first of two, and where the clocks
 * leave the time out, as much later as they were put forward.
 * @param {string} date for example 2026-11-30
 * @param {number} minutes since midnight
 * @param {string} [zone]
 */
export function instantOf(date, minutes, zone) {
  const shown = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((ms) => offsetMs(ms, zone));
  const [first, second] = [Math.max(...offsets), Math.min(...offsets)].map((ms) => shown - ms);
  const isFirst = first + offsetMs(first, zone) === shown;
  return new Date(isFirst ? first : second);
}

/** The date some days after one, both as 2026-11-30. */
export function addDays(date, days) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS)
    .toISOString()
    .slice(0, 10);
}

function offsetMs(ms, zone) {
  const instant = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  const { date, minutes } = wallTime(new Date(instant), zone);
  return Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS - instant;
}

function parts(instant, zone) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat("en-GB", { ...FIELDS, timeZone: zoneKey(zone) }));
  }
  const found = formats.get(zone).formatToParts(instant);
  return Object.fromEntries(found.map(({ type, value }) => [type, value]));
}
