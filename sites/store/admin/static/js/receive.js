// Goods in: the SKU box with its suggestions, lines that count up when an item is scanned again, and the confirmation.
import { place } from "./combobox.js";
import { open } from "./dialogs.js";

const WAIT_MS = 150;
const MOST = 99999;
const form = document.querySelector("[data-receive]");
const count = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

class Lines {
  constructor() {
    this.body = form.querySelector("tbody");
    this.template = document.getElementById("receive-line");
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("input", () => this.show());
    this.body.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("input")) return;
      event.preventDefault();
      document.getElementById("sku").focus();
    });
    this.show();
  }

  get rows() {
    return [...this.body.rows];
  }

  input(row) {
    return row.querySelector("input[inputmode]");
  }

  /** The units of a line, or null where what stands there is no quantity. */
  units(row) {
    const text = this.input(row).value.trim();
    return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST ? Number(text) : null;
  }

  /** A new line of one unit, or one unit more on the line that is there. */
  add(variant) {
    let row = this.rows.find((each) => each.dataset.line === String(variant.id));
    if (row) this.input(row).value = Math.min(MOST, (this.units(row) ?? 0) + 1);
    else row = this.make(variant);
    for (const other of this.rows) other.classList.toggle("fresh", other === row);
    this.show();
    form.dispatchEvent(new Event("change", { bubbles: true }));
    row.scrollIntoView({ block: "nearest" });
  }

  make({ id, sku, product, options, on_hand: onHand, status }) {
    const row = this.template.content.firstElementChild.cloneNode(true);
    row.dataset.line = id;
    row.dataset.onHand = onHand;
    row.querySelector("[name='variant']").value = id;
    const texts = { sku, product, options, now: onHand.toLocaleString("en-US") };
    for (const [name, text] of Object.entries(texts)) row.querySelector(`[data-${name}]`).textContent = text;
    row.querySelector("[data-out]").hidden = status !== "out_of_stock";
    const input = this.input(row);
    input.id = input.name = `qty-${id}`;
    row.querySelector("[data-qty-error]").id = `qty-${id}-error`;
    for (const named of row.querySelectorAll("[aria-label]")) named.setAttribute("aria-label", `${named.getAttribute("aria-label").trim()} ${sku}`);
    this.body.append(row);
    return row;
  }

  click(event) {
    const row = event.target.closest("tr");
    const step = event.target.closest("[data-step]");
    if (step) this.input(row).value = Math.min(MOST, Math.max(1, (this.units(row) ?? 0) + Number(step.dataset.step)));
    if (event.target.closest("[data-remove]")) {
      row.remove();
      document.getElementById("sku").focus();
    }
    this.show();
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Totals, what each shelf holds then, and which quantities are none. */
  show() {
    let total = 0;
    for (const row of this.rows) {
      const units = this.units(row);
      const error = row.querySelector("[data-qty-error]");
      total += units ?? 0;
      row.querySelector("[data-then]").textContent = units === null ? "—" : (Number(row.dataset.onHand) + units).toLocaleString("en-US");
      error.hidden = units !== null;
      if (units === null) error.textContent = `A whole number from 1 to ${MOST.toLocaleString("en-US")}.`;
      this.input(row).toggleAttribute("aria-invalid", units === null);
      if (units === null) {
        this.input(row).setAttribute("aria-invalid", "true");
        this.input(row).setAttribute("aria-describedby", error.id);
      } else this.input(row).removeAttribute("aria-describedby");
    }
    form.querySelector("[data-total-lines]").textContent = count(this.rows.length, "variant");
    form.querySelector("[data-total-units]").textContent = count(total, "unit");
    form.querySelector("[data-lines]").hidden = !this.rows.length;
    form.querySelector("[data-nothing]").hidden = this.rows.length > 0;
    return total;
  }

  confirm() {
    const total = this.show();
    const wrong = this.rows.find((row) => this.units(row) === null);
    if (wrong) {
      this.input(wrong).focus();
      return;
    }
    const dialog = document.getElementById("receive-confirm");
    const what = `${count(total, "unit")} of ${count(this.rows.length, "variant")}`;
    dialog.querySelector("h2").textContent = `Receive ${what}?`;
    dialog.querySelector("[data-subject]").textContent = form.elements.set_in_stock.checked
      ? `Adds ${what} to what is on hand, and sets what was out of stock in stock.`
      : `Adds ${what} to what is on hand. What was out of stock stays out of stock.`;
    open(dialog);
    dialog.querySelector("[type='submit']").focus();
  }
}

