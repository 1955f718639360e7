/** What the drawings share: SVG elements that change in place. */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** @returns {SVGElement} a new last child of the parent */
export function append(parent, tag, attributes = {}) {
  const element = document.createElementNS(NAMESPACE, tag);
  set(element, attributes);
  parent.append(element);
  return element;
}

/** Set attributes. Equal ones are left alone, so that a still picture is not painted again. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) {
      element.setAttribute(name, text);
    }
  }
}

/** A tenth of a pixel is finer than the eye, and keeps a slow sky from being written again. */
export function pixels(value) {
  return Math.round(value * 10) / 10;
}
