// The editor of a description: what you see is a contenteditable text box, what is sent is the textarea below it.
import { open } from "./dialogs.js";
import { fragment, linkable, written } from "./richtext.js";

const STATES = { bold: "bold", italic: "italic", bullets: "insertUnorderedList", numbers: "insertOrderedList" };

class Editor {
  constructor(box) {
    this.bar = box.querySelector("[role='toolbar']");
    this.text = box.querySelector("[data-editable]");
    this.html = box.querySelector("[data-html]");
    this.dialog = document.getElementById("link-dialog");
    this.buttons = [...this.bar.querySelectorAll("button")];
    document.execCommand("defaultParagraphSeparator", false, "p");
    document.execCommand("styleWithCSS", false, "false");
    this.show();
    this.listen();
  }

  /** Fill the text box from the HTML. */
  show() {
    this.text.replaceChildren(fragment(this.html.value));
    if (!this.text.childNodes.length) this.text.innerHTML = "<p><br></p>";
  }

  /** Fill the HTML from the text box. */
  keep() {
    this.html.value = written(this.text);
    this.html.dispatchEvent(new Event("input", { bubbles: true }));
  }

  listen() {
    this.text.addEventListener("input", () => this.keep());
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("paste", (event) => this.paste(event, event.clipboardData));
    this.text.addEventListener("drop", (event) => this.paste(event, event.dataTransfer));
    document.addEventListener("selectionchange", () => this.state());
    this.bar.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays where it is
    this.bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      this.rove(button);
      if (button.getAttribute("aria-disabled") !== "true") this.run(button.dataset.command);
    });
    this.bar.addEventListener("keydown", (event) => this.move(event));
    this.listenToLinks();
  }

  listenToLinks() {
    const form = this.dialog.querySelector("form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.setLink(form.elements.address.value.trim());
    });
    this.dialog.querySelector("[data-unlink]").addEventListener("click", () => {
      this.dialog.close();
      this.restore();
      this.apply("unlink");
    });
    this.dialog.addEventListener("close", () => this.text.focus());
  }

  get raw() {
    return !this.html.hidden;
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const command = { b: "bold", i: "italic", k: "link" }[event.key.toLowerCase()];
    if (!command || event.shiftKey) return;
    event.preventDefault();
    this.run(command);
  }

  run(command) {
    if (command === "html") return this.toggle();
    if (this.raw) return undefined;
    if (command === "link") return this.askLink();
    if (!this.text.contains(document.getSelection()?.anchorNode)) this.text.focus();
    if (command === "heading") return this.apply("formatBlock", this.inside("H3") ? "p" : "h3");
    return this.apply(STATES[command] ?? command);
  }

  apply(command, value = null) {
    document.execCommand(command, false, value);
    this.keep();
    this.state();
  }

  /** Switch between the text and its HTML; whichever is shown is what was edited last. */
  toggle() {
    if (this.raw) this.show();
    this.html.hidden = this.raw;
    this.text.hidden = this.raw;
    for (const button of this.buttons) {
      if (button.dataset.command === "html") button.setAttribute("aria-pressed", String(this.raw));
      else button.setAttribute("aria-disabled", String(this.raw));
    }
    (this.raw ? this.html : this.text).focus();
    this.state();
  }

  /** What the selection is, shown as pressed buttons. */
  state() {
    const here = !this.raw && this.text.contains(document.getSelection()?.anchorNode);
    for (const button of this.buttons) {
      const { command } = button.dataset;
      if (command === "html" || !button.hasAttribute("aria-pressed")) continue;
      const pressed = here && (command === "heading" ? Boolean(this.inside("H3")) : document.queryCommandState(STATES[command]));
      button.setAttribute("aria-pressed", String(pressed));
    }
  }

  inside(tag) {
    const node = document.getSelection()?.anchorNode;
    const found = (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement)?.closest(tag);
    return found && this.text.contains(found) ? found : null;
  }

  paste(event, data) {
    if (!data || data.files.length) return;
    event.preventDefault();
    const html = data.getData("text/html");
    const box = document.createElement("div");
    if (html) box.append(fragment(html));
    else for (const part of data.getData("text/plain").split(/\n\s*\n/)) box.append(Object.assign(document.createElement("p"), { textContent: part.trim() }));
    const single = box.children.length === 1 && box.firstElementChild.tagName === "P";
    document.execCommand("insertHTML", false, single ? box.firstElementChild.innerHTML : box.innerHTML);
    this.keep();
  }

  askLink() {
    const selection = document.getSelection();
    this.range = selection.rangeCount && this.text.contains(selection.anchorNode) ? selection.getRangeAt(0).cloneRange() : null;
    const link = this.inside("A");
    const { address } = this.dialog.querySelector("form").elements;
    address.value = link?.getAttribute("href") ?? "";
    this.problem("");
    this.dialog.querySelector("[data-unlink]").hidden = !link;
    open(this.dialog);
    address.select();
  }

  setLink(address) {
    if (!linkable(address)) {
      this.problem("Start with https://, http://, mailto: or, inside the shop, with /.");
      return;
    }
    this.dialog.close();
    this.restore();
    const link = this.inside("A");
    if (link) {
      const around = document.createRange();
      around.selectNodeContents(link);
      document.getSelection().removeAllRanges();
      document.getSelection().addRange(around);
    }
    if (document.getSelection().isCollapsed) {
      const made = Object.assign(document.createElement("a"), { textContent: address });
      made.setAttribute("href", address);
      this.apply("insertHTML", made.outerHTML);
    } else this.apply("createLink", address);
  }

  problem(text) {
    const { address } = this.dialog.querySelector("form").elements;
    const line = this.dialog.querySelector("[data-problem]");
    line.hidden = !text;
    line.querySelector("span").textContent = text;
    if (text) address.setAttribute("aria-invalid", "true");
    else address.removeAttribute("aria-invalid");
    if (text) address.focus();
  }

  /** Put the selection back where it was before the dialog. */
  restore() {
    this.text.focus();
    if (!this.range) {
      document.getSelection().selectAllChildren(this.text);
      document.getSelection().collapseToEnd();
      return;
    }
    document.getSelection().removeAllRanges();
    document.getSelection().addRange(this.range);
  }

  move(event) {
    const at = this.buttons.indexOf(document.activeElement);
    const last = this.buttons.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.rove(this.buttons[to]);
    this.buttons[to].focus();
  }

  rove(button) {
    for (const each of this.buttons) each.tabIndex = each === button ? 0 : -1;
  }
}

for (const box of document.querySelectorAll("[data-editor]")) new Editor(box);
