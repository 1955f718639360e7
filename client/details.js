import { make, mark } from "./build.js";
import { compassPoint } from "./compass.js";
import { copyText } from "./copy.js";
import { phasePath } from "./phase.js";
import { dateText, named, number, onLanguage, t, time } from "./texts.js";
import { write } from "./text.js";
import { azimuth, degrees, diameter, distance, hours } from "./units.js";

const SVG = "http://www.w3.org/2000/svg";
const DATE = { day: "numeric", month: "short", year: "numeric" };

/**
 * What is said of a body, a row each; the text is a function of the body and of how degrees are
 * written. What is only digits and signs is written from left to right in every language.
 */
const ROWS = [
  ["altitude", (body, style) => degrees(body.alt_apparent ?? body.alt, style)],
  ["azimuth", (body, style) => azimuth(body.az, style)],
  ["direction", ({ az }) => compassPoint(az).full],
  ["ra", (body, style) => hours(body.ra, style)],
  ["dec", (body, style) => degrees(body.dec, style)],
  ["constellation", ({ constellation }) => constellationText(constellation)],
  ["magnitude", ({ magnitude }) => number(magnitude, 1)],
  ["distance", ({ distance_au }) => distance(distance_au)],
  ["diameter", ({ diameter_arcsec }) => diameter(diameter_arcsec)],
  ["phase", (body) => phaseText(body)],
];
const DIGITS = new Set(["altitude", "azimuth", "dec", "magnitude", "diameter"]);

/**
 * @typedef {object} Shown
 * @property {object | null} body one of /planets; null hides all
 * @property {{lat: number, lon: number, elevation: number}} observer
 * @property {string} time of the body's values, UTC, ISO 8601
 * @property {string} url of the request that answers this body alone
 * @property {string} [zone] of the place
 * @property {{degrees: import("./units.js").Style, hour12: boolean}} preferences
 */

/** The numbers of the selected body, and how a developer gets them. */
export class Details {
  #element;
  #onPreferences;
  #parts;
  #shown = null;

  /**
   * @param {HTMLElement} element a section
   * @param {{onPreferences: (changes: object) => void}} listeners
   */
  constructor(element, { onPreferences }) {
    this.#element = element;
    this.#onPreferences = onPreferences;
    this.#build();
    onLanguage(() => {
      this.#build();
      if (this.#shown) {
        this.show(this.#shown);
      }
    });
  }

  /** @param {Shown} shown */
  show(shown) {
    const { body, observer } = shown;
    if (body?.name !== this.#shown?.body?.name) {
      this.#forgetCopy();
    }
    this.#shown = shown;
    this.#element.hidden = !body;
    if (!body) {
      return;
    }
    this.#writeRows(shown);
    this.#drawPhase(body, observer);
    this.#writeRequest(shown);
  }

  #build() {
    const values = new Map(ROWS.map(([name]) => [name, make("bdi")]));
    const rows = new Map(ROWS.map(([name]) => [name, row(name, values.get(name))]));
    const disc = drawing();
    rows.get("phase").lastChild.prepend(disc.element);
    const title = make("h2", { id: "details-title" });
    const parts = {
      title,
      values,
      rows,
      disc,
      when: make("p", { className: "details-when" }),
      minutes: this.#toggle("minutes", () => this.#toggleDegrees()),
      hour12: this.#toggle("hour12", () => this.#toggleHours()),
      copy: make("button", { type: "button" }, t("details.copy")),
      copied: make("p", { className: "details-copied", role: "status" }),
      json: make("textarea", { readOnly: true, hidden: true, rows: 8, dir: "ltr" }),
      link: make("a", { className: "details-url", dir: "ltr" }),
    };
    parts.json.setAttribute("aria-label", t("details.json"));
    parts.copy.addEventListener("click", () => this.#copy());
    this.#parts = parts;
    this.#element.setAttribute("aria-labelledby", title.id);
    this.#element.classList.add("details");
    this.#layOut(parts);
  }

  #layOut({ title, when, rows, minutes, hour12, copy, copied, json, link }) {
    const list = make("dl", { className: "details-rows" }, ...rows.values());
    const choices = make("div", { className: "choices" }, minutes, hour12, copy);
    const request = make("p", { className: "details-request" }, t("details.request"), " ", link);
    this.#element.replaceChildren(title, when, list, choices, copied, json, request);
  }

