import { addDays, wallTime } from "./civil.js";
import { Question } from "./question.js";
import { almanacUrl, fetchAlmanac, fetchStars, fetchTrack, starsUrl, trackUrl } from "./sky.js";

const MINUTE_MS = 60_000;

/**
 * What is asked for beside the sky, and less often: the stars once a minute, the almanac once for
 * each place and date, the track once for each body and date.
 */
export class Surroundings {
  /** @type {object[]} */
  stars = [];
  /** @type {object | null} null until it has come, and where the server has none */
  almanac = null;
  /** @type {object | null} of the date after it, which has the hours after midnight */
  following = null;
  /** @type {object | null} of the body that is selected */
  track = null;

  #changed;
  #latest = null;
  #questions = {
    stars: new Question(fetchStars, (answer) => this.#set({ stars: answer?.stars ?? [] })),
    almanac: new Question(fetchAlmanac, (answer) => this.#setAlmanac(answer)),
    following: new Question(fetchAlmanac, (answer) => this.#set({ following: answer })),
    track: new Question(fetchTrack, (answer) => this.#set({ track: answer })),
  };

  /** @param {() => void} changed called after each answer */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Another place: nothing of the old one holds. */
  forget() {
    for (const question of Object.values(this.#questions)) {
      question.forget();
    }
    this.#latest = null;
    Object.assign(this, { stars: [], almanac: null, following: null, track: null });
  }

  /**
   * Ask for what a sky lacks.
   * @param {string} query of the place
   * @param {Date} time of the sky, by the server's clock
   * @param {boolean} isNow or another moment
   * @param {string | null} selected
   */
  follow(query, time, isNow, selected) {
    this.#latest = [query, time, isNow, selected];
    const minute = new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);
    this.#questions.stars.ask(starsUrl({ query, moment: minute }));
    if (!this.#holds(time)) {
      this.#questions.almanac.ask(almanacUrl(query, this.#date(time, isNow)));
    }
    if (this.almanac) {
      this.#questions.following.ask(almanacUrl(query, addDays(this.almanac.date, 1)));
    }
    this.#followTrack(query, selected);
  }

  /** The date to ask for, by the server's own word where it knows better. */
  #date(time, isNow) {
    if (this.almanac) {
      return wallTime(time, this.almanac.zone.name).date;
    }
    // The place's zone is not known yet: the server says today's date there, or UTC's will do.
    return isNow ? undefined : wallTime(time, "UTC").date;
  }

  #holds(time) {
    const { begin, end } = this.almanac ?? {};
    return new Date(begin) <= time && time < new Date(end); // an Invalid Date compares to nothing
  }

  #followTrack(query, selected) {
    if (this.track && this.track.name !== selected) {
      this.track = null;
    }
    if (this.almanac && selected) {
      this.#questions.track.ask(trackUrl(selected, query, this.almanac.begin, this.almanac.end));
    } else {
      this.#questions.track.forget();
    }
  }

  #setAlmanac(almanac) {
    this.almanac = almanac;
    if (almanac && this.#latest) {
      this.follow(...this.#latest); // for its track, or its neighbour's date
    }
    this.#changed();
  }

  #set(answer) {
    Object.assign(this, answer);
    this.#changed();
  }
}
