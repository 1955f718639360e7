import { compassPoint } from "./compass.js";
import { degrees, title } from "./format.js";

const NAKED_EYE_MAGNITUDE = 6;

/**
 * What that bright thing is likely to be, in a sentence. The Sun and the Moon need no telling.
 * @param {import("./sky.js").Body[]} bodies the brightest first
 */
export function headline(bodies) {
  const up = bodies.filter((body) => body.up);
  const planet = up.find(
    ({ name, magnitude }) =>
      name !== "sun" && name !== "moon" && magnitude <= NAKED_EYE_MAGNITUDE,
  );
  const daylight = up.some((body) => body.name === "sun") ? "The Sun is up. " : "";
  return planet
    ? `${daylight}The brightest planet up now is ${whereabouts(planet)}.`
    : `${daylight}No planet that the naked eye can see is up now.`;
}

function whereabouts({ name, alt_apparent, az }) {
  return `${title(name)}, ${degrees(alt_apparent, 0)} high in the ${compassPoint(az).full}`;
}
