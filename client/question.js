const PATIENCE_MS = 10_000;
const PAUSE_MS = 5000;

/**
 * A question that has the same answer for as long as its address is the same: asked once for each
 * address, again 5 s after a silence, one in flight at most, and the latest next.
 */
export class Question {
  #fetch;
  #answered;
  #address = null;
  #asking = null;
  #timer;

  /**
   * @param {(address: string, signal: AbortSignal) => Promise<{answer?: any}>} fetch
   * @param {(answer: any) => void} answered with null where the server refuses
   */
  constructor(fetch, answered) {
    this.#fetch = fetch;
    this.#answered = answered;
  }

  /** @param {string} address */
  ask(address) {
    if (address !== this.#address) {
      this.#address = address;
      this.#askIfIdle();
    }
  }

  /** Drop the answer that is on its way, if any: it would be for what is no longer shown. */
  forget() {
    this.#address = null;
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = null;
  }

  #askIfIdle() {
    clearTimeout(this.#timer);
    if (document.hidden) {
      this.#askLater();
    } else if (this.#address && !this.#asking) {
      this.#askNow(this.#address);
    }
  }

  #askLater() {
    this.#timer = setTimeout(() => this.#askIfIdle(), PAUSE_MS);
  }

  async #askNow(address) {
    const asking = new AbortController();
    this.#asking = asking;
    const timeout = setTimeout(() => asking.abort(), PATIENCE_MS);
    const reply = await this.#fetch(address, asking.signal).catch(() => null);
    clearTimeout(timeout);
    if (this.#asking !== asking) {
      return; // forgotten
    }
    this.#asking = null;
    if (address !== this.#address) {
      this.#askIfIdle();
    } else if (!reply) {
      this.#askLater();
    }
    if (reply) {
      this.#answered(reply.answer ?? null);
    }
  }
}
