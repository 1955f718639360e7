/** Ten minutes of the sky's time in each second. */
const RATE = 600;
const PAUSE_MS = 250;

/**
 * Moves a moment on. A step waits for the one before it, so that a slow server is asked no more
 * often than it answers; the next one is then as much longer, and the pace stays.
 */
export class Player {
  #onStep;
  #run = null;

  /** @param {(moment: Date) => unknown} onStep may return a promise of being ready for the next */
  constructor(onStep) {
    this.#onStep = onStep;
  }

  get playing() {
    return this.#run !== null;
  }

  /** @param {Date} moment where to begin */
  start(moment) {
    this.#run = { from: moment.getTime(), began: performance.now() };
    this.#go(this.#run);
  }

  stop() {
    this.#run = null;
  }

  async #go(run) {
    for (;;) {
      await new Promise((done) => setTimeout(done, PAUSE_MS));
      if (this.#run !== run) {
        return;
      }
      const elapsed = performance.now() - run.began;
      await this.#onStep(new Date(run.from + elapsed * RATE));
    }
  }
}
