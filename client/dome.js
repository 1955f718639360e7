import { DomeInput } from "./dome-input.js";
import { placeLabels, wishes } from "./labels.js";
import { Mark, seen, SELECTION } from "./marks.js";
import { Path } from "./path.js";
import { Frame, NORTH_UP, towards } from "./projection.js";
import { Ring } from "./ring.js";
import { append, pixels, set } from "./svg.js";
import { onLanguage, t } from "./texts.js";

/** The faintest star that is drawn, about what the eye finds in that light; by day none. */
const FAINTEST_STAR = {
  day: -Infinity,
  civil: 0.3,
  nautical: 1.6,
  astronomical: Infinity,
  night: Infinity,
};

/**
 * @typedef {object} Picture what the dome shows
 * @property {import("./marks.js").Thing[]} bodies of /planets
 * @property {import("./marks.js").Thing[]} stars of /stars
 * @property {"day" | "civil" | "nautical" | "astronomical" | "night"} state of the sky
 * @property {string | null} selected the name of a body
 * @property {import("./path.js").Track | null} track today's, of the selected body
 * @property {string} zone the place's, an IANA name
 * @property {boolean} [hour12]
 */

/** The half sphere above a place, as a chart whose parts are moved in place. */
export class Dome {
  #svg;
  #layers;
  #ring;
  #path;
  #aim;
  #input;
  /** @type {Map<string, Mark>} */
  #marks = new Map();
  #view = NORTH_UP;
  #turning = 0;
  #frame = null;
  #picture = null;
  #direction = null;

