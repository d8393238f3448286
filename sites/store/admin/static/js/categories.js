// The tree of categories after the ARIA pattern; a category is moved by dragging or by Alt and an arrow key, saved at once.
import { toast } from "./toasts.js";

const tree = document.querySelector("[data-category-tree]");
const EDGE = 0.3; // the upper and lower part of a row mean before and after it, the middle means into it

class Tree {
  constructor() {
    this.dragged = null;
    this.busy = false;
    this.keys = []; // pressed while a move is on its way
    this.tab(tree.querySelector("[aria-selected='true']") ?? this.items[0]);
    tree.addEventListener("click", (event) => this.click(event));
    tree.addEventListener("focusin", (event) => this.tab(event.target.closest("[role='treeitem']")));
    tree.addEventListener("keydown", (event) => this.key(event));
    tree.addEventListener("dragstart", (event) => this.grab(event));
    tree.addEventListener("dragover", (event) => this.over(event));
    tree.addEventListener("drop", (event) => this.drop(event));
    tree.addEventListener("dragend", () => this.clear());
  }

  get items() {
    return [...tree.querySelectorAll("[role='treeitem']")];
  }

  /** The items that can be seen: those of which no parent is folded. */
  get shown() {
    return this.items.filter((item) => !item.parentElement.closest("[aria-expanded='false']"));
  }

  tab(item) {
    if (!item) return;
    for (const each of tree.querySelectorAll("[tabindex='0']")) each.tabIndex = -1;
    item.tabIndex = 0;
  }

  siblings(item) {
    return [...item.parentElement.children];
  }

  parent(item) {
    return item.parentElement.closest("[role='treeitem']");
  }

  click(event) {
    const item = event.target.closest("[role='treeitem']");
    if (!item) return;
    if (event.target.closest("[data-twist]")) this.fold(item);
    else if (!event.target.closest("a")) item.querySelector("a").click();
  }

  fold(item, expanded = item.getAttribute("aria-expanded") !== "true") {
    if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(expanded));
  }

  key(event) {
    const item = event.target.closest("[role='treeitem']");
    if (!item || event.ctrlKey || event.metaKey) return;
    const known = event.altKey ? this.shift(item, event.key) : this.walk(item, event.key);
    if (known) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  walk(item, key) {
    const { shown } = this;
    const at = shown.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    if (key === "ArrowDown") shown[at + 1]?.focus();
    else if (key === "ArrowUp") shown[at - 1]?.focus();
    else if (key === "Home") shown[0].focus();
    else if (key === "End") shown.at(-1).focus();
    else if (key === "ArrowRight") expanded === "false" ? this.fold(item, true) : expanded && shown[at + 1]?.focus();
    else if (key === "ArrowLeft") expanded === "true" ? this.fold(item, false) : this.parent(item)?.focus();
    else if (key === "Enter" || key === " ") item.querySelector("a").click();
    else return false;
    return true;
  }

  /** Alt and an arrow: among the siblings, into the one before, or out behind the parent. */
  shift(item, key) {
    if (!item.draggable) return false; // the role may not move categories
    if (this.busy && key.startsWith("Arrow")) {
      this.keys.push([item.dataset.id, key]);
      return true;
    }
    const siblings = this.siblings(item);
    const at = siblings.indexOf(item);
    const parent = this.parent(item);
    if (key === "ArrowUp" && at > 0) this.move(item, item.dataset.parent, at);
    else if (key === "ArrowDown" && at < siblings.length - 1) this.move(item, item.dataset.parent, at + 2);
    else if (key === "ArrowRight" && at > 0) this.move(item, siblings[at - 1].dataset.id, 999);
    else if (key === "ArrowLeft" && parent) this.move(item, parent.dataset.parent, this.siblings(parent).indexOf(parent) + 2);
    return key.startsWith("Arrow");
  }

  grab(event) {
    this.dragged = event.target.closest("[role='treeitem']");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", this.dragged.getAttribute("aria-label"));
    this.dragged.classList.add("dragged");
  }

  /** The item below the pointer, and whether what is dropped comes before it, after it or into it. */
  target(event) {
    const item = event.target.closest("[role='treeitem']");
    if (!item) return [null, ""];
    const box = item.querySelector(".tree-node").getBoundingClientRect();
    const part = (event.clientY - box.top) / box.height;
    return [item, part < EDGE ? "before" : part > 1 - EDGE ? "after" : "into"];
  }

  over(event) {
    const [item, where] = this.target(event);
    if (!this.dragged || !item) return;
    event.preventDefault();
    for (const each of this.items) each.classList.remove("drop-before", "drop-after", "drop-into");
    if (item !== this.dragged) item.classList.add(`drop-${where}`);
  }

  drop(event) {
    const [item, where] = this.target(event);
    const { dragged } = this;
    if (!dragged || !item) return;
    event.preventDefault();
    if (item === dragged) return;
    if (where === "into") this.move(dragged, item.dataset.id, 999);
    else {
      const others = this.siblings(item).filter((each) => each !== dragged);
      this.move(dragged, item.dataset.parent, others.indexOf(item) + (where === "after" ? 2 : 1));
    }
  }

  clear() {
    this.dragged = null;
    for (const each of this.items) each.classList.remove("dragged", "drop-before", "drop-after", "drop-into");
  }

  /** Ask the server to move an item to a place (from 1) below a parent, and draw the tree as it is then. */
  async move(item, parent, position) {
    if (this.busy) return;
    this.busy = true;
    const { id, v } = item.dataset;
    const name = item.getAttribute("aria-label");
    const body = new URLSearchParams({ parent_id: parent, position, v });
    const headers = { Accept: "application/json", "X-CSRF-Token": tree.dataset.csrf };
    const answer = await fetch(`/categories/${id}/move`, { method: "POST", body, headers });
    const said = await answer.json().catch(() => ({}));
    await this.redraw(id);
    this.busy = false;
    const [next, key] = this.keys.shift() ?? [];
    if (next) this.shift(tree.querySelector(`[data-id="${next}"]`), key);
    if (!answer.ok) toast(said.message ?? "The category could not be moved.", "bad");
    else if (said.changed) {
      const now = this.parent(tree.querySelector(`[data-id="${id}"]`));
      toast(`${name} is now number ${said.position} ${now ? `below ${now.getAttribute("aria-label")}` : "at the top"}.`, "good");
      if (id === tree.dataset.chosen) for (const input of document.querySelectorAll("input[type='hidden'][name='v']")) input.value = said.v;
    }
  }

  async redraw(id) {
    const folded = new Map(this.items.map((item) => [item.dataset.id, item.getAttribute("aria-expanded")]));
    const answer = await fetch(`/categories/tree?chosen=${tree.dataset.chosen}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    tree.innerHTML = (await answer.json()).html;
    for (const item of this.items) {
      if (folded.get(item.dataset.id)) this.fold(item, folded.get(item.dataset.id) === "true");
    }
    const moved = tree.querySelector(`[data-id="${id}"]`);
    for (let above = this.parent(moved); above; above = this.parent(above)) this.fold(above, true);
    this.tab(moved);
    moved.focus();
  }
}

if (tree && tree.children.length) new Tree();
