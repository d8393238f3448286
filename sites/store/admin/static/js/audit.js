// The audit log: more entries as one scrolls or presses the button, and the changes of an entry in a popover.
import { toast } from "./toasts.js";

/** A table that grows: the next block comes when its end is near, or when the button is pressed. */
class Endless {
  constructor(foot) {
    this.foot = foot;
    this.body = document.querySelector("[data-entries]");
    this.button = foot.querySelector("[data-load]");
    this.shown = foot.querySelector("[data-shown]");
    this.loading = false;
    this.button.addEventListener("click", () => this.load());
    this.watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.load(), { rootMargin: "300px" });
    if (this.foot.dataset.more) this.watcher.observe(foot);
  }

  async load() {
    if (this.loading || !this.foot.dataset.more) return;
    this.loading = true;
    this.button.setAttribute("aria-busy", "true");
    this.expect(true);
    const block = await this.next();
    this.expect(false);
    this.button.removeAttribute("aria-busy");
    this.loading = false; // not before the block is there: the same one would come twice
    if (block) this.add(block);
  }

  /** Show, or take away, rows without content where the next block will be. */
  expect(waiting) {
    const table = this.body.closest("table");
    table.querySelector("[data-waiting]")?.remove();
    if (!waiting) return;
    const rows = document.createElement("tbody");
    rows.dataset.waiting = "";
    rows.setAttribute("aria-hidden", "true");
    rows.innerHTML = `<tr>${'<td><span class="skeleton"></span></td>'.repeat(5)}</tr>`.repeat(3);
    table.append(rows);
  }

  /** The next block; nothing where it could not be had, which is told. */
  async next() {
    const { more, endless } = this.foot.dataset;
    try {
      const answer = await fetch(`${endless}&before=${more}`, { headers: { Accept: "application/json" } });
      if (answer.status === 401) window.location.assign("/login");
      if (answer.ok) return await answer.json();
    } catch {
      // told below
    }
    toast("The next entries could not be loaded. Try again.", "bad");
    return null;
  }

  add({ rows, more }) {
    this.body.insertAdjacentHTML("beforeend", rows);
    this.foot.dataset.more = more ?? "";
    const count = this.body.rows.length.toLocaleString(document.documentElement.dataset.locale);
    const total = Number(this.foot.dataset.total).toLocaleString(document.documentElement.dataset.locale);
    this.shown.textContent = `${count} of ${total} shown`;
    // The end may still be in sight: look again.
    this.watcher.unobserve(this.foot);
    if (more) this.watcher.observe(this.foot);
    else {
      if (document.activeElement === this.button) this.shown.focus();
      this.button.hidden = true;
    }
  }
}

for (const foot of document.querySelectorAll("[data-endless]")) new Endless(foot);

/** A popover: one at a time, beside its button; Escape and a click elsewhere close it. */
let opened = null;

function close(focus = false) {
  if (!opened) return;
  document.getElementById(opened.dataset.popover).hidden = true;
  opened.setAttribute("aria-expanded", "false");
  if (focus) opened.focus();
  opened = null;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-popover]");
  const again = button && button === opened;
  if (!button && event.target.closest(".popover-x")) return;
  close();
  if (!button || again) return;
  const box = document.getElementById(button.dataset.popover);
  box.hidden = false;
  button.setAttribute("aria-expanded", "true");
  opened = button;
  const at = button.getBoundingClientRect();
  const above = window.innerHeight - at.bottom < box.offsetHeight + 12 && at.top > box.offsetHeight;
  box.style.left = `${Math.max(8, Math.min(at.right - box.offsetWidth, window.innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${above ? at.top - box.offsetHeight - 6 : at.bottom + 6}px`;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && opened) close(true);
});
window.addEventListener("scroll", (event) => opened && !event.target.closest?.(".popover-x") && close(), true);
window.addEventListener("resize", () => close());
