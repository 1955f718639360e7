/** What an almanac says of a body, in sentences. */

import { compassPoint } from "./compass.js";
import { at, courseOf, isUp, nextTurn } from "./spans.js";
import { dateText, named, number, t, time } from "./texts.js";
import { duration } from "./units.js";

/** The almanacs of a date and, where it is known, of the next one. */
export function inOrder(almanac, following) {
  return following ? [almanac, following] : [almanac];
}

/**
 * What a body does next: "sets in 2 h 10 min", or that it does not.
 * @param {object} almanac of the local date
 * @param {string} body
 * @param {Date} now
 * @param {object} [following] the next date's almanac: what sets after midnight is in it
 */
export function untilNext(almanac, body, now, following) {
  const course = courseOf(body, inOrder(almanac, following));
  const next = nextTurn(course, now.getTime());
  if (next) {
    return t(`tonight.${next.kind}_in`, { duration: duration(next.at - now.getTime()) });
  }
  if (course.rises.length + course.sets.length === 0) {
    return t(`tonight.${course.status}`);
  }
  return t(isUp(course, now.getTime()) ? "tonight.stays_up" : "tonight.stays_down");
}

/** When the next rise or set is, or null. */
export function nextInstant(almanac, body, now, following) {
  const next = nextTurn(courseOf(body, inOrder(almanac, following)), now.getTime());
  return next ? new Date(next.at) : null;
}

/**
 * When and where a body is best: "best 22:40, 34 degrees in the south", or why it never is.
 * @param {object} almanac
 * @param {string} name of the body
 * @param {boolean} [hour12]
 */
export function bestText(almanac, name, hour12 = false) {
  const { best, why_not } = almanac.bodies.find((body) => body.name === name);
  if (!best) {
    return t("tonight.not_best", { reason: reason(why_not) });
  }
  return t("tonight.best", {
    time: timeText(almanac, best, hour12),
    altitude: number(best.alt),
    direction: compassPoint(best.az).full,
  });
}

/** Why a body has no best moment, in words. */
export function reason(code) {
  return named("tonight", `why_${code}`);
}

/** The time of an event at the place, and the day of the week if the date is another. */
export function timeText({ zone, begin, end }, event, hour12 = false) {
  const ms = at(event);
  const instant = new Date(ms);
  const text = time(instant, zone.name, { hour12 });
  if (ms >= Date.parse(begin) && ms < Date.parse(end)) {
    return text;
  }
  const day = dateText(instant, zone.name, { weekday: "short" });
  return t("tonight.on_day", { time: text, day });
}
