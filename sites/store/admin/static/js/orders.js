// The order page: a comment box says how much of it is used.
for (const area of document.querySelectorAll("textarea[data-count]")) {
  const shown = document.getElementById(area.dataset.count);
  const count = () => {
    shown.textContent = area.value.length.toLocaleString("en-US");
  };
  area.addEventListener("input", count);
  count();
}
