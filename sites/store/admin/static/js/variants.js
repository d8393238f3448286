// The Variants tab: the price tool and the matrix with their previews, and the dialogs for one variant.
import { open } from "./dialogs.js";
import { Picks } from "./picks.js";

const WAIT_MS = 150;
const tab = document.querySelector("[data-variants]");
const picks = tab?.querySelector("[data-picks]") && new Picks(tab.querySelector("[data-picks]"));
const count = (number, one, many) => `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
const cell = (text, css = "") => {
  const node = document.createElement("td");
  node.textContent = text;
  node.className = css;
  return node;
};

/** A preview that the server works out while somebody fills in a dialog; only the last answer counts. */
class Preview {
  constructor(dialog, path) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.path = path;
    this.sum = dialog.querySelector("[data-sum]");
    this.box = dialog.querySelector("[data-preview]");
    this.asked = 0;
    for (const event of ["input", "change"]) this.form.addEventListener(event, () => this.wait());
    dialog.addEventListener("shown", () => this.opened());
  }

  opened() {
    this.ask();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), WAIT_MS);
  }

  async ask() {
    clearTimeout(this.timer);
    const turn = ++this.asked;
    const fields = new URLSearchParams(new FormData(this.form));
    for (const name of ["csrf", "v"]) fields.delete(name);
    const answer = await fetch(`${this.path}?${fields}`, { headers: { Accept: "application/json" } });
    if (answer.status === 401) window.location.assign("/login");
    if (turn !== this.asked || !answer.ok) return;
    this.show(await answer.json());
  }
}

class Prices extends Preview {
  opened() {
    const { boxes } = picks;
    if (!picks.picked.length) picks.all.click();
    const { picked } = picks;
    this.dialog.querySelector("[data-picked]").replaceChildren(...picked.map((box) => this.pick(box.value)));
    this.dialog.querySelector("[data-subject]").textContent =
      `${count(picked.length, "variant", "variants")} of ${boxes.length} selected: ${names(picked.map((box) => box.dataset.pick))}.`;
    this.fit();
    super.opened();
  }

  pick(value) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: "pick", value });
    return input;
  }

  wait() {
    this.fit();
    super.wait();
  }

  /** Only the fields that the chosen task needs are there. */
  fit() {
    const { by, mode } = this.form.elements.task.selectedOptions[0].dataset;
    const needed = { amount: by === "amount", percent: by === "percent", dates: mode === "sale", field: !["sale", "clear_sale"].includes(mode) };
    for (const box of this.form.querySelectorAll("[data-when]")) box.hidden = !needed[box.dataset.when];
  }

  show({ problems, lines = [], changed, wrong, label }) {
    const blank = (name) => !this.form.elements[name]?.value.trim();
    for (const node of this.form.querySelectorAll("[data-error]")) {
      const name = node.dataset.error;
      const text = blank(name) && !this.dialog.hasAttribute("data-open-now") ? "" : (problems[name] ?? "");
      node.hidden = !text;
      node.querySelector("span").textContent = text;
      this.form.elements[name].toggleAttribute("aria-invalid", Boolean(text));
      if (text) this.form.elements[name].setAttribute("aria-invalid", "true");
    }
    this.box.hidden = !lines.length;
    this.box.querySelector("tbody").replaceChildren(...lines.map((line) => this.row(line)));
    if (!lines.length) this.sum.textContent = "Fill in the fields to see the new prices.";
    else if (wrong) this.sum.textContent = `${count(wrong, "variant", "variants")} cannot be changed like that; nothing is applied until all are right.`;
    else this.sum.textContent = changed ? `${label} of ${count(changed, "variant", "variants")} changes.` : "Nothing changes.";
    this.sum.classList.toggle("bad", Boolean(wrong));
  }

  row({ name, sku, old, new: after, error, changed }) {
    const row = document.createElement("tr");
    row.append(cell(name), cell(sku, "mono"), cell(old, "num"));
    const last = cell(error || (changed ? after : `${after} (unchanged)`), error ? "wrong" : changed ? "num new" : "num muted");
    row.append(last);
    return row;
  }
}

class Matrix extends Preview {
  show({ problem, lines, new: fresh }) {
    const any = this.form.querySelector("[name='value']:checked") !== null;
    const error = this.form.querySelector("[data-matrix-error]");
    error.hidden = !problem || !any;
    error.querySelector("span").textContent = problem;
    this.box.hidden = !lines.length;
    this.box.replaceChildren(...lines.map((line) => this.entry(line)));
    if (!any) this.sum.textContent = "No values ticked yet.";
    else if (!lines.length) this.sum.textContent = "No combinations yet.";
    else this.sum.textContent = `${count(fresh, "new variant", "new variants")}, ${lines.length - fresh} exist already.`;
  }

  entry({ name, there }) {
    const item = document.createElement("li");
    item.className = there ? "there" : "new";
    const mark = document.createElement("small");
    mark.textContent = there ? "exists already" : "new";
    item.append(`${name} `, mark);
    return item;
  }
}

const names = (skus) => (skus.length > 4 ? `${skus.slice(0, 3).join(", ")} and ${skus.length - 3} more` : skus.join(", "));

/** Fill a dialog that serves every row with the row's values. */
function fill(dialog, action, fields) {
  const form = dialog.querySelector("form");
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = form.elements[name];
    if (!input) continue;
    if (input.type === "checkbox") input.checked = value;
    else input.value = value;
    input.removeAttribute("aria-invalid");
  }
  for (const stale of dialog.querySelectorAll(".field-error, .problems")) stale.remove();
}

if (tab) {
  const path = `/products/${tab.dataset.variants}/variants`;
  const dialogs = { prices: "prices-dialog", matrix: "matrix-dialog", edit: "variant-dialog", remove: "variant-delete" };
  const [prices, matrix, edit, remove] = Object.values(dialogs).map((id) => document.getElementById(id));
  if (prices) new Prices(prices, `${path}/prices`);
  if (matrix) new Matrix(matrix, `${path}/matrix`);
  tab.addEventListener("click", (event) => {
    const button = event.target.closest("[data-edit-variant], [data-delete-variant]");
    if (!button) return;
    const fields = JSON.parse(button.dataset.fields);
    if (button.dataset.editVariant) {
      fill(edit, `${path}/${button.dataset.editVariant}`, fields);
      edit.querySelector("h2").textContent = `Edit ${fields.sku}`;
      open(edit);
    } else {
      fill(remove, `${path}/${button.dataset.deleteVariant}/delete`, fields);
      remove.querySelector("h2").textContent = `Delete ${fields.sku}?`;
      remove.querySelector("[data-sku]").textContent = fields.sku;
      open(remove);
    }
  });
}
