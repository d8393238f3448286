// Whether an element can take an action right now, decided from the state of the page: where to click, or why not.
// One of the parts of the init script (see settle.py).

const EDITABLE = new Set(["text", "search", "url", "tel", "email", "password", "number", ""]);
const OTHERWISE = { checkbox: "a checkbox; use check", radio: "a radio button; use check", file: "a file field; use upload", select: "a list; use select" };
const FILLED = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

/** The parent in the tree that is drawn: through slots, shadow roots and hosts. */
function above(node) {
  return node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
}
function isInside(node, ancestor) {
  for (let at = node; at; at = above(at)) if (at === ancestor) return true;
  return false;
}
function closest(node, selector) {
  for (let at = node; at; at = above(at)) if (at.matches(selector)) return at;
  return null;
}

/** A name for an element in a message, as short as a person would give it. */
function describe(node) {
  const named = closest(node, "[role=dialog], dialog, [role=alertdialog], [role=menu], [role=listbox], header, nav, footer") || node;
  const role = named.getAttribute("role") || named.tagName.toLowerCase();
  const labelled = (named.getAttribute("aria-labelledby") || "").split(" ").map((id) => named.getRootNode().getElementById?.(id)?.textContent);
  const name = named.getAttribute("aria-label") || labelled.filter(Boolean).join(" ") || node.textContent || "";
  const short = name.trim().replace(/\s+/g, " ").slice(0, 60);
  return short ? `${role} "${short}"` : role + (named.className && typeof named.className === "string" ? ` (class ${named.className.trim().split(/\s+/)[0]})` : "");
}

