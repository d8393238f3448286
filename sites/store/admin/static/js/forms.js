// Forms: what is unsaved is said and guarded, nothing is sent twice, regions follow countries.
import { open } from "./dialogs.js";

const guarded = [...document.querySelectorAll("form[data-guard]")];
const before = new Map(guarded.map((form) => [form, written(form)]));
let leaving = false;

/** What a form would send, as text that can be compared; the version `v` moves with what is saved beside the form. */
function written(form) {
  const sent = [...new FormData(form).entries()].filter(([name]) => name !== "v");
  return JSON.stringify(sent.map(([name, value]) => [name, String(value)]));
}

const dirty = () => guarded.some((form) => form.dataset.guard === "dirty" || written(form) !== before.get(form));

function mark() {
  for (const form of guarded) {
    const marker = form.querySelector("[data-dirty]");
    if (marker) marker.hidden = form.dataset.guard !== "dirty" && written(form) === before.get(form);
  }
}

if (guarded.length) {
  document.addEventListener("input", mark);
  document.addEventListener("change", mark);
  mark();
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && dirty()) event.preventDefault();
  });
  const dialog = document.getElementById("unsaved");
  let leave = () => {};
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !plain || link.target || link.getAttribute("href").startsWith("#") || !dirty()) return;
    event.preventDefault();
    leave = () => window.location.assign(link.href);
    open(dialog);
  });
  // Another form of the page (an action in its head, a dialog) leaves it too.
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (event.defaultPrevented || target.method !== "post" || target.hasAttribute("data-guard") || leaving || !dirty()) return;
    event.preventDefault();
    leave = () => target.requestSubmit(submitter);
    open(dialog);
  });
  document.getElementById("unsaved-leave").addEventListener("click", () => {
    leaving = true;
    dialog.close();
    leave();
  });
}

// A form made from a version of a record says what was changed in it: where somebody was faster, the rest is theirs.
const versioned = [...document.querySelectorAll("form[method='post']:has(input[name='v'])")];
const opened = new Map(versioned.map((form) => [form, values(form)]));

/** What a form would send, name by name. */
function values(form) {
  const data = new FormData(form);
  return new Map([...new Set(data.keys())].map((name) => [name, JSON.stringify(data.getAll(name).map(String))]));
}

function tell(form) {
  const first = opened.get(form);
  if (!first || form.elements.touched) return;
  const last = values(form);
  const changed = [...new Set([...first.keys(), ...last.keys()])].filter((name) => first.get(name) !== last.get(name));
  const unknown = form.dataset.guard === "dirty" || form.closest("dialog[data-open-now]") !== null;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "touched" });
  field.value = unknown ? "*" : changed.join(" ");
  form.append(field);
}

// A form is sent once: a second click while the answer is on its way does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  tell(form);
  leaving = true;
  const button = event.submitter;
  if (button) button.setAttribute("aria-busy", "true");
});

window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    form.querySelector("input[name='touched']")?.remove();
  }
});

// After a refusal the focus goes to the list of problems; each entry leads to its field.
document.querySelector("[data-problems]")?.focus();
document.addEventListener("click", (event) => {
  const link = event.target.closest(".problems a[href^='#']");
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.getAttribute("href").slice(1))?.focus();
});

/** The region list of an address shows the regions of the country chosen beside it. */
for (const country of document.querySelectorAll("select[data-country]")) {
  const region = country.form.elements[country.dataset.country];
  const narrow = () => {
    for (const option of region.options) option.hidden = option.value !== "" && option.dataset.of !== country.value;
    if (region.selectedOptions[0]?.hidden) region.value = "";
    region.combobox?.sync();
  };
  country.addEventListener("change", narrow);
  narrow();
}

// A typed confirmation: the button that cannot be undone waits for the exact text.
for (const input of document.querySelectorAll("input[data-confirm]")) {
  const button = input.form.querySelector("button[type='submit']");
  const check = () => {
    button.disabled = input.value.trim() !== input.dataset.confirm;
  };
  input.addEventListener("input", check);
  check();
}
