/**
 * Make an element with its properties, attributes and children, for example
 * make("button", { type: "button", "aria-pressed": "false" }, "Now").
 * @param {string} tag
 * @param {Record<string, unknown>} [given] properties where the element has them, else attributes
 * @param {...(Node | string)} children
 */
export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name in element) {
      element[name] = value;
    } else {
      element.setAttribute(name, value);
    }
  }
  element.append(...children);
  return element;
}

/** Set an attribute. An equal one is left alone, as text is by `write`. */
export function mark(element, attribute, value) {
  if (element.getAttribute(attribute) !== String(value)) {
    element.setAttribute(attribute, value);
  }
}
