import { compassPoint } from "./compass.js";
import { Heading, mayHaveCompass } from "./heading.js";
import { named, onLanguage, t } from "./texts.js";
import { write } from "./text.js";

/** A phone with a compass answers at once; another device never. */
const PATIENCE_MS = 3000;

/** The switches below the dome, and the sentences that say how to read it. */
export class DomeTools {
  #elements;
  #dome;
  #heading = new Heading((heading) => this.#turn(heading));
  #onMirror;
  #faced = null;
  #mirrored = false;
  #selected = null;
  #zone = "";
  #problem = "";
  #patience;

  /**
   * @param {Record<"mirror" | "compass" | "caption" | "note", HTMLElement>} elements
   * @param {import("./dome.js").Dome} dome
   * @param {(mirrored: boolean) => void} onMirror
   */
  constructor(elements, dome, onMirror) {
    this.#elements = elements;
    this.#dome = dome;
    this.#onMirror = onMirror;
    elements.mirror.addEventListener("click", () => this.#onMirror(!this.#mirrored));
    elements.compass.addEventListener("click", () => this.#toggleCompass());
    elements.compass.hidden = !mayHaveCompass();
    onLanguage(() => this.#write());
    this.#write();
  }

  /**
   * @param {object} shown
   * @param {boolean} shown.mirrored whether east is on the right
   * @param {string | null} shown.selected the body whose path is drawn
   * @param {string} shown.zone the zone of the hours on it, as it is to be read
   */
  show({ mirrored, selected, zone }) {
    if (mirrored !== this.#mirrored) {
      this.#dome.mirror(mirrored);
    }
    this.#mirrored = mirrored;
    this.#selected = selected;
    this.#zone = zone;
    this.#write();
  }

  async #toggleCompass() {
    this.#problem = "";
    if (this.#heading.running) {
      this.#stop();
    } else if (await this.#heading.start()) {
      this.#patience = setTimeout(() => this.#giveUp("dome.noCompass"), PATIENCE_MS);
      this.#write();
    } else {
      this.#giveUp("dome.compassRefused");
    }
  }

  #turn(heading) {
    clearTimeout(this.#patience);
    this.#faced = heading;
    this.#dome.turn(heading);
    this.#write();
  }

  #giveUp(problem) {
    this.#problem = problem;
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#patience);
    this.#heading.stop();
    this.#faced = null;
    this.#dome.turn(null);
    this.#write();
  }

  #write() {
    const { mirror, compass, caption, note } = this.#elements;
    write(mirror, t("dome.mirror"));
    mirror.setAttribute("aria-pressed", String(this.#mirrored));
    write(compass, t("dome.compass"));
    compass.setAttribute("aria-pressed", String(this.#heading.running));
    write(caption, this.#caption());
    write(note, this.#problem && t(this.#problem));
  }

  #caption() {
    const reading = this.#faced === null
      ? t(this.#mirrored ? "dome.northUpMap" : "dome.northUp")
      : t("dome.facing", { direction: named("compass", compassPoint(this.#faced).short) });
    if (!this.#selected) {
      return reading;
    }
    const values = { name: named("bodies", this.#selected), zone: this.#zone };
    return `${reading} ${t("dome.track", values)}`;
  }
}
