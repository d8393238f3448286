// The Images tab: pictures are arranged by dragging, by Alt and an arrow key, or by a dialog; Save sends the order.
import { open } from "./dialogs.js";
import { toast } from "./toasts.js";

const list = document.querySelector("[data-pictures]");
const zone = document.querySelector("drop-zone");
const dialog = document.getElementById("move-picture");

/** Number the pictures again: places, the main one's mark, the names of controls. */
function number() {
  for (const [index, item] of [...list.children].entries()) {
    const place = index + 1;
    item.querySelector("[data-place]").textContent = place;
    item.querySelector("[data-main]").hidden = index !== 0;
    const main = item.querySelector("[data-make-main]");
    if (main) main.hidden = index === 0;
    for (const label of item.querySelectorAll("label")) {
      const text = [...label.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
      text.textContent = text.textContent.replace(/picture \d+/, `picture ${place}`);
    }
    for (const button of item.querySelectorAll("[aria-label]")) {
      button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/picture \d+/i, (found) => found.replace(/\d+/, place)));
    }
  }
  list.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Put a picture at a place, counted from 0, and keep the focus on what moved it. */
function move(item, to) {
  const items = [...list.children];
  const at = items.indexOf(item);
  const target = Math.max(0, Math.min(to, items.length - 1));
  if (target === at) return;
  const focused = item.contains(document.activeElement) ? document.activeElement : null;
  if (target > at) items[target].after(item);
  else items[target].before(item);
  number();
  (focused?.hidden ? item.querySelector("[data-move]") : focused)?.focus();
  document.querySelector("[data-moved]").textContent = `${item.dataset.name} is now picture ${target + 1} of ${items.length}. Save to keep the order.`;
}

function listen() {
  let dragged = null;
  let moving = null;
  list.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (event.target.closest("[data-make-main]")) move(item, 0);
    else if (event.target.closest("[data-move]")) {
      moving = item;
      const select = dialog.querySelector("select");
      select.value = String([...list.children].indexOf(item) + 1);
      select.combobox?.sync();
      open(dialog);
    }
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    move(moving, Number(dialog.querySelector("select").value) - 1);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const item = event.target.closest("li.picture");
    if (!event.altKey || !step || !item) return;
    event.preventDefault();
    move(item, [...list.children].indexOf(item) + step);
  });
  list.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("li.picture");
    if (!dragged || event.target.closest("input, textarea")) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.name);
    dragged.classList.add("dragged");
  });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li.picture");
    if (!dragged) return;
    event.preventDefault();
    for (const item of list.children) item.classList.toggle("over", item === over && item !== dragged);
  });
  list.addEventListener("drop", (event) => {
    const over = event.target.closest("li.picture");
    if (!dragged || !over) return;
    event.preventDefault();
    move(dragged, [...list.children].indexOf(over));
  });
  list.addEventListener("dragend", () => {
    dragged = null;
    for (const item of list.children) item.classList.remove("dragged", "over");
  });
}

if (list && dialog) listen();

/** Show what was added: the page anew, or, where something is unsaved, only the new pictures behind the others. */
async function added(count) {
  const form = document.querySelector(".pictures-form");
  const dirty = form && !form.querySelector("[data-dirty]")?.hidden;
  if (!dirty) {
    window.location.reload();
    return;
  }
  const answer = await fetch(window.location.href, { headers: { "X-Part": "pictures" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const known = new Set([...list.children].map((item) => item.dataset.id));
  for (const item of fresh.querySelectorAll("[data-pictures] > li")) {
    if (!known.has(item.dataset.id)) list.append(document.adoptNode(item));
  }
  const version = fresh.querySelector(".pictures-form input[name='v']").value;
  for (const field of document.querySelectorAll("form[action^='/products/'] input[name='v']")) field.value = version;
  number();
  toast(`${count} added. Your other changes are not saved yet.`, "plain");
}

zone?.addEventListener("added", (event) => added(event.detail === 1 ? "1 picture" : `${event.detail} pictures`));
