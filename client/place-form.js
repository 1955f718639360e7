import { make } from "./build.js";
import { Combobox } from "./combobox.js";
import { PlaceFields } from "./place-fields.js";
import { findPlaces, nameOf } from "./place-search.js";
import { problemSentence } from "./problem.js";
import { forgetPlace, rememberPlace } from "./recent.js";
import { RecentList } from "./recent-list.js";
import { onLanguage, t, translate } from "./texts.js";
import { write } from "./text.js";

/**
 * The form to choose a place with: one field for a city or for coordinates in any form, the recent
 * places, and the three fields of the markup. What was edited last counts.
 *
 * @typedef {object} PlaceChoice
 * @property {string} query for the server
 * @property {string} label the city's name in the page's language; "" for coordinates
 * @property {Record<string, string>} [names] the city's, by language
 */
export class PlaceForm {
  #input = make("input", {
    id: "place-search",
    type: "text",
    dir: "auto", // a Persian name runs the other way than coordinates
    maxLength: 100,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    enterKeyHint: "go",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "place-found",
    "aria-describedby": "place-search-hint",
    "aria-errormessage": "place-note",
  });
  #list = make("ul", { id: "place-found", role: "listbox", "data-t-label": "place.found" });
  #note = make("p", { id: "place-note", className: "hint", role: "status" });
  #error = document.getElementById("place-error");
  #form;
  #combobox;
  #fields;
  #recent;
  #onPlace;

  /** @type {import("./place-search.js").Found["note"]} */
  #noted = null;
  #problem = null;
  /** The latest choice, until it is known to be a place. */
  #chosen = null;
  /** What the form was filled with. */
  #filled = { query: "" };
  #isSearch = false;

  /**
   * @param {HTMLFormElement} form with fields named lat, lon and elevation, and a part .submit
   * @param {{onPlace: (choice: PlaceChoice) => void}} actions
   */
  constructor(form, { onPlace }) {
    this.#form = form;
    this.#onPlace = onPlace;
    this.#combobox = new Combobox(this.#input, this.#list, {
      find: (text) => this.#find(text),
      onChoose: ({ place }) => this.#choose(place),
    });
    this.#fields = new PlaceFields(form, () => this.#fieldsEdited());
    this.#recent = new RecentList({
      onChoose: ({ query, names }) => this.#choose({ values: valuesOf(query), names }),
      onEmpty: () => this.#input.focus(),
    });
    form.prepend(this.#searchPart(), this.#recent.element);
    this.#input.addEventListener("input", () => this.#searchEdited());
    form.addEventListener("submit", (event) => this.#submit(event));
    this.#speak();
    onLanguage(() => this.#speak());
  }

  /**
   * Show a place in the fields, and nothing of what was typed before.
   * @param {{query: string, names?: Record<string, string>}} place
   */
  fill(place) {
    this.#filled = place;
    this.#chosen = null;
    this.#fields.fill(valuesOf(place.query));
    this.#input.value = place.names ? nameOf(place.names) : "";
    this.#isSearch = false;
    this.#combobox.close();
    this.#say(null);
    this.#recent.show();
  }

  /**
   * Say why the server refuses the place that is in the fields.
   * @param {import("./sky.js").Problem | null} problem null when there is none any more
   */
  showProblem(problem) {
    this.#problem = problem?.detail ? problem : null;
    write(this.#error, this.#problem ? problemSentence(this.#problem) : "");
    for (const field of this.#form.querySelectorAll("input[name]")) {
      field.setAttribute("aria-invalid", String(field.name === this.#problem?.parameter));
    }
    if (this.#problem) {
      this.#fields.hint();
      this.#unremember();
    }
  }

  /** Go to the field that the server refuses. */
  focusProblem() {
    this.#form.querySelector('input[name][aria-invalid="true"]')?.focus();
  }

  #searchPart() {
    const label = make("label", { htmlFor: this.#input.id, "data-t": "place.search" });
    const example = { id: "place-search-hint", className: "hint", "data-t": "place.searchHint" };
    const hint = make("span", example);
    const box = make("div", { className: "combobox" }, this.#input, this.#list);
    this.#list.hidden = true;
    return make("div", { className: "field whole-row" }, label, box, hint, this.#note);
  }

  async #find(text) {
    const { options, note } = await findPlaces(text);
    if (text === this.#input.value) {
      this.#say(note);
    }
    return options;
  }

  /** @param {import("./place-search.js").Chosen} place */
  #choose({ values, names }) {
    const query = new URLSearchParams(values).toString();
    this.#fields.fill(values);
    this.#input.value = names ? nameOf(names) : "";
    this.#isSearch = false;
    this.#say(null);
    this.#chosen = { query, names };
    if (isNumber(values.lat) && isNumber(values.lon)) {
      rememberPlace(this.#chosen);
    }
    this.#recent.show();
    this.#onPlace({ query, label: names ? nameOf(names) : "", names });
  }

  /** What the server refuses is no place to come back to. */
  #unremember() {
    if (this.#chosen) {
      forgetPlace(this.#chosen.query);
      this.#chosen = null;
      this.#recent.show();
    }
  }

  #searchEdited() {
    this.#isSearch = this.#input.value.trim() !== "";
    this.#input.setAttribute("aria-invalid", "false");
  }

  #fieldsEdited() {
    this.#isSearch = false;
    this.#input.value = ""; // it would name another place
    this.#combobox.close();
    this.#say(null);
  }

  async #submit(event) {
    event.preventDefault();
    if (!this.#isSearch) {
      this.#chooseTyped();
      return;
    }
    const text = this.#input.value;
    const option = await this.#combobox.best();
    if (text !== this.#input.value) {
      return; // typed on in the meantime
    }
    if (option) {
      this.#combobox.close();
      this.#choose(option.place);
    } else {
      this.#input.setAttribute("aria-invalid", "true");
      this.#input.focus();
    }
  }

  /** A city's own values, left as they were, are still that city. */
  #chooseTyped() {
    const values = this.#fields.values();
    const isAsFilled = new URLSearchParams(values).toString() === this.#filled.query;
    this.#choose({ values, names: isAsFilled ? this.#filled.names : undefined });
  }

  #say(note) {
    this.#noted = note;
    write(this.#note, note ? t(note.key, note) : "");
    this.#input.setAttribute("aria-invalid", "false");
  }

  #speak() {
    translate(this.#form);
    this.#say(this.#noted);
    this.#recent.show();
    this.#combobox.close();
    write(this.#error, this.#problem ? problemSentence(this.#problem) : "");
  }
}

function isNumber(text) {
  return Number.isFinite(Number(text)); // which undefined is not
}

function valuesOf(query) {
  return Object.fromEntries(new URLSearchParams(query));
}
