// Editing in a list: double-click a cell, or press its pencil (Enter, F2); Enter saves, Escape reverts, Tab goes on.
import { toast } from "./toasts.js";

const grid = document.querySelector("table[data-editors]");
const editors = grid ? JSON.parse(grid.dataset.editors) : {};
const headings = grid ? [...grid.querySelectorAll("thead th")].map((th) => th.dataset.column) : [];

/** The control for a cell: a select for what is chosen, else an input. */
function control(cell) {
  const { kind, options, required, label } = editors[cell.dataset.column];
  const field = document.createElement(kind === "choice" ? "select" : "input");
  field.setAttribute("aria-label", `${label} of ${cell.closest("tr").dataset.name}`);
  field.autocomplete = "off";
  if (kind === "choice") {
    field.className = "form-select form-select-sm";
    const none = required ? [] : [["", "None"]];
    field.append(...[...none, ...options].map(([code, text]) => new Option(text, code)));
  } else {
    field.className = "form-control form-control-sm";
    field.inputMode = { whole: "numeric", money: "decimal" }[kind] ?? "text";
    if (kind === "day") field.placeholder = "YYYY-MM-DD";
  }
  field.value = cell.dataset.value;
  return field;
}

class Editing {
  constructor(cell) {
    this.cell = cell;
    this.row = cell.closest("tr");
    this.busy = false;
    this.byKey = false;
    this.field = control(cell);
    cell.classList.add("editing");
    cell.append(this.field);
    this.field.focus();
    this.field.select?.();
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("pointerdown", () => {
      this.byKey = false;
    });
    this.field.addEventListener("change", () => {
      if (this.field.tagName === "SELECT" && !this.byKey) this.save();
    });
    this.field.addEventListener("blur", () => this.save());
  }

  async key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (await this.save()) this.button.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      this.button.focus();
    } else if (event.key === "Tab") {
      event.preventDefault();
      const next = neighbour(this.cell, event.shiftKey ? -1 : 1);
      if ((await this.save()) && next) edit(next);
      else this.button.focus();
    } else {
      this.byKey = true;
    }
  }

  get button() {
    return this.cell.querySelector("[data-edit]");
  }

  close() {
    this.busy = true;
    this.cell.classList.remove("editing");
    this.field.remove();
  }

  /** Send the value; true where it stands now, false where it was refused and the old one is back. */
  async save() {
    if (this.busy) return false;
    this.busy = true;
    const { value } = this.field;
    if (value === this.cell.dataset.value) {
      this.close();
      return true;
    }
    this.field.setAttribute("aria-busy", "true");
    const { id, v } = this.row.dataset;
    const body = new URLSearchParams({ id, v: v ?? "", column: this.cell.dataset.column, value });
    const said = await send(body);
    const held = document.activeElement === this.field;
    this.close();
    if (said.row) show(this.row, said.row);
    if (held) this.button.focus();
    if (!said.ok) toast(said.message, "bad");
    else toast(`${editors[this.cell.dataset.column].label} of ${this.row.dataset.name} saved.`, "good");
    return said.ok;
  }
}

async function send(body) {
  const headers = { Accept: "application/json", "X-CSRF-Token": grid.dataset.csrf };
  try {
    const answer = await fetch(`/grids/${grid.dataset.grid}/cells`, { method: "POST", body, headers });
    return { ok: answer.ok, message: "This could not be saved.", ...(await answer.json()) };
  } catch {
    return { ok: false, message: "There was no answer; nothing is known to be saved. Reload the page." };
  }
}

/** Put a row as it is now in place of what stood there. */
function show(row, now) {
  if (now.gone) {
    row.remove();
    return;
  }
  row.dataset.v = now.v ?? "";
  if (now.name !== row.dataset.name) rename(row, now.name);
  if (row.dataset.can !== undefined) row.dataset.can = now.can;
  for (const [index, name] of headings.entries()) {
    const fresh = now.cells[name];
    if (!fresh) continue;
    const cell = row.cells[index];
    (cell.querySelector(":scope > .shown") ?? cell).innerHTML = fresh.html;
    if (cell.dataset.column) cell.dataset.value = fresh.value;
  }
}

/** Let the controls of a row be called after its new name. */
function rename(row, name) {
  const old = row.dataset.name;
  row.dataset.name = name;
  for (const control of row.querySelectorAll("[aria-label]")) {
    const label = control.getAttribute("aria-label");
    if (label.endsWith(old)) control.setAttribute("aria-label", `${label.slice(0, label.length - old.length)}${name}`);
  }
}

/** The next cell that can be edited, in reading order. */
function neighbour(cell, step) {
  const cells = [...grid.querySelectorAll("td.editable")];
  return cells[cells.indexOf(cell) + step];
}

function edit(cell) {
  if (!cell.classList.contains("editing")) new Editing(cell);
}

if (grid) {
  grid.addEventListener("dblclick", (event) => {
    const cell = event.target.closest("td.editable");
    if (cell) edit(cell);
  });
  grid.addEventListener("click", (event) => {
    const button = event.target.closest("[data-edit]");
    if (button) edit(button.closest("td"));
  });
  grid.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td.editable");
    if (event.key !== "F2" || !cell) return;
    event.preventDefault();
    edit(cell);
  });
}
