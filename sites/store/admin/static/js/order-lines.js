// Pages that work on an order's lines: steppers, "All units", live sums, and tracking rows that come and go.
import { Combobox } from "./combobox.js";

const form = document.querySelector("form[data-guard]:has([data-line])");
const rows = form ? [...form.querySelectorAll("[data-line]")] : [];
const quantity = (row) => row.querySelector("input[type='number']");

/** Whole units in the field of a line; what is no number counts as none until the server says so. */
function units(row) {
  const input = quantity(row);
  return input ? Math.max(0, Math.trunc(Number(input.value) || 0)) : 0;
}

const LOCALE = document.documentElement.dataset.locale ?? "en-US";
const PATTERNS = { "en-US": ["$", ""], "en-GB": ["US$", ""], "de-DE": ["", "\u00a0$"] };

/** Cents as the person signed in reads them. */
export function written(cents) {
  const text = (Math.abs(cents) / 100).toLocaleString(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const [before, after] = PATTERNS[LOCALE];
  return `${cents < 0 ? "-" : ""}${before}${text}${after}`;
}

/** What some units carry of an amount, others being settled already: differences of running shares, rounded half up. */
export function share(amount, many, of, before) {
  const running = (count) => Math.floor((2 * amount * count + of) / (2 * of));
  return running(before + many) - running(before);
}

/** The same for a line of the page, whose figures stand in its data. */
export function lineShare(row, name) {
  const figure = (key) => Number(row.dataset[key]);
  return share(figure(name), units(row), figure("of"), figure("before"));
}

function put(name, cents) {
  const place = form.querySelector(`[data-sum="${name}"]`);
  if (place) place.textContent = written(cents);
}

function sumInvoice() {
  const sums = { subtotal: 0, discount: 0, tax: 0 };
  for (const row of rows) {
    for (const name of Object.keys(sums)) sums[name] += lineShare(row, name);
    row.querySelector("[data-amount]").textContent = written(lineShare(row, "subtotal"));
  }
  const shipping = Number(form.dataset.shipping);
  put("subtotal", sums.subtotal);
  put("discount", -sums.discount);
  put("tax", sums.tax);
  put("total", sums.subtotal - sums.discount + sums.tax + shipping);
}

/** An amount as it was typed, in cents; what is none counts as 0 until the server says so. */
function typed(name) {
  const text = form.elements[name].value.trim().replace(/^\$\s*/, "").replaceAll(",", "");
  return /^-?\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
}

function sumRefund() {
  let [items, tax] = [0, 0];
  for (const row of rows) {
    const parts = [lineShare(row, "net"), lineShare(row, "tax")];
    items += parts[0];
    tax += parts[1];
    row.querySelector("[data-amount]").textContent = written(parts[0] + parts[1]);
  }
  const [shipping, adjustment, fee] = ["shipping", "adjustment", "fee"].map(typed);
  const total = items + tax + shipping + adjustment - fee;
  const sums = { items, tax, shipping, adjustment, fee: fee && -fee, total };
  for (const [name, cents] of Object.entries(sums)) put(name, cents);
  form.querySelector("[data-too-high]").hidden = total <= Number(form.dataset.left);
  const banner = form.querySelector("[data-over-limit]");
  if (banner) banner.hidden = total <= Number(form.dataset.limit);
}

const KINDS = { invoice: sumInvoice, refund: sumRefund };

/** Set a quantity as if it had been typed. */
function set(input, value) {
  input.value = String(value);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function step(button) {
  const input = button.closest(".stepper").querySelector("input");
  const next = Math.trunc(Number(input.value) || 0) + Number(button.dataset.step);
  set(input, Math.min(Number(input.max || Infinity), Math.max(Number(input.min || 0), next)));
}

if (form) {
  const add = KINDS[form.dataset.sums];
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step], [data-fill]");
    if (button?.dataset.step) step(button);
    for (const row of button?.dataset.fill ? rows : []) {
      if (quantity(row)) set(quantity(row), button.dataset.fill === "most" ? row.dataset.most : 0);
    }
  });
  // A wheel over a field that happens to have the focus scrolls the page, it does not count units.
  form.addEventListener("wheel", (event) => event.target.matches("input[type='number']") && event.target.blur(), { passive: true });
  if (add) {
    form.addEventListener("input", add);
    add();
  }
}

const tracks = document.querySelector("[data-tracks]");

/** Number the rows from 1, in what is read out and in the ids that messages point to. */
function renumber() {
  const all = [...tracks.querySelectorAll("[data-track]")];
  for (const [index, row] of all.entries()) {
    row.setAttribute("aria-label", `Tracking number ${index + 1}`);
    for (const [selector, name] of [["[role='combobox']", "Carrier"], ["[name='tracking']", "Tracking number"], ["[name='title']", "Title"], ["[data-drop-track]", "Remove tracking number"]]) {
      row.querySelector(selector).setAttribute("aria-label", `${name} ${index + 1}`);
    }
  }
  tracks.querySelector("[data-no-tracks]").hidden = all.length > 0;
}

function addTrack() {
  const row = document.getElementById("new-track").content.firstElementChild.cloneNode(true);
  tracks.append(row);
  for (const field of row.querySelectorAll("[id]")) field.id = `${field.id}-${tracks.dataset.start}`;
  for (const label of row.querySelectorAll("label")) label.htmlFor = `${label.htmlFor}-${tracks.dataset.start}`;
  tracks.dataset.start = Number(tracks.dataset.start) + 1;
  new Combobox(row.querySelector("select"));
  renumber();
  row.querySelector("[role='combobox']").focus();
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

if (tracks) {
  document.querySelector("[data-add-track]").addEventListener("click", addTrack);
  tracks.addEventListener("click", (event) => {
    const button = event.target.closest("[data-drop-track]");
    if (!button) return;
    button.closest("[data-track]").remove();
    renumber();
    document.querySelector("[data-add-track]").focus();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  });
  tracks.addEventListener("change", (event) => {
    const format = event.target.selectedOptions?.[0]?.dataset.format ?? "";
    const hint = event.target.closest("[data-track]")?.querySelector("[data-format-hint]");
    if (event.target.name === "carrier" && hint) hint.textContent = format.charAt(0).toUpperCase() + format.slice(1);
  });
}
