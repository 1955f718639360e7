/** What an almanac says of a body, in sentences. */

import { compassPoint } from "./compass.js";
import { at, courseOf, isUp, nextTurn } from "./spans.js";
import { dateText, named, number, t, time } from "./texts.js";
import { duration } from "./units.js";

/** Not the day of the week: in short, Sunday is the Sun. */
const SHORT_DATE = { day: "numeric", month: "short" };

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

/** The time of an event at the place. */
export function timeText(almanac, event, hour12 = false) {
  return clockText(almanac, new Date(at(event)), hour12);
}

/** An instant by the clocks of the place, with the date if it is another than the almanac's. */
export function clockText({ zone, begin, end }, instant, hour12 = false) {
  const clock = time(instant, zone.name, { hour12 });
  if (instant >= new Date(begin) && instant < new Date(end)) {
    return clock;
  }
  const day = dateText(instant, zone.name, SHORT_DATE).replaceAll(" ", "\u00a0");
  return t("tonight.on_day", { time: clock, day });
}
