// The start page: tiles that can be moved by dragging or with arrow keys, a chart with a tooltip, and its table.
import { toast } from "./toasts.js";

/** Tiles in an order of one's own: dragged by the handle, or moved by arrow keys while the handle has the focus. */
class Sortable {
  constructor(list) {
    this.list = list;
    this.status = document.querySelector("[data-moved]");
    this.saved = this.order();
    list.addEventListener("pointerdown", (event) => this.grab(event));
    list.addEventListener("keydown", (event) => this.key(event));
  }

  get tiles() {
    return [...this.list.querySelectorAll("[data-tile]")];
  }

  order() {
    return this.tiles.map((tile) => tile.dataset.tile).join(",");
  }

  grab(event) {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button !== 0) return;
    event.preventDefault();
    const tile = grip.closest("[data-tile]");
    tile.classList.add("moving");
    grip.focus();
    // On the page, not on the handle: a handle that is put elsewhere loses the pointer.
    const done = new AbortController();
    const { signal } = done;
    const drop = () => {
      done.abort();
      tile.classList.remove("moving");
      grip.focus();
      this.save(tile);
    };
    document.addEventListener("pointermove", (moved) => this.over(tile, moved.clientX, moved.clientY), { signal });
    document.addEventListener("pointerup", drop, { signal });
    document.addEventListener("pointercancel", drop, { signal });
  }

  /** Put the tile where the pointer is: before or behind the one below it. */
  over(tile, x, y) {
    const other = this.tiles.find((each) => {
      const box = each.getBoundingClientRect();
      return each !== tile && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    if (!other) return;
    const behind = this.tiles.indexOf(other) > this.tiles.indexOf(tile);
    other[behind ? "after" : "before"](tile);
  }

  key(event) {
    const grip = event.target.closest("[data-grip]");
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!grip || !step) return;
    event.preventDefault();
    const tile = grip.closest("[data-tile]");
    const other = this.tiles[this.tiles.indexOf(tile) + step];
    if (!other) return;
    other[step > 0 ? "after" : "before"](tile);
    grip.focus();
    this.save(tile);
  }

  async save(tile) {
    const order = this.order();
    if (order === this.saved) return;
    this.saved = order;
    const { tiles } = this;
    this.status.textContent = `${tile.dataset.name} is now number ${tiles.indexOf(tile) + 1} of ${tiles.length}.`;
    const answer = await fetch(this.list.dataset.tiles, {
      method: "POST",
      headers: { "X-CSRF-Token": this.list.dataset.csrf, Accept: "application/json" },
      body: new URLSearchParams({ tiles: order }),
    });
    if (answer.status === 401) window.location.assign("/login");
    else if (!answer.ok) toast("The order of the tiles could not be saved.", "bad");
  }
}

/** What a bar stands for, beside the pointer. */
function tooltip(chart) {
  const tip = chart.querySelector(".chart-tip");
  chart.addEventListener("pointermove", (event) => {
    const slot = event.target.closest(".slot");
    tip.hidden = !slot;
    if (!slot) return;
    const lines = [["b", slot.dataset.name], ["span", slot.dataset.now], ["span", slot.dataset.before]];
    tip.replaceChildren(
      ...lines.map(([kind, text]) => {
        const line = document.createElement(kind);
        line.textContent = text;
        return line;
      }),
    );
    const box = chart.getBoundingClientRect();
    const x = event.clientX - box.left + 14;
    tip.style.left = `${Math.max(4, x + tip.offsetWidth > box.width ? x - tip.offsetWidth - 28 : x)}px`;
    tip.style.top = `${Math.max(4, event.clientY - box.top - tip.offsetHeight - 10)}px`;
  });
  chart.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
}

for (const list of document.querySelectorAll("[data-tiles]")) new Sortable(list);
for (const chart of document.querySelectorAll(".chart")) tooltip(chart);

// A chart and its table take turns.
for (const button of document.querySelectorAll("button[data-swap]")) {
  button.addEventListener("click", () => {
    const table = document.getElementById(button.dataset.swap);
    table.hidden = !table.hidden;
    document.getElementById(button.dataset.for).hidden = !table.hidden;
    button.setAttribute("aria-pressed", String(!table.hidden));
  });
}
