/**
 * Which way somebody faces who holds this device, by its compass: the device may lie flat, stand
 * upright before the sky, or be held overhead.
 */

import { wrap } from "./projection.js";

const RADIAN = Math.PI / 180;
/** Less is the compass's own unrest. */
const STEP_DEG = 1;

/** Whether this browser may have a compass; only a turn of the device tells. */
export function mayHaveCompass() {
  const isHandheld = navigator.maxTouchPoints > 0;
  return isHandheld && window.isSecureContext && "DeviceOrientationEvent" in window;
}

export class Heading {
  #turned;
  #last = null;
  #running = false;

  /** @param {(headingDeg: number) => void} turned called with the azimuth faced, when it changes */
  constructor(turned) {
    this.#turned = turned;
  }

  get running() {
    return this.#running;
  }

  /**
   * To be called in a click, without which iOS does not ask.
   * @returns {Promise<boolean>} whether the compass may be read; that may never bring a heading
   */
  async start() {
    if (!(await allowed())) {
      return false;
    }
    this.#running = true;
    this.#last = null;
    for (const type of types()) {
      window.addEventListener(type, this.#read);
    }
    return true;
  }

  stop() {
    this.#running = false;
    for (const type of types()) {
      window.removeEventListener(type, this.#read);
    }
  }

  #read = (event) => {
    const heading = facing(event, screen.orientation?.angle ?? 0);
    if (heading !== null && (this.#last === null || apart(heading, this.#last) >= STEP_DEG)) {
      this.#last = heading;
      this.#turned(heading);
    }
  };
}

async function allowed() {
  const ask = DeviceOrientationEvent.requestPermission; // iOS alone has it
  if (!ask) {
    return true;
  }
  try {
    return (await ask.call(DeviceOrientationEvent)) === "granted";
  } catch {
    return false;
  }
}

/** Where both exist, only the absolute one counts from north. */
function types() {
  return "ondeviceorientationabsolute" in window
    ? ["deviceorientationabsolute"]
    : ["deviceorientation"];
}

/**
 * @param {DeviceOrientationEvent} event
 * @param {number} screenAngle degrees that the screen is turned by
 * @returns {number | null} the azimuth faced, in degrees; null where there is no compass
 */
export function facing(event, screenAngle) {
  const { alpha, beta, gamma, absolute, webkitCompassHeading: byApple } = event;
  if (beta === null || gamma === null) {
    return null;
  }
  if (typeof byApple === "number") {
    const isOverhead = Math.cos(beta * RADIAN) * Math.cos(gamma * RADIAN) < 0;
    return wrap(byApple + screenAngle + (isOverhead ? 180 : 0));
  }
  return absolute && alpha !== null ? byMatrix(alpha, beta, gamma, screenAngle) : null;
}

/**
 * The device's axes in the world's (east, north, up), by the rotation matrix of W3C's Device
 * Orientation. Flat, one faces where the screen's upper edge points; upright, where its back does;
 * overhead, away from the upper edge. The back's direction, less the upper edge's as much as the
 * back looks up, is all three, and has no jump between.
 */
function byMatrix(alpha, beta, gamma, screenAngle) {
  const [cosA, cosB, cosG] = [alpha, beta, gamma].map((angle) => Math.cos(angle * RADIAN));
  const [sinA, sinB, sinG] = [alpha, beta, gamma].map((angle) => Math.sin(angle * RADIAN));
  const right = [cosA * cosG - sinA * sinB * sinG, sinA * cosG + cosA * sinB * sinG];
  const top = [-cosB * sinA, cosA * cosB];
  const front = [cosG * sinA * sinB + cosA * sinG, sinA * sinG - cosA * cosG * sinB, cosB * cosG];
  const [cosS, sinS] = [Math.cos(screenAngle * RADIAN), Math.sin(screenAngle * RADIAN)];
  const [east, north] = [0, 1].map(
    (axis) => -front[axis] + front[2] * (cosS * top[axis] + sinS * right[axis]),
  );
  return wrap(Math.atan2(east, north) / RADIAN);
}

function apart(one, other) {
  return Math.abs(((one - other + 540) % 360) - 180);
}
