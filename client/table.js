import { compassPoint } from "./compass.js";
import { azimuth, decimal, degrees, title } from "./format.js";
import { write } from "./text.js";

/** A table of bodies whose cells change in place: a row moves only when its order does. */
export class BodyTable {
  #groups;
  #rows = new Map();

  /**
   * @param {HTMLTableSectionElement} above with its heading row
   * @param {HTMLTableSectionElement} below with its heading row
   */
  constructor(above, below) {
    this.#groups = { above, below };
  }

  /** @param {import("./sky.js").Body[]} bodies in the order to show them */
  show(bodies) {
    this.#fill(this.#groups.above, bodies.filter((body) => body.up));
    this.#fill(this.#groups.below, bodies.filter((body) => !body.up));
  }

  #fill(group, bodies) {
    group.hidden = bodies.length === 0;
    let previous = group.firstElementChild; // the heading
    for (const body of bodies) {
      const row = this.#row(body.name);
      row.show(body);
      if (previous.nextElementSibling !== row.element) {
        previous.after(row.element);
      }
      previous = row.element;
    }
  }

  #row(name) {
    if (!this.#rows.has(name)) {
      this.#rows.set(name, new Row(name));
    }
    return this.#rows.get(name);
  }
}

class Row {
  element = document.createElement("tr");
  #altitude;
  #azimuth;
  #compassShort;
  #compassFull;
  #magnitude;

  constructor(name) {
    const head = append(this.element, "th", "name");
    head.scope = "row";
    head.textContent = title(name);
    this.#altitude = append(this.element, "td", "number");
    this.#azimuth = append(this.element, "td", "number");
    const compass = append(this.element, "td", "compass");
    this.#compassShort = append(compass, "span", "short");
    this.#compassShort.setAttribute("aria-hidden", "true"); // the full word is there for a screen reader
    this.#compassFull = append(compass, "span", "full");
    this.#magnitude = append(this.element, "td", "number");
  }

  show(body) {
    const point = compassPoint(body.az);
    write(this.#altitude, degrees(body.alt_apparent ?? body.alt));
    write(this.#azimuth, azimuth(body.az));
    write(this.#compassShort, point.short);
    write(this.#compassFull, point.full);
    write(this.#magnitude, decimal(body.magnitude, 1));
  }
}

function append(parent, tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  parent.append(element);
  return element;
}
