// Inventory: a grid after the ARIA pattern of which only the rows on screen are in the page; blocks of rows are fetched
// when they come into sight, and counts are edited in place.
import { toast } from "./toasts.js";

const ROW_PX = 36;
const BEYOND = 6; // rows kept above and below what can be seen
const WAIT_MS = 60; // scrolling past a block does not fetch it
const grid = document.querySelector("[data-inventory]");
const icon = (id) => document.getElementById(id).content.cloneNode(true);

/** The rows that were fetched, by their place in the list. */
class Rows {
  constructor() {
    this.total = Number(grid.dataset.total);
    this.size = Number(grid.dataset.block);
    this.known = new Map();
    this.asked = new Set();
    this.keep(JSON.parse(grid.querySelector("[data-first]").textContent));
  }

  keep({ page, rows }) {
    this.asked.add(page);
    for (const [index, row] of rows.entries()) this.known.set((page - 1) * this.size + index, row);
  }

  /** Fetch the blocks that hold the places `from` to `to`; true where something new came. */
  async fetch(from, to) {
    const pages = [];
    for (let page = Math.floor(from / this.size) + 1; page <= Math.floor(to / this.size) + 1; page += 1) {
      if (!this.asked.has(page)) pages.push(page);
    }
    const came = await Promise.all(pages.map((page) => this.block(page)));
    return came.some(Boolean);
  }

  async block(page) {
    this.asked.add(page);
    const query = new URLSearchParams(grid.dataset.list);
    query.set("page", page);
    query.set("size", this.size);
    try {
      const answer = await fetch(`/inventory/rows?${query}`, { headers: { Accept: "application/json" } });
      if (answer.status === 401) window.location.assign("/login");
      if (!answer.ok) throw new Error(String(answer.status));
      this.keep(await answer.json());
      return true;
    } catch {
      this.asked.delete(page);
      toast("Some rows could not be loaded; scroll on to try again.", "bad");
      return false;
    }
  }
}

class Inventory {
  constructor() {
    this.rows = new Rows();
    this.body = grid.querySelector(".vgrid-body");
    this.head = grid.querySelector(".vgrid-head");
    this.columns = [...this.head.querySelectorAll("[role='columnheader']")].map((each) => each.dataset.column);
    this.classes = new Map(this.columns.map((name) => [name, this.head.querySelector(`[data-column="${name}"]`).className]));
    this.editors = JSON.parse(grid.dataset.editors);
    if (grid.dataset.add) this.editors.add = { label: "Add" };
    this.drawn = new Map();
    this.at = { row: 0, column: 0 };
    this.editing = null;
    this.body.style.height = `${this.rows.total * ROW_PX}px`;
    grid.addEventListener("scroll", () => this.scrolled());
    window.addEventListener("resize", () => this.scrolled());
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("dblclick", (event) => this.edit(event.target.closest("[role='gridcell']")));
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("focusin", (event) => this.focused(event.target.closest("[role='gridcell']")));
    this.draw();
    this.load();
  }

  /** The places that can be seen, with some beyond. */
  get range() {
    const height = grid.clientHeight - this.head.offsetHeight;
    const first = Math.floor(grid.scrollTop / ROW_PX);
    const last = Math.ceil((grid.scrollTop + height) / ROW_PX);
    return [Math.max(0, first - BEYOND), Math.min(this.rows.total - 1, last + BEYOND)];
  }

  get screen() {
    return Math.max(1, Math.floor((grid.clientHeight - this.head.offsetHeight) / ROW_PX));
  }

