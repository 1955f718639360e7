import { has, named, t } from "./texts.js";

/**
 * Why the server refuses a request, in the page's language where it has words for it, else in the
 * server's own sentence.
 * @param {import("./sky.js").Problem} problem
 */
export function problemSentence({ code, parameter = "", detail }) {
  const key = `problems.${code}`;
  if (!has(key)) {
    return detail;
  }
  const expected = has(`expected.${parameter}`) ? t(`expected.${parameter}`) : "";
  return t(key, { parameter: named("parameters", parameter), expected }).trim();
}
