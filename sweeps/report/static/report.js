// Every page of the report: light or dark, and keys.
"use strict";

const byId = (id) => document.getElementById(id);

// Theme: follows the system until somebody chooses; some browsers have no storage for pages opened from disk.
const stored = { get() { try { return localStorage.getItem("theme"); } catch { return null; } },
  set(value) { try { localStorage.setItem("theme", value); } catch { /* the choice lasts as long as the page */ } } };
const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
if (window !== window.parent) document.documentElement.classList.add("inside"); // of a comparison, which has the brand above
if (stored.get()) document.documentElement.dataset.theme = stored.get();
byId("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  stored.set(theme);
});

// The keys of this page, on "?" and on the button; "t" turns the theme, "p" and "n" go to the episode before and after.
const keys = byId("keys");
byId("help").addEventListener("click", () => keys.showModal());
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "?") keys.showModal();
  else if (event.key === "t") byId("theme").click();
  else if (event.key === "n") byId("after")?.click();
  else if (event.key === "p") byId("before")?.click();
  else if (event.key === "u" && byId("viewer")) byId("up").click();
});
