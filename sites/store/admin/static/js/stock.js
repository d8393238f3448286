// The Stock tab: ticking variants and setting them in or out of stock, with a confirmation that names how many.
import { open } from "./dialogs.js";
import { Picks } from "./picks.js";
import { toast } from "./toasts.js";

const form = document.querySelector("[data-stock]");
const table = form?.querySelector("[data-picks]");

const WHAT = {
  out_of_stock: "can no longer be bought. What lies on the shelf stays counted.",
  in_stock: "can be bought again while units are available.",
};

function confirm(status, picked) {
  const dialog = document.getElementById(`set-${status}`);
  const many = `${picked.length} ${picked.length === 1 ? "variant" : "variants"}`;
  dialog.querySelector("h2").textContent = `Set ${many} ${status === "in_stock" ? "in stock" : "out of stock"}?`;
  dialog.querySelector("[data-subject]").textContent = `${many} ${WHAT[status]}`;
  const inputs = picked.map((box) => Object.assign(document.createElement("input"), { type: "hidden", name: "pick", value: box.value }));
  dialog.querySelector("[data-picked]").replaceChildren(...inputs);
  open(dialog);
}

if (table) {
  const picks = new Picks(table);
  picks.bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-set-status]");
    if (!button) return;
    const unsaved = form.querySelector("[data-dirty]");
    if (unsaved && !unsaved.hidden) toast("Save the table first, or undo your changes.", "bad");
    else confirm(button.dataset.setStatus, picks.picked);
  });
}
