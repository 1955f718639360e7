const POINTS = [
  ["N", "north"],
  ["NNE", "north-north-east"],
  ["NE", "north-east"],
  ["ENE", "east-north-east"],
  ["E", "east"],
  ["ESE", "east-south-east"],
  ["SE", "south-east"],
  ["SSE", "south-south-east"],
  ["S", "south"],
  ["SSW", "south-south-west"],
  ["SW", "south-west"],
  ["WSW", "west-south-west"],
  ["W", "west"],
  ["WNW", "west-north-west"],
  ["NW", "north-west"],
  ["NNW", "north-north-west"],
].map(([short, full]) => ({ short, full }));

/**
 * The nearest of the sixteen compass points.
 * @param {number} azimuthDeg from north through east
 * @returns {{short: string, full: string}}
 */
export function compassPoint(azimuthDeg) {
  return POINTS[Math.round((azimuthDeg / 360) * POINTS.length) % POINTS.length];
}
