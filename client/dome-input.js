import { seen } from "./marks.js";
import { wrap } from "./projection.js";

/** Long enough that a mouse on its way across the dome selects nothing. */
const HOVER_MS = 150;
/** A finger that comes down this close to a body, in pixels, means the body. */
const CLOSE = 18;

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Turns the mouse, the finger and the keys into what is meant. The dome is one stop of the Tab key;
 * the arrows go from mark to mark, Home and End to the first and the last.
 */
export class DomeInput {
  #svg;
  #dome;
  #selected = null;
  #hovered = null;
  #focused = null;
  #timer;

  /**
   * @param {SVGSVGElement} svg
   * @param {object} dome
   * @param {(name: string) => void} dome.onSelect a body is hovered, focused or tapped
   * @param {(az: number, alt: number) => void} dome.onPoint a star or the empty sky is tapped
   * @param {() => import("./marks.js").Mark[]} dome.marks those shown, in the order of the arrows
   * @param {() => import("./projection.js").Frame} dome.frame
   * @param {() => void} dome.nameMarks write the names again: another mark is pointed at
   */
  constructor(svg, dome) {
    this.#svg = svg;
    this.#dome = dome;
    svg.tabIndex = -1; // one that listens for the focus is a stop of the Tab key itself, otherwise
    svg.addEventListener("click", (event) => this.#click(event));
    svg.addEventListener("pointerover", (event) => this.#over(event));
    svg.addEventListener("pointerleave", () => this.#hover(null));
    svg.addEventListener("focusin", (event) => this.#focus(event));
    svg.addEventListener("focusout", () => this.#point({ focused: null }));
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Whether the mark is selected, under the mouse, or has the focus. */
  isChosen = (mark) =>
    mark.name === this.#selected || mark === this.#hovered || mark === this.#focused;

  /** @param {string | null} name */
  select(name) {
    this.#selected = name;
    const marks = this.#dome.marks();
    const stop =
      marks.find((mark) => mark === this.#focused) ??
      marks.find((mark) => mark.name === name) ??
      marks[0];
    for (const mark of marks) {
      mark.select(mark.name === name, mark === stop);
    }
  }

  #click(event) {
    const place = this.#place(event);
    const mark = this.#markAt(event) ?? this.#bodyCloseTo(place);
    if (mark) {
      mark.element.focus({ preventScroll: true }); // not every browser does so for a tap
      this.#act(mark);
      return;
    }
    const direction = this.#dome.frame().direction(place);
    if (direction.alt >= 0) {
      this.#ask(direction);
    }
  }

  #over(event) {
    if (event.pointerType === "mouse") {
      this.#hover(this.#markAt(event));
    }
  }

  #hover(mark) {
    if (mark === this.#hovered) {
      return;
    }
    clearTimeout(this.#timer);
    this.#point({ hovered: mark });
    if (mark) {
      this.#timer = setTimeout(() => this.#choose(mark), HOVER_MS);
    }
  }

  #focus(event) {
    const mark = this.#markAt(event);
    if (mark) {
      this.#point({ focused: mark });
      this.select(this.#selected); // the Tab key goes on from here, also from a star
      this.#choose(mark);
    }
  }

  #key(event) {
    const mark = this.#markAt(event);
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    const next = mark && isPlain && this.#next(mark, event.key);
    if (!next) {
      return;
    }
    event.preventDefault(); // or the page would scroll
    if (next === mark) {
      this.#act(mark);
    } else {
      next.element.focus();
    }
  }

  /** The mark that a key goes to; the same one for the keys that press it. */
  #next(mark, key) {
    const marks = this.#dome.marks();
    const step = STEPS[key];
    if (step) {
      return marks[(marks.indexOf(mark) + step + marks.length) % marks.length];
    }
    return { Home: marks[0], End: marks.at(-1), Enter: mark, " ": mark }[key];
  }

  /** A star has no numbers of its own on the page: what is near it is asked. */
  #act(mark) {
    if (mark.kind === "star") {
      this.#ask(seen(mark.thing));
    } else {
      this.#choose(mark);
    }
  }

  #choose(mark) {
    if (mark.kind === "body" && mark.name !== this.#selected) {
      this.#dome.onSelect(mark.name);
    }
  }

  /** A tenth of a degree is a fraction of a pixel. */
  #ask({ az, alt }) {
    this.#dome.onPoint(wrap(Math.round(az * 10) / 10), Math.round(alt * 10) / 10);
  }

  #point({ hovered = this.#hovered, focused = this.#focused }) {
    this.#hovered = hovered;
    this.#focused = focused;
    this.#dome.nameMarks();
  }

  #markAt({ target }) {
    const element = target.closest(".mark");
    return (element && this.#dome.marks().find((mark) => mark.element === element)) ?? null;
  }

  #bodyCloseTo({ x, y }) {
    const distance = (mark) => Math.hypot(mark.x - x, mark.y - y);
    const bodies = this.#dome.marks().filter(({ kind }) => kind === "body");
    const close = bodies.filter((mark) => distance(mark) < CLOSE);
    return close.sort((one, other) => distance(one) - distance(other))[0];
  }

  /** In pixels from the centre, as the drawing has it. */
  #place({ clientX, clientY }) {
    const { left, top, width, height } = this.#svg.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }
}
