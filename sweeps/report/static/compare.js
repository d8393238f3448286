// The comparison: finds instances in its list.
const find = byId("find"), instances = [...document.querySelectorAll("#instances tbody tr")];
find?.addEventListener("input", () => {
  const words = find.value.trim().toLowerCase();
  for (const row of instances) row.hidden = !row.textContent.toLowerCase().includes(words);
  const shown = instances.filter((row) => !row.hidden).length;
  byId("count").textContent = shown === instances.length ? `${shown}` : `${shown} of ${instances.length}`;
});
