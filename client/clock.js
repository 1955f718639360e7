// The page is in English, so its times are too, whatever the browser's language.
const DATE_AND_TIME = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};
const utcFormat = new Intl.DateTimeFormat("en-GB", { ...DATE_AND_TIME, timeZone: "UTC" });
const localFormat = new Intl.DateTimeFormat("en-GB", DATE_AND_TIME);
const timeOfDayFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", hourCycle: "h23" });

/** @param {Date} instant */
export function utc(instant) {
  return utcFormat.format(instant);
}

/** The same instant in the browser's own zone, which need not be that of the place shown. */
export function local(instant) {
  return localFormat.format(instant);
}

/** For example "21:04:10", in the browser's own zone. */
export function timeOfDay(instant) {
  return timeOfDayFormat.format(instant);
}

/** The browser's zone, for example "Europe/Berlin". */
export function zone() {
  return localFormat.resolvedOptions().timeZone;
}
