import { fetchIdentify } from "./sky.js";

const MINUTE_MS = 60_000;

/**
 * What is in a direction that somebody pointed at. As the sky turns the answer is asked for anew,
 * once a minute; at another place or another moment the direction means nothing any more.
 */
export class Identification {
  #changed;
  #direction = null;
  #asked = null;
  #minute = 0;
  #asking = null;

  /**
   * @param {(direction: {az: number, alt: number} | null, answer: object | null) => void} changed
   *   with null for an answer that has not come yet, or will not
   */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {{az: number, alt: number}} direction */
  ask(direction) {
    this.#direction = direction;
    this.#changed(direction, null);
    this.#askNow();
  }

  /**
   * @param {import("./sky.js").Asked} asked what the page shows
   * @param {Date} now by the server's clock
   */
  follow(asked, now) {
    const before = this.#asked;
    this.#asked = asked;
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const isOther = before && (asked.query !== before.query || !same(asked.moment, before.moment));
    if (this.#direction && isOther) {
      this.#forget();
    } else if (this.#direction && !asked.moment && minute !== this.#minute) {
      this.#askNow();
    }
    this.#minute = minute;
  }

  #forget() {
    this.#asking?.abort();
    this.#direction = null;
    this.#changed(null, null);
  }

  async #askNow() {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const direction = this.#direction;
    const reply = await fetchIdentify(this.#asked, direction, asking.signal).catch(() => ({}));
    if (this.#asking === asking && this.#direction === direction && reply.answer) {
      this.#changed(direction, reply.answer);
    }
  }
}

function same(one, other) {
  return one?.getTime() === other?.getTime();
}
