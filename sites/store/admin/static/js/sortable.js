// Lists that are arranged by dragging, by Alt and an arrow key, by "Pin to top" or by a dialog; each change is saved at once.
import { open } from "./dialogs.js";
import { toast } from "./toasts.js";

const dialog = document.getElementById("move-to");

class Sortable {
  constructor(list) {
    this.list = list;
    this.dragged = null;
    this.saving = Promise.resolve();
    list.addEventListener("click", (event) => this.click(event));
    list.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("dragstart", (event) => {
      this.dragged = event.target.closest("li");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", this.dragged.dataset.name);
      this.dragged.classList.add("dragged");
    });
    list.addEventListener("dragover", (event) => this.over(event));
    list.addEventListener("drop", (event) => this.drop(event));
    list.addEventListener("dragend", () => this.clear());
  }

  get items() {
    return [...this.list.children];
  }

  /** Whether the pointer is in the lower half of an item: then what is dropped comes behind it. */
  behind(event, item) {
    const box = item.getBoundingClientRect();
    return event.clientY > box.top + box.height / 2;
  }

  over(event) {
    const item = event.target.closest("li");
    if (!this.dragged || !item) return;
    event.preventDefault();
    const behind = this.behind(event, item);
    for (const each of this.items) {
      each.classList.toggle("drop-before", each === item && each !== this.dragged && !behind);
      each.classList.toggle("drop-after", each === item && each !== this.dragged && behind);
    }
  }

  drop(event) {
    const item = event.target.closest("li");
    const { dragged } = this;
    if (!dragged || !item) return;
    event.preventDefault();
    const others = this.items.filter((each) => each !== dragged);
    if (item !== dragged) this.move(dragged, others.indexOf(item) + (this.behind(event, item) ? 1 : 0));
  }

  clear() {
    this.dragged = null;
    for (const each of this.items) each.classList.remove("dragged", "drop-before", "drop-after");
  }

  click(event) {
    const item = event.target.closest("li");
    if (event.target.closest("[data-pin]")) this.move(item, 0, { pin: item.dataset.item });
    if (event.target.closest("[data-move-to]")) this.ask(item);
  }

  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const item = event.target.closest("li");
    if (!event.altKey || !step || !item || this.list.dataset.locked !== undefined) return;
    event.preventDefault();
    this.move(item, this.items.indexOf(item) + step);
  }

  /** Ask for the place in a dialog. */
  ask(item) {
    const [input, error] = [document.getElementById("move-to-place"), document.getElementById("move-to-error")];
    const { length } = this.items;
    dialog.querySelector("h2").textContent = `Move ${item.dataset.name}`;
    document.getElementById("move-to-hint").textContent = `From 1 to ${length}`;
    input.value = this.items.indexOf(item) + 1;
    error.hidden = true;
    dialog.querySelector("form").onsubmit = (event) => {
      event.preventDefault();
      const place = Number(input.value.trim());
      if (!Number.isInteger(place) || place < 1 || place > length) {
        error.textContent = `Position must be between 1 and ${length}.`;
        error.hidden = false;
        input.setAttribute("aria-invalid", "true");
        return;
      }
      input.removeAttribute("aria-invalid");
      dialog.close();
      this.move(item, place - 1);
    };
    open(dialog);
    input.select();
  }

  /** Put an item at a place, counted from 0, and save; a refusal puts it back. */
  move(item, to, fields = null) {
    const before = this.items;
    const others = before.filter((each) => each !== item);
    const target = Math.max(0, Math.min(to, others.length));
    if (before.indexOf(item) === target) return;
    const held = item.contains(document.activeElement) ? document.activeElement : null;
    this.put([...others.slice(0, target), item, ...others.slice(target)]);
    held?.focus();
    const ids = this.items.map((each) => each.dataset.item).join(",");
    this.saving = this.saving.then(() => this.save(before, fields ?? { ids }, `${item.dataset.name} is now number ${target + 1}.`));
  }

  put(items) {
    this.list.append(...items);
    for (const [index, each] of items.entries()) each.querySelector("[data-place]").textContent = index + 1;
  }

  async save(before, fields, done) {
    const body = new URLSearchParams({ ...fields, v: this.list.dataset.v ?? "" });
    const headers = { Accept: "application/json", "X-CSRF-Token": this.list.dataset.csrf };
    const answer = await fetch(this.list.dataset.sortable, { method: "POST", body, headers });
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) {
      if (said.v) this.version(said.v);
      toast(done, "good");
    } else {
      this.put(before);
      toast(said.message ?? "The order could not be saved.", "bad");
    }
  }

  /** Forms of the same record on this page were made from its old version; they must not look stale to the server. */
  version(v) {
    this.list.dataset.v = v;
    for (const input of document.querySelectorAll("input[type='hidden'][name='v']")) input.value = v;
  }
}

for (const list of document.querySelectorAll("[data-sortable]")) new Sortable(list);

// Values of an option: one dialog serves every row.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-edit-value], [data-delete-value]");
  if (!button) return;
  const editing = button.dataset.editValue !== undefined;
  const target = document.getElementById(editing ? "value-edit" : "value-delete");
  const fields = JSON.parse(button.dataset.fields);
  const form = target.querySelector("form");
  form.action = button.dataset.editValue ?? button.dataset.deleteValue;
  for (const [name, value] of Object.entries(fields)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  for (const old of target.querySelectorAll(".field-error, .problems")) old.remove();
  for (const input of form.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  target.querySelector("h2").textContent = editing ? `Edit ${fields.value}` : `Delete ${fields.value}?`;
  open(target);
  form.dispatchEvent(new Event("input", { bubbles: true }));
});

const paint = () => {
  for (const box of document.querySelectorAll("[data-swatch-of]")) {
    const { value } = document.getElementById(box.dataset.swatchOf);
    box.style.background = /^#[0-9a-f]{6}$/i.test(value.trim()) ? value.trim() : "";
  }
};
document.addEventListener("input", paint);
paint();
