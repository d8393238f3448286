// Toasts: short messages that go away after five seconds; hovering or focusing keeps them.
import { CROSS } from "./combobox.js";

const STAYS_MS = 5000;
const ICONS = {
  good: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0m3.6 5.3a.9.9 0 0 0-1.300.05L7 9.100 5.600 7.700a.9.9 0 0 0-1.300 1.300l2.100 2.100a.9.9 0 0 0 1.300-.05l4-4.500a.9.9 0 0 0-.1-1.250",
  bad: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0m0 4a.9.9 0 0 0-.9 1l.35 3.500a.55.55 0 0 0 1.100 0L8.900 5A.9.9 0 0 0 8 4m0 6a1 1 0 1 0 0 2 1 1 0 0 0 0-2",
  plain: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0m0 3.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2M7.200 7v4.500h1.600V7z",
};
const region = document.getElementById("toasts");

/** Show a message; `tone` is good, bad or plain. */
export function toast(text, tone = "good") {
  const box = document.createElement("div");
  box.className = `toast-x ${tone}`;
  box.innerHTML =
    `<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[tone] ?? ICONS.plain}"/></svg><p></p>` +
    '<button type="button" class="btn btn-quiet btn-icon btn-sm" aria-label="Dismiss message">' +
    `${CROSS}</button>`;
  box.querySelector("p").textContent = text;
  box.querySelector("button").addEventListener("click", () => box.remove());
  let timer;
  const start = () => {
    timer = setTimeout(() => box.remove(), STAYS_MS);
  };
  const stop = () => clearTimeout(timer);
  box.addEventListener("pointerenter", stop);
  box.addEventListener("pointerleave", start);
  box.addEventListener("focusin", stop);
  box.addEventListener("focusout", start);
  region.append(box);
  start();
}

if (region?.dataset.text) toast(region.dataset.text, region.dataset.tone);