  scrolled() {
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT_MS);
  }

  async load() {
    if (await this.rows.fetch(...this.range)) this.draw();
  }

  /** Put the rows of the range into the page and take the others out; the row being edited and the one in focus stay. */
  draw() {
    const [from, to] = this.range;
    const stays = (place) => (place >= from && place <= to) || place === this.editing?.place || (place === this.at.row && this.inside);
    for (const [place, row] of this.drawn) {
      if (!stays(place)) {
        row.remove();
        this.drawn.delete(place);
      } else if (row.dataset.waits && this.rows.known.has(place)) this.fill(row, this.rows.known.get(place));
    }
    const fresh = [];
    for (let place = from; place <= to; place += 1) {
      if (!this.drawn.has(place)) fresh.push(this.row(place));
    }
    for (const row of fresh) this.insert(row);
    this.mark();
    this.say();
  }

  get inside() {
    return this.body.contains(document.activeElement);
  }

  /** Rows stand in the tree in the order of the list, whenever they came. */
  insert(row) {
    const place = Number(row.dataset.place);
    const next = [...this.drawn.keys()].filter((each) => each > place).sort((a, b) => a - b)[0];
    this.body.insertBefore(row, next === undefined ? null : this.drawn.get(next));
    this.drawn.set(place, row);
  }

  row(place) {
    const row = document.createElement("div");
    row.className = "vgrid-row";
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", place + 2);
    row.dataset.place = place;
    row.style.transform = `translateY(${place * ROW_PX}px)`;
    const data = this.rows.known.get(place);
    if (data) this.fill(row, data);
    else {
      row.dataset.waits = "1";
      row.setAttribute("aria-busy", "true");
      row.append(...this.columns.map((name, index) => this.cell(name, index, "", null)));
      row.firstElementChild.textContent = "Loading…";
    }
    return row;
  }

  /** Draw the cells of a row; a cell that was in focus is in focus again. */
  fill(row, data) {
    const held = row.contains(document.activeElement) ? [...row.children].indexOf(document.activeElement.closest("[role='gridcell']")) : -1;
    row.replaceChildren(...this.columns.map((name, index) => this.cell(name, index, data.cells[name]?.html ?? "", data)));
    row.removeAttribute("aria-busy");
    delete row.dataset.waits;
    if (held >= 0) row.children[held].focus({ preventScroll: true });
  }

  cell(name, index, html, data) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-colindex", index + 1);
    cell.tabIndex = -1;
    cell.className = this.classes.get(name);
    cell.dataset.column = name;
    cell.innerHTML = html;
    for (const link of cell.querySelectorAll("a")) link.tabIndex = -1;
    const editor = this.editors[name];
    if (!editor || !data) {
      cell.setAttribute("aria-readonly", "true");
      return cell;
    }
    cell.classList.add("editable");
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "vgrid-edit", tabIndex: -1 });
    button.setAttribute("aria-label", name === "add" ? `Add units of ${data.sku}` : `Edit ${editor.label.toLowerCase()} of ${data.sku}`);
    button.append(icon(name === "add" ? "plus" : "pencil"));
    cell.append(button);
    return cell;
  }

  /** Exactly one cell is reached by Tab: the one that was last in focus, as long as it is in the page. */
  mark() {
    const row = this.drawn.get(this.at.row) ?? this.body.firstElementChild;
    for (const cell of this.body.querySelectorAll("[tabindex='0']")) cell.tabIndex = -1;
    const cell = row?.children[this.at.column];
    if (cell) cell.tabIndex = 0;
  }

  say() {
    const first = Math.floor(grid.scrollTop / ROW_PX) + 1;
    const last = Math.min(this.rows.total, first + this.screen - 1);
    const text = `${first.toLocaleString("en-US")}–${last.toLocaleString("en-US")} of ${this.rows.total.toLocaleString("en-US")}`;
    const range = document.querySelector("[data-range]");
    if (range.textContent !== text) range.textContent = text;
  }

  focused(cell) {
    if (!cell) return;
    this.at = { row: Number(cell.parentElement.dataset.place), column: [...cell.parentElement.children].indexOf(cell) };
    this.mark();
  }

  /** Move the focus to a place; the list scrolls so far that it can be seen. */
  go(row, column) {
    const place = Math.max(0, Math.min(this.rows.total - 1, row));
    this.at = { row: place, column: Math.max(0, Math.min(this.columns.length - 1, column)) };
    const top = place * ROW_PX;
    const height = grid.clientHeight - this.head.offsetHeight;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + ROW_PX > grid.scrollTop + height) grid.scrollTop = top + ROW_PX - height;
    this.draw();
    this.drawn.get(place).children[this.at.column].focus({ preventScroll: true });
  }

  key(event) {
    if (event.target.matches("input") || event.altKey) return;
    const cell = event.target.closest("[role='gridcell']");
    if (!cell) return;
    const { row, column } = this.at;
    const far = event.ctrlKey || event.metaKey;
    const moves = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + this.screen, column],
      PageUp: [row - this.screen, column],
      Home: [far ? 0 : row, 0],
      End: [far ? this.rows.total - 1 : row, this.columns.length - 1],
    };
    if (moves[event.key]) {
      event.preventDefault();
      this.go(...moves[event.key]);
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      const link = cell.querySelector("a");
      if (cell.classList.contains("editable")) this.edit(cell);
      else if (link && event.key === "Enter") link.click();
    }
  }

  click(event) {
    const button = event.target.closest(".vgrid-edit");
    const cell = event.target.closest("[role='gridcell']");
    if (button) this.edit(cell);
    else if (cell && !event.target.closest("a, input")) cell.focus({ preventScroll: true });
  }

  edit(cell) {
    if (!cell?.classList.contains("editable") || cell.querySelector("input")) return;
    this.editing = new Editing(this, cell);
  }

  /** Put a row as it is now in place of what stood there. */
  renew(place, now) {
    const data = { ...this.rows.known.get(place), ...now };
    this.rows.known.set(place, data);
    const row = this.drawn.get(place);
    if (row) this.fill(row, data);
    this.mark();
  }
}

