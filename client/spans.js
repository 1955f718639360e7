/** When a body is up, from the rises and sets of one date or of several that follow one another. */

/**
 * @typedef {object} Event
 * @property {string} time UTC, ISO 8601
 * @property {number} [az] degrees from north through east
 * @property {number} [alt] degrees
 *
 * @typedef {object} Course what a body does
 * @property {"normal" | "always_up" | "always_down"} status
 * @property {Event[]} rises
 * @property {Event[]} transits
 * @property {Event[]} sets
 *
 * @typedef {{from: number, to: number}} Span two instants in milliseconds
 */

/** @returns {number} the instant of an event, in milliseconds */
export function at({ time }) {
  return Date.parse(time);
}

/**
 * The course of one body over almanacs of dates in a row, or null where none has it.
 * @returns {Course | null}
 */
export function courseOf(name, almanacs) {
  return joined(almanacs.map(({ bodies }) => bodies.find((body) => body.name === name)));
}

/** The Sun's course through the limit of one twilight: its light's dawns are the rises. */
export function lightOf(name, almanacs) {
  const days = almanacs.map(({ twilights }) => twilights[name]);
  return joined(
    days.map(({ status, dawns, dusks }) => ({ status, rises: dawns, transits: [], sets: dusks })),
  );
}

function joined(days) {
  const known = days.filter(Boolean);
  if (known.length === 0) {
    return null;
  }
  const all = (events) => known.flatMap((day) => day[events]);
  const { status } = known[0];
  return { status, rises: all("rises"), transits: all("transits"), sets: all("sets") };
}

/**
 * The rises and sets in order.
 * @param {Course} course
 * @returns {{kind: "rises" | "sets", at: number}[]}
 */
export function turns({ rises, sets }) {
  const of = (kind, events) => events.map((event) => ({ kind, at: at(event) }));
  return [...of("rises", rises), ...of("sets", sets)].sort((one, other) => one.at - other.at);
}

/** The first rise or set after an instant in milliseconds, or undefined. */
export function nextTurn(course, now) {
  return turns(course).find((turn) => turn.at > now);
}

/** Whether the body is up at an instant in milliseconds. */
export function isUp(course, now) {
  const all = turns(course);
  const before = all.filter((turn) => turn.at <= now).at(-1);
  if (before) {
    return before.kind === "rises";
  }
  return all.length > 0 ? all[0].kind === "sets" : course.status === "always_up";
}

/**
 * From when to when, between two instants in milliseconds, the body is up.
 * @param {Course} course
 * @returns {Span[]}
 */
export function upSpans(course, begin, end) {
  const within = turns(course).filter((turn) => turn.at > begin && turn.at < end);
  const edges = [...within.map((turn) => turn.at), end];
  if (isUp(course, begin)) {
    edges.unshift(begin);
  }
  const spans = [];
  for (let index = 0; index + 1 < edges.length; index += 2) {
    spans.push({ from: edges[index], to: edges[index + 1] });
  }
  return spans;
}
