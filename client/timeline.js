import { make } from "./build.js";
import { chartOf, ticks } from "./chart.js";
import { dateText, named, t } from "./texts.js";

const DAY = { weekday: "short", day: "numeric" };
/** Nearer to an end than this part of the width, a label stands on the inner side of its mark. */
const END = 0.07;

/**
 * The picture of an almanac: the light of the sky, a bar for each body while it is up, and the
 * present moment. Positions are logical, so that time runs from right to left where text does. It
 * is for the eye alone: the table beside it says the same.
 */
export class Timeline {
  element = make("div", { className: "timeline", "aria-hidden": "true" });
  #onSelect;
  #chart = null;
  #rows = new Map();
  #now = make("div", { className: "timeline-now" });
  #nowLabel = make("div", { className: "timeline-label" });

  /** @param {(name: string) => void} onSelect called with the body that is pressed */
  constructor(onSelect) {
    this.#onSelect = onSelect;
  }

  /**
   * @param {object[]} almanacs the date's, and the next date's if it is known
   * @param {boolean} hour12
   */
  draw(almanacs, hour12) {
    this.#chart = chartOf(almanacs);
    this.#rows.clear();
    const zone = almanacs[0].zone.name;
    const count = this.#chart.rows.length;
    this.element.replaceChildren(
      line(1, this.#head()),
      line(`2 / span ${count}`, this.#sky(zone)),
      ...this.#chart.rows.flatMap((row, index) => this.#row(row, index + 2)),
      line(`2 / span ${count}`, make("div", { className: "timeline-over" }, this.#now)),
      line(count + 2, this.#hours(zone, hour12)),
      line(count + 3, this.#days(almanacs)),
    );
  }

  /**
   * @param {Date} now
   * @param {string | null} selected
   */
  move(now, selected) {
    const part = this.#part(now.getTime());
    for (const mark of [this.#now, this.#nowLabel]) {
      mark.hidden = part < 0 || part > 1;
      place(mark, part);
    }
    for (const [name, cells] of this.#rows) {
      for (const cell of cells) {
        cell.classList.toggle("selected", name === selected);
      }
    }
  }

  #part(ms) {
    const { begin, end } = this.#chart;
    return (ms - begin) / (end - begin);
  }

  #head() {
    this.#nowLabel.textContent = t("tonight.now");
    return make("div", { className: "timeline-head" }, this.#nowLabel);
  }

  /** What is behind the bars: the light and the hours. */
  #sky(zone) {
    const { begin, end, light } = this.#chart;
    const lights = light.flatMap(({ kind, parts }) =>
      parts.map((part) => bar(`light ${kind}`, part)),
    );
    const lines = ticks(begin, end, zone).map(({ at, hour }) =>
      place(make("div", { className: hour === 0 ? "tick midnight" : "tick" }), this.#part(at)),
    );
    return make("div", { className: "timeline-sky" }, ...lights, ...lines);
  }

  #row({ name, bars, transits, best }, row) {
    const bests = best === null ? [] : [best];
    const marks = [
      ...bars.map((part) => bar("up", part)),
      ...transits.map((part) => place(make("div", { className: "transit" }), part)),
      ...bests.map((part) => place(make("div", { className: "best" }), part)),
    ];
    const label = make("div", { className: "timeline-name" }, named("bodies", name));
    const track = make("div", { className: "timeline-track" }, ...marks);
    const cells = [label, track].map((cell) => line(row, cell));
    for (const cell of cells) {
      cell.dataset.body = name;
      cell.addEventListener("click", () => this.#onSelect(name));
    }
    this.#rows.set(name, cells);
    return cells;
  }

  #hours(zone, hour12) {
    const { begin, end } = this.#chart;
    const options = { hour: hour12 ? "numeric" : "2-digit", hourCycle: hour12 ? "h12" : "h23" };
    const labels = ticks(begin, end, zone).map(({ at, hour }) => {
      const className = hour % 12 === 0 ? "timeline-label" : "timeline-label between";
      const text = dateText(new Date(at), zone, options);
      return place(make("div", { className }, text), this.#part(at));
    });
    const className = hour12 ? "timeline-hours wide" : "timeline-hours";
    return make("div", { className }, ...labels);
  }

  /** The dates, each where it begins. */
  #days(almanacs) {
    const days = almanacs.map(({ begin, zone }) => {
      const text = dateText(new Date(begin), zone.name, DAY);
      return place(make("div", { className: "timeline-day" }, text), this.#part(Date.parse(begin)));
    });
    return make("div", { className: "timeline-days" }, ...days);
  }
}

/** Put an element into a row of the grid. All rows are given: a bar's lies over the sky's. */
function line(row, element) {
  element.style.gridRow = row;
  return element;
}

/** Put an element at a part of the width, and a label there to the side on which there is room. */
function place(element, part) {
  element.style.insetInlineStart = `${part * 100}%`;
  element.classList.toggle("first", part < END);
  element.classList.toggle("last", part > 1 - END);
  return element;
}

function bar(className, { from, to }) {
  const element = make("div", { className });
  element.style.insetInlineStart = `${from * 100}%`;
  element.style.inlineSize = `${(to - from) * 100}%`;
  return element;
}
