// The page of a product: tabs of one form switch without leaving it, and a problem leads to its field on whichever tab.

const form = document.getElementById("product-form");
const panels = new Map([...document.querySelectorAll("[data-panel]")].map((panel) => [panel.dataset.panel, panel]));
const tabs = document.querySelector("[data-product-tabs]");

/** Bring a panel to the front; the address and what the server is told follow. */
function front(name) {
  for (const [each, panel] of panels) panel.hidden = each !== name;
  for (const link of tabs.querySelectorAll("[data-tab]")) {
    if (link.dataset.tab === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const field = form.querySelector("[data-tab-field]");
  if (field) field.value = name;
  for (const back of document.querySelectorAll("input[name='back']")) back.value = address(name);
  panels.get(name).dispatchEvent(new CustomEvent("shown"));
}

const address = (name) => tabs.querySelector(`[data-tab="${name}"]`).getAttribute("href");

if (form && tabs && panels.size) {
  const shown = [...panels].find(([, panel]) => !panel.hidden)?.[0];
  // A page sent back after a refusal has the form's own address; it may be at any tab.
  history.replaceState({ tab: shown }, "", window.location.href);
  tabs.addEventListener("click", (event) => {
    const link = event.target.closest("[data-tab]");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !plain || !panels.has(link.dataset.tab)) return;
    event.preventDefault();
    event.stopPropagation(); // nothing is left, so nothing unsaved is lost
    if (!panels.get(link.dataset.tab).hidden) return;
    front(link.dataset.tab);
    history.pushState({ tab: link.dataset.tab }, "", link.href);
  });
  window.addEventListener("popstate", (event) => {
    if (panels.has(event.state?.tab)) front(event.state.tab);
  });
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest?.(".problems a[href^='#']");
      const panel = link && document.getElementById(link.getAttribute("href").slice(1))?.closest("[data-panel]");
      if (panel?.hidden) front(panel.dataset.panel);
    },
    true,
  );
}

// A new product: price, SKU and stock are asked for only where it has no variants.
for (const kinds of document.querySelectorAll("[data-kinds]")) {
  const only = kinds.form.querySelector("[data-simple-only]");
  const show = () => {
    only.hidden = kinds.querySelector("input:checked")?.value === "configurable";
  };
  kinds.addEventListener("change", show);
  show();
}
