/**
 * A row of a list to choose from.
 * @param {import("./combobox.js").Option} option
 * @param {string} id
 */
export function optionElement({ label, detail = "" }, id) {
  const element = document.createElement("li");
  element.id = id;
  element.setAttribute("role", "option");
  element.append(part("label", label), " ", part("detail", detail));
  return element;
}

/** Apart from what is beside it, whichever way each is written. */
function part(name, text) {
  const element = document.createElement("bdi");
  element.className = name;
  element.textContent = text;
  return element;
}
