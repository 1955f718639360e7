import { compassPoint } from "./compass.js";
import { azimuth, degrees } from "./format.js";
import { write } from "./text.js";
import { named, number } from "./texts.js";

/** A table of bodies whose cells change in place: a row moves only when its order does. */
export class BodyTable {
  #groups;
  #onSelect;
  #rows = new Map();

  /**
   * @param {Record<"visible" | "above" | "below", HTMLTableSectionElement>} groups each with its
   *   heading row
   * @param {(name: string) => void} onSelect
   */
  constructor(groups, onSelect) {
    this.#groups = groups;
    this.#onSelect = onSelect;
  }

  /**
   * @param {import("./sky.js").Body[]} bodies in the order to show them
   * @param {string | null} selected
   */
  show(bodies, selected) {
    const { visible, above, below } = this.#groups;
    this.#fill(visible, bodies.filter((body) => body.visible), selected);
    this.#fill(above, bodies.filter((body) => body.up && !body.visible), selected);
    this.#fill(below, bodies.filter((body) => !body.up), selected);
  }

  #fill(group, bodies, selected) {
    group.hidden = bodies.length === 0;
    let previous = group.firstElementChild; // the heading
    for (const body of bodies) {
      const row = this.#row(body.name);
      row.show(body, body.name === selected);
      if (previous.nextElementSibling !== row.element) {
        previous.after(row.element);
      }
      previous = row.element;
    }
  }

  #row(name) {
    if (!this.#rows.has(name)) {
      this.#rows.set(name, new Row(name, () => this.#onSelect(name)));
    }
    return this.#rows.get(name);
  }
}

class Row {
  element = document.createElement("tr");
  #name;
  #phase;
  #altitude;
  #azimuth;
  #compassShort;
  #compassFull;
  #magnitude;

  constructor(name, select) {
    this.element.dataset.body = name;
    const head = append(this.element, "th", "name");
    head.scope = "row";
    this.#name = append(head, "button", "body-name");
    this.#name.type = "button";
    this.#phase = append(head, "span", "moon-phase full");
    this.#altitude = append(this.element, "td", "number");
    this.#azimuth = append(this.element, "td", "number");
    const compass = append(this.element, "td", "compass");
    this.#compassShort = append(compass, "span", "short");
    this.#compassShort.setAttribute("aria-hidden", "true"); // the full word is there for a screen reader
    this.#compassFull = append(compass, "span", "full");
    this.#magnitude = append(this.element, "td", "number");
    this.element.addEventListener("click", select); // the button's, too, and so the keyboard's
  }

  show(body, isSelected) {
    const point = compassPoint(body.az);
    write(this.#name, named("bodies", body.name));
    this.#name.setAttribute("aria-pressed", String(isSelected));
    this.element.classList.toggle("selected", isSelected);
    write(this.#phase, body.phase_name ? named("phases", body.phase_name) : "");
    write(this.#altitude, degrees(body.alt_apparent ?? body.alt));
    write(this.#azimuth, azimuth(body.az));
    write(this.#compassShort, named("compassShort", point.short));
    write(this.#compassFull, point.full);
    write(this.#magnitude, number(body.magnitude, 1));
  }
}

function append(parent, tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
}
