// Comboboxes after the ARIA pattern, made of native selects that stay underneath and are what a form sends.
let count = 0;

/** A cross as a picture: a letter would be read out beside the button's name. */
export const CROSS =
  '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8" stroke="currentColor" stroke-width="1.600" stroke-linecap="round"/></svg>';

/** Where the list of a field goes: into the open dialog it stands in (else it would lie beneath), or the page. */
const portal = (element) => element.closest("dialog") ?? document.body;

/** Put a list right below (or above) its field, within the window. */
export function place(list, anchor, width = 0) {
  const box = anchor.getBoundingClientRect();
  list.style.minWidth = `${Math.max(box.width, width)}px`;
  list.style.maxWidth = `${Math.max(box.width, 460)}px`;
  const left = Math.min(box.left, window.innerWidth - list.offsetWidth - 8);
  const below = window.innerHeight - box.bottom;
  const above = below < list.offsetHeight + 8 && box.top > below;
  list.style.left = `${Math.max(8, left)}px`;
  list.style.top = above ? `${Math.max(8, box.top - list.offsetHeight - 4)}px` : `${box.bottom + 4}px`;
}

const plain = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();

export class Combobox {
  constructor(select) {
    this.select = select;
    this.multi = select.multiple;
    this.id = `combo-${++count}`;
    this.active = -1;
    this.shown = [];
    this.build();
    this.listen();
    this.sync();
  }

  build() {
    const { select } = this;
    this.box = document.createElement("div");
    this.box.className = `combo${select.getAttribute("aria-invalid") === "true" ? " invalid" : ""}`;
    this.input = document.createElement("input");
    Object.assign(this.input, { type: "text", className: "combo-input", autocomplete: "off", spellcheck: false });
    this.input.disabled = select.disabled;
    const attributes = {
      role: "combobox",
      "aria-expanded": "false",
      "aria-haspopup": "listbox",
      "aria-autocomplete": "list",
      "aria-controls": `${this.id}-list`,
    };
    for (const [name, value] of Object.entries(attributes)) this.input.setAttribute(name, value);
    for (const name of ["aria-invalid", "aria-describedby", "aria-required", "aria-label"]) {
      if (select.hasAttribute(name)) this.input.setAttribute(name, select.getAttribute(name));
    }
    const label = select.id && document.querySelector(`label[for="${CSS.escape(select.id)}"]`);
    this.input.id = select.id;
    if (select.id) select.id = `${select.id}--native`;
    if (label && !label.id) label.id = `${this.id}-label`;
    this.list = document.createElement("ul");
    this.list.className = `listbox${this.multi ? " multi" : ""}`;
    this.list.id = `${this.id}-list`;
    this.list.setAttribute("role", "listbox");
    if (label) this.list.setAttribute("aria-labelledby", label.id);
    if (this.multi) this.list.setAttribute("aria-multiselectable", "true");
    this.list.hidden = true;
    select.hidden = true;
    select.tabIndex = -1;
    this.box.append(this.input);
    select.after(this.box);
    portal(select).append(this.list);
    this.select.combobox = this;
  }

