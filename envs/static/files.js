// Files that a page asks for: the chooser, which belongs to the system, is closed at once; and files that are dropped.
// One of the parts of the init script (see settle.py).

let chooser = null;            // the file field whose chooser was opened last
let asked = false;             // a chooser was opened since the harness asked

const isFileField = (element) => element instanceof HTMLInputElement && element.type === "file";
function keepShut(event) {
  event.preventDefault();
  chooser = event.composedPath()[0];
  asked = true;
}
window.addEventListener("click", (event) => { if (isFileField(event.composedPath()[0])) keepShut(event); }, true);

// A field that is in no document is not seen from the window.
const clickField = HTMLInputElement.prototype.click;
HTMLInputElement.prototype.click = function click() {
  const apart = isFileField(this) && !this.isConnected;
  if (apart) this.addEventListener("click", keepShut, { capture: true, once: true });
  clickField.call(this);
};
const showPicker = HTMLInputElement.prototype.showPicker;
HTMLInputElement.prototype.showPicker = function () {
  if (!isFileField(this)) return showPicker.call(this);
  chooser = this;
  asked = true;
};

sg.asked = () => {
  const was = asked;
  asked = false;
  return was;
};
sg.takeChooser = () => {
  const field = chooser;
  chooser = null;
  return field;
};

/** The file field that an element stands for: itself, the one that it labels, or the one within it; else null. */
sg.fileField = (element) => {
  if (isFileField(element)) return element;
  const label = closest(element, "label");
  return isFileField(label?.control) ? label.control : element.querySelector("input[type=file]");
};

const shown = (type, data) => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true, composed: true });

/** Drop files on an element, as from a window beside; false where the page does not take them there. */
sg.dropFiles = (element, payloads) => {
  const data = new DataTransfer();
  for (const { name, mimeType, base64 } of payloads) {
    data.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name, { type: mimeType }));
  }
  element.dispatchEvent(shown("dragenter", data));
  const taken = !element.dispatchEvent(shown("dragover", data));
  element.dispatchEvent(shown(taken ? "drop" : "dragleave", data));
  return taken;
};
