// Pages that are put on paper: the button opens the browser's own print dialog.
document.querySelector("[data-print]").addEventListener("click", () => window.print());
