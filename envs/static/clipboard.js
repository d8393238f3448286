// The clipboard of an episode, apart from the system's: copy, cut and paste by keys, by script and by `execCommand`;
// and the count of downloads that a document began. One of the parts of the init script (see settle.py).

sg.clip = { text: "", html: "" };
let copied = false;            // this document has written to the clipboard since the harness asked
let saved = 0;                 // downloads that this document has begun since the harness asked

let paper = document.contentType === "application/pdf";    // the browser's viewer shows a file, which was not told yet

/** What the harness must hand on: new content of the clipboard, how many downloads began, whether files are asked for,
 *  whether this is a file in the browser's viewer. */
sg.news = () => {
  const news = { clip: copied ? sg.clip : null, saved, asked: sg.asked(), paper };
  copied = paper = false;
  saved = 0;
  return news.clip || news.saved || news.asked || news.paper ? news : null;
};
function put(text, html = "") {
  sg.clip = { text, html };
  copied = true;
}

window.navigation?.addEventListener("navigate", (event) => {
  if (event.downloadRequest !== null && !event.defaultPrevented) saved += 1;
});

window.addEventListener("click", (event) => {        // the browser saves what a link leads to
  const { altKey, ctrlKey, shiftKey, metaKey } = event;
  if (!event.isTrusted || event.defaultPrevented || !altKey || ctrlKey || shiftKey || metaKey) return;
  if (event.composedPath().some((node) => node instanceof HTMLAnchorElement && /^(https?|blob|data):/.test(node.href))) saved += 1;
});

// ---- copy, cut and paste as the browser does them ----------------------------------------------------------------

function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element || document.body;
}
const isField = (element) => element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
const isWritable = (element) => (isField(element) ? !element.readOnly && !element.disabled : element.isContentEditable);

/** What is selected, as text and, outside of fields, as markup. */
function selected(element) {
  if (isField(element)) {
    const { selectionStart: from, selectionEnd: to, type } = element;
    const text = from === null ? getSelection().toString() : element.value.slice(from, to);   // number and e-mail tell no range
    return { text: type === "password" ? "" : text, html: "" };
  }
  const selection = getSelection(), box = document.createElement("div");
  for (let i = 0; i < selection.rangeCount; i += 1) box.append(selection.getRangeAt(i).cloneContents());
  return { text: selection.toString(), html: box.innerHTML };
}

/** Tell the page as a browser would; whether it has not taken the matter into its own hands. */
function offer(type, element, data) {
  return element.dispatchEvent(new ClipboardEvent(type, { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
}

function take(type) {
  const element = focused(), data = new DataTransfer();
  if (!offer(type, element, data)) {
    if (data.types.length) put(data.getData("text/plain"), data.getData("text/html"));
    return true;
  }
  const { text, html } = selected(element);
  if (!text) return false;
  put(text, html);
  if (type === "cut" && isWritable(element)) execute.call(document, "delete");
  return true;
}

function paste(plain) {
  const element = focused(), data = new DataTransfer(), { text, html } = sg.clip;
  if (text) data.setData("text/plain", text);
  if (html && !plain) data.setData("text/html", html);
  if (!offer("paste", element, data)) return true;
  if (!text || !isWritable(element)) return false;
  const rich = html && !plain && element.contentEditable !== "plaintext-only" && !isField(element);
  return execute.call(document, rich ? "insertHTML" : "insertText", false, rich ? html : text);
}

// ---- by keys -----------------------------------------------------------------------------------------------------

const CHORDS = {
  "Control+c": () => take("copy"), "Control+Insert": () => take("copy"), "Control+x": () => take("cut"),
  "Shift+Delete": () => take("cut"), "Control+v": () => paste(false), "Shift+Insert": () => paste(false),
  "Control+Shift+v": () => paste(true),
};
function chord({ ctrlKey, shiftKey, altKey, metaKey, key }) {
  if (altKey || metaKey) return undefined;
  return CHORDS[`${ctrlKey ? "Control+" : ""}${shiftKey ? "Shift+" : ""}${key.length === 1 ? key.toLowerCase() : key}`];
}

// The browser acts on a key after all listeners, and not at all where one of them prevents it. Ours comes last; where a
// page stops the event on its way, the browser is kept from acting, and we act before the key is released.
let due = null;
function act() {
  const now = due;
  due = null;
  window.removeEventListener("keydown", last);
  if (now && !now.refused()) now.command();
}
function last(event) {
  if (event.defaultPrevented) due = null;
  event.preventDefault();
  act();
}
window.addEventListener("keydown", (event) => {
  const command = event.isTrusted && chord(event);
  if (!command) return;
  let stopped = false, refused = false;
  due = { command, refused: () => refused };
  window.addEventListener("keydown", last);
  const prevent = event.preventDefault.bind(event);
  for (const name of ["stopPropagation", "stopImmediatePropagation"]) {
    const stop = event[name].bind(event);
    event[name] = () => {
      if (!stopped) {
        stopped = true;
        refused = event.defaultPrevented;
        prevent();
        Object.defineProperty(event, "defaultPrevented", { get: () => refused });
        event.preventDefault = () => { refused = true; };
      }
      stop();
    };
  }
}, true);
window.addEventListener("keyup", act, true);

// ---- by script ---------------------------------------------------------------------------------------------------

const execute = Document.prototype.execCommand;
Document.prototype.execCommand = function execCommand(name, ...rest) {
  const command = { copy: () => take("copy"), cut: () => take("cut"), paste: () => paste(false) }[String(name).toLowerCase()];
  return command ? command() : execute.call(this, name, ...rest);
};
if (window.Clipboard) {
  const blob = async (item, type) => (item?.types.includes(type) ? (await item.getType(type)).text() : "");
  Object.assign(Clipboard.prototype, {
    async writeText(text) { put(String(text)); },
    async readText() { return sg.clip.text; },
    async write([item]) { put(await blob(item, "text/plain"), await blob(item, "text/html")); },
    async read() {
      const kinds = { "text/plain": sg.clip.text, "text/html": sg.clip.html };
      const parts = Object.entries(kinds).filter(([, text]) => text).map(([type, text]) => [type, new Blob([text], { type })]);
      return parts.length ? [new ClipboardItem(Object.fromEntries(parts))] : [];
    },
  });
}
