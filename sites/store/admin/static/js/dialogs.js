// Dialogs and drawers: opened by `data-open="id"`, closed by `data-close`; focus is trapped and given back by <dialog>.

const FIELD = ":is(input:not([type=hidden]), textarea, select):not([hidden])";

/** Open a dialog and put the focus on what asks for it, else on the first wrong field, else on the first field. */
export function open(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  const wanted = ["[autofocus]", `[aria-invalid='true']${FIELD}`, `.modal-body-x ${FIELD}`];
  for (const selector of wanted) {
    const field = dialog.querySelector(selector);
    if (!field) continue;
    field.focus();
    break;
  }
  dialog.dispatchEvent(new CustomEvent("shown"));
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) {
    open(document.getElementById(opener.dataset.open));
    return;
  }
  const closer = event.target.closest("[data-close]");
  if (closer) {
    closer.closest("dialog").close();
    return;
  }
  if (event.target.matches("dialog.drawer")) event.target.close();
});

// After the other modules, so that comboboxes are there to take the focus.
document.addEventListener("DOMContentLoaded", () => {
  for (const dialog of document.querySelectorAll("dialog[data-open-now]")) open(dialog);
});
