// Lists: the filter panel, choosing rows (one by one, a page, or all that match), sorting by several columns, copying.
import { toast } from "./toasts.js";

for (const button of document.querySelectorAll("[data-toggle]")) {
  const panel = document.getElementById(button.dataset.toggle);
  button.addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) panel.querySelector("input:not([type=hidden])")?.focus();
  });
}

// Shift-click on a heading adds its column to the sort instead of replacing it.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-add-sort]");
  if (!link || !event.shiftKey) return;
  event.preventDefault();
  window.location.assign(link.dataset.addSort);
});

for (const select of document.querySelectorAll("select[data-go]")) {
  select.addEventListener("change", () => window.location.assign(select.value));
}

/** "1 order", "2,500 orders". */
export const counted = (number, one, many) => `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** What is chosen in a list: `picks` as id and version, or `all` with the number and fingerprint of what matches. */
export class Selection {
  constructor(grid) {
    this.grid = grid;
    this.all = grid.querySelector("[data-pick-all]");
    this.boxes = [...grid.querySelectorAll("[data-pick]")];
    this.bar = document.getElementById(grid.dataset.selection);
    this.banner = document.getElementById("select-matching");
    this.matching = null;
    this.elsewhere = new Map();
    this.last = -1;
    this.carry(JSON.parse(grid.dataset.carried || "[]"));
    this.listen();
    this.show();
  }

  /** Rows that stay chosen from before; those that are not on this page are kept aside. */
  carry(picks) {
    const rows = new Map(this.boxes.map((box) => [box.closest("tr").dataset.id, box]));
    for (const pick of picks) {
      const id = pick.split(":")[0];
      if (rows.has(id)) rows.get(id).checked = true;
      else this.elsewhere.set(id, pick);
    }
  }

  listen() {
    this.all.addEventListener("change", () => {
      for (const box of this.boxes) box.checked = this.all.checked;
      this.changed();
    });
    for (const [index, box] of this.boxes.entries()) {
      box.addEventListener("click", (event) => {
        if (event.shiftKey && this.last >= 0) {
          const [from, to] = [Math.min(this.last, index), Math.max(this.last, index)];
          for (const other of this.boxes.slice(from, to + 1)) other.checked = box.checked;
        }
        this.last = index;
        this.changed();
      });
    }
    this.bar.querySelector("[data-unpick]").addEventListener("click", () => {
      this.clear();
      this.all.focus();
    });
    const copy = this.bar.querySelector("[data-copy]");
    copy?.addEventListener("click", () => this.copy(copy.dataset.copy));
    this.banner?.querySelector("[data-all-matching]").addEventListener("click", () => this.chooseMatching());
  }

  get picked() {
    return this.boxes.filter((box) => box.checked);
  }

  get count() {
    return this.matching ? this.matching.count : this.picked.length + this.elsewhere.size;
  }

  /** The chosen rows in words: "23 orders". */
  get words() {
    return counted(this.count, this.grid.dataset.one, this.grid.dataset.many);
  }

  /** The names of the chosen rows on this page; none where all that match are chosen. */
  get names() {
    return this.matching || this.elsewhere.size ? [] : this.picked.map((box) => box.closest("tr").dataset.name);
  }

  /** The keys of the chosen rows, as far as they are on this page; none where all that match are chosen. */
  get keys() {
    return this.matching ? [] : this.picked.map((box) => box.closest("tr").dataset.key);
  }

  /** What a form sends to say which rows are meant. */
  fields() {
    if (this.matching) {
      const { count, mark } = this.matching;
      return [["all", "1"], ["count", String(count)], ["mark", mark]];
    }
    const here = this.picked.map((box) => pick(box.closest("tr")));
    return [...here, ...this.elsewhere.values()].map((value) => ["pick", value]);
  }

  changed() {
    this.matching = null;
    this.show();
  }

  clear() {
    for (const box of this.boxes) box.checked = false;
    this.elsewhere.clear();
    this.changed();
  }

  async chooseMatching() {
    const { grid } = this.grid.dataset;
    const query = new URLSearchParams({ list: this.grid.dataset.list });
    const answer = await fetch(`/grids/${grid}/selection?${query}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) {
      toast("The rows that match could not be counted; try again.", "bad");
      return;
    }
    this.matching = await answer.json();
    this.show();
    this.bar.querySelector("[data-unpick]").focus();
  }

  show() {
    const { length } = this.picked;
    for (const box of this.boxes) box.closest("tr").classList.toggle("selected", box.checked);
    this.all.checked = length > 0 && length === this.boxes.length;
    this.all.indeterminate = length > 0 && length < this.boxes.length;
    this.bar.hidden = this.count === 0;
    const away = this.elsewhere.size && !this.matching ? ` (${this.elsewhere.size} not on this page)` : "";
    const every = this.matching ? "All " : "";
    const shown = this.matching ? counted(this.count, this.grid.dataset.one, this.grid.dataset.many) : this.count;
    this.bar.querySelector("[data-count]").textContent = `${every}${shown} selected${away}`;
    if (!this.banner) return;
    this.banner.hidden = !this.all.checked;
    this.banner.querySelector("[data-all-matching]").hidden = this.matching !== null;
    const { many } = this.grid.dataset;
    this.banner.querySelector("[data-page-text]").textContent = this.matching
      ? `All ${counted(this.count, this.grid.dataset.one, many)} that match are selected, on every page.`
      : `All ${this.boxes.length} ${many} on this page are selected.`;
  }

  async copy(what) {
    const text = this.picked.map((box) => box.dataset.pick).join("\n");
    try {
      await navigator.clipboard.writeText(text);
      toast(`${this.picked.length} ${what} copied.`, "plain");
    } catch {
      toast("The browser does not allow copying here.", "bad");
    }
  }
}

/** A row as forms name it: its id, and the version that the person sees. */
export const pick = (row) => `${row.dataset.id}:${row.dataset.v ?? ""}`;

for (const grid of document.querySelectorAll("[data-selection]")) grid.selection = new Selection(grid);
