// Selects, list boxes and comboboxes: their options, and how their lists open and close.
// One of the parts of the init script (see settle.py).

const clean = (text) => (text || "").trim().replace(/\s+/g, " ");

/** The options of a native select or a listbox as {name, disabled, selected}. */
sg.options = (element) => {
  if (element instanceof HTMLSelectElement) {
    return [...element.options].map((o) => ({ name: clean(o.label || o.text), disabled: o.disabled || o.parentElement.disabled === true, selected: o.selected }));
  }
  return optionElements(element).map((o) => ({
    name: clean(o.getAttribute("aria-label") || o.innerText), disabled: o.getAttribute("aria-disabled") === "true",
    selected: o.getAttribute("aria-selected") === "true",
  }));
};

/** The listbox that an ARIA combobox or button controls, wherever in the document it is (a portal at its end, say). */
function listOf(element) {
  if (element.getAttribute("role") === "listbox") return element;
  const root = element.getRootNode();
  const owner = element.matches("[aria-controls], [aria-owns]") ? element : element.querySelector("[aria-controls], [aria-owns]") || element;
  const ids = `${owner.getAttribute("aria-controls") || ""} ${owner.getAttribute("aria-owns") || ""}`.trim().split(/\s+/);
  for (const id of ids) {
    const list = id && (root.getElementById?.(id) || document.getElementById(id));
    if (list) return list.matches("[role=listbox]") ? list : list.querySelector("[role=listbox]") || list;
  }
  return null;
}
function optionElements(element) {
  const list = listOf(element);
  return list ? [...list.querySelectorAll("[role=option]")].filter(isVisible) : [];
}
sg.hasList = (element) => element.getAttribute("aria-haspopup") === "listbox" || listOf(element) !== null;
sg.isOpenList = (element) => optionElements(element).length > 0;

/** Whether several options of a list can be chosen; ARIA has every such list say so. */
sg.takesSeveral = (element) => listOf(element)?.getAttribute("aria-multiselectable") === "true";

/** Whether the list of a control still hangs open after a choice, as lists for several do: "button" where a click on the
 *  control closes it again, "field" for one to type in, or null. `opened`: it was opened for the choice. */
sg.staysOpen = (element, opened, several) => {
  const list = listOf(element);
  if (!list || list === element || !sg.isOpenList(element)) return null;
  if (!several && list.getAttribute("aria-multiselectable") !== "true") return null;
  if (!opened && closest(element, "[aria-expanded]")?.getAttribute("aria-expanded") !== "true") return null;
  return element.matches("input, textarea") || element.isContentEditable ? "field" : "button";
};

/** Take the focus off a control and its list, as a click elsewhere would. */
sg.leave = (element) => {
  const list = listOf(element), focused = element.getRootNode().activeElement;
  if (focused && (isInside(focused, element) || list && isInside(focused, list))) focused.blur();
};
sg.optionAt = (element, index) => optionElements(element)[index];

/** Choose options of a native select by index, as a person's choice would: input and change events once. */
sg.choose = (element, indexes) => {
  element.focus({ preventScroll: true });
  [...element.options].forEach((option, i) => { option.selected = indexes.includes(i); });
  announce(element);
};
