// What is done to chosen rows: the dialog that asks, the answer inside it, the menu of one row, and the results.
import { place } from "./combobox.js";
import { open } from "./dialogs.js";
import { pick } from "./grid.js";

const grid = document.querySelector("table[data-grid]");
const MOST_NAMED = 5;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Who an action is for: the selection, or one row. */
function meant(row) {
  if (!row) return grid.selection;
  return { count: 1, words: row.dataset.name, names: [], keys: [row.dataset.key], fields: () => [["pick", pick(row)]] };
}

/** Open the dialog of an action; its title names what is chosen. */
function ask(dialog, rows) {
  const holder = dialog.querySelector("[data-question]");
  dialog.querySelector("h2").textContent = holder.dataset.question.replace("{rows}", rows.words);
  const { csrf, turn, here, list } = grid.dataset;
  const fields = [...rows.fields(), ["csrf", csrf], ["turn", turn], ["back", here], ["list", list]];
  holder.replaceChildren(
    ...fields.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
  );
  const { names } = rows;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const chosen = dialog.querySelector("[data-chosen]");
  chosen.textContent = names.length > 1 ? `${capital(names.slice(0, MOST_NAMED).join(", "))}${more}.` : "";
  chosen.hidden = !chosen.textContent;
  forgive(dialog);
  open(dialog);
  if (!dialog.querySelector(".modal-body-x .field")) dialog.querySelector("button[type='submit']").focus();
}

/** Open the page that an action leads to, for what is chosen, in a tab of its own: the selection stays. */
function visit(address, rows) {
  const query = new URLSearchParams();
  const fields = rows.fields();
  if (rows.keys.length === fields.length) query.set("ids", rows.keys.join(","));
  else for (const [name, value] of [...fields, ["list", grid.dataset.list]]) query.append(name, value);
  window.open(`${address}?${query}`, "_blank");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act], [data-visit]");
  if (!button || !grid || button.closest("#row-menu")) return;
  start(button, null);
});

function start(button, row) {
  if (button.dataset.visit) visit(button.dataset.visit, meant(row));
  else ask(document.getElementById(button.dataset.act), meant(row));
}

/** Take away the messages of the last try. */
function forgive(dialog) {
  for (const old of dialog.querySelectorAll("[data-said]")) old.remove();
  for (const field of dialog.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

/** Show what is wrong: beside its field, or at the top. */
function complain(dialog, problems) {
  forgive(dialog);
  for (const { field, message } of problems) {
    const control = field && dialog.querySelector(`form [name="${CSS.escape(field)}"]`);
    const shown = control?.combobox?.input ?? control;
    const text = document.createElement("p");
    text.dataset.said = "";
    text.textContent = message;
    if (!shown) {
      text.className = "problems";
      text.setAttribute("role", "alert");
      dialog.querySelector(".modal-body-x").prepend(text);
      continue;
    }
    text.className = "field-error";
    text.id = `${dialog.id}-${field}-said`;
    shown.setAttribute("aria-invalid", "true");
    shown.setAttribute("aria-describedby", text.id);
    shown.closest(".field").append(text);
  }
  (dialog.querySelector("[aria-invalid='true']:not([hidden])") ?? dialog.querySelector("button[type='submit']")).focus();
}

/** Send the dialog's form once; what is wrong stays in the dialog, what was done leads on. */
async function send(dialog, form) {
  const asked = dialog.querySelector("h2").textContent;
  const questions = (form.querySelector("[data-question]").dataset.nativeConfirm ?? "").split("\n").filter(Boolean);
  if (!questions.every((question) => window.confirm(question.replace("{question}", asked)))) return;
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  const button = form.querySelector("button[type='submit']");
  button.setAttribute("aria-busy", "true");
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const said = await answer.json();
    if (answer.ok) {
      window.location.assign(said.to);
      return;
    }
    complain(dialog, said.problems);
  } catch {
    complain(dialog, [{ message: "There was no answer. Look at the list before you try again." }]);
  }
  delete form.dataset.sent;
  button.removeAttribute("aria-busy");
}

for (const holder of document.querySelectorAll("[data-question]")) {
  const form = holder.closest("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form.closest("dialog"), form);
  });
}

/** The menu of a row: one element that goes to where it is asked for. */
class RowMenu {
  constructor(menu) {
    this.menu = menu;
    this.button = null;
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-row-menu]");
      if (button) this.toggle(button, event.detail === 0);
      else if (!menu.contains(event.target)) this.close();
    });
    grid.addEventListener("keydown", (event) => {
      const button = event.target.closest("[data-row-menu]");
      if (event.key === "Escape" && this.button) {               // opened by the mouse, the focus is still on the button
        this.close(true);
        return;
      }
      if (!button || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
      event.preventDefault();
      this.show(button);
      this.items.at(event.key === "ArrowDown" ? 0 : -1)?.focus();
    });
    menu.addEventListener("keydown", (event) => this.key(event));
    menu.addEventListener("click", (event) => this.choose(event));
    window.addEventListener("scroll", () => this.close(), true);
    window.addEventListener("resize", () => this.close());
  }

  get items() {
    return [...this.menu.querySelectorAll("[role='menuitem']:not([hidden])")];
  }

  get row() {
    return this.button.closest("tr");
  }

  toggle(button, byKey) {
    if (this.button === button) {
      this.close();
      return;
    }
    this.show(button);
    if (byKey) this.items[0]?.focus();
  }

  show(button) {
    this.close();
    this.button = button;
    const { dataset } = this.row;
    const fits = new Set(dataset.can.split(" "));
    const links = JSON.parse(dataset.links || "{}");
    for (const item of this.menu.querySelectorAll("[role='menuitem']")) {
      item.hidden = !fits.has(item.dataset.entry);
      if (item.dataset.href) {
        const usual = item.dataset.href.replace(/\{(\w+)\}/g, (_, name) => (name === "id" ? dataset.id : dataset.key));
        item.href = links[item.dataset.entry] ?? usual;
      }
    }
    const line = this.menu.querySelector("hr");
    if (line) line.hidden = !this.items.some((item) => item.dataset.href) || this.items.every((item) => item.dataset.href);
    this.menu.setAttribute("aria-label", `Actions for ${dataset.name}`);
    this.menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    place(this.menu, button);
  }

  close(back = false) {
    if (!this.button) return;
    this.menu.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (back) this.button.focus();
    this.button = null;
  }

  key(event) {
    const { items } = this;
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length].focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.close(true);
    } else if (event.key === "Tab") {
      this.close(true);
    }
  }

  choose(event) {
    const item = event.target.closest("button[role='menuitem']");
    if (!item || item.getAttribute("aria-disabled") === "true") return;
    const { row } = this;
    this.close(true);
    start(item, row);
  }
}

const menu = document.getElementById("row-menu");
if (menu && grid) new RowMenu(menu);

// The results are shown once: the address goes back to that of the list.
if (document.querySelector("[data-results]") || new URLSearchParams(window.location.search).has("result")) {
  const address = new URL(window.location.href);
  const search = address.search.replace(/[?&]result=\d+/, "").replace(/^&/, "?");
  window.history.replaceState(null, "", `${address.pathname}${search}`);
}