  listen() {
    const { input, box, list } = this;
    box.addEventListener("mousedown", (event) => {
      if (event.target.closest("button")) return;
      if (event.target !== input) {
        event.preventDefault();
        input.focus();
      }
    });
    box.addEventListener("click", (event) => {
      if (!event.target.closest("button") && !input.disabled) this.open();
    });
    input.addEventListener("focus", () => this.multi || input.select());  // typing replaces what is chosen
    input.addEventListener("input", () => this.open(input.value));
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.leave());
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const item = event.target.closest("[role='option']");
      if (item) this.choose(this.shown[Number(item.dataset.index)]);
    });
    list.addEventListener("mousemove", (event) => {
      const item = event.target.closest("[role='option']");
      if (item) this.point(Number(item.dataset.index), false);
    });
    this.select.addEventListener("change", () => this.sync());
    this.select.form?.addEventListener("reset", () => setTimeout(() => this.sync()));
    const close = (event) => {
      if (!this.list.hidden && !this.list.contains(event.target)) this.close();
    };
    window.addEventListener("scroll", close, true);
    window.addEventListener("resize", close);
  }

  get choices() {
    return [...this.select.options].filter((option) => (this.multi || option.value !== "" || !this.required) && !option.hidden);
  }

  get required() {
    return this.select.getAttribute("aria-required") === "true";
  }

  get chosen() {
    return [...this.select.selectedOptions].filter((option) => option.value !== "");
  }

  /** Show what the native select holds. */
  sync() {
    const { chosen } = this;
    this.input.disabled = this.select.disabled;
    if (!this.multi) {
      this.input.value = chosen[0]?.textContent ?? "";
      this.input.placeholder = this.select.dataset.placeholder ?? "";
      return;
    }
    for (const chip of this.box.querySelectorAll(".combo-chip")) chip.remove();
    for (const option of chosen) this.input.before(this.chip(option));
    this.input.placeholder = chosen.length ? "" : (this.select.dataset.placeholder ?? "");
  }

  chip(option) {
    const chip = document.createElement("span");
    chip.className = "combo-chip";
    chip.textContent = option.textContent;
    const remove = document.createElement("button");
    remove.type = "button";
    remove.innerHTML = CROSS;
    remove.setAttribute("aria-label", `Remove ${option.textContent}`);
    remove.addEventListener("click", () => {
      this.set(option, false);
      this.input.focus();
    });
    chip.append(remove);
    return chip;
  }

  open(filter = "") {
    const wanted = plain(filter.trim());
    this.shown = this.choices.filter((option) => plain(option.textContent).split(/\s+/).some((_, i, words) => words.slice(i).join(" ").startsWith(wanted)));
    this.list.replaceChildren(...this.items());
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    place(this.list, this.box);
    const current = this.multi ? -1 : this.shown.findIndex((option) => option.selected);
    this.point(wanted ? (this.shown.length ? 0 : -1) : current, true);
  }

  items() {
    if (!this.shown.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "Nothing matches";
      return [none];
    }
    let group = "";
    return this.shown.flatMap((option, index) => {
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(option.selected));
      item.id = `${this.id}-${index}`;
      item.dataset.index = index;
      item.textContent = option.textContent || "None";
      if (!option.dataset.group || option.dataset.group === group) return [item];
      group = option.dataset.group;
      const head = document.createElement("li");
      head.className = "group";
      head.setAttribute("role", "presentation");
      head.textContent = group;
      return [head, item];
    });
  }

  point(index, scroll) {
    this.active = index;
    const items = [...this.list.querySelectorAll("[role='option']")];
    for (const [i, item] of items.entries()) item.classList.toggle("active", i === index);
    if (index < 0) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    this.input.setAttribute("aria-activedescendant", `${this.id}-${index}`);
    if (scroll) items[index]?.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.active = -1;
  }

  key(event) {
    const opened = !this.list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!opened) {
        this.open();
        if (this.active >= 0) return;
      }
      const step = event.key === "ArrowDown" ? 1 : -1;
      const total = this.shown.length;
      if (total) this.point(this.active < 0 ? (step > 0 ? 0 : total - 1) : (this.active + step + total) % total, true);
    } else if (event.key === "Enter" && opened) {
      event.preventDefault();
      if (this.active >= 0) this.choose(this.shown[this.active]);
    } else if (event.key === "Escape" && opened) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      this.sync();
      if (this.multi) this.input.value = "";
    } else if (event.key === "Backspace" && this.multi && !this.input.value && this.chosen.length) {
      this.set(this.chosen.at(-1), false);
    }
  }

  choose(option) {
    if (!option) return;
    this.set(option, this.multi ? !option.selected : true);
    if (!this.multi) {
      this.close();
      return;
    }
    this.input.value = "";
    this.open();
    this.point(this.shown.indexOf(option), true);
  }

  set(option, selected) {
    const changed = option.selected !== selected;
    option.selected = selected;
    this.sync();
    if (!this.list.hidden && this.multi) this.open(this.input.value);
    if (changed) this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Text that is exactly an option counts as chosen; anything else goes back to what was chosen before. */
  leave() {
    const typed = plain(this.input.value.trim());
    const match = typed && this.choices.find((option) => plain(option.textContent) === typed);
    if (match && !match.selected) this.set(match, true);
    else if (!typed && !this.multi && !this.required && this.chosen.length) {
      const none = [...this.select.options].find((option) => option.value === "");
      if (none) this.set(none, true);
    }
    if (this.multi) this.input.value = "";
    this.close();
    this.sync();
  }
}

for (const select of document.querySelectorAll("select[data-combobox]")) new Combobox(select);
