import { compassPoint } from "./compass.js";
import { readDirection } from "./direction.js";
import { named, number, onLanguage, t } from "./texts.js";
import { write } from "./text.js";

/**
 * @typedef {object} Near one of those that /identify names
 * @property {"body" | "star"} kind
 * @property {string} name
 * @property {number} separation degrees from the direction
 * @property {number} az
 * @property {number} alt
 * @property {number | null} alt_apparent
 * @property {number} magnitude
 * @property {boolean} up
 * @property {boolean} visible
 *
 * @typedef {object} Answer of /identify
 * @property {{az: number, alt: number}} direction
 * @property {Near[]} nearest
 */

/** "What is that?": a direction in words, and what is nearest to it. */
export class What {
  #elements;
  #on;
  #answer = null;
  #hint = null;

  /**
   * @param {object} elements
   * @param {HTMLFormElement} elements.form
   * @param {HTMLInputElement} elements.input
   * @param {HTMLElement} elements.hint what to type instead, an alert
   * @param {HTMLElement} elements.asked how the direction was understood, a status
   * @param {HTMLElement} elements.list
   * @param {object} on
   * @param {(az: number, alt: number) => void} on.onDirection typed
   * @param {(name: string) => void} on.onSelect a body of the list
   */
  constructor(elements, on) {
    this.#elements = elements;
    this.#on = on;
    elements.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read();
    });
    onLanguage(() => this.#write());
  }

  /** @param {Answer | null} answer null: nothing is asked */
  show(answer) {
    this.#answer = answer;
    this.#hint = null;
    this.#write();
  }

  #read() {
    const { hint, az, alt } = readDirection(this.#elements.input.value);
    this.#hint = hint ?? null;
    this.#write();
    if (hint) {
      this.#elements.input.focus();
    } else {
      this.#on.onDirection(az, alt);
    }
  }

  #write() {
    const { input, hint, asked, list } = this.#elements;
    write(hint, this.#hint ? t(`what.${this.#hint}`) : "");
    input.setAttribute("aria-invalid", String(this.#hint !== null));
    write(asked, this.#answer ? sentence(this.#answer) : "");
    list.replaceChildren(...(this.#answer?.nearest ?? []).map((near) => this.#item(near)));
  }

  /** @param {Near} near */
  #item(near) {
    const item = document.createElement("li");
    const isBody = near.kind === "body";
    const name = document.createElement(isBody ? "button" : "strong");
    name.textContent = nameOf(near);
    if (isBody) {
      name.type = "button";
      name.addEventListener("click", () => this.#on.onSelect(near.name));
    }
    const detail = document.createElement("span");
    detail.textContent = details(near);
    item.append(name, " ", detail);
    return item;
  }
}

function nameOf({ kind, name }) {
  return named(kind === "body" ? "bodies" : "stars", name);
}

function sentence({ direction, nearest }) {
  return t("what.asked", {
    altitude: Math.round(direction.alt),
    direction: directionOf(direction),
    azimuth: Math.round(direction.az) % 360,
    name: nearest.length > 0 ? nameOf(nearest[0]) : "",
  });
}

/** @param {Near} near */
function details(near) {
  const values = {
    separation: number(near.separation, near.separation < 9.95 ? 1 : 0),
    altitude: Math.round(near.alt_apparent ?? near.alt) + 0, // "0", never "-0"
    direction: directionOf(near),
    magnitude: number(near.magnitude, 1),
  };
  const where = t(near.up ? "what.near" : "what.nearBelow", values);
  return near.up && !near.visible ? `${where} ${t("what.unseen")}` : where;
}

function directionOf({ az }) {
  return named("compass", compassPoint(az).short);
}
