/** Quantities as the page says them, in the language's digits and the reader's units. */

import { number, t } from "./texts.js";

const LIGHT_MINUTES_PER_AU = 8.316746;
const MINUTE_MS = 60_000;

/** @typedef {"decimal" | "minutes"} Style */

/**
 * For example "34.1°" or "34° 06′".
 * @param {number} value in degrees
 * @param {Style} [style]
 */
export function degrees(value, style = "decimal") {
  return style === "minutes" ? degreesAndMinutes(value) : `${number(value, 1)}°`;
}

/** Degrees around the circle: what is nearly 360 is shown as 0. */
export function azimuth(value, style = "decimal") {
  const step = style === "minutes" ? 60 : 10;
  return degrees((Math.round(value * step) % (360 * step)) / step, style);
}

/** A right ascension, given in degrees, in hours: "5.576 h" or "5 h 34.5 min". */
export function hours(value, style = "decimal") {
  if (style === "minutes") {
    const tenths = Math.round((value / 15) * 600) % (24 * 600);
    const minutes = number((tenths % 600) / 10, 1);
    return t("details.hours_and_minutes", { hours: Math.floor(tenths / 600), minutes });
  }
  const thousandths = Math.round((value / 15) * 1000) % 24_000;
  return t("details.hours", { hours: number(thousandths / 1000, 3) });
}

/** The time that light takes for a distance, in minutes; 8.3 from the Sun. */
export function lightMinutes(distanceAu) {
  return distanceAu * LIGHT_MINUTES_PER_AU;
}

/** For example "1.524 au, 12.7 light minutes"; what is near has more decimals. */
export function distance(au) {
  const minutes = lightMinutes(au);
  return t("details.distance_text", {
    au: number(au, au < 0.1 ? 5 : 3),
    minutes: number(minutes, minutes < 1 ? 3 : 1),
  });
}

/** An apparent diameter, given in seconds of arc: "44.2″", or "31.5′" for the Sun and the Moon. */
export function diameter(arcsec) {
  return arcsec < 60 ? `${number(arcsec, 1)}″` : `${number(arcsec / 60, 1)}′`;
}

/** A span of time in words, to the minute: "2 h 10 min", "35 min", "less than a minute". */
export function duration(ms) {
  const whole = Math.round(ms / MINUTE_MS);
  const [h, minutes] = [Math.floor(whole / 60), whole % 60];
  if (whole < 1) {
    return t("tonight.no_time");
  }
  if (h === 0) {
    return t("tonight.minutes", { minutes });
  }
  return t(minutes === 0 ? "tonight.hours" : "tonight.hours_and_minutes", { hours: h, minutes });
}

function degreesAndMinutes(value) {
  const whole = Math.round(Math.abs(value) * 60);
  const signed = number(Math.sign(value) * Math.floor(whole / 60));
  // What is less than a degree below 0 has no whole degrees to carry the sign.
  const sign = value < 0 && whole > 0 && whole < 60 ? "−" : "";
  return `${sign}${signed}° ${number(whole % 60).padStart(2, number(0))}′`;
}
