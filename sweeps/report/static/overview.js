// The overview: filters that live in the address, and a list that the keyboard can walk through.
"use strict";

const list = document.getElementById("filters") && {
  form: document.getElementById("filters"),
  rows: [...document.querySelectorAll("#episodes tbody tr")],
};

// What an episode's page walks through with its arrows: the episodes that were listed when it was opened.
function remember(names) {
  try {
    sessionStorage.setItem("list", JSON.stringify(names));
  } catch { /* no storage for pages opened from disk: the plan's order is used */ }
}

function setUp({ form, rows }) {
  const fields = [...form.elements].filter((field) => field.name);
  const texts = rows.map((row) => row.textContent.toLowerCase() + row.querySelector("a").getAttribute("href"));
  const fits = (row, asked) => ["agent", "task", "outcome", "kind"].every((name) => !asked[name] || row.dataset[name] === asked[name])
    && (!asked.tag || row.dataset.tags.split(" ").includes(asked.tag));

  function apply() {
    const asked = Object.fromEntries(new FormData(form));
    const words = asked.q.trim().toLowerCase();
    const shown = rows.filter((row, index) => {
      row.hidden = !(fits(row, asked) && texts[index].includes(words));
      return !row.hidden;
    });
    document.getElementById("count").textContent = shown.length === rows.length ? `${rows.length}` : `${shown.length} of ${rows.length}`;
    document.getElementById("nothing").hidden = shown.length > 0;
    const set = fields.filter((field) => field.value);
    document.getElementById("clear").hidden = !set.length;
    remember(shown.map((row) => row.querySelector("a").getAttribute("href").split("/").pop()));
    return set.map((field) => `${field.name}=${encodeURIComponent(field.value)}`).join("&");
  }

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) field.value = asked.get(field.name) ?? "";
    for (const field of fields) if (field.value === "" && field.tagName === "SELECT") field.selectedIndex = 0;
    apply();
    if (asked.size) document.getElementById("list").scrollIntoView();
  }

  function changed() {
    const asked = apply();
    history.replaceState(null, "", asked ? `#${asked}` : location.pathname);
  }

  form.addEventListener("input", changed);
  form.addEventListener("reset", () => setTimeout(changed));   // the fields are empty only after the event
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", fromAddress);
  fromAddress();

  function walk(step) {
    const links = rows.filter((row) => !row.hidden).map((row) => row.querySelector("a"));
    const at = links.indexOf(document.activeElement);
    links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inField = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && inField) {
      form.reset();
      inField.blur();
    } else if (!inField && event.key === "/") {
      event.preventDefault();
      form.elements.q.focus();
    } else if (!inField && (event.key === "j" || event.key === "k")) {
      walk(event.key === "j" ? 1 : -1);
    }
  });
}

if (list) setUp(list);
