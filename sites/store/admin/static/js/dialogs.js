// Dialogs and drawers: opened by `data-open="id"`, closed by `data-close`; focus is trapped and given back by <dialog>.

/** Open a dialog and put the focus on its first field, or on what asks for it. */
export function open(dialog) {
  if (dialog.open) return;
  dialog.showModal();
  const first = dialog.querySelector("[autofocus], [aria-invalid='true'], .modal-body-x :is(input:not([type=hidden]), textarea, select)");
  if (first) first.focus();
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

for (const dialog of document.querySelectorAll("dialog[data-open-now]")) open(dialog);
