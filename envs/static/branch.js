// What a checkpoint keeps of a document, and how a fresh copy of the document is brought to the same state.
// One of the parts of the init script (see settle.py); all but the listeners runs at checkpoints only.

// ---- what cannot be kept ----------------------------------------------------------------------------------------

// A script may remember what it was told by a click or a key without showing it. Edits of fields, scrolling and the
// mouse are taken again by `refill` and `place`; after anything else only the same actions lead to the same page.
let handled = false;

const FIELDS = "input:not([type=submit], [type=button], [type=reset], [type=image], [type=file]), textarea, select,"
  + " option, label, summary";
const MODIFIERS = new Set(["Shift", "Control"]);
const EDIT_KEYS = new Set(["Backspace", "Delete", "Tab", "Home", "End", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

function fieldOf(event) {
  const node = event.composedPath()[0];
  const found = node instanceof Element ? node.closest(`a, button, [role], ${FIELDS}`) : null;
  return found !== null && found.matches(FIELDS) ? found : null;
}
function isEdit(event) {
  if (fieldOf(event) === null) return false;
  if (event.type === "click") return true;
  if (event.altKey || event.metaKey) return false;
  if (MODIFIERS.has(event.key)) return true;
  if (event.key === "Enter") return fieldOf(event) instanceof HTMLTextAreaElement && !event.ctrlKey;
  return event.ctrlKey ? event.key.toLowerCase() === "a" : event.key.length === 1 || EDIT_KEYS.has(event.key);
}
for (const name of ["click", "keydown"]) {
  window.addEventListener(name, (event) => { if (event.isTrusted && !isEdit(event)) handled = true; }, true);
}
for (const name of ["dblclick", "contextmenu", "dragstart", "copy", "cut", "paste", "popstate", "hashchange"]) {
  window.addEventListener(name, () => { handled = true; }, true);
}
// What scrolls is kept; what a script makes of the wheel instead is not.
window.addEventListener("wheel", (event) => { if (event.defaultPrevented) handled = true; }, { passive: true });

let at = null;                 // where the mouse was last seen here
window.addEventListener("mousemove", (event) => { if (event.isTrusted) at = [event.clientX, event.clientY]; }, true);

/** Why this document cannot be brought back from what is kept of it; "" where it may be. */
async function unkept() {
  if (handled) return "a script may have answered to a click or a key";
  if (window.length || document.querySelector("iframe, frame, object, embed")) return "the page has frames";
  if (window.opener) return "another page opened this one";
  if (window.name) return "the window has a name";
  if (document.contentType !== "text/html") return "this is no HTML page";
  if (document.querySelector(":modal, :popover-open")) return "a modal is open";
  if ([...document.querySelectorAll("input[type=file]")].some((field) => field.files.length)) return "a file is chosen";
  if ([...sources].some((source) => source.lastId !== null)) return "the server has told the page something";
  const moves = window.navigation ? navigation.entries() : [];
  if (moves.some((entry) => entry.sameDocument && entry.index !== navigation.currentEntry.index)) {
    return "the page made entries of the history";
  }
  if (await hasDatabases()) return "the site keeps a database in the browser";
  return "";
}

async function hasDatabases() {
  if (!window.indexedDB || !indexedDB.databases || location.origin === "null") return false;
  try {
    return (await indexedDB.databases()).length > 0;
  } catch {
    return false;                                           // storage is off for this page
  }
}

// ---- what is kept -----------------------------------------------------------------------------------------------

/** All elements in document order, open shadow roots included: an element is kept by its place in this list. */
function everything() {
  const found = [];
  const walk = (node) => {
    for (const child of node.children) {
      found.push(child);
      if (child.shadowRoot) walk(child.shadowRoot);
      walk(child);
    }
  };
  walk(document);
  return found;
}

const isTick = (field) => field.type === "checkbox" || field.type === "radio";

function valueOf(element) {
  if (element instanceof HTMLSelectElement) return [...element.options].map((option) => option.selected);
  if (element instanceof HTMLTextAreaElement) return element.value;
  if (!(element instanceof HTMLInputElement) || element.type === "file") return null;
  return isTick(element) ? [element.checked, element.indeterminate] : element.value;
}

function caretOf(element) {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    return [element.selectionStart, element.selectionEnd, element.selectionDirection];
  }
  return null;
}

/** Both ends of the selected text as [element, child, offset]; the child is -1 where the end is between children. */
function selectionOf(elements) {
  const selection = document.getSelection();
  if (!selection || !selection.rangeCount) return null;
  const end = (node, offset) => {
    const owner = node instanceof Element ? node : node.parentElement;
    const child = node instanceof Element ? -1 : [...node.parentNode.childNodes].indexOf(node);
    return [elements.indexOf(owner), child, offset];
  };
  return [...end(selection.anchorNode, selection.anchorOffset), ...end(selection.focusNode, selection.focusOffset)];
}

/** 53 bits of a text: two multiplicative hashes side by side. */
function hash(text) {
  let a = 0xdeadbeef, b = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

function stored(name) {
  try {
    return Object.entries(window[name]).sort(([one], [other]) => (one < other ? -1 : 1));
  } catch {
    return [];                                              // storage is off for this page
  }
}

/** Everything about this document that `refill` and `place` bring back, and everything by which they are checked. */
sg.keep = async () => {
  const elements = everything();
  const shadows = elements.filter((element) => element.shadowRoot).map((element) => element.shadowRoot.innerHTML);
  const focus = focused();
  return {
    slow: await unkept(),
    url: location.href, title: document.title, referrer: document.referrer, origin: sg.origin, now: sg.now,
    random: state, history: JSON.stringify(history.state) ?? "", storage: stored("sessionStorage"),
    elements: elements.length, markup: hash([document.documentElement.outerHTML, ...shadows].join("\n")),
    timers: [...timers.values()].map((timer) => [timer.kind, timer.due, timer.every]),
    sources: [...sources].map((source) => [source.url, source.readyState]),
    values: elements.map((element, n) => [n, valueOf(element)]).filter(([, value]) => value !== null),
    open: elements.map((element, n) => [n, element]).filter(([, element]) => element instanceof HTMLDetailsElement)
      .map(([n, element]) => [n, element.open]),
    scrolled: elements.map((element, n) => [n, element.scrollLeft, element.scrollTop])
      .filter(([, left, top]) => left || top),
    focus: elements.indexOf(focus), caret: caretOf(focus), visibly: focus.matches(":focus-visible"),
    selection: selectionOf(elements), mouse: at, under: elements.indexOf(under),
  };
};

// ---- and how it comes back --------------------------------------------------------------------------------------

function setTick(element, [checked, mixed]) {
  const changes = element.checked !== checked && (checked || element.type === "checkbox");
  if (changes) element.click();                             // as a hand does it, events included
  element.indeterminate = mixed;
}

/** As an edit of a person, so that the page hears of it now and, by a change event, when the field is left. */
function setText(element, value) {
  element.focus({ preventScroll: true });
  element.select();
  document.execCommand(value ? "insertText" : "delete", false, value);
  if (element.value === value) return;
  const owner = element instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(owner.prototype, "value").set.call(element, value);
  announce(element);
}

/** Fields and <details> as they were; run before time goes on, so that what they begin ends as it did. The page may turn
 *  out to be another one than was kept, which is compared later. */
sg.refill = (kept) => {
  const elements = everything();
  for (const [n, open] of kept.open) if (elements[n] instanceof HTMLDetailsElement) elements[n].open = open;
  for (const [n, value] of kept.values) {
    const element = elements[n], own = element ? valueOf(element) : null;
    if (own === null || typeof own !== typeof value || JSON.stringify(own) === JSON.stringify(value)) continue;
    if (element instanceof HTMLSelectElement) {
      sg.choose(element, value.flatMap((chosen, i) => (chosen ? [i] : [])));
    } else if (typeof value === "string") setText(element, value);
    else setTick(element, value);
  }
};

/** Focus, scroll, selection and chance as they were; run last. */
sg.place = (kept) => {
  const elements = everything();
  const target = elements[kept.focus] ?? document.body;
  if (target !== focused()) {
    focused().blur();
    if (target !== document.body) target.focus({ preventScroll: true, focusVisible: kept.visibly });
  }
  if (kept.caret !== null && kept.caret[0] !== null && caretOf(target)) target.setSelectionRange(...kept.caret);
  else select(elements, kept.selection);
  for (const [n, left, top] of kept.scrolled) elements[n]?.scrollTo(left, top);
  state = kept.random;
};

function select(elements, selection) {
  const ends = selection && [selection.slice(0, 3), selection.slice(3)].map(([n, child, offset]) => {
    const element = elements[n];
    return [child < 0 ? element : element?.childNodes[child], offset];
  });
  if (!ends || ends.some(([node]) => !node)) document.getSelection()?.removeAllRanges();
  else document.getSelection().setBaseAndExtent(...ends[0], ...ends[1]);
}