class Box {
  constructor(lines) {
    this.lines = lines;
    this.input = document.getElementById("sku");
    this.error = document.getElementById("sku-error");
    this.list = Object.assign(document.createElement("ul"), { className: "listbox", id: "sku-list", hidden: true });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Matching variants");
    document.body.append(this.list);
    this.found = [];
    this.active = -1;
    this.asked = 0;
    this.scans = Promise.resolve();
    this.input.addEventListener("input", () => this.wait());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[role='option']");
      if (item) this.take(this.found[Number(item.dataset.index)]);
    });
    form.querySelector("[data-add]").addEventListener("click", () => this.enter());
  }

  async get(query) {
    const answer = await fetch(`/inventory/lookup?${new URLSearchParams(query)}`, { headers: { Accept: "application/json" } });
    if (answer.status === 401) window.location.assign("/login");
    return answer.ok ? (await answer.json()).found : [];
  }

  wait() {
    this.say("");
    clearTimeout(this.timer);
    const text = this.input.value.trim();
    if (text) this.timer = setTimeout(() => this.ask(text), WAIT_MS);
    else this.close();
  }

  async ask(text) {
    const turn = ++this.asked;
    const found = await this.get({ q: text });
    if (turn !== this.asked || document.activeElement !== this.input) return;
    this.found = found;
    this.list.replaceChildren(...(found.length ? found.map((each, index) => this.item(each, index)) : [this.none()]));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    place(this.list, this.input);
    this.point(-1);
  }

  none() {
    return Object.assign(document.createElement("li"), { className: "none", textContent: "Nothing found" });
  }

  item({ sku, product, options, on_hand: onHand }, index) {
    const node = document.createElement("li");
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", "false");
    node.id = `sku-option-${index}`;
    node.dataset.index = index;
    const name = Object.assign(document.createElement("span"), { className: "grow", textContent: [sku, product, options].filter(Boolean).join(" · ") });
    const more = Object.assign(document.createElement("small"), { textContent: `${onHand} on hand` });
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
    else this.input.setAttribute("aria-activedescendant", `sku-option-${index}`);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const total = this.found.length;
    if (step && total && !this.list.hidden) {
      event.preventDefault();
      this.point(this.active < 0 ? (step > 0 ? 0 : total - 1) : (this.active + step + total) % total);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.active >= 0) this.take(this.found[this.active]);
      else this.enter();
    } else if (event.key === "Escape") this.close();
  }

  /** What was typed must be a whole SKU or bar code; scans queue up, so that none is lost while another is looked up. */
  enter() {
    const text = this.input.value.trim();
    if (!text) {
      this.input.focus();
      return;
    }
    this.input.value = "";
    this.close();
    this.scans = this.scans.then(async () => {
      const [variant] = await this.get({ sku: text });
      if (variant) this.take(variant, false);
      else this.unknown(text);
    });
  }

  unknown(text) {
    this.say(`There is no variant with the SKU ${text.toUpperCase()}. Choose one from the list or type the whole SKU.`);
    if (this.input.value) return;
    this.input.value = text;
    this.input.focus();
    this.input.select();
  }

  take(variant, clear = true) {
    if (clear) this.input.value = "";
    this.say("");
    this.close();
    this.lines.add(variant);
    this.input.focus();
  }

  say(text) {
    this.error.textContent = text;
    this.error.hidden = !text;
    if (text) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
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

if (form) {
  const lines = new Lines();
  new Box(lines);
  form.querySelector("[data-confirm-receive]").addEventListener("click", () => lines.confirm());
  // Only the confirmation sends the form, never Enter in a field.
  form.addEventListener("submit", (event) => {
    if (document.getElementById("receive-confirm").open) return;
    event.preventDefault();
    lines.confirm();
  });
}
