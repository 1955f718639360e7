/**
 * What the page asks the server, and the shapes of its answers.
 *
 * @typedef {object} Body
 * @property {string} name
 * @property {number} az degrees from north through east
 * @property {number} alt degrees, without refraction
 * @property {number | null} alt_apparent degrees, with refraction; null below the horizon
 * @property {number} ra degrees
 * @property {number} dec degrees
 * @property {number} distance_au
 * @property {number} magnitude
 * @property {number | null} elongation degrees, negative in the morning sky
 * @property {number | null} illuminated from 0 to 1
 * @property {number} diameter_arcsec
 * @property {string} constellation the IAU's abbreviation
 * @property {boolean} up
 * @property {boolean} visible whether the naked eye can see it
 * @property {string | null} phase_name the Moon's
 *
 * @typedef {object} Sky
 * @property {string} time UTC, ISO 8601
 * @property {{lat: number, lon: number, elevation: number, source: "default" | "given"}} observer
 * @property {{state: "day" | "civil" | "nautical" | "astronomical" | "night", sun_alt: number}} sky
 * @property {Body[]} bodies
 *
 * @typedef {object} Problem why the server refuses a request (RFC 9457)
 * @property {string} detail a sentence for people, in English
 * @property {string} [code] which kind of problem
 * @property {string} [parameter] the parameter at fault
 *
 * @typedef {object} Asked
 * @property {string} query of the place; "" is the server's default place
 * @property {Date | null} [moment] null is now
 */

import { offlineSince } from "./offline.js";
import { writeInstant } from "./state.js";

/** The address of the whole sky. @param {Asked} asked */
export function skyUrl({ query, moment }) {
  return url("/planets", query, moment && { time: writeInstant(moment) });
}

/** The address of one body in it. @param {Asked} asked */
export function bodyUrl(name, { query, moment }) {
  return url(`/planets/${encodeURIComponent(name)}`, query, moment && { time: writeInstant(moment) });
}

/** @param {Asked} asked */
export function starsUrl({ query, moment }) {
  return url("/stars", query, moment && { time: writeInstant(moment) });
}

/** @param {string} [date] for example "2026-11-30"; today at the place without it */
export function almanacUrl(query, date) {
  return url("/almanac", query, date && { date });
}

/** With refraction the path goes through the body, which is drawn where the eye sees it. */
const PATH = "az,alt,alt_apparent";

/** The path of a body between two of the server's own instants, a point every 10 minutes. */
export function trackUrl(name, query, start, end) {
  const points = { start, end, step: 10, fields: PATH };
  return url(`/planets/${encodeURIComponent(name)}/track`, query, points);
}

/** @param {Asked} asked @param {{az: number, alt: number}} direction */
export function identifyUrl({ query, moment }, { az, alt }) {
  const time = moment ? { time: writeInstant(moment) } : {};
  return url("/identify", query, { az: az.toFixed(2), alt: alt.toFixed(2), ...time });
}

export const fetchSky = (asked, signal) => ask(skyUrl(asked), "bodies", signal);
export const fetchStars = (address, signal) => ask(address, "stars", signal);
export const fetchAlmanac = (address, signal) => ask(address, "bodies", signal);
export const fetchTrack = (address, signal) => ask(address, "columns", signal);
export const fetchIdentify = (asked, direction, signal) =>
  ask(identifyUrl(asked, direction), "nearest", signal);

/**
 * Ask the server once. Throws when there is no usable answer: no connection, aborted, a server
 * error, or a reply from something in between that is not the server.
 * @param {string} address
 * @param {string} member that an answer has
 * @param {AbortSignal} [signal]
 * @returns {Promise<{answer: any, stack: string, since: Date | null} | {problem: Problem}>} and which stack
 *   answered; since when it has not, for an answer that this browser has kept
 */
async function ask(address, member, signal) {
  const response = await fetch(address, { signal });
  const answer = await response.json();
  if (response.ok && answer[member]) {
    return {
      answer,
      stack: response.headers.get("Server") ?? "",
      since: offlineSince(response),
    };
  }
  if (response.status < 500 && typeof answer.detail === "string") {
    return { problem: answer };
  }
  throw new Error(`The server answered ${response.status}.`);
}

function url(path, query, more) {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more || {})) {
    parameters.set(name, value);
  }
  // Neither a colon nor a comma needs an escape in a query.
  const text = parameters.toString().replace(/%3A|%2C/g, decodeURIComponent);
  return text ? `${path}?${text}` : path;
}
