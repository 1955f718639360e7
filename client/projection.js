/**
 * The half sphere above as a disc of radius 1, the zenith at its centre and the horizon its edge.
 * Equal steps of altitude are equal steps of radius (the azimuthal equidistant projection), so that
 * a fist is as wide on the chart near the horizon as overhead. x grows to the right, y downwards.
 *
 * @typedef {object} Direction
 * @property {number} az degrees from north through east
 * @property {number} alt degrees above the horizon
 *
 * @typedef {object} View
 * @property {number} bottomAz the azimuth at the bottom: where one faces who holds the chart up
 * @property {boolean} eastRight as on a map of the ground, instead of as one looks up
 */

/** @type {View} */
export const NORTH_UP = Object.freeze({ bottomAz: 180, eastRight: false });

const RADIAN = Math.PI / 180;

/**
 * @param {number} az
 * @param {number} radius 1 is the horizon; more is outside the ring
 * @param {View} view
 */
export function onDisc(az, radius, { bottomAz, eastRight }) {
  const angle = (az - bottomAz) * RADIAN;
  const x = radius * Math.sin(angle);
  return { x: eastRight ? -x : x, y: radius * Math.cos(angle) };
}

/** @param {Direction} direction */
export function toDisc({ az, alt }, view) {
  return onDisc(az, (90 - alt) / 90, view);
}

/** @returns {Direction} with a negative altitude outside the ring */
export function fromDisc({ x, y }, { bottomAz, eastRight }) {
  const angle = Math.atan2(eastRight ? -x : x, y) / RADIAN;
  return { az: wrap(bottomAz + angle), alt: 90 - 90 * Math.hypot(x, y) };
}

/** Degrees as 0 <= az < 360. */
export function wrap(az) {
  return ((az % 360) + 360) % 360;
}

/**
 * The direction one degree from another on the way to a third, along the great circle: which side
 * of the Moon is lit.
 * @param {Direction} from
 * @param {Direction} to
 * @returns {Direction}
 */
export function towards(from, to) {
  const [one, other] = [unit(from), unit(to)];
  const along = one.reduce((sum, part, axis) => sum + part * other[axis], 0);
  const across = one.map((part, axis) => other[axis] - along * part);
  const length = Math.hypot(...across) || 1;
  return direction(one.map((part, axis) => part + (RADIAN * across[axis]) / length));
}

function unit({ az, alt }) {
  const level = Math.cos(alt * RADIAN);
  return [level * Math.sin(az * RADIAN), level * Math.cos(az * RADIAN), Math.sin(alt * RADIAN)];
}

function direction([east, north, up]) {
  const alt = Math.atan2(up, Math.hypot(east, north)) / RADIAN;
  return { az: wrap(Math.atan2(east, north) / RADIAN), alt };
}

/** Where directions are on the screen: in pixels from the dome's centre. */
export class Frame {
  /**
   * @param {number} size pixels of the square's side
   * @param {number} em pixels of the labels' font size
   * @param {View} view
   */
  constructor(size, em, view) {
    this.size = size;
    this.em = em;
    this.view = view;
    /** The ring leaves room for the compass points and for what waits below the horizon. */
    this.radius = Math.max(size / 2 - Math.max(3.1 * em, 0.09 * size), size / 4);
  }

  /** @param {Direction} direction */
  sky(direction) {
    return this.#scaled(toDisc(direction, this.view));
  }

  /** A place outside the ring. */
  rim(az, beyond) {
    return this.#scaled(onDisc(az, 1 + beyond / this.radius, this.view));
  }

  /** @returns {Direction} of a place on the screen */
  direction({ x, y }) {
    return fromDisc({ x: x / this.radius, y: y / this.radius }, this.view);
  }

  #scaled({ x, y }) {
    return { x: x * this.radius, y: y * this.radius };
  }
}