class Editing {
  constructor(list, cell) {
    this.list = list;
    this.place = Number(cell.parentElement.dataset.place);
    this.name = cell.dataset.column;
    this.index = [...cell.parentElement.children].indexOf(cell);
    this.data = list.rows.known.get(this.place);
    this.before = this.name === "add" ? "" : this.data.cells[this.name].value;
    this.over = false;
    const input = document.createElement("input");
    Object.assign(input, { className: "form-control", inputMode: "numeric", autocomplete: "off", maxLength: 7, value: this.before });
    input.setAttribute("aria-label", this.name === "add" ? `Add to ${this.data.sku}` : `${list.editors[this.name].label} of ${this.data.sku}`);
    if (this.name === "add") input.placeholder = "+0";
    cell.classList.add("editing");
    cell.append(input);
    this.input = input;
    this.cell = cell;
    input.focus({ preventScroll: true });
    input.select();
    input.addEventListener("keydown", (event) => this.key(event));
    input.addEventListener("blur", () => this.save(false));
  }

  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      this.save(true);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close(true);
    }
  }

  close(focus) {
    if (this.over && !this.cell.isConnected) return;
    this.over = true;
    this.list.editing = null;
    this.cell.classList.remove("editing");
    this.input.remove();
    if (focus) this.list.go(this.place, this.index);
  }

  async save(focus) {
    if (this.over) return;
    this.over = true;
    const value = this.input.value.trim();
    if (value === this.before) {
      this.close(focus);
      return;
    }
    this.input.setAttribute("aria-busy", "true");
    const said = await this.send(value);
    const held = focus || document.activeElement === this.input;
    this.close(false);
    if (said.row) this.list.renew(this.place, said.row);
    if (held) this.list.go(this.place, this.index);
    toast(...this.told(said, value));
  }

  told(said, value) {
    if (!said.ok) return [said.message, "bad"];
    if (this.name === "add") return [`Added ${value} to ${this.data.sku}.`, "good"];
    return [`${this.list.editors[this.name].label} of ${this.data.sku} saved.`, "good"];
  }

  async send(value) {
    const add = this.name === "add";
    const body = new URLSearchParams({ id: this.data.id, v: this.data.v, column: this.name, value });
    if (add && document.getElementById("add-in-stock").checked) body.set("set_in_stock", "1");
    const headers = { Accept: "application/json", "X-CSRF-Token": grid.dataset.csrf };
    try {
      const answer = await fetch(add ? `/inventory/${this.data.id}/add` : "/grids/inventory/cells", { method: "POST", body, headers });
      return { ok: answer.ok, message: "This could not be saved.", ...(await answer.json()) };
    } catch {
      return { ok: false, message: "There was no answer; nothing is known to be saved. Reload the page." };
    }
  }
}

if (grid) new Inventory();
