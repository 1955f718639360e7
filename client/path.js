import { ABOVE } from "./labels.js";
import { Label } from "./label.js";
import { append, pixels, set } from "./svg.js";
import { language, t } from "./texts.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * @typedef {object} Track the answer of /planets/{name}/track
 * @property {{time: string[], az: number[], alt: number[], alt_apparent?: (number|null)[]}} columns
 *
 * @typedef {object} Hour a full hour on the path
 * @property {Date} instant
 * @property {number} clock from 0 to 23
 * @property {number} index of the point of the track before it
 * @property {number} fraction of the step to the next point
 * @property {SVGElement} dot
 * @property {Label} label
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [alt]
 */

/** The path of the selected body above the horizon, with the hours of the place's zone on it. */
export class Path {
  #layers;
  #line;
  #track = null;
  #key = "";
  /** @type {Hour[]} */
  #hours = [];

  /** @param {{path: SVGElement, labels: SVGElement}} layers */
  constructor(layers) {
    this.#layers = layers;
    this.#line = append(layers.path, "path", { class: "track" });
  }

  /**
   * @param {Track | null} track
   * @param {string} zone an IANA name
   * @param {boolean} hour12
   * @param {number} em pixels of the text's size: with another one it is measured again
   * @returns {boolean} whether there is another path to draw
   */
  show(track, zone, hour12, em) {
    const key = `${zone} ${hour12} ${language()} ${em}`;
    if (track === this.#track && key === this.#key) {
      return false;
    }
    this.#track = track;
    this.#key = key;
    this.#clear();
    const text = hourText(zone, hour12);
    const hours = track ? fullHours(track.columns.time, zone) : [];
    this.#hours = hours.map((hour) => this.#hour(hour, text));
    this.#hours.forEach(({ label }) => label.measure());
    return true;
  }

  /** @param {import("./projection.js").Frame} frame */
  draw(frame) {
    const points = this.#track ? project(this.#track.columns, frame) : [];
    set(this.#line, { d: parts(points).map(drawn).join("") });
    for (const hour of this.#hours) {
      Object.assign(hour, between(points[hour.index], points[hour.index + 1], hour.fraction));
      set(hour.dot, { cx: pixels(hour.x), cy: pixels(hour.y) });
      hour.dot.toggleAttribute("hidden", hour.alt < 0);
      if (hour.alt < 0) {
        hour.label.hide();
      }
    }
  }

  /** The hours that ask for a label: those above the horizon. */
  get hours() {
    return this.#hours.filter(({ alt }) => alt >= 0);
  }

  #hour(hour, text) {
    const dot = append(this.#layers.path, "circle", { class: "hour", r: 2 });
    const label = new Label(this.#layers.labels, "hour");
    label.side = ABOVE; // beside it the path would go through it
    label.write(text(hour.instant));
    return { ...hour, dot, label, radius: 2 };
  }

  #clear() {
    for (const { dot, label } of this.#hours) {
      dot.remove();
      label.remove();
    }
  }
}

/**
 * Every full hour of a zone between the first and the last instant: after which of them, and at
 * which fraction of the step to the next. Zones are off by half hours, too, and change their
 * clocks.
 * @param {string[]} times ISO 8601, at most an hour apart
 * @param {string} zone
 * @returns {{instant: Date, clock: number, index: number, fraction: number}[]}
 */
export function fullHours(times, zone) {
  const inZone = (parts) => new Intl.DateTimeFormat("en", { timeZone: zone, ...parts });
  const minute = inZone({ minute: "numeric" });
  const clock = inZone({ hour: "numeric", hourCycle: "h23" });
  const instants = times.map((time) => Date.parse(time));
  return instants.slice(0, -1).flatMap((start, index) => {
    const step = instants[index + 1] - start;
    const past = Number(minute.format(start)) * MINUTE_MS + (start % MINUTE_MS);
    const wait = (HOUR_MS - past) % HOUR_MS;
    if (wait >= step) {
      return [];
    }
    const instant = new Date(start + wait);
    return [{ instant, clock: Number(clock.format(instant)), index, fraction: wait / step }];
  });
}

function hourText(zone, hour12) {
  const format = new Intl.DateTimeFormat(language(), {
    timeZone: zone,
    hour: "numeric",
    hourCycle: hour12 ? "h12" : "h23",
  });
  return (instant) => {
    const hour = format.format(instant);
    return hour12 ? hour : t("dome.hour", { hour });
  };
}

function project({ az, alt, alt_apparent: apparent }, frame) {
  return az.map((azimuth, index) => {
    const altitude = apparent?.[index] ?? alt[index];
    return { ...frame.sky({ az: azimuth, alt: altitude }), alt: altitude };
  });
}

/** Between two points by a straight line on the screen, where no azimuth jumps from 360 to 0. */
function between(one, other, fraction) {
  const mix = (member) => one[member] + (other[member] - one[member]) * fraction;
  return { x: mix("x"), y: mix("y"), alt: mix("alt") };
}

/** The parts above the horizon, each cut where it crosses. */
function parts(points) {
  const found = [];
  points.forEach((point, index) => {
    const before = points[index - 1];
    const up = point.alt >= 0;
    const wasUp = before !== undefined && before.alt >= 0;
    const crosses = before !== undefined && up !== wasUp;
    const crossing = () => between(before, point, before.alt / (before.alt - point.alt));
    if (up && !wasUp) {
      found.push(crosses ? [crossing()] : []);
    } else if (crosses) {
      found.at(-1).push(crossing());
    }
    if (up) {
      found.at(-1).push(point);
    }
  });
  return found;
}

function drawn(points) {
  return `M${points.map(({ x, y }) => `${pixels(x)} ${pixels(y)}`).join("L")}`;
}
