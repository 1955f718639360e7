/** Numbers and places as the page shows them, in its language. */

import { number, t } from "./texts.js";

export function degrees(value, decimals = 1) {
  return `${number(value, decimals)}°`;
}

/** Degrees from north; 359.96 is shown as 0.0, not 360.0. */
export function azimuth(value) {
  return degrees(Number(value.toFixed(1)) % 360);
}

/** For example "48.1° N, 11.6° E, 520 m above sea level". */
export function coordinates({ lat, lon, elevation }) {
  const north = t(lat < 0 ? "shell.south" : "shell.north", { degrees: Math.abs(lat) });
  const east = t(lon < 0 ? "shell.west" : "shell.east", { degrees: Math.abs(lon) });
  return elevation === 0
    ? t("shell.coordinates", { north, east })
    : t("shell.coordinatesAndHeight", { north, east, metres: elevation });
}
