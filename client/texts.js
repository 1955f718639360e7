/**
 * What the page says, in the language of the reader. Each language is one file of texts, by
 * section and name; a third is one more file and one more row of LANGUAGES.
 */

import en from "./en.js";
import fa from "./fa.js";

/** Intl's own digits and calendars: the Persian page has Persian digits and the solar calendar. */
const LANGUAGES = {
  en: { texts: en, locale: "en-GB", direction: "ltr", name: "English" },
  fa: {
    texts: fa,
    locale: "fa-IR",
    direction: "rtl",
    name: "فارسی",
    order: ["weekday", "day", "month", "year"], // Intl's own puts the year first, which nobody writes
  },
};
const FIRST = "en";
const KEY = "language";

const listeners = new Set();
let current = remembered() ?? preferred() ?? FIRST;
apply();

/** The code of the language that the page is in: "en" or "fa". */
export function language() {
  return current;
}

/** Every language, as the switch offers it. */
export function languages() {
  return Object.entries(LANGUAGES).map(([code, { name, direction }]) => ({ code, name, direction }));
}

/** @param {string} code one of LANGUAGES; remembered by this browser */
export function setLanguage(code) {
  if (code === current || !Object.hasOwn(LANGUAGES, code)) {
    return;
  }
  current = code;
  remember(code);
  apply();
  for (const listener of listeners) {
    listener(code);
  }
}

/** @param {(code: string) => void} listener called after each change of the language */
export function onLanguage(listener) {
  listeners.add(listener);
}

/**
 * A text by its section and name, for example t("tonight.best", { time, altitude }). Values that
 * are numbers come in the language's digits. What a language lacks is said in English.
 * @param {string} key
 * @param {Record<string, unknown>} [values] for the {placeholders}, or for a text that is a function
 * @returns {string}
 */
export function t(key, values = {}) {
  const text = find(current, key) ?? find(FIRST, key) ?? key;
  if (typeof text === "function") {
    return text(values);
  }
  return text.replace(/\{(\w+)\}/g, (braces, name) => (name in values ? said(values[name]) : braces));
}

/** Whether the language of the page itself has the text. */
export function has(key) {
  return find(current, key) !== undefined;
}

/** A name by its section, for example named("bodies", "mars"); as it was given where none is. */
export function named(section, name) {
  return find(current, `${section}.${name}`) ?? find(FIRST, `${section}.${name}`) ?? name;
}

/**
 * Write the texts that the markup asks for: data-t="section.name" for an element's own text,
 * data-t-label and data-t-placeholder for those attributes.
 * @param {ParentNode} [root]
 */
export function translate(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.textContent = t(element.dataset.t);
  }
  for (const [mark, attribute] of [["tLabel", "aria-label"], ["tPlaceholder", "placeholder"]]) {
    const selector = mark === "tLabel" ? "[data-t-label]" : "[data-t-placeholder]";
    for (const element of root.querySelectorAll(selector)) {
      element.setAttribute(attribute, t(element.dataset[mark]));
    }
  }
}

/** A number with fixed decimals, a real minus sign, and never "−0.0". */
export function number(value, decimals = 0) {
  const rounded = Number(value.toFixed(decimals)) + 0; // -0 + 0 is 0, which has no sign
  const format = numberFormat(LANGUAGES[current].locale, decimals);
  return format.format(rounded).replace("-", "−");
}

/**
 * A time of day, for example "21:04" or "9:04 pm".
 * @param {Date} instant
 * @param {string} [zone] an IANA name; the browser's own without it
 * @param {{hour12?: boolean, seconds?: boolean}} [options]
 */
export function time(instant, zone, { hour12 = false, seconds = false } = {}) {
  const options = {
    hour: hour12 ? "numeric" : "2-digit",
    minute: "2-digit",
    hourCycle: hour12 ? "h12" : "h23",
  };
  return dateText(instant, zone, seconds ? { ...options, second: "2-digit" } : options);
}

/**
 * A date, in the language's own calendar.
 * @param {Date} instant
 * @param {string} [zone] an IANA name; the browser's own without it
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export function dateText(instant, zone, options = DATE) {
  const format = dateFormat(LANGUAGES[current].locale, zone, options);
  const { order } = LANGUAGES[current];
  if (!order || !options.weekday || !options.day) {
    return format.format(instant);
  }
  const parts = format.formatToParts(instant);
  const values = order.map((type) => parts.find((part) => part.type === type)?.value);
  return values.filter(Boolean).join(" ");
}
const DATE = { day: "numeric", month: "short", year: "numeric" };

/** A zone's name as people say it, for example "Central European Standard Time". */
export function zoneName(zone, instant) {
  const format = dateFormat(LANGUAGES[current].locale, zone, { timeZoneName: "long" });
  return format.formatToParts(instant).find(({ type }) => type === "timeZoneName").value;
}

/**
 * A zone as Intl knows it: what the server calls UTC-2 is Etc/GMT+2 there. UTC stands in for one
 * that this browser does not know.
 */
export function zoneKey(zone) {
  const [, sign, hours] = /^UTC([+-])(\d+)$/.exec(zone ?? "") ?? [];
  const key = sign ? `Etc/GMT${sign === "+" ? "-" : "+"}${hours}` : zone;
  try {
    new Intl.DateTimeFormat("en", { timeZone: key });
    return key;
  } catch {
    return "UTC";
  }
}

function find(code, key) {
  const dot = key.indexOf(".");
  return LANGUAGES[code].texts[key.slice(0, dot)]?.[key.slice(dot + 1)];
}

function said(value) {
  if (typeof value !== "number") {
    return String(value);
  }
  const digits = { useGrouping: false, maximumFractionDigits: 20 };
  const format = new Intl.NumberFormat(LANGUAGES[current].locale, digits);
  return format.format(value).replace("-", "−");
}

const formats = new Map(); // making one takes longer than using it a hundred times

function numberFormat(locale, decimals) {
  return kept(`${locale} ${decimals}`, () => {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return new Intl.NumberFormat(locale, { ...digits, useGrouping: false });
  });
}

function dateFormat(locale, zone, options) {
  return kept(`${locale} ${zone} ${JSON.stringify(options)}`, () => {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zoneKey(zone) });
  });
}

function kept(key, make) {
  if (!formats.has(key)) {
    formats.set(key, make());
  }
  return formats.get(key);
}

function apply() {
  document.documentElement.lang = current;
  document.documentElement.dir = LANGUAGES[current].direction;
}

function preferred() {
  return navigator.languages.map((tag) => tag.split("-")[0]).find((code) => Object.hasOwn(LANGUAGES, code));
}

function remembered() {
  try {
    const code = localStorage.getItem(KEY);
    return Object.hasOwn(LANGUAGES, code) ? code : null;
  } catch {
    return null; // a browser may refuse storage; the switch then works until the page is left
  }
}

function remember(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // as above
  }
}
