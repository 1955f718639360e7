import { compassPoint } from "./compass.js";
import { degrees } from "./format.js";
import { named, t } from "./texts.js";

/**
 * What that bright thing is likely to be, in a sentence. The Sun and the Moon need no telling.
 * @param {import("./sky.js").Sky} sky
 * @param {boolean} isNow or another moment
 */
export function headline({ sky, bodies }, isNow) {
  const planet = brightestPlanet(bodies);
  const then = isNow ? "" : "Then";
  const daylight = sky.state === "day" ? t("shell.daylight") : "";
  return planet
    ? t(`shell.brightest${then}`, { daylight, ...whereabouts(planet) })
    : t(`shell.none${then}`, { daylight });
}

/** The brightest planet that the naked eye can see, if any. */
export function brightestPlanet(bodies) {
  return bodies
    .filter(({ name, visible }) => visible && name !== "sun" && name !== "moon")
    .reduce((best, body) => (best && best.magnitude <= body.magnitude ? best : body), undefined);
}

function whereabouts({ name, alt_apparent, az }) {
  return {
    name: named("bodies", name),
    altitude: degrees(alt_apparent, 0),
    direction: compassPoint(az).full,
  };
}
