/**
 * A text field with a list of what was found for its text, after the ARIA pattern for a combobox
 * with list autocomplete: the focus stays in the field, and the arrows move through the list.
 *
 * @typedef {object} Option
 * @property {string} label
 * @property {string} [detail] beside the label
 * @property {boolean} [isSuggestion] other than what was typed, so chosen only on purpose
 */

import { optionElement } from "./option.js";

/** @template {Option} Found */
export class Combobox {
  #input;
  #list;
  #find;
  #onChoose;
  /** @type {Found[]} */
  #options = [];
  #active = -1;

  /**
   * @param {HTMLInputElement} input with role="combobox", which controls the list
   * @param {HTMLElement} list with role="listbox"
   * @param {{find: (text: string) => Promise<Found[]>, onChoose: (option: Found) => void}} actions
   */
  constructor(input, list, { find, onChoose }) {
    this.#input = input;
    this.#list = list;
    this.#find = find;
    this.#onChoose = onChoose;
    input.addEventListener("input", () => this.#search());
    input.addEventListener("keydown", (event) => this.#press(event));
    input.addEventListener("blur", () => this.close());
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus
    list.addEventListener("click", (event) => this.#click(event));
  }

  /** What was found for the text that is there, without the suggestions: the first, or null. */
  async best() {
    const options = await this.#find(this.#input.value);
    return options.find(({ isSuggestion }) => !isSuggestion) ?? null;
  }

  close() {
    this.#show([]);
  }

  async #search() {
    const text = this.#input.value;
    const options = await this.#find(text);
    if (text === this.#input.value && document.activeElement === this.#input) {
      this.#show(options);
    }
  }

  #press(event) {
    const { key, isComposing, altKey } = event;
    if (isComposing) {
      return; // the keys belong to an input method
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      this.#move(key === "ArrowDown" ? 1 : -1, altKey);
    } else if (key === "Escape" && this.#options.length > 0) {
      event.preventDefault();
      this.close();
    } else if (key === "Enter" && this.#active >= 0) {
      event.preventDefault(); // or the form would be submitted, too
      this.#choose(this.#active);
    }
  }

  /** Past either end is the field itself. Alt opens the list without moving in it. */
  async #move(step, isOpening) {
    if (this.#options.length === 0) {
      await this.#search();
    }
    if (!isOpening && this.#options.length > 0) {
      const places = this.#options.length + 1;
      this.#activate(((this.#active + 1 + step + places) % places) - 1);
    }
  }

  #click(event) {
    const index = [...this.#list.children].indexOf(event.target.closest('[role="option"]'));
    if (index >= 0) {
      this.#choose(index);
    }
  }

  #choose(index) {
    const option = this.#options[index];
    this.close();
    this.#onChoose(option);
  }

  #show(options) {
    this.#options = options;
    this.#list.replaceChildren(
      ...options.map((option, index) => optionElement(option, `${this.#list.id}-${index}`)),
    );
    this.#list.hidden = options.length === 0;
    this.#input.setAttribute("aria-expanded", String(options.length > 0));
    this.#activate(-1);
  }

  #activate(index) {
    this.#active = index;
    for (const [at, element] of [...this.#list.children].entries()) {
      element.setAttribute("aria-selected", String(at === index));
    }
    const active = this.#list.children[index];
    if (active) {
      this.#input.setAttribute("aria-activedescendant", active.id);
      active.scrollIntoView({ block: "nearest" });
    } else {
      this.#input.removeAttribute("aria-activedescendant");
    }
  }
}
