import { make } from "./build.js";
import { forgetAnswers } from "./offline.js";
import { coordinatesText, nameOf } from "./place-search.js";
import { forgetPlace, recentPlaces } from "./recent.js";
import { t } from "./texts.js";

/** The recent places, each to be chosen again or forgotten. */
export class RecentList {
  /** The whole part; without places it is hidden. */
  element;
  #list = make("ul");
  #onChoose;
  #onEmpty;

  /**
   * @param {{onChoose: (place: import("./recent.js").RecentPlace) => void, onEmpty: () => void}}
   *   actions; the second is called when the last one has been forgotten, and the focus with it
   */
  constructor({ onChoose, onEmpty }) {
    const title = make("p", { id: "recent-title", "data-t": "place.recent" });
    const titled = { className: "recent whole-row", role: "group", "aria-labelledby": title.id };
    this.element = make("div", titled, title, this.#list);
    this.#onChoose = onChoose;
    this.#onEmpty = onEmpty;
  }

  /** Show what is remembered now, in the page's language. */
  show() {
    const places = recentPlaces();
    this.#list.replaceChildren(...places.map((place) => this.#row(place)));
    this.element.hidden = places.length === 0;
  }

  #row(place) {
    const name = recentName(place);
    const choose = make("button", { type: "button" }, make("bdi", {}, name));
    const label = t("place.forget", { place: name });
    const named = { type: "button", className: "forget", "aria-label": label };
    const forget = make("button", named, "×");
    choose.addEventListener("click", () => this.#onChoose(place));
    forget.addEventListener("click", () => this.#forget(place));
    return make("li", {}, choose, forget);
  }

  /** The focus goes on to the place that takes this one's. */
  #forget(place) {
    const index = recentPlaces().findIndex(({ query }) => query === place.query);
    forgetPlace(place.query);
    forgetAnswers(place.query);
    this.show();
    const buttons = this.#list.querySelectorAll(".forget");
    const next = buttons[Math.min(index, buttons.length - 1)];
    if (next) {
      next.focus();
    } else {
      this.#onEmpty();
    }
  }
}

function recentName({ query, names }) {
  return names ? nameOf(names) : coordinatesText(Object.fromEntries(new URLSearchParams(query)));
}
