/**
 * @typedef {object} Body
 * @property {string} name
 * @property {number} az degrees from north through east
 * @property {number} alt degrees, without refraction
 * @property {number | null} alt_apparent degrees, with refraction; null below the horizon
 * @property {number} magnitude
 * @property {boolean} up
 *
 * @typedef {object} Sky
 * @property {string} time UTC, ISO 8601
 * @property {{lat: number, lon: number, elevation: number, source: "default" | "given"}} observer
 * @property {Body[]} bodies
 *
 * @typedef {object} Problem why the server refuses a request (RFC 9457)
 * @property {string} detail a sentence for people
 * @property {string} [parameter] the parameter at fault
 */

/** The address of the whole sky above a place, given as a query ("" for the default place). */
export function skyUrl(query) {
  return query ? `/planets?${query}` : "/planets";
}

/**
 * Ask the server once. Throws when there is no usable answer: no connection, aborted, a server
 * error, or a reply from something in between that is not the server.
 * @param {string} query
 * @param {AbortSignal} signal
 * @returns {Promise<{sky: Sky} | {problem: Problem}>}
 */
export async function fetchSky(query, signal) {
  const response = await fetch(skyUrl(query), { signal, cache: "no-store" });
  const answer = await response.json();
  if (response.ok && Array.isArray(answer.bodies)) {
    return { sky: answer };
  }
  if (response.status < 500 && typeof answer.detail === "string") {
    return { problem: answer };
  }
  throw new Error(`The server answered ${response.status}.`);
}
