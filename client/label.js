import { append, pixels, set } from "./svg.js";
import { write } from "./text.js";

/** A text on the dome that looks for a place of its own. */
export class Label {
  /** In pixels; null until measured. */
  width = null;
  /** Which side of its mark it is on, kept so that it stays there. */
  side = 0;
  #element;

  /**
   * @param {SVGElement} parent
   * @param {string} className
   */
  constructor(parent, className) {
    this.#element = append(parent, "text", { class: `label ${className}`, dy: "0.35em" });
  }

  get classList() {
    return this.#element.classList;
  }

  /** @returns {boolean} whether the text has to be measured */
  write(text) {
    if (this.width !== null && this.#element.textContent === text) {
      return false;
    }
    write(this.#element, text);
    this.#element.toggleAttribute("hidden", false); // or it has no width
    return true;
  }

  measure() {
    this.width = this.#element.getComputedTextLength();
  }

  hide() {
    this.#element.toggleAttribute("hidden", true);
  }

  /** @param {import("./labels.js").Place} place */
  place({ x, y, side }) {
    this.side = side;
    this.#element.toggleAttribute("hidden", false);
    set(this.#element, { x: pixels(x), y: pixels(y) });
  }

  remove() {
    this.#element.remove();
  }
}
