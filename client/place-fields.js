import { make } from "./build.js";
import { check, readPlace } from "./place-input.js";
import { likelier } from "./place-search.js";
import { onLanguage, t } from "./texts.js";
import { write } from "./text.js";

const NAMES = ["lat", "lon", "elevation"];
const NOTHING = { hint: null, swapped: null };

/**
 * The three fields of the place: what each is read as where that is not what was typed, and a hint
 * at what cannot be, or is probably swapped.
 */
export class PlaceFields {
  #fields;
  #read;
  #hint = make("p", { id: "place-hint", className: "notice", role: "status" });
  #swap = make("button", { type: "button", "data-t": "place.swap", hidden: true });
  #latest = NOTHING; // what was said last, to be said again in another language
  #onEdit;

  /**
   * @param {HTMLFormElement} form with fields named lat, lon and elevation
   * @param {() => void} onEdit
   */
  constructor(form, onEdit) {
    this.#fields = Object.fromEntries(NAMES.map((name) => [name, form.elements.namedItem(name)]));
    this.#read = Object.fromEntries(NAMES.map((name) => [name, readingOf(this.#fields[name])]));
    this.#onEdit = onEdit;
    const part = make("div", { className: "whole-row" }, this.#hint, this.#swap);
    form.querySelector(".submit").before(part);
    for (const field of Object.values(this.#fields)) {
      field.addEventListener("input", (event) => this.#typed(event));
    }
    this.#swap.addEventListener("click", () => this.#swapThem());
    onLanguage(() => this.#say());
  }

  /** The texts for the server; blank ones are left out. */
  values() {
    const read = Object.entries(this.#check().readings).map(([name, { text }]) => [name, text]);
    return Object.fromEntries(read.filter(([, text]) => text !== ""));
  }

  /** @param {Partial<import("./place-input.js").Values>} values */
  fill(values) {
    for (const name of NAMES) {
      this.#fields[name].value = values[name] ?? "";
    }
    this.#latest = NOTHING;
    this.#say();
  }

  /** Say what is wrong with what is there, as it is said to one who types. */
  hint() {
    this.#latest = this.#check();
    this.#say();
  }

  #check() {
    const typed = NAMES.map((name) => [name, this.#fields[name].value]);
    return check(Object.fromEntries(typed));
  }

  /** A whole place that is pasted into one field goes to all of them. */
  #typed({ target, inputType }) {
    const place = inputType === "insertFromPaste" ? readPlace(target.value) : null;
    if (place?.values && this.#check().readings[target.name].hint === "place.two") {
      this.fill(place.values);
    }
    this.#edited();
  }

  async #edited() {
    this.#onEdit();
    this.hint();
    const said = this.#latest;
    const { lat, lon } = said.readings;
    if (said.hint === null && isNumber(lat.text) && isNumber(lon.text)) {
      const other = await likelier({ lat: lat.text, lon: lon.text });
      if (other && this.#latest === said) {
        const { values, city } = other;
        this.#latest = { readings: said.readings, hint: "place.near", city, swapped: values };
        this.#say();
      }
    }
  }

  #say() {
    const { readings = {}, hint, city, swapped } = this.#latest;
    for (const name of NAMES) {
      const { text, isConverted } = readings[name] ?? {};
      write(this.#read[name], isConverted ? t("place.readAs", { value: Number(text) }) : "");
    }
    write(this.#hint, hint ? t(hint, { city }) : "");
    this.#swap.hidden = !swapped;
  }

  #swapThem() {
    const { lat, lon } = this.#fields;
    [lat.value, lon.value] = [lon.value, lat.value];
    lat.focus(); // the button will have gone
    this.#edited();
  }
}

/** Where to say what a field is read as: it belongs to the field's description, too. */
function readingOf(field) {
  const reading = make("span", { id: `${field.id}-read`, className: "hint", role: "status" });
  field.dir = "ltr"; // or a minus would stand behind the number in a page from right to left
  field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby")} ${reading.id}`);
  field.parentElement.append(reading);
  return reading;
}

function isNumber(text) {
  return text !== "" && Number.isFinite(Number(text));
}
