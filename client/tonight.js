import { make } from "./build.js";
import { dateText, named, number, onLanguage, t, time, zoneName } from "./texts.js";
import { write } from "./text.js";
import { Timeline } from "./timeline.js";
import { EventTable, TwilightTable } from "./tonight-table.js";
import { bestText, clockText, inOrder, nextInstant, untilNext } from "./tonight-words.js";

export { untilNext };

const DATE = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
const SHORT_DATE = { day: "numeric", month: "short" };
const LIGHTS = ["day", "civil", "nautical", "astronomical", "dark"];
const MARKS = ["up", "transit", "best"];

/**
 * @typedef {object} Shown
 * @property {object | null} almanac the answer of /almanac for the local date; null hides all
 * @property {object | null} [following] the answer for the next date: the night after midnight
 * @property {Date} now the moment that the page is at
 * @property {string | null} selected
 * @property {boolean} [hour12]
 */

/** Tonight at the place: a timeline, the table of the same, and the selected body in words. */
export class Tonight {
  #element;
  #onSelect;
  #parts;
  #shown = null;
  #drawn = {};

  /**
   * @param {HTMLElement} element a section
   * @param {{onSelect: (name: string) => void}} listeners
   */
  constructor(element, { onSelect }) {
    this.#element = element;
    this.#onSelect = onSelect;
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
    this.#shown = shown;
    this.#element.hidden = !shown.almanac;
    if (!shown.almanac) {
      return;
    }
    this.#drawIfNew(shown);
    this.#parts.timeline.move(shown.now, shown.selected);
    this.#parts.table.select(shown.selected);
    this.#sayOfSelected(shown);
  }

  #build() {
    const timeline = new Timeline(this.#onSelect);
    const table = new EventTable(this.#onSelect);
    const twilights = new TwilightTable();
    const [when, next, best, moon] = ["when", "next", "best-words", "moon"].map((className) =>
      make("p", { className }),
    );
    const title = make("h2", { id: "tonight-title" }, t("tonight.title"));
    this.#element.setAttribute("aria-labelledby", title.id);
    this.#element.classList.add("tonight");
    const words = make("div", { className: "tonight-words" }, next, best);
    const scroll = make("div", { className: "tonight-tables" }, table.element, twilights.element);
    this.#element.replaceChildren(title, when, words, timeline.element, legend(), scroll, moon);
    this.#parts = { timeline, table, twilights, when, next, best, moon };
    this.#drawn = {};
  }

  /** The almanac's own parts change with the date and the place, not with every answer. */
  #drawIfNew({ almanac, following = null, hour12 = false }) {
    const drawn = this.#drawn;
    if (
      drawn.almanac === almanac && drawn.following === following && drawn.hour12 === hour12
    ) {
      return;
    }
    this.#drawn = { almanac, following, hour12 };
    const { timeline, table, twilights, when, moon } = this.#parts;
    const ordered = sunAndMoonFirst(almanac);
    timeline.draw(inOrder(ordered, following), hour12);
    table.show(ordered, t("tonight.caption", { date: dayOf(almanac) }), hour12);
    twilights.show(almanac, hour12);
    write(when, whenText(almanac));
    write(moon, moonText(almanac, hour12));
  }

  #sayOfSelected({ almanac, following, now, selected, hour12 = false }) {
    const { next, best } = this.#parts;
    if (!almanac.bodies.some(({ name }) => name === selected)) {
      write(next, t("tonight.choose"));
      write(best, "");
      return;
    }
    const body = named("bodies", selected);
    const instant = nextInstant(almanac, selected, now, following);
    const what = untilNext(almanac, selected, now, following);
    const clock = instant ? clockText(almanac, instant, hour12) : "";
    write(next, t(instant ? "tonight.next_at" : "tonight.next", { body, what, clock }));
    write(best, t("tonight.best_words", { body, best: bestText(almanac, selected, hour12) }));
  }
}

function sunAndMoonFirst(almanac) {
  const isFirst = ({ name }) => name === "sun" || name === "moon";
  const others = almanac.bodies.filter((body) => !isFirst(body));
  return { ...almanac, bodies: [...almanac.bodies.filter(isFirst), ...others] };
}

function whenText(almanac) {
  const zone = almanac.zone.name;
  const long = zoneName(zone, new Date(almanac.begin));
  return t("tonight.when", { date: dayOf(almanac), zone, long });
}

function dayOf({ begin, zone }) {
  return dateText(new Date(begin), zone.name, DATE);
}

function moonText({ moon, zone }, hour12) {
  const [next] = moon.phases;
  const instant = new Date(next.time);
  return t("tonight.moon", {
    phase: named("phases", moon.phase_name),
    percent: number(moon.illuminated * 100),
    next: named("phases", next.name),
    date: dateText(instant, zone.name, SHORT_DATE),
    time: time(instant, zone.name, { hour12 }),
  });
}

/** What the timeline's colours and marks mean; for the eye, as the timeline is. */
function legend() {
  const entry = (kind, name) =>
    make("li", {}, make("span", { className: `sample ${kind}` }), t(`tonight.${name}`));
  const lights = LIGHTS.map((name) => entry(`light ${name}`, name));
  const marks = MARKS.map((name) => entry(name, `mark_${name}`));
  return make("ul", { className: "legend", "aria-hidden": "true" }, ...lights, ...marks);
}
