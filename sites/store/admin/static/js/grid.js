// Lists: the filter panel, choosing rows, sorting by several columns, and copying.
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

class Selection {
  constructor(grid) {
    this.all = grid.querySelector("[data-pick-all]");
    this.boxes = [...grid.querySelectorAll("[data-pick]")];
    this.bar = document.getElementById(grid.dataset.selection);
    this.last = -1;
    this.all.addEventListener("change", () => {
      for (const box of this.boxes) box.checked = this.all.checked;
      this.show();
    });
    for (const [index, box] of this.boxes.entries()) {
      box.addEventListener("click", (event) => {
        if (event.shiftKey && this.last >= 0) {
          const [from, to] = [Math.min(this.last, index), Math.max(this.last, index)];
          for (const other of this.boxes.slice(from, to + 1)) other.checked = box.checked;
        }
        this.last = index;
        this.show();
      });
    }
    this.bar.querySelector("[data-unpick]").addEventListener("click", () => {
      for (const box of this.boxes) box.checked = false;
      this.show();
      this.all.focus();
    });
    const copy = this.bar.querySelector("[data-copy]");
    copy?.addEventListener("click", () => this.copy(copy.dataset.copy));
    this.show();
  }

  get picked() {
    return this.boxes.filter((box) => box.checked);
  }

  show() {
    const { length } = this.picked;
    for (const box of this.boxes) box.closest("tr").classList.toggle("selected", box.checked);
    this.all.checked = length > 0 && length === this.boxes.length;
    this.all.indeterminate = length > 0 && length < this.boxes.length;
    this.bar.hidden = length === 0;
    this.bar.querySelector("[data-count]").textContent = `${length} selected`;
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

for (const grid of document.querySelectorAll("[data-selection]")) new Selection(grid);