  /**
   * @param {SVGSVGElement} svg empty, and square by its style sheet
   * @param {object} on
   * @param {(name: string) => void} on.onSelect a body is hovered, focused or tapped
   * @param {(az: number, alt: number) => void} on.onPoint a star or the empty sky is tapped
   */
  constructor(svg, on) {
    this.#svg = svg;
    set(svg, { role: "group" });
    this.#ring = new Ring(svg);
    this.#layers = {
      path: append(svg, "g", { class: "path", "aria-hidden": true }),
      star: append(svg, "g"),
      body: append(svg, "g"),
      labels: append(svg, "g", { class: "labels", "aria-hidden": true }),
    };
    this.#path = new Path(this.#layers);
    this.#aim = append(svg, "path", { class: "aim", d: "M-9 0H-3M3 0H9M0 -9V-3M0 3V9" });
    this.#input = new DomeInput(svg, {
      ...on,
      marks: () => this.#shown(),
      frame: () => this.#frame,
      nameMarks: () => this.#name(),
    });
    onLanguage(() => this.#resize());
    new ResizeObserver(() => this.#resize()).observe(svg);
  }

  /** @param {Picture} picture */
  show(picture) {
    this.#picture = picture;
    this.#draw();
  }

  /** @param {number | null} headingDeg where somebody faces: then at the bottom; null: north up */
  turn(headingDeg) {
    this.#look({ bottomAz: headingDeg ?? NORTH_UP.bottomAz });
  }

  /** @param {boolean} eastRight as on a map, instead of as one looks up */
  mirror(eastRight) {
    this.#look({ eastRight });
  }

  /** Mark a direction that is asked about. @param {{az: number, alt: number} | null} direction */
  aim(direction) {
    this.#direction = direction;
    this.#drawAim();
  }

  #look(change) {
    this.#view = { ...this.#view, ...change };
    cancelAnimationFrame(this.#turning); // a compass speaks more often than the screen is painted
    this.#turning = requestAnimationFrame(() => this.#reframe());
  }

  /** One unit of the drawing is one pixel, so that names keep the size of the page's text. */
  #resize() {
    const size = this.#svg.clientWidth;
    if (size === 0) {
      return; // hidden: nothing can be measured
    }
    set(this.#svg, {
      viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
      "aria-label": t("dome.name"),
    });
    for (const { label } of this.#marks.values()) {
      label.width = null;
    }
    this.#reframe();
  }

  #reframe() {
    const size = this.#svg.clientWidth;
    const em = parseFloat(getComputedStyle(this.#svg).fontSize);
    this.#frame = size > 0 ? new Frame(size, em, this.#view) : null;
    this.#draw();
  }

  #draw() {
    if (!this.#frame || !this.#picture) {
      return;
    }
    const { bodies, stars, state, selected } = this.#picture;
    this.#svg.dataset.state = state;
    this.#drawPath(this.#ring.draw(this.#frame));
    const light = FAINTEST_STAR[state];
    this.#drawMarks("star", stars.filter(({ up, magnitude }) => up && magnitude <= light));
    this.#drawMarks("body", bodies);
    this.#drawLight();
    this.#drawAim();
    this.#describe();
    this.#input.select(selected);
    this.#name();
  }

  #drawPath(isReframed) {
    const { track, zone, hour12 = false } = this.#picture;
    if (this.#path.show(track, zone, hour12, this.#frame.em) || isReframed) {
      this.#path.draw(this.#frame);
    }
  }

  #drawMarks(kind, things) {
    const rest = new Set([...this.#marks.values()].filter((mark) => mark.kind === kind));
    for (const thing of things) {
      const mark = this.#mark(kind, thing.name);
      mark.show(thing, this.#frame);
      rest.delete(mark);
    }
    for (const mark of rest) {
      mark.hide();
    }
  }

  #mark(kind, name) {
    if (!this.#marks.has(name)) {
      this.#marks.set(name, new Mark(kind, name, this.#layers));
    }
    return this.#marks.get(name);
  }

  #drawLight() {
    const [sun, moon] = ["sun", "moon"].map((name) => this.#marks.get(name));
    if (!sun || !moon) {
      return;
    }
    this.#ring.shine(sun, this.#frame);
    const from = this.#frame.sky(seen(moon.thing));
    const to = this.#frame.sky(towards(seen(moon.thing), seen(sun.thing)));
    moon.turnLit((Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI);
  }

  #drawAim() {
    this.#aim.toggleAttribute("hidden", !this.#direction || !this.#frame);
    if (this.#direction && this.#frame) {
      const { x, y } = this.#frame.sky(this.#direction);
      set(this.#aim, { transform: `translate(${pixels(x)} ${pixels(y)})` });
    }
  }

  /** All names are written before any is measured, so that the browser lays out once. */
  #describe() {
    const renamed = this.#shown().filter((mark) => mark.describe());
    renamed.forEach(({ label }) => label.measure());
  }

  #name() {
    if (!this.#frame || !this.#picture) {
      return;
    }
    const marks = this.#shown();
    const asked = wishes(marks, this.#path.hours, this.#input.isChosen, this.#frame);
    const boxes = marks.map((mark) => box(mark, this.#input.isChosen(mark) ? SELECTION : 0));
    this.#ring.giveWay(boxes);
    const dots = this.#path.hours.map((hour) => ({ ...box(hour), isSlight: true }));
    const obstacles = [...this.#ring.boxes, ...boxes, ...dots];
    const places = placeLabels(asked, obstacles, this.#frame);
    const silent = new Set([...marks, ...this.#path.hours].map(({ label }) => label));
    asked.forEach(({ label }, index) => {
      if (places[index]) {
        label.place(places[index]);
        silent.delete(label);
      }
    });
    silent.forEach((label) => label.hide());
  }

  /** Those on the dome, the most important first. */
  #shown() {
    return [...this.#marks.values()].filter((mark) => mark.shown).sort(byImportance);
  }
}

/** Bodies before stars, above the horizon before below, the brightest first. */
function byImportance(one, other) {
  return (
    (one.kind === "star") - (other.kind === "star") ||
    other.thing.up - one.thing.up ||
    one.thing.magnitude - other.thing.magnitude
  );
}

function box({ x, y, radius }, around = 0) {
  const width = 2 * (radius + around);
  return { x, y, width, height: width };
}
