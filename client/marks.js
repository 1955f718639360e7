import { compassPoint } from "./compass.js";
import { Label } from "./label.js";
import { phasePath } from "./phase.js";
import { append, pixels, set } from "./svg.js";
import { named, t } from "./texts.js";

/** The Sun and the Moon are drawn much larger than they are, or nobody would find them. */
const DISC = { sun: 9, moon: 8 };
/** Half of a target: 28 pixels for a body; less for a star, since they crowd. */
const REACH = { body: 14, star: 8 };
/** Pixels from the edge of what is selected to the outside of the ring around it. */
export const SELECTION = 6;
/** How far outside the ring a body waits, in units of the text's size. */
const BEYOND = 1.75;

const SECTION = { body: "bodies", star: "stars" };

/**
 * @typedef {object} Thing a body of /planets or a star of /stars
 * @property {string} name
 * @property {number} az
 * @property {number} alt
 * @property {number | null} alt_apparent
 * @property {number} magnitude
 * @property {boolean} up
 * @property {boolean} [visible] a body's
 * @property {number | null} [illuminated] a body's
 */

/** One body or star on the dome: a button that is moved, never made again. */
export class Mark {
  element;
  /** In a layer above all marks, or one would cover another's name. */
  label;
  /** @type {Thing} */
  thing;
  x = 0;
  y = 0;
  radius = 0;
  #dot;
  #lit;
  #ring;
  #reach;

  /**
   * @param {"body" | "star"} kind
   * @param {string} name
   * @param {{body: SVGElement, star: SVGElement, labels: SVGElement}} layers
   */
  constructor(kind, name, layers) {
    this.kind = kind;
    this.name = name;
    this.element = append(layers[kind], "g", { role: "button", class: `mark ${kind}` });
    this.element.dataset.name = name;
    this.#reach = append(this.element, "circle", { class: "reach" });
    this.#ring = append(this.element, "circle", { class: "selection" });
    this.#dot = append(this.element, "circle", { class: "dot" });
    this.#lit = name === "moon" ? append(this.element, "path", { class: "lit" }) : null;
    this.label = new Label(layers.labels, kind);
  }

  get shown() {
    return !this.element.hasAttribute("hidden");
  }

  hide() {
    this.element.toggleAttribute("hidden", true);
    this.label.hide();
  }

  /**
   * @param {Thing} thing
   * @param {import("./projection.js").Frame} frame
   */
  show(thing, frame) {
    this.thing = thing;
    this.#size(frame);
    this.#move(thing.up ? frame.sky(seen(thing)) : frame.rim(thing.az, BEYOND * frame.em));
    this.element.toggleAttribute("hidden", false);
    for (const { classList } of [this.element, this.label]) {
      classList.toggle("below", !thing.up);
      classList.toggle("unseen", thing.visible === false);
    }
  }

  /** What the eye reads and the ear hears. @returns {boolean} whether to measure the label */
  describe() {
    const name = named(SECTION[this.kind], this.name);
    set(this.element, { "aria-label": spoken(name, this.thing) });
    return this.label.write(name);
  }

  /** The Moon's lit side looks to the Sun: the angle on the screen, in degrees. */
  turnLit(angle) {
    const turn = `rotate(${Math.round(angle)}) scale(${this.radius})`;
    set(this.#lit, { transform: turn, d: phasePath(this.thing.illuminated, true) });
  }

  /**
   * @param {boolean} selected
   * @param {boolean} isStop whether the Tab key comes here
   */
  select(selected, isStop) {
    if (this.kind === "body") {
      set(this.element, { "aria-pressed": selected });
    }
    set(this.element, { tabindex: isStop ? 0 : -1 });
    this.label.classList.toggle("selected", selected);
  }

  #size(frame) {
    const scale = Math.max(0.85, Math.min(1.5, frame.radius / 180));
    const radius = pixels(scale * (DISC[this.name] ?? dotRadius(this.thing)));
    if (radius !== this.radius) {
      this.radius = radius;
      set(this.#dot, { r: radius });
      set(this.#ring, { r: radius + SELECTION - 1 });
      set(this.#reach, { r: Math.max(REACH[this.kind], radius) });
    }
  }

  #move({ x, y }) {
    this.x = pixels(x);
    this.y = pixels(y);
    set(this.element, { transform: `translate(${this.x} ${this.y})` });
  }
}

/** From where the eye sees it: with refraction, if it is up. */
export function seen({ az, alt, alt_apparent: apparent }) {
  return { az, alt: apparent ?? alt };
}

/** Pixels, from 1.1 for the faintest stars to 6 for Venus; what the eye cannot see is a ring. */
function dotRadius({ magnitude, visible }) {
  return Math.max(2.8 - 0.68 * magnitude, visible === false ? 2.2 : 1.1);
}

function spoken(name, thing) {
  const direction = named("compass", compassPoint(thing.az).short);
  if (!thing.up) {
    return t("dome.below", { name, direction });
  }
  const altitude = Math.round(seen(thing).alt) + 0; // "0", never "-0"
  const text = thing.visible === false ? "dome.unseen" : "dome.above";
  return t(text, { name, direction, altitude });
}
