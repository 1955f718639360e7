import { make, mark } from "./build.js";
import { addDays } from "./civil.js";
import { t } from "./texts.js";
import { write } from "./text.js";

/** The dates that the server answers for. */
const FIRST = "1900-01-01";
const LAST = "2100-12-31";

/** A date to type, and the days before and after it. */
export class DateField {
  #onDate;
  #date = "";
  #input = make("input", { type: "date", id: "moment-date", min: FIRST, max: LAST });
  #error = make("p", { className: "notice", id: "moment-error", role: "alert" });
  element = make("div", { className: "moment-date" });

  /** @param {(date: string) => void} onDate called with a date as 2026-11-30 */
  constructor(onDate) {
    this.#onDate = onDate;
    this.#input.setAttribute("aria-errormessage", this.#error.id);
    this.#input.addEventListener("change", () => this.#typed());
    this.#input.addEventListener("blur", () => this.#left());
    const label = make("label", { htmlFor: this.#input.id }, t("moment.date"));
    const days = [this.#button("before", -1), this.#input, this.#button("after", 1)];
    this.element.append(label, ...days, this.#error);
  }

  /** Show a date, but not over one that is being typed, or put right. */
  show(date) {
    this.#date = date;
    const busy = document.activeElement === this.#input || this.#error.textContent !== "";
    if (!busy && this.#input.value !== date) {
      this.#input.value = date;
    }
  }

  /** Another moment was chosen, so that what was mistyped no longer matters. */
  clearError() {
    this.#say("");
  }

  #button(name, days) {
    const text = t(`moment.${name}`);
    const button = make("button", { type: "button", className: name, title: text });
    button.setAttribute("aria-label", text);
    button.addEventListener("click", () => this.#onDate(addDays(this.#date, days)));
    return button;
  }

  /** Years are typed digit by digit, and the first three are no year to ask for or to refuse. */
  #typed() {
    if (this.#isDate()) {
      this.#onDate(this.#input.value);
    }
  }

  #left() {
    this.#say(this.#isDate() ? "" : t("moment.range"));
    this.show(this.#date);
  }

  #isDate() {
    const { value, validity } = this.#input;
    return value !== "" && validity.valid;
  }

  #say(sentence) {
    write(this.#error, sentence);
    mark(this.#input, "aria-invalid", sentence !== "");
  }
}
