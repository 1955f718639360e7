/** Instants as the page shows them, to the second. */

import { dateText } from "./texts.js";

/**
 * The date and the time of day.
 * @param {Date} instant
 * @param {string | undefined} zone an IANA name; undefined is the browser's own
 * @param {boolean} [hour12]
 */
export function dateAndTime(instant, zone, hour12 = false) {
  return dateText(instant, zone, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: hour12 ? "numeric" : "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: hour12 ? "h12" : "h23",
  });
}

/** The browser's zone, for example "Europe/Berlin". */
export function browserZone() {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
