// The chooser of columns: ticks, and an order that is changed by dragging, by Alt and arrows, or by buttons.
const form = document.querySelector("form[data-columns]");

class Columns {
  constructor(list) {
    this.list = list;
    this.dragged = null;
    this.usual = list.dataset.usual.split(",");
    this.said = form.querySelector("[data-moved]");
    this.send = form.querySelector("button[type='submit']");
    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-move]");
      if (button) this.move(button.closest("li"), Number(button.dataset.move), button);
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!event.altKey || !step) return;
      event.preventDefault();
      this.move(event.target.closest("li"), step, event.target);
    });
    list.addEventListener("change", () => this.check());
    this.drag();
    form.querySelector("[data-reset]").addEventListener("click", () => this.reset());
    form.addEventListener("submit", () => this.fill());
    this.edges();
  }

  get items() {
    return [...this.list.children];
  }

  get shown() {
    return this.items.filter((item) => item.querySelector("input").checked).map((item) => item.dataset.name);
  }

  move(item, step, held) {
    const other = step < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    if (step < 0) other.before(item);
    else other.after(item);
    this.edges();
    if (held.disabled) item.querySelector("[data-move]:not(:disabled)").focus();
    else held.focus();
    item.scrollIntoView({ block: "nearest" });
    this.tell(item);
  }

  tell(item) {
    const { items } = this;
    const label = item.querySelector("label").textContent.trim();
    this.said.textContent = `${label} is now number ${items.indexOf(item) + 1} of ${items.length}.`;
  }

  /** The first goes no further up, the last no further down. */
  edges() {
    for (const [index, item] of this.items.entries()) {
      item.querySelector("[data-move='-1']").disabled = index === 0;
      item.querySelector("[data-move='1']").disabled = index === this.items.length - 1;
    }
  }

  check() {
    this.send.disabled = this.shown.length === 0;
  }

  drag() {
    this.list.addEventListener("dragstart", (event) => {
      this.dragged = event.target.closest("li");
      this.dragged.classList.add("dragged");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", this.dragged.dataset.name);
    });
    this.list.addEventListener("dragover", (event) => {
      if (!this.dragged) return;
      event.preventDefault();
      const over = event.target.closest("li");
      if (!over || over === this.dragged) return;
      const box = over.getBoundingClientRect();
      if (event.clientY < box.top + box.height / 2) over.before(this.dragged);
      else over.after(this.dragged);
    });
    this.list.addEventListener("drop", (event) => event.preventDefault());
    this.list.addEventListener("dragend", () => {
      this.dragged.classList.remove("dragged");
      this.edges();
      this.tell(this.dragged);
      this.dragged = null;
    });
  }

  /** As it was meant: the usual columns in their order, the others below. */
  reset() {
    const known = new Map(this.items.map((item) => [item.dataset.name, item]));
    this.list.prepend(...this.usual.map((name) => known.get(name)));
    for (const [name, item] of known) item.querySelector("input").checked = this.usual.includes(name);
    this.edges();
    this.check();
    this.said.textContent = "The usual columns are back; apply to see them.";
  }

  /** Only what is not usual goes into the address. */
  fill() {
    const cols = form.elements.cols;
    cols.value = this.shown.join(",");
    cols.disabled = cols.value === this.usual.join(",") && !form.elements.view;
  }
}

if (form) new Columns(form.querySelector("[data-usual]"));
