// A change that came too late: each field is taken from one side; what was typed stays at hand after "Reload theirs".
const KEPT = "kept:";
const page = document.querySelector("[data-conflict]");

/** Only the values of the side that is chosen are sent. */
function take(row) {
  const side = row.querySelector("input[type='radio']:checked")?.value;
  for (const input of row.querySelectorAll("input[data-side]")) input.disabled = input.dataset.side !== side;
  for (const cell of row.querySelectorAll("[data-cell]")) cell.classList.toggle("taken", cell.dataset.cell === side);
}

function remember(link) {
  const fields = [...page.querySelectorAll("[data-field]")].map((row) => ({
    label: row.dataset.field,
    text: row.querySelector("[data-mine]").textContent,
  }));
  try {
    if (fields.length) sessionStorage.setItem(KEPT + link.getAttribute("href"), JSON.stringify(fields));
  } catch {
    // Storage is off: the page of the conflict can still be reached with Back.
  }
}

if (page) {
  for (const row of page.querySelectorAll("[data-choice]")) {
    row.addEventListener("change", () => take(row));
    take(row);
  }
  page.querySelector("[data-reload]").addEventListener("click", (event) => remember(event.currentTarget));
}

/** Put a text into the clipboard, also where only the old way works. */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
}

function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function line({ label, text }) {
  const button = element("button", { type: "button", className: "btn btn-plain btn-sm", textContent: "Copy" });
  button.setAttribute("aria-label", `Copy your ${label}`);
  button.addEventListener("click", () => copy(text, button));
  return element("div", {}, element("dt", { textContent: label }), element("dd", {}, element("span", { textContent: text }), button));
}

/** The panel with what was typed before the page was loaded again; it stays until it is closed. */
function show(fields, key) {
  const close = element("button", { type: "button", className: "btn btn-quiet btn-sm", textContent: "Close" });
  close.setAttribute("aria-label", "Close what you entered");
  const head = element("div", { className: "card-head" }, element("h2", { textContent: "What you entered" }), close);
  const panel = element("aside", { className: "kept card-x" }, head, element("dl", {}, ...fields.map(line)));
  panel.setAttribute("aria-label", "What you entered");
  close.addEventListener("click", () => {
    sessionStorage.removeItem(key);
    panel.remove();
  });
  document.body.append(panel);
}

try {
  const key = KEPT + window.location.pathname + window.location.search;
  const kept = page ? null : sessionStorage.getItem(key);
  if (kept) show(JSON.parse(kept), key);
} catch {
  // Storage is off: there is nothing to show.
}
