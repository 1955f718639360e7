const PAUSE_MS = 2000;
const TIMEOUT_MS = 5000;

/**
 * Asks at once, and again 2 s after each answer: one question in flight at most, none while the
 * page is hidden, and at once when it is seen again.
 *
 * @template Answer
 */
export class Watch {
  #ask;
  #answered;
  #silent;
  #running = false;
  #asking = null;
  #isDue = false;
  #timer;

  /**
   * @param {(signal: AbortSignal) => Promise<Answer>} ask
   * @param {(answer: Answer) => void} answered
   * @param {() => void} silent called for each question that failed or took longer than 5 s
   */
  constructor(ask, answered, silent) {
    this.#ask = ask;
    this.#answered = answered;
    this.#silent = silent;
    document.addEventListener("visibilitychange", () => this.#askIfIdle());
  }

  /** Drop the question in flight, if any, and ask now. */
  restart() {
    this.stop();
    this.hurry();
  }

  /** Ask now, or as soon as the question in flight is answered. */
  hurry() {
    this.#running = true;
    this.#isDue = true;
    this.#askIfIdle();
  }

  stop() {
    this.#running = false;
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = null;
  }

  #askIfIdle() {
    if (this.#running && !this.#asking && !document.hidden) {
      clearTimeout(this.#timer);
      this.#askNow();
    }
  }

  async #askNow() {
    const asking = new AbortController();
    this.#asking = asking;
    this.#isDue = false;
    const timeout = setTimeout(() => asking.abort(), TIMEOUT_MS);
    const report = await this.#ask(asking.signal).then(
      (answer) => () => this.#answered(answer),
      () => this.#silent,
    );
    clearTimeout(timeout);
    if (this.#asking !== asking) {
      return; // dropped by stop(): another question may be in flight
    }
    this.#asking = null;
    if (this.#isDue) {
      this.#askIfIdle();
    } else {
      this.#timer = setTimeout(() => this.#askIfIdle(), PAUSE_MS);
    }
    report();
  }
}
