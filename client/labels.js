import { SELECTION } from "./marks.js";

/**
 * Which names are written on the dome, and where, so that they stay apart: one after the other
 * takes the first place that is free. Boxes are given by their centre.
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {Box & {side: number}} Place
 * @typedef {Box & {isName?: boolean, isSlight?: boolean}} Obstacle a slight one may be under what
 *   must be written
 *
 * @typedef {object} Wish a label beside a mark
 * @property {number} x of the mark's centre
 * @property {number} y of the mark's centre
 * @property {number} radius of the mark
 * @property {import("./label.js").Label} label
 * @property {boolean} [isBelow] the horizon, and so outside the ring
 * @property {boolean} must be written, even over something else
 */

/** The faintest star whose name is tried, by the ring's radius in units of the text's size. */
const NAMED_STARS = [
  { from: 20, faintest: 2.5 },
  { from: 13, faintest: 1.7 },
  { from: 6, faintest: 1.1 },
];
/** Which hours of a path have their names: every so many, by the ring's radius as above. */
const NAMED_HOURS = [
  { from: 15, every: 1 },
  { from: 10, every: 2 },
  { from: 6, every: 3 },
];
/** On a dome that is smaller than this many times its text, only what is selected has a name. */
const ROOM_FOR_NAMES = 6;

// Beside the mark first, as charts do: the eye reads on from the dot to its name.
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [0.8, -0.8],
  [0.8, 0.8],
  [-0.8, -0.8],
  [-0.8, 0.8],
  [0.8, -1.8],
  [0.8, 1.8],
  [-0.8, -1.8],
  [-0.8, 1.8],
];
/** The sides beyond these are a line further away: for what must be written in a crowd. */
const NEAR_SIDES = 8;
/** Such an area, in units of the text's size times a pixel, may a name outside the ring overlap. */
const BORNE_BELOW = 12;
/** So bad is that: rather a hair's breadth of something else under the name. */
const FAR = 20;
/** A name over another spoils both: so many times as bad as one over a mark. */
const OVER_NAME = 5;

export const ABOVE = 2;

/**
 * @param {import("./marks.js").Mark[]} marks the most important first
 * @param {import("./path.js").Hour[]} hours along the path
 * @param {(mark: import("./marks.js").Mark) => boolean} isChosen whose name is always there
 * @param {import("./projection.js").Frame} frame
 * @returns {Wish[]} the most important first
 */
export function wishes(marks, hours, isChosen, { radius, em }) {
  const room = radius / em;
  const faintest = NAMED_STARS.find(({ from }) => room >= from)?.faintest ?? -Infinity;
  const every = NAMED_HOURS.find(({ from }) => room >= from)?.every ?? Infinity;
  const hasRoom = room >= ROOM_FOR_NAMES;
  const chosen = (mark) => wish({ ...mark, radius: mark.radius + SELECTION }, true);
  const may = (mark) => wish(mark, false);
  const bodyName = (mark) => wish(mark, mark.thing.up);
  const others = marks.filter((mark) => hasRoom && !isChosen(mark));
  return [
    ...marks.filter(isChosen).map(chosen),
    ...others.filter(({ kind }) => kind === "body").map(bodyName),
    ...hours.filter(({ clock }) => clock % every === 0).map(may),
    ...others.filter(({ kind, thing }) => kind === "star" && thing.magnitude <= faintest).map(may),
  ];
}

function wish({ x, y, radius, label, thing }, must) {
  return { x, y, radius, label, isBelow: thing?.up === false, must };
}

/**
 * @param {Wish[]} wishes the most important first
 * @param {Obstacle[]} obstacles to keep clear of
 * @param {import("./projection.js").Frame} frame whose edges no label crosses
 * @returns {(Place | null)[]} null: not to be written
 */
export function placeLabels(wishes, obstacles, frame) {
  const taken = [...obstacles];
  return wishes.map((wish) => {
    const place = freest(wish, taken, frame);
    if (place) {
      taken.push({ ...place, isName: true });
    }
    return place;
  });
}

/** The first place that harms nothing or else, as far as that is borne, the one with the least. */
function freest(wish, taken, { size, radius, em }) {
  const obstacles = taken.filter(({ isSlight }) => !(isSlight && wish.must));
  const limit = borne(wish, em);
  let best = null;
  let least = Infinity;
  for (const side of sidesFrom(wish)) {
    const box = beside(wish, side, size / 2, em);
    const over = em * trespass(box, wish.isBelow, radius) + (side < NEAR_SIDES ? 0 : FAR);
    const cost = obstacles.reduce((sum, other) => sum + harm(box, other), over);
    if (cost === 0) {
      return box;
    }
    if (cost <= limit && cost < least) {
      [best, least] = [box, cost];
    }
  }
  return best;
}

/** The old side first: a name should not jump about while the sky turns. */
function sidesFrom({ label: { side }, must, isBelow }) {
  const sides = [side, ...SIDES.keys()];
  return must || isBelow ? sides : sides.filter((each) => each < NEAR_SIDES);
}

/** How much harm a name may do: outside the ring, which is narrow, a little. */
function borne({ must, isBelow }, em) {
  return must ? Infinity : isBelow ? BORNE_BELOW * em : 0;
}

function beside({ x, y, radius, label }, side, half, em) {
  const [right, down] = SIDES[side];
  const [width, height] = [label.width, 1.1 * em];
  return {
    x: within(x + right * (radius + 3 + width / 2), half - width / 2),
    y: within(y + down * (radius + 1 + height / 2), half - height / 2),
    width,
    height,
    side,
  };
}

function within(value, limit) {
  return Math.max(-limit, Math.min(limit, value));
}

/** @param {Box} box @param {Obstacle} obstacle */
function harm(box, obstacle) {
  return overlap(box, obstacle) * (obstacle.isName ? OVER_NAME : 1);
}

/** How far a label reaches over the horizon: what is up is named inside, what is not outside. */
function trespass({ x, y, width, height }, isBelow, radius) {
  const side = isBelow ? -1 : 1;
  const beyond = (centre, length) => Math.max(Math.abs(centre) + (side * length) / 2, 0);
  return Math.max(side * (Math.hypot(beyond(x, width), beyond(y, height)) - radius), 0);
}

/** The area that two boxes share. @param {Box} one @param {Box} other */
export function overlap(one, other) {
  const width = (one.width + other.width) / 2 - Math.abs(one.x - other.x);
  const height = (one.height + other.height) / 2 - Math.abs(one.y - other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
