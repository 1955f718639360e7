/**
 * The lit part of a disc of radius 1 around 0, 0, as the data of an SVG path. Its edge is half the
 * disc's own and, for the terminator, half of an ellipse.
 * @param {number} illuminated the lit part of the disc, from 0 to 1
 * @param {boolean} waxing whether the right side is lit, as north of the tropics when it waxes
 */
export function phasePath(illuminated, waxing) {
  const narrow = round(Math.abs(1 - 2 * illuminated));
  const limb = waxing ? 1 : 0;
  // A crescent's terminator goes back on the side of its limb, a gibbous one's on the other.
  const terminator = illuminated < 0.5 ? 1 - limb : limb;
  return `M0-1A1 1 0 0 ${limb} 0 1A${narrow} 1 0 0 ${terminator} 0-1Z`;
}

function round(value) {
  return Math.round(value * 10_000) / 10_000;
}
