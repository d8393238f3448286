// What can be read of a document without touching it: what is drawn, where it stands, and what of it is in view.
// One of the parts of a selector engine of Playwright's (see sight.py); it runs in the isolated world where Playwright keeps
// the references of its snapshots.

/** What a document shows: its body or its frames; of a drawing or of XML, all of it. */
const whole = () => document.body ?? document.documentElement;
const round = (n) => Math.round(n * 100) / 100;
const refOf = (element) => element._ariaRef?.ref ?? "";
const roleOf = (element) => element._ariaRef?.role ?? "";
const FRAMES = new Set(["iframe", "frame"]);
const ACTING = new Set([
  "button", "link", "checkbox", "radio", "switch", "combobox", "textbox", "searchbox", "spinbutton", "slider", "tab", "option",
  "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "listbox",
]);
const PLAIN = new Set([
  "", "generic", "paragraph", "strong", "emphasis", "code", "time", "rowgroup", "term", "definition", "img", "separator",
  "superscript", "subscript", "banner", "main", "contentinfo", "complementary", "cell", "gridcell", "columnheader", "rowheader",
]);

/** The children as they are drawn: a shadow root in place of its host's, what was put into a slot in place of the slot's. */
function drawn(node) {
  if (node.shadowRoot) return node.shadowRoot.childNodes;
  const given = node.localName === "slot" ? node.assignedNodes() : [];
  return given.length ? given : node.childNodes;
}
const above = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
function isInside(node, outer) {
  for (let at = node; at; at = above(at)) if (at === outer) return true;
  return false;
}
function hit(x, y) {
  let found = document.elementFromPoint(x, y);
  for (let deeper; found?.shadowRoot && (deeper = found.shadowRoot.elementFromPoint(x, y)) && deeper !== found;) found = deeper;
  return found;
}

function isUsable(field) {
  const box = field.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && getComputedStyle(field).pointerEvents !== "none" && field.checkVisibility({ visibilityProperty: true });
}

/** A person would use it: by its role, or because the mouse turns into a hand over it. */
function acts(element, style) {
  if (ACTING.has(roleOf(element)) || element.draggable && element.hasAttribute("draggable")) return true;
  if (element.localName === "summary") return true;
  if (element.localName === "label" && element.control) return !isUsable(element.control);
  if (element.isContentEditable && !element.parentElement?.isContentEditable) return true;
  if (style.cursor !== "pointer") return false;
  const outer = above(element);
  return !outer || getComputedStyle(outer).cursor !== "pointer";
}

// ---- boxes and what is in view

const meet = (a, b) => ({
  left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
});
const size = (box) => (box.right - box.left >= 1 && box.bottom - box.top >= 1 ? (box.right - box.left) * (box.bottom - box.top) : 0);

/** The part of a box that its overflow lets be seen. */
function inner(element, style, clip) {
  if (style.overflowX === "visible" && style.overflowY === "visible" || style.display === "inline") return clip;
  const box = element.getBoundingClientRect();
  const own = { ...clip };
  if (style.overflowX !== "visible") Object.assign(own, { left: Math.max(clip.left, box.left), right: Math.min(clip.right, box.right) });
  if (style.overflowY !== "visible") Object.assign(own, { top: Math.max(clip.top, box.top), bottom: Math.min(clip.bottom, box.bottom) });
  return own;
}

/** All elements that may be drawn, in the order of the page; the page stands still while a question is answered. */
let kept = null;
function elements() {
  if (kept) return kept;
  kept = [];
  const into = (node) => {
    for (const child of drawn(node)) {
      if (child.nodeType !== 1) continue;
      kept.push(child);
      if (child.firstChild || child.shadowRoot || child.localName === "slot") into(child);
    }
  };
  into(document);
  return kept;
}

