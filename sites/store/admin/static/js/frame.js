// The frame: collapsing the navigation, menus, and the keys `/` and `?`.
import { open } from "./dialogs.js";

const root = document.documentElement;
const toggle = document.getElementById("nav-toggle");

function showNavigation() {
  const collapsed = root.classList.contains("nav-collapsed");
  toggle.setAttribute("aria-pressed", String(collapsed));
  toggle.setAttribute("aria-label", collapsed ? "Expand navigation" : "Collapse navigation");
  for (const list of document.querySelectorAll("[data-flyout]")) list.hidden = !collapsed;
}

if (toggle) {
  showNavigation();
  toggle.addEventListener("click", () => {
    const collapsed = root.classList.toggle("nav-collapsed");
    try {
      localStorage.setItem("nav", collapsed ? "collapsed" : "open");
    } catch {
      // Storage is off: the choice lasts for this page.
    }
    showNavigation();
  });
}

// Escape sends a fly-out of the collapsed navigation away, until the pointer or the focus comes back to it.
for (const item of document.querySelectorAll(".nav-list > li")) {
  const back = () => item.classList.remove("dismissed");
  item.addEventListener("pointerleave", back);
  item.addEventListener("focusout", (event) => {
    if (!item.contains(event.relatedTarget)) back();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !root.classList.contains("nav-collapsed")) return;
  const item = document.querySelector(".nav-list > li:hover") ?? document.activeElement.closest(".nav-list > li");
  if (!item) return;
  if (item.contains(document.activeElement)) item.querySelector(".nav-link-x").focus();
  item.classList.add("dismissed");
});

/** A menu button after the ARIA pattern: arrows move, Escape gives the focus back, a click outside closes. */
function setUpMenu(button) {
  const menu = document.getElementById(button.dataset.menu);
  const items = () => [...menu.querySelectorAll("[role^='menuitem']")];
  const show = (visible, focus) => {
    menu.hidden = !visible;
    button.setAttribute("aria-expanded", String(visible));
    if (visible && focus !== undefined) items().at(focus).focus();
  };
  button.addEventListener("click", (event) => show(menu.hidden, event.detail === 0 ? 0 : undefined));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show(true, event.key === "ArrowDown" ? 0 : -1);
  });
  menu.addEventListener("keydown", (event) => {
    const all = items();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    } else if (event.key === "Escape") {
      show(false);
      button.focus();
    } else if (event.key === "Tab") {
      show(false);
    }
  });
  // An entry that opens a dialog closes the menu first, so that the dialog gives the focus back to the button.
  menu.addEventListener("click", (event) => {
    if (!event.target.closest("[data-open]")) return;
    show(false);
    button.focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.hidden && !menu.contains(event.target) && !button.contains(event.target)) show(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !menu.hidden) show(false);
  });
}

for (const button of document.querySelectorAll("[data-menu]")) setUpMenu(button);

const typing = (element) => element.closest("input, textarea, select, [contenteditable], [role='combobox']") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "/") {
    const search = document.querySelector("#global-search input");
    if (search) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  } else if (event.key === "?") {
    event.preventDefault();
    open(document.getElementById("help"));
  }
});