  #toggle(name, onPress) {
    const text = t(`details.${name}`);
    const button = make("button", { type: "button", "aria-pressed": "false" }, text);
    button.addEventListener("click", onPress);
    return button;
  }

  #writeRows({ body, time: at, zone, preferences }) {
    const { title, when, values, rows, minutes, hour12 } = this.#parts;
    write(title, named("bodies", body.name));
    write(when, whenText(new Date(at), zone, preferences.hour12));
    for (const [name, text] of ROWS) {
      write(values.get(name), text(body, preferences.degrees));
    }
    rows.get("phase").hidden = body.illuminated === null; // the Sun has none
    mark(minutes, "aria-pressed", preferences.degrees === "minutes");
    mark(hour12, "aria-pressed", preferences.hour12);
  }

  /** The lit side faces the Sun: to the right in the evening, and the other way in the south. */
  #drawPhase({ illuminated, elongation }, { lat }) {
    if (illuminated !== null) {
      const right = elongation > 0 === lat >= 0;
      mark(this.#parts.disc.lit, "d", phasePath(illuminated, right));
    }
  }

  #writeRequest({ url }) {
    const { link } = this.#parts;
    const whole = new URL(url, location.href).href;
    write(link, whole);
    mark(link, "href", whole);
  }

  #toggleDegrees() {
    const decimal = this.#shown.preferences.degrees === "decimal";
    this.#onPreferences({ degrees: decimal ? "minutes" : "decimal" });
  }

  #toggleHours() {
    this.#onPreferences({ hour12: !this.#shown.preferences.hour12 });
  }

  /** A page that came by http may not write to the clipboard: then the text is there to copy. */
  async #copy() {
    const { body, observer, time: at } = this.#shown;
    const { copied, json } = this.#parts;
    const text = JSON.stringify({ time: at, observer, ...body }, null, 2);
    const done = await copyText(text);
    write(copied, t(done ? "details.copied" : "details.not_copied"));
    json.hidden = done;
    if (!done) {
      json.value = text;
      json.focus();
      json.select();
    }
  }

  #forgetCopy() {
    write(this.#parts.copied, "");
    this.#parts.json.hidden = true;
  }
}

function row(name, value) {
  if (DIGITS.has(name)) {
    value.dir = "ltr";
  }
  return make("div", {}, make("dt", {}, t(`details.${name}`)), make("dd", {}, value));
}

function whenText(instant, zone, hour12) {
  const date = dateText(instant, zone, DATE);
  const clock = time(instant, zone, { hour12, seconds: true });
  return t(zone ? "details.when_in" : "details.when", { date, clock, zone });
}

function constellationText(abbreviation) {
  const name = named("constellations", abbreviation);
  return name === abbreviation ? name : t("details.constellation_text", { name, abbreviation });
}

function phaseText({ illuminated, phase_name }) {
  if (illuminated === null) {
    return "";
  }
  const lit = t("details.lit", { percent: number(illuminated * 100) });
  const name = named("phases", phase_name ?? "");
  return name ? t("details.phase_text", { lit, name }) : lit;
}

/** A disc whose lit part is a path; the text beside it says the same. */
function drawing() {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", "-1.1 -1.1 2.2 2.2");
  element.setAttribute("class", "phase");
  element.setAttribute("aria-hidden", "true");
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "1");
  const lit = document.createElementNS(SVG, "path");
  element.append(disc, lit);
  return { element, lit };
}