function isVisible(element) {
  if (element.checkVisibility && !element.checkVisibility({ visibilityProperty: true })) return false;
  if (getComputedStyle(element).display === "contents") return [...element.children].some(isVisible);
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

function isDisabled(element) {
  if (element.matches(":disabled")) return true;
  const aria = closest(element, "[aria-disabled]");
  return Boolean(aria && aria.getAttribute("aria-disabled") === "true");
}

/** The first part of an element that is drawn (a link over two lines has several), within the viewport. */
function point(element) {
  for (const box of element.getClientRects()) {
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    if (right - left >= 1 && bottom - top >= 1) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
}

function hit(x, y) {
  let found = document.elementFromPoint(x, y);
  while (found && found.shadowRoot) {
    const deeper = found.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === found) break;
    found = deeper;
  }
  return found;
}

/** What lies over `element` at a point, or null where a click would reach it. */
function covering(element, at) {
  const found = hit(at.x, at.y);
  return found ? cover(element, found) : element;
}
/** `found` where a click on it does not reach `element`, else null. */
function cover(element, found) {
  if (isInside(found, element) || isInside(element, found) && !isInteractive(found)) return null;
  const label = closest(found, "label");
  if (label && label.control === element) return null;
  if (element instanceof HTMLLabelElement && element.control && isInside(found, element.control)) return null;
  return found;
}
const isInteractive = (node) => node.matches("a[href], button, input, select, textarea, [role=button], [role=dialog], dialog, [tabindex]");

/** Bring a point of the element into the viewport and free of what sticks over it, with as little scrolling as possible. */
function reach(element) {
  let over = null;
  for (const block of [null, "center", "start", "end", "nearest"]) {
    if (block) element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const at = fullyIn(element) || block ? point(element) : null;
    if (!at) continue;
    over = covering(element, at);
    if (!over) return { at };
  }
  return { over };
}
function fullyIn(element) {
  const box = element.getBoundingClientRect();
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}

const refuse = (why, detail = "") => ({ why, detail });

/** What the element is; the label of a tick stands for the tick. */
function kind(element) {
  if (element instanceof HTMLLabelElement && ["checkbox", "radio"].includes(element.control?.type)) return kind(element.control);
  const tag = element.tagName.toLowerCase();
  const type = tag === "input" ? element.type : "";
  return { tag, type, role: element.getAttribute("role") || "" };
}

function refusedText(element) {
  if (element.isContentEditable) return null;
  const { tag, type } = kind(element);
  if (tag !== "textarea" && !(tag === "input" && (EDITABLE.has(type) || FILLED.has(type)))) return refuse("not_editable", OTHERWISE[type] || OTHERWISE[tag] || `${describe(element)}; click it, or take the field itself`);
  return element.readOnly ? refuse("readonly") : null;
}

/** Check `element` for `need` ("point", "text", "hover", "any"); gives the point in this frame and what the element is.
 *  `aimed`: the mouse comes next (see aim.js). */
sg.check = (element, need, aimed = false) => {
  if (!element?.isConnected) return refuse("detached");
  if (need === "any") return { ...kind(element), multiple: element.multiple === true };
  if (!isVisible(element)) {
    const label = element.labels && [...element.labels].find(isVisible);
    if (!label || need === "text") return refuse("hidden");
    return { ...sg.check(label, "point", aimed), ...kind(element), checked: element.checked };
  }
  if (need !== "hover" && isDisabled(element)) return refuse("disabled");
  if (need === "text") {
    const refused = refusedText(element);
    if (refused) return refused;
  }
  const { at, over } = reach(element);
  if (over && over !== element) return refuse("covered", describe(over));
  if (!at) return refuse("outside");
  if (aimed && !element.matches("select, [type=file]")) sg.aim(element);
  const ticked = element instanceof HTMLLabelElement && element.control ? element.control : element;
  return {
    ...kind(element), ...at, framed: window !== window.top, multiple: element.multiple === true,
    checked: ticked.checked ?? (ticked.getAttribute("aria-checked") === "true"),
    editable: element.isContentEditable,
    filled: FILLED.has(element.type), listed: sg.hasList(element),
    value: element.value ?? null,
  };
};

/** A point of a frame's document as a point of this one, brought into the viewport; `cover` says what lies over it. */
sg.outward = (frame, at) => {
  const place = () => {
    const box = frame.getBoundingClientRect(), style = getComputedStyle(frame);
    return {
      x: at.x + box.left + frame.clientLeft + parseFloat(style.paddingLeft),
      y: at.y + box.top + frame.clientTop + parseFloat(style.paddingTop),
    };
  };
  let out = place();
  if (out.x < 0 || out.y < 0 || out.x > innerWidth || out.y > innerHeight) {
    scrollBy({ left: out.x - innerWidth / 2, top: out.y - innerHeight / 2, behavior: "instant" });
    out = place();
  }
  const found = hit(out.x, out.y);
  return { ...out, cover: found === frame ? null : found ? describe(found) : "the edge of the window" };
};

/** Bring an element into the middle of the window; false where it is not drawn. */
sg.scrollTo = (element) => {
  if (!isVisible(element)) return false;
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  return true;
};

/** Focus a field with all its text selected (what is typed next replaces it) or the caret at the end; false if it refuses. */
sg.focus = (element, all) => {
  sg.typeInto(element);
  element.focus({ preventScroll: true });
  if (element.isContentEditable) {
    getSelection().selectAllChildren(element);
    if (!all) getSelection().collapseToEnd();
  } else if (all) {
    element.select?.();
  } else {
    try { element.setSelectionRange(element.value.length, element.value.length); } catch { /* number and e-mail fields have no caret to set */ }
  }
  return element.matches(":focus") || element.matches(":focus-within");
};

/** Set a date, time, colour or range as its picker would; false where the field does not take this value. */
sg.fill = (element, value) => {
  const before = element.value;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  set.call(element, value);
  if (element.value !== value && Number(element.value) !== Number(value || NaN)) {
    set.call(element, before);
    return false;
  }
  element.focus({ preventScroll: true });
  if (element.value !== before) announce(element);
  return true;
};
function announce(element) {
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Questions about an element from Playwright's world (see sight.py), by an event that nothing of the page can hear; what
 *  can't be answered is asked again in the ordinary way. */
addEventListener(WORD, (event) => {
  event.stopImmediatePropagation();
  const told = event.relatedTarget;
  try {
    const [name, ...args] = JSON.parse(told.title);
    told.textContent = JSON.stringify(sg[name](event.composedPath()[0], ...args));
  } catch {
    told.textContent = "";
  }
}, true);
