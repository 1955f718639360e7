import { named } from "./texts.js";

const POINTS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");

/**
 * The nearest of the sixteen compass points: its English letters, by which the texts know it, and
 * its name in the page's language.
 * @param {number} azimuthDeg from north through east
 * @returns {{short: string, full: string}}
 */
export function compassPoint(azimuthDeg) {
  const short = POINTS[Math.round((azimuthDeg / 360) * POINTS.length) % POINTS.length];
  return { short, full: named("compass", short) };
}