/** Gives the part of the window that an element may fill; what was found out about its ancestors is kept. */
function clipper() {
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const root = document.scrollingElement, known = new Map();
  const room = (element) => {                                   // for what is inside: in the flow, and placed absolutely
    if (!element) return { flow: view, placed: view };
    if (known.has(element)) return known.get(element);
    const outer = room(above(element)), style = getComputedStyle(element);
    const clip = own(style, outer);
    const flow = element === root || element === document.body ? clip : inner(element, style, clip);
    const holds = style.position !== "static" || style.transform !== "none";
    const found = { flow, placed: holds ? flow : outer.placed };
    known.set(element, found);
    return found;
  };
  const own = (style, outer) => (style.position === "fixed" ? view : style.position === "absolute" ? outer.placed : outer.flow);
  return (element, style) => own(style, room(above(element)));
}
const isNear = (box) => box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;

/** The biggest part of an element that the window shows, or null. */
function shown(element, style, clip) {
  if (style.visibility !== "visible") return null;
  let best = null;
  const held = style.display === "inline" ? [...element.children].flatMap((child) => [...child.getClientRects()]) : [];
  for (const box of [...element.getClientRects(), ...held]) {    // a link may hold a picture that is bigger than its line
    const part = meet(box, clip);
    if (size(part) > (best ? size(best) : 0)) best = part;
  }
  return best;
}

/** A point at which the mouse would reach the element, or null where all of it is covered. */
function reachable(element, box) {
  const label = element.localName === "label" ? element.control : null;
  for (const [across, down] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.15], [0.5, 0.85]]) {
    const x = box.left + (box.right - box.left) * across, y = box.top + (box.bottom - box.top) * down;
    const found = hit(x, y);
    if (found && (isInside(found, element) || label && isInside(found, label))) return [round(x), round(y)];
  }
  return null;
}

function boxes() {
  const all = [];
  for (const element of elements()) {
    if (!refOf(element)) continue;
    const { x, y, width, height } = element.getBoundingClientRect();
    all.push([refOf(element), round(x), round(y), round(width), round(height)]);
  }
  return all;
}

/** Of all in view: reference, the box that can be seen, and, where `points` are wanted, one that the mouse reaches.
 *  Without `whole` only of what can be acted on. */
function seen(whole, points) {
  const all = [], clip = clipper();
  for (const element of elements()) {
    if (!refOf(element) || !isNear(element.getBoundingClientRect())) continue;
    const style = getComputedStyle(element);
    const acting = acts(element, style);
    if (!whole && !acting) continue;
    const box = shown(element, style, clip(element, style));
    if (!box || !isOverlay(element) && (!isDrawn(element, style) || isForEars(element, style))) continue;
    const at = points && acting ? reachable(element, box) : null;
    all.push([refOf(element), round(box.left), round(box.top), round(box.right - box.left), round(box.bottom - box.top), at]);
  }
  return all;
}

/** The frames that can be seen, with the corner and scale of their documents and the part of them that is in view. */
function frames() {
  const all = [], clip = clipper();
  for (const element of elements()) {
    if (!FRAMES.has(element.localName)) continue;
    const style = getComputedStyle(element);
    if (!isDrawn(element, style)) continue;
    const box = element.getBoundingClientRect();
    const scale = [box.width / (element.offsetWidth || box.width || 1) || 1, box.height / (element.offsetHeight || box.height || 1) || 1];
    const corner = [
      box.left + (element.clientLeft + parseFloat(style.paddingLeft)) * scale[0],
      box.top + (element.clientTop + parseFloat(style.paddingTop)) * scale[1],
    ];
    const part = shown(element, style, clip(element, style));
    all.push({ element, corner: corner.map(round), scale, part: part && [part.left, part.top, part.right, part.bottom].map(round) });
  }
  return all;
}

// ---- visible or not

function isDrawn(element, style) {
  if (style.display === "none") return false;
  return style.display === "contents" || element.checkVisibility({ opacityProperty: true });
}

/** A field that is not seen itself, since what is drawn under or beside it stands for it. */
const isOverlay = (element) => element.localName === "input" && ["checkbox", "radio", "file", "range"].includes(element.type);

/** Kept for screen readers only: clipped to a dot, or moved off the page. */
function isForEars(element, style) {
  if (style.display === "inline" || style.display === "contents" || element === document.body) return false;
  const box = element.getBoundingClientRect();
  const dot = box.width <= 1 && box.height <= 1 && (style.overflow !== "visible" || style.clip !== "auto" || style.clipPath !== "none");
  return dot || style.position === "absolute" && (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) && box.width > 0;
}
