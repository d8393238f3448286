// Choosing several categories: an ARIA tree with search, and what is chosen as chips; a hidden select is what is sent.
import { CROSS } from "./combobox.js";

const plain = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();

class TreePicker {
  constructor(box) {
    this.box = box;
    this.locked = box.hasAttribute("data-locked");
    this.tree = box.querySelector("[data-tree]");
    this.select = box.querySelector("[data-tree-select]");
    this.search = box.querySelector("[data-tree-search]");
    this.chips = box.querySelector("[data-chips]");
    this.said = box.querySelector("[data-tree-said]");
    this.items = [...this.tree.querySelectorAll("[role='treeitem']")];
    this.items[0]?.setAttribute("tabindex", "0");
    if (this.locked) this.tree.setAttribute("aria-disabled", "true");
    this.listen();
    this.draw();
  }

  listen() {
    this.tree.addEventListener("click", (event) => {
      const item = event.target.closest("[role='treeitem']");
      if (!item) return;
      this.rove(item);
      if (event.target.closest("[data-twist]")) this.expand(item, item.getAttribute("aria-expanded") !== "true");
      else this.toggle(item);
    });
    this.tree.addEventListener("keydown", (event) => this.key(event));
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => {
      const hits = this.items.filter((item) => item.classList.contains("hit"));
      if (event.key === "Enter") {
        event.preventDefault();
        if (hits.length) this.toggle(hits[0]);
      } else if (event.key === "ArrowDown") {
        event.preventDefault();
        this.focus(hits[0] ?? this.visible()[0]);
      } else if (event.key === "Escape" && this.search.value) {
        event.preventDefault();
        this.search.value = "";
        this.filter();
      }
    });
    this.chips.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      this.toggle(this.items.find((item) => item.dataset.id === button.dataset.id));
      (this.chips.querySelector("button") ?? this.search).focus();
    });
  }

  option(item) {
    return [...this.select.options].find((option) => option.value === item.dataset.id);
  }

  toggle(item) {
    if (!item || this.locked) return;
    const option = this.option(item);
    option.selected = !option.selected;
    this.draw();
    this.said.textContent = `${item.dataset.path} ${option.selected ? "chosen" : "taken out"}`;
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Show what the select holds: ticks in the tree, and chips. */
  draw() {
    const nodes = [];
    for (const item of this.items) {
      const chosen = this.option(item).selected;
      item.setAttribute("aria-selected", String(chosen));
      if (chosen) nodes.push(this.chip(item));
    }
    this.chips.replaceChildren(...nodes);
    this.box.querySelector("[data-none]").hidden = nodes.length > 0;
  }

  chip(item) {
    const chip = Object.assign(document.createElement("li"), { className: "combo-chip", textContent: item.dataset.path });
    if (this.locked) return chip;
    const remove = Object.assign(document.createElement("button"), { type: "button", innerHTML: CROSS });
    remove.dataset.id = item.dataset.id;
    remove.setAttribute("aria-label", `Remove ${item.dataset.path}`);
    chip.append(remove);
    return chip;
  }

  filter() {
    const wanted = plain(this.search.value.trim());
    const words = (item) => plain(item.getAttribute("aria-label")).split(/\s+/);
    for (const item of this.items) {
      const all = words(item);
      item.classList.toggle("hit", Boolean(wanted) && all.some((_, i) => all.slice(i).join(" ").startsWith(wanted)));
    }
    let any = false;
    for (const item of this.items) {
      const shown = !wanted || item.classList.contains("hit") || item.querySelector(".hit") !== null || item.parentElement.closest(".hit") !== null;
      item.hidden = !shown;
      any ||= shown;
      if (wanted && item.querySelector(".hit")) this.expand(item, true);
    }
    this.box.querySelector("[data-tree-nothing]").hidden = any;
    const first = this.visible()[0];
    if (first) this.rove(first);
  }

  expand(item, open) {
    if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(open));
  }

  visible() {
    return this.items.filter((item) => item.offsetParent !== null);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = document.activeElement.closest("[role='treeitem']");
    const shown = this.visible();
    const at = shown.indexOf(item);
    const open = item?.getAttribute("aria-expanded");
    const parent = item?.parentElement.closest("[role='treeitem']");
    const done = {
      ArrowDown: () => this.focus(shown[at + 1]),
      ArrowUp: () => this.focus(shown[at - 1]),
      Home: () => this.focus(shown[0]),
      End: () => this.focus(shown.at(-1)),
      ArrowRight: () => (open === "false" ? this.expand(item, true) : open === "true" && this.focus(shown[at + 1])),
      ArrowLeft: () => (open === "true" ? this.expand(item, false) : this.focus(parent)),
      " ": () => this.toggle(item),
      Enter: () => this.toggle(item),
    }[event.key];
    if (done) {
      event.preventDefault();
      done();
    } else if (event.key.length === 1) {
      const next = [...shown.slice(at + 1), ...shown.slice(0, at + 1)];
      this.focus(next.find((each) => plain(each.getAttribute("aria-label")).startsWith(plain(event.key))));
    }
  }

  focus(item) {
    if (!item) return;
    this.rove(item);
    item.focus();
  }

  rove(item) {
    for (const each of this.items) each.tabIndex = each === item ? 0 : -1;
  }
}

for (const box of document.querySelectorAll("[data-tree-picker]")) new TreePicker(box);
