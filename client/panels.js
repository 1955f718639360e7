/** The parts of the page that draw: each is shown what is known, and says what is chosen in it. */

import { Details } from "./details.js";
import { DomeTools } from "./dome-tools.js";
import { Dome } from "./dome.js";
import { Identification } from "./identification.js";
import { MomentPicker } from "./moment.js";
import { bodyUrl } from "./sky.js";
import { current, prefer } from "./state.js";
import { zoneKey, zoneName } from "./texts.js";
import { Tonight } from "./tonight.js";
import { What } from "./what.js";

const byId = (id) => document.getElementById(id);

/**
 * @typedef {object} Shown
 * @property {{place: import("./place.js").Place, moment: Date | null}} asked
 * @property {import("./sky.js").Sky} sky the answer to it
 * @property {string} selected the body
 * @property {import("./state.js").Preferences} preferences
 * @property {import("./surroundings.js").Surroundings} surroundings
 */

export class Panels {
  #dome;
  #domeTools;
  #what;
  #identification;
  #tonight;
  #moment;
  #details;

  /**
   * @param {object} on
   * @param {(name: string) => void} on.onSelect a body
   * @param {(moment: Date | null) => Promise<void>} on.onMoment
   */
  constructor({ onSelect, onMoment }) {
    const identify = (az, alt) => this.#identification.ask({ az, alt });
    this.#dome = new Dome(byId("dome-chart"), {
      onSelect,
      onPoint: identify,
    });
    this.#domeTools = new DomeTools(
      elements("dome", ["mirror", "compass", "caption", "note"]),
      this.#dome,
      (mirrored) => prefer({ mirrored }),
    );
    this.#what = new What(elements("what", ["form", "input", "hint", "asked", "list"]), {
      onDirection: identify,
      onSelect,
    });
    this.#identification = new Identification((direction, answer) => {
      this.#dome.aim(direction);
      this.#what.show(answer);
    });
    this.#tonight = new Tonight(byId("tonight"), { onSelect });
    this.#moment = new MomentPicker(byId("moment"), { onMoment });
    this.#details = new Details(byId("details"), { onPreferences: prefer });
  }

  /** @param {Shown} shown */
  show(shown) {
    const { asked, sky, selected, preferences, surroundings } = shown;
    const { almanac, following } = surroundings;
    const { hour12 } = preferences;
    const zone = almanac?.zone.name;
    const now = new Date(sky.time);
    this.#showDome(shown, now, zone);
    this.#identification.follow({ query: asked.place.query, moment: asked.moment }, now);
    // The moment that is wanted, which the sky is not yet at.
    this.#moment.show({ moment: current().moment, zone, limits: almanac, hour12 });
    this.#tonight.show({ almanac, following, now, selected, hour12 });
    this.#details.show({
      body: sky.bodies.find(({ name }) => name === selected),
      observer: sky.observer,
      time: sky.time,
      url: bodyUrl(selected, { query: asked.place.query, moment: asked.moment }),
      zone,
      preferences,
    });
  }

  #showDome({ sky, selected, preferences, surroundings }, now, zone) {
    this.#dome.show({
      bodies: sky.bodies,
      stars: surroundings.stars,
      state: sky.sky.state,
      selected,
      track: surroundings.track,
      zone: zoneKey(zone),
      hour12: preferences.hour12,
    });
    this.#domeTools.show({
      mirrored: preferences.mirrored,
      selected: surroundings.track && selected,
      zone: zoneName(zone, now),
    });
  }
}

function elements(part, names) {
  return Object.fromEntries(names.map((name) => [name, byId(`${part}-${name}`)]));
}
