import { make, mark } from "./build.js";
import { addDays, instantOf, wallTime } from "./civil.js";
import { DateField } from "./date-field.js";
import { Player } from "./play.js";
import { dateText, onLanguage, t, time } from "./texts.js";
import { write } from "./text.js";

const MINUTE_MS = 60_000;
const STEP_MS = 10 * MINUTE_MS;
/** The instants that the server answers for. */
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(2101, 0, 1) - MINUTE_MS;
const DATE = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
/** A slider that is dragged says more than a server need be asked. */
const SLIDE_MS = 100;

/**
 * @typedef {object} Shown
 * @property {Date | null} moment null is now, and goes on
 * @property {string} [zone] of the place, by the server's name; the browser's own without it
 * @property {{begin: string, end: string} | null} [limits] the local date's, as /almanac has them
 * @property {boolean} [hour12]
 */

/** The moment that the page shows: now, which is live, or any other, which stays. */
export class MomentPicker {
  #element;
  #onMoment;
  #parts;
  #player;
  #shown = { moment: null };
  #sliding = null;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /**
   * @param {HTMLElement} element a section
   * @param {{onMoment: (moment: Date | null) => unknown}} listeners a promise that onMoment returns
   *   holds the next step of playing back
   */
  constructor(element, { onMoment }) {
    this.#element = element;
    this.#onMoment = onMoment;
    this.#player = new Player((moment) => this.#playOn(moment));
    this.#build();
    onLanguage(() => {
      this.#build();
      this.#write();
    });
    this.#calm.addEventListener("change", () => this.#stop());
    document.addEventListener("visibilitychange", () => document.hidden && this.#stop());
  }

  /** @param {Shown} shown what is left out stays as it was */
  show(shown) {
    const before = this.#shown;
    this.#shown = { ...before, ...shown };
    if (this.#sliding) {
      this.#shown.moment = before.moment; // the slider's is newer
    } else if (!same(this.#shown.moment, before.moment)) {
      this.#player.stop();
    }
    this.#write();
  }

  #build() {
    const parts = {
      mode: make("p", { className: "moment-mode", role: "status" }),
      clock: make("time", { className: "moment-clock" }),
      slider: make("input", { type: "range", id: "moment-slider", min: 0, step: 1 }),
      sliderLabel: make("label", { htmlFor: "moment-slider" }),
      now: button("now", () => this.#choose(null)),
      play: button("play", () => this.#pressPlay()),
      step: button("step", () => this.#choose(new Date(this.#moment().getTime() + STEP_MS))),
      date: new DateField((date) => this.#chooseDate(date)),
    };
    parts.slider.addEventListener("input", () => this.#slide());
    parts.slider.addEventListener("change", () => this.#settle());
    this.#parts = parts;
    this.#layOut(parts);
  }

  #layOut({ mode, clock, slider, sliderLabel, now, play, step, date }) {
    const title = make("h2", { id: "moment-title" }, t("moment.title"));
    this.#element.setAttribute("aria-labelledby", title.id);
    this.#element.classList.add("moment");
    this.#element.replaceChildren(
      title,
      mode,
      make("p", {}, clock),
      make("div", { className: "moment-slider" }, sliderLabel, slider),
      make("div", { className: "choices" }, now, play, step),
      date.element,
    );
  }

  #write() {
    const { mode, clock, now, play, step, date } = this.#parts;
    const instant = this.#moment();
    const live = this.#shown.moment === null && !this.#sliding;
    const { playing } = this.#player;
    write(mode, t(`moment.${playing ? "playing" : live ? "live" : "fixed"}`));
    write(clock, this.#clockText(instant));
    mark(clock, "datetime", instant.toISOString());
    mark(now, "aria-pressed", live);
    write(play, t(playing ? "moment.pause" : "moment.play"));
    play.hidden = this.#calm.matches;
    step.hidden = !this.#calm.matches;
    this.#writeSlider(instant);
    date.show(this.#date());
  }

  #writeSlider(instant) {
    const { slider, sliderLabel } = this.#parts;
    const { zone, hour12 } = this.#shown;
    const { begin, end } = this.#limits();
    write(sliderLabel, t("moment.slider", { zone: zone ?? t("moment.browser_zone") }));
    mark(slider, "max", Math.round((end - begin) / MINUTE_MS) - 1);
    slider.value = Math.floor((instant.getTime() - begin) / MINUTE_MS);
    mark(slider, "aria-valuetext", time(instant, zone, { hour12 }));
  }

  #clockText(instant) {
    const { zone, hour12 } = this.#shown;
    const date = dateText(instant, zone, DATE);
    const clock = time(instant, zone, { hour12 });
    return t(zone ? "moment.clock_in" : "moment.clock", { date, clock, zone });
  }

  /** The instant that is shown; the device's own now while the page is live. */
  #moment() {
    return this.#sliding ?? this.#shown.moment ?? new Date();
  }

  #date() {
    return wallTime(this.#moment(), this.#shown.zone).date;
  }

  /** The local date's begin and end in milliseconds: the server's, once they are this date's. */
  #limits() {
    const { limits, zone } = this.#shown;
    const ms = this.#moment().getTime();
    if (limits && ms >= Date.parse(limits.begin) && ms < Date.parse(limits.end)) {
      return { begin: Date.parse(limits.begin), end: Date.parse(limits.end) };
    }
    const date = this.#date();
    const [begin, end] = [date, addDays(date, 1)].map((day) => instantOf(day, 0, zone).getTime());
    return { begin, end };
  }

  #choose(moment) {
    this.#player.stop();
    this.#tell(moment && within(moment));
  }

  #chooseDate(date) {
    const { minutes } = wallTime(this.#moment(), this.#shown.zone);
    this.#choose(instantOf(date, minutes, this.#shown.zone));
  }

  #tell(moment) {
    this.#sliding = null;
    this.#shown = { ...this.#shown, moment };
    this.#parts.date.clearError();
    this.#write();
    return this.#onMoment(moment);
  }

  /** What is dragged shows at once, and is told now and then. */
  #slide() {
    this.#player.stop();
    const waiting = this.#sliding !== null;
    const { begin } = this.#limits();
    this.#sliding = within(new Date(begin + Number(this.#parts.slider.value) * MINUTE_MS));
    this.#write();
    if (!waiting) {
      setTimeout(() => this.#settle(), SLIDE_MS);
    }
  }

  #settle() {
    if (this.#sliding) {
      this.#tell(this.#sliding);
    }
  }

  #pressPlay() {
    if (this.#player.playing) {
      this.#stop();
    } else {
      this.#player.start(this.#moment());
      this.#write();
    }
  }

  #stop() {
    this.#player.stop();
    this.#write();
  }

  #playOn(moment) {
    const next = within(moment);
    if (next < moment) {
      this.#player.stop();
    }
    return this.#tell(next);
  }
}

function button(name, onClick) {
  const element = make("button", { type: "button", className: name }, t(`moment.${name}`));
  element.addEventListener("click", onClick);
  return element;
}

function within(moment) {
  return new Date(Math.min(Math.max(moment.getTime(), FIRST_MS), LAST_MS));
}

function same(one, other) {
  return one?.getTime() === other?.getTime();
}
