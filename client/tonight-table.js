import { make, mark } from "./build.js";
import { compassPoint } from "./compass.js";
import { named, number, t } from "./texts.js";
import { write } from "./text.js";
import { reason, timeText } from "./tonight-words.js";

const COLUMNS = ["body", "rises", "transits", "sets", "best_column"];
const TWILIGHTS = ["civil", "nautical", "astronomical"];

/** Rise, transit, set and best moment of each body; its name selects it. Cells change in place. */
export class EventTable {
  #onSelect;
  #rows = new Map();
  #caption = make("caption");
  #body = make("tbody");
  element = make("table", { className: "events" }, this.#caption, head(COLUMNS), this.#body);

  /** @param {(name: string) => void} onSelect */
  constructor(onSelect) {
    this.#onSelect = onSelect;
  }

  /**
   * @param {object} almanac
   * @param {string} caption
   * @param {boolean} hour12
   */
  show(almanac, caption, hour12) {
    write(this.#caption, caption);
    for (const body of almanac.bodies) {
      this.#row(body.name).show(almanac, body, hour12);
    }
  }

  select(selected) {
    for (const [name, row] of this.#rows) {
      row.select(name === selected);
    }
  }

  #row(name) {
    if (!this.#rows.has(name)) {
      const row = new Row(name, () => this.#onSelect(name));
      this.#rows.set(name, row);
      this.#body.append(row.element);
    }
    return this.#rows.get(name);
  }
}

class Row {
  #button;
  #cells = [new Cell(), new Cell(), new Cell(), new Cell()];
  element;

  constructor(name, onPress) {
    this.#button = make("button", { type: "button", className: "pick" }, named("bodies", name));
    this.#button.addEventListener("click", onPress);
    const header = make("th", { scope: "row" }, this.#button);
    this.element = make("tr", {}, header, ...this.#cells.map(({ element }) => element));
  }

  show(almanac, body, hour12) {
    const [rises, transits, sets, best] = this.#cells;
    const times = (events) => events.map((event) => timeText(almanac, event, hour12)).join(", ");
    const always = body.status === "normal" ? "" : t(`tonight.${body.status}_short`);
    rises.show(times(body.rises) || always || t("tonight.none"), ...points(body.rises));
    transits.show(times(body.transits) || t("tonight.none"), ...heights(body.transits));
    sets.show(times(body.sets) || always || t("tonight.none"), ...points(body.sets));
    if (body.best) {
      best.show(times([body.best]), ...whereabouts(body.best));
    } else {
      best.show("", reason(body.why_not), reason(body.why_not));
    }
  }

  select(on) {
    mark(this.#button, "aria-pressed", on);
    this.element.classList.toggle("selected", on);
  }
}

/** A time, and where: short for the eye, in full for the ear. */
class Cell {
  #main = make("span", { className: "main" });
  #short = make("span", { className: "minor", "aria-hidden": "true" });
  #full = make("span", { className: "heard" });
  element = make("td", {}, this.#main, " ", this.#short, " ", this.#full);

  show(main, short = "", full = "") {
    write(this.#main, main);
    write(this.#short, short);
    write(this.#full, full);
  }
}

function points(events) {
  const shorts = events.map(({ az }) => short(az));
  return [shorts.join(", "), events.map(({ az }) => inThe(az)).join(", ")];
}

function heights(events) {
  const shorts = events.map(({ alt }) => `${number(alt)}°`);
  return [shorts.join(", "), events.map(({ alt }) => high(alt)).join(", ")];
}

function whereabouts({ alt, az }) {
  return [`${number(alt)}° ${short(az)}`, `${high(alt)} ${inThe(az)}`];
}

function short(az) {
  return named("compassShort", compassPoint(az).short);
}

function inThe(az) {
  return t("tonight.in_the", { direction: compassPoint(az).full });
}

function high(alt) {
  const isUp = Math.round(alt) >= 0;
  return t(isUp ? "tonight.high" : "tonight.deep", { altitude: number(Math.abs(alt)) });
}

/** When the light of each twilight begins and ends. */
export class TwilightTable {
  #rows = TWILIGHTS.map((name) => {
    const [dawn, dusk] = [make("td"), make("td")];
    const title = make("th", { scope: "row" }, t(`tonight.${name}`));
    return { name, dawn, dusk, element: make("tr", {}, title, dawn, dusk) };
  });
  element = make(
    "table",
    { className: "twilights" },
    make("caption", {}, t("tonight.twilights")),
    head(["twilight", "dawns", "dusks"]),
    make("tbody", {}, ...this.#rows.map(({ element }) => element)),
  );

  show(almanac, hour12) {
    const times = (events) => events.map((event) => timeText(almanac, event, hour12)).join(", ");
    for (const { name, dawn, dusk } of this.#rows) {
      const { status, dawns, dusks } = almanac.twilights[name];
      const always = status === "normal" ? t("tonight.none") : t(`tonight.light_${status}`);
      write(dawn, times(dawns) || always);
      write(dusk, times(dusks) || always);
    }
  }
}

function head(columns) {
  const cells = columns.map((name) => make("th", { scope: "col" }, t(`tonight.${name}`)));
  return make("thead", {}, make("tr", {}, ...cells));
}
