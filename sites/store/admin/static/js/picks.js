// Ticking rows of a table: one, all, or a range with Shift; a bar says how many are ticked.
export class Picks {
  /** `table` has boxes `data-pick`, one `data-pick-all`, and names its bar in `data-picks`. */
  constructor(table) {
    this.all = table.querySelector("[data-pick-all]");
    this.boxes = [...table.querySelectorAll("[data-pick]")];
    this.bar = document.getElementById(table.dataset.picks);
    this.last = -1;
    this.all.addEventListener("change", () => this.set(this.all.checked));
    for (const [index, box] of this.boxes.entries()) box.addEventListener("click", (event) => this.click(index, event.shiftKey));
    this.bar.querySelector("[data-unpick]").addEventListener("click", () => {
      this.set(false);
      this.all.focus();
    });
    this.show();
  }

  get picked() {
    return this.boxes.filter((box) => box.checked);
  }

  set(checked) {
    for (const box of this.boxes) box.checked = checked;
    this.show();
  }

  click(index, range) {
    const { checked } = this.boxes[index];
    if (range && this.last >= 0) {
      const [from, to] = [Math.min(this.last, index), Math.max(this.last, index)];
      for (const box of this.boxes.slice(from, to + 1)) box.checked = checked;
    }
    this.last = index;
    this.show();
  }

  show() {
    const { length } = this.picked;
    for (const box of this.boxes) box.closest("tr").classList.toggle("selected", box.checked);
    this.all.checked = length > 0 && length === this.boxes.length;
    this.all.indeterminate = length > 0 && length < this.boxes.length;
    this.bar.hidden = length === 0;
    this.bar.querySelector("[data-count]").textContent = `${length} selected`;
  }
}
