// Editing the items of an order: lines go and come back, new ones are chosen from suggestions, the server does the sums.
import { place } from "./combobox.js";

const WAIT_MS = 150;
const form = document.querySelector("form[data-edit-items]");
const json = async (url) => {
  const answer = await fetch(url, { headers: { Accept: "application/json" } });
  if (answer.status === 401) window.location.assign("/login");
  return answer.ok ? answer.json() : null;
};

class Lines {
  constructor() {
    this.body = form.querySelector("[data-items]");
    this.asked = 0;
    this.body.addEventListener("click", (event) => this.click(event));
    form.addEventListener("input", (event) => event.target.type === "number" && this.changed());
    this.draw();
    if (form.dataset.guard === "dirty") this.sum();
  }

  /** A number changed: lines of no units are crossed out, and the sums are asked for. */
  changed() {
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.sum(), WAIT_MS);
  }

  draw() {
    for (const row of this.body.querySelectorAll("[data-kept]")) {
      const gone = row.querySelector("input").value.trim() === "0";
      const button = row.querySelector("[data-remove]");
      row.classList.toggle("gone", gone);
      button.querySelector("[data-bin]").hidden = gone;
      button.querySelector("[data-back]").hidden = !gone;
      button.setAttribute("aria-label", `${gone ? "Keep" : "Remove"} ${row.dataset.called}`);
    }
  }

  click(event) {
    const button = event.target.closest("[data-remove]");
    if (button) this.toggle(button.closest("tr"));
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const input = step.closest(".stepper").querySelector("input");
    const next = Math.trunc(Number(input.value) || 0) + Number(step.dataset.step);
    this.set(input, Math.min(Number(input.max), Math.max(Number(input.min), next)));
  }

  set(input, value) {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** A new line is taken away; one of the order is crossed out, or taken back. */
  toggle(row) {
    if (row.dataset.added) {
      row.remove();
      document.getElementById("add_query").focus();
      form.dispatchEvent(new Event("input", { bubbles: true }));
      this.changed();
      return;
    }
    this.set(row.querySelector("input"), row.classList.contains("gone") ? row.dataset.was : 0);
  }

  add(found) {
    const there = [...this.body.querySelectorAll("[data-added]")].find((row) => row.dataset.added === String(found.id));
    if (there) {
      const input = there.querySelector("input[name='add_qty']");
      this.set(input, Number(input.value || 0) + 1);
      return;
    }
    const row = document.getElementById("new-item").content.firstElementChild.cloneNode(true);
    row.dataset.added = found.id;
    row.querySelector("[name='add']").value = found.id;
    for (const name of ["product", "options", "sku", "price"]) row.querySelector(`[data-${name}]`).textContent = found[name];
    for (const named of row.querySelectorAll("[aria-label]")) named.setAttribute("aria-label", `${named.getAttribute("aria-label").trim()} ${found.sku}`);
    const input = row.querySelector("input[name='add_qty']");
    input.removeAttribute("id");
    this.body.append(row);
    this.set(input, 1);
  }

  async sum() {
    const turn = ++this.asked;
    const fields = [...new FormData(form).entries()].filter(([name]) => /^(qty_\d+|add|add_qty)$/.test(name));
    const found = await json(`${form.dataset.editItems}?${new URLSearchParams(fields)}`);
    if (!found || turn !== this.asked) return;
    for (const [name, text] of Object.entries(found.sums)) form.querySelector(`[data-sum="${name}"]`).textContent = text;
    for (const row of this.body.rows) {
      const name = row.dataset.added ? `add_${row.dataset.added}` : row.querySelector("input").name;
      row.querySelector("[data-amount]").textContent = found.rows[name] ?? "—";
    }
  }
}

class Box {
  constructor(lines) {
    this.lines = lines;
    this.input = form.querySelector("[data-add-item]");
    this.list = Object.assign(document.createElement("ul"), { className: "listbox", id: "add-list", hidden: true });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Matching items");
    document.body.append(this.list);
    this.found = [];
    this.active = -1;
    this.asked = 0;
    this.input.addEventListener("input", () => this.wait());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[role='option']");
      if (item) this.take(Number(item.dataset.index));
    });
  }

  wait() {
    clearTimeout(this.timer);
    const text = this.input.value.trim();
    if (text) this.timer = setTimeout(() => this.ask(text), WAIT_MS);
    else this.close();
  }

  async ask(text) {
    const turn = ++this.asked;
    const answer = await json(`/orders/variants?${new URLSearchParams({ q: text })}`);
    if (!answer || turn !== this.asked || document.activeElement !== this.input) return;
    this.found = answer.found;
    const none = Object.assign(document.createElement("li"), { className: "none", textContent: "Nothing found" });
    this.list.replaceChildren(...(this.found.length ? this.found.map((each, index) => this.item(each, index)) : [none]));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    place(this.list, this.input, 460);
    this.point(-1);
  }

  item({ sku, product, options, price, available }, index) {
    const node = document.createElement("li");
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", "false");
    node.id = `add-option-${index}`;
    node.dataset.index = index;
    const text = [sku, product, options].filter(Boolean).join(" · ");
    const name = Object.assign(document.createElement("span"), { className: "grow", textContent: text });
    const more = Object.assign(document.createElement("small"), { textContent: `${price} · ${available} available` });
    node.append(name, " ", more);
    return node;
  }

  point(index) {
    this.active = index;
    for (const [i, item] of [...this.list.querySelectorAll("[role='option']")].entries()) {
      item.classList.toggle("active", i === index);
      item.setAttribute("aria-selected", String(i === index));
      if (i === index) item.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `add-option-${index}`);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const total = this.found.length;
    if (step && total && !this.list.hidden) {
      event.preventDefault();
      this.point(this.active < 0 ? (step > 0 ? 0 : total - 1) : (this.active + step + total) % total);
    } else if (event.key === "Enter" && this.input.value.trim()) {
      event.preventDefault();
      if (this.active >= 0) this.take(this.active);
    } else if (event.key === "Escape") this.close();
  }

  take(index) {
    const found = this.found[index];
    this.input.value = "";
    this.close();
    this.lines.add(found);
    this.input.focus();
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.found = [];
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.point(-1);
  }
}

if (form) new Box(new Lines());
