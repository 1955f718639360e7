/** Set an element's text. An equal one is left alone, for selections and for live regions. */
export function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}
