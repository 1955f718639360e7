import { overlap } from "./labels.js";
import { append, pixels, set } from "./svg.js";
import { named, t } from "./texts.js";
import { write } from "./text.js";

const ALTITUDES = [30, 60];
const POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** As high as the letters are, in units of the text's size. */
const CAPITALS = 0.8;

/** What stands still: the sky's disc and its light, the horizon, the scale, the compass points. */
export class Ring {
  #sky;
  #glow;
  #light;
  #circles;
  #cross;
  #horizon;
  #scale;
  #points;
  #frame = null;
  #scaleBoxes = [];
  #pointBoxes = [];
  #widths = [];
  #measured = "";

  /** @param {SVGElement} parent */
  constructor(parent) {
    this.#glow = glow(append(parent, "defs"));
    const ring = append(parent, "g", { class: "ring", "aria-hidden": true });
    this.#sky = append(ring, "circle", { class: "sky" });
    this.#light = append(ring, "circle", { class: "light", fill: "url(#dome-glow)" });
    this.#circles = ALTITUDES.map(() => append(ring, "circle", { class: "scale" }));
    this.#cross = append(ring, "path", { class: "scale" });
    this.#horizon = append(ring, "circle", { class: "horizon" });
    this.#scale = ALTITUDES.map(() => append(ring, "text", { class: "scale-text" }));
    this.#points = POINTS.map((point) =>
      append(ring, "text", { class: point.length === 1 ? "point main" : "point" }),
    );
  }

  /**
   * @param {import("./projection.js").Frame} frame
   * @returns {boolean} whether anything has moved
   */
  draw(frame) {
    if (frame === this.#frame) {
      return false;
    }
    this.#frame = frame;
    for (const circle of [this.#sky, this.#light, this.#horizon]) {
      set(circle, { r: pixels(frame.radius) });
    }
    this.#scaleBoxes = this.#drawScale(frame);
    this.#measurePoints(frame.em);
    return true;
  }

  /** The Sun's light comes from where it stands, also when that is a little below the horizon. */
  shine(sun, { radius }) {
    set(this.#glow, { cx: pixels(sun.x), cy: pixels(sun.y), r: pixels(radius * 1.1) });
  }

  /**
   * Let the compass points give way to what waits outside the ring: one of the four goes inside,
   * one between them is left out.
   * @param {import("./labels.js").Box[]} marks
   */
  giveWay(marks) {
    const isTaken = (box) => marks.some((mark) => overlap(box, mark) > 0);
    this.#pointBoxes = this.#points.flatMap((text, index) => {
      const outside = this.#pointBox(index, 1);
      const gives = isTaken(outside);
      const isLeftOut = gives && POINTS[index].length > 1;
      text.toggleAttribute("hidden", isLeftOut);
      text.classList.toggle("inside", gives);
      return isLeftOut ? [] : [placed(text, gives ? this.#pointBox(index, -1) : outside)];
    });
  }

  /** The boxes that labels keep clear of. */
  get boxes() {
    return [...this.#scaleBoxes, ...this.#pointBoxes];
  }

  #drawScale({ radius, em }) {
    const r = pixels(radius);
    set(this.#cross, { d: `M${-r} 0H${r}M0 ${-r}V${r}` });
    return ALTITUDES.map((alt, index) => {
      const r = (radius * (90 - alt)) / 90;
      set(this.#circles[index], { r: pixels(r) });
      const text = this.#scale[index];
      write(text, t("dome.scale", { degrees: alt }));
      text.toggleAttribute("hidden", radius < 5 * em);
      // On the slant, away from the cross.
      const [x, y] = [r * Math.SQRT1_2, -r * Math.SQRT1_2];
      return placed(text, { x, y, width: 2 * em, height: em });
    });
  }

  /** As far from the ring as the word needs in that direction. @param {1 | -1} side 1 is outside */
  #pointBox(index, side) {
    const frame = this.#frame;
    const [width, height] = [this.#widths[index], CAPITALS * frame.em];
    const az = index * 45;
    const { x, y } = frame.rim(az, 0);
    const half = (width * Math.abs(x) + height * Math.abs(y)) / frame.radius / 2;
    return { ...frame.rim(az, side * (half + 0.4 * height)), width, height };
  }

  /** All are written before any is measured, and only when they change: measuring lays out. */
  #measurePoints(em) {
    const names = POINTS.map((point) => t("dome.point", { point, name: named("compass", point) }));
    const key = `${em} ${names}`;
    if (key !== this.#measured) {
      this.#measured = key;
      names.forEach((name, index) => write(this.#points[index], name));
      this.#widths = this.#points.map((text) => text.getComputedTextLength());
    }
  }
}

function placed(text, box) {
  set(text, { x: pixels(box.x), y: pixels(box.y), dy: "0.35em" });
  return box;
}

function glow(defs) {
  const gradient = append(defs, "radialGradient", {
    id: "dome-glow",
    gradientUnits: "userSpaceOnUse",
  });
  append(gradient, "stop", { class: "glow-near", offset: 0 });
  append(gradient, "stop", { class: "glow-far", offset: 1 });
  return gradient;
}
