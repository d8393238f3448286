// Dates: <date-field> puts a calendar beside a plain text input; a period preset fills two of them.
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const DAY_MS = 86400000;

const iso = (date) => date.toISOString().slice(0, 10);
const parse = (text) => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
  return Number.isNaN(date.getTime()) || iso(date) !== text ? null : date;
};
const spoken = (date) => `${DAYS[(date.getUTCDay() + 6) % 7]}, ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
const shift = (date, days) => new Date(date.getTime() + days * DAY_MS);
const shiftMonths = (date, months) => {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date.getUTCDate(), last)));
};
const today = () => parse(document.body.dataset.today) ?? new Date();

const STYLE = `
  :host { display: block; position: relative; }
  ::slotted(input) { padding-right: 32px !important; }
  button { font: inherit; color: inherit; cursor: pointer; }
  .open { position: absolute; right: 3px; top: 3px; width: 28px; height: 28px; border: 0; border-radius: 5px; background: none; color: var(--ink-3); display: grid; place-items: center; }
  .open:hover { background: var(--hover); color: var(--ink); }
  button:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
  .pop { position: fixed; z-index: 95; width: 268px; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--ink); box-shadow: var(--shadow-2); }
  .pop[hidden] { display: none; }
  .bar { display: flex; align-items: center; justify-content: space-between; margin-bottom: 8px; }
  .bar b { font-weight: 600; }
  .bar button { width: 28px; height: 28px; border: 0; border-radius: 5px; background: none; }
  .bar button:hover { background: var(--hover); }
  table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th { padding: 4px 0; color: var(--ink-3); font-size: 11px; font-weight: 600; }
  td { padding: 1px; text-align: center; }
  td button { width: 32px; height: 30px; border: 0; border-radius: 5px; background: none; }
  td button:hover { background: var(--hover); }
  td button.other { color: var(--ink-3); opacity: .65; }
  td button.today { box-shadow: inset 0 0 0 1px var(--brand-line); }
  td button[aria-pressed="true"] { background: var(--brand); color: var(--on-brand); font-weight: 600; }
`;

class DateField extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    const label = this.getAttribute("label") ?? "date";
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${STYLE}</style><slot></slot>
      <button type="button" class="open" aria-haspopup="dialog" aria-expanded="false" aria-label="Choose ${label.toLowerCase()} in calendar">
        <svg width="15" height="15" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="M3.500 0a.5.5 0 0 1 .5.5V1h8V.5a.5.5 0 0 1 1 0V1h1a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V3a2 2 0 0 1 2-2h1V.5a.5.5 0 0 1 .5-.5M1 5v9a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V5z"/></svg>
      </button>
      <div class="pop" role="dialog" aria-label="${label}" hidden></div>`;
    this.button = root.querySelector(".open");
    this.pop = root.querySelector(".pop");
    this.button.addEventListener("click", () => (this.pop.hidden ? this.show() : this.hide()));
    this.pop.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && event.altKey) {
        event.preventDefault();
        this.show();
      }
    });
    document.addEventListener("mousedown", (event) => {
      if (!this.pop.hidden && !event.composedPath().includes(this)) this.hide();
    });
    window.addEventListener("resize", () => this.hide());
  }

  show() {
    this.day = parse(this.input.value.trim()) ?? today();
    this.pop.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.draw(true);
    const box = this.getBoundingClientRect();
    const below = window.innerHeight - box.bottom > this.pop.offsetHeight + 8;
    this.pop.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - this.pop.offsetWidth - 8))}px`;
    this.pop.style.top = below ? `${box.bottom + 4}px` : `${Math.max(8, box.top - this.pop.offsetHeight - 4)}px`;
  }

  hide(focus = false) {
    if (this.pop.hidden) return;
    this.pop.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    if (focus) this.button.focus();
  }

  draw(focus) {
    const { day } = this;
    const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
    const start = shift(first, -((first.getUTCDay() + 6) % 7));
    const chosen = this.input.value.trim();
    let rows = "";
    for (let week = 0; week < 6; week++) {
      let cells = "";
      for (let column = 0; column < 7; column++) {
        const date = shift(start, week * 7 + column);
        const text = iso(date);
        const kinds = `${date.getUTCMonth() === day.getUTCMonth() ? "" : "other"} ${text === iso(today()) ? "today" : ""}`.trim();
        cells += `<td role="gridcell"><button type="button" class="${kinds}" data-day="${text}" tabindex="${text === iso(day) ? 0 : -1}" aria-pressed="${text === chosen}" aria-label="${spoken(date)}">${date.getUTCDate()}</button></td>`;
      }
      rows += `<tr>${cells}</tr>`;
    }
    const name = `${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
    this.pop.innerHTML = `<div class="bar"><button type="button" data-months="-1" aria-label="Previous month">‹</button><b aria-live="polite">${name}</b><button type="button" data-months="1" aria-label="Next month">›</button></div>
      <table role="grid" aria-label="${name}"><thead><tr>${DAYS.map((text) => `<th scope="col" abbr="${text}">${text.slice(0, 2)}</th>`).join("")}</tr></thead><tbody>${rows}</tbody></table>`;
    for (const button of this.pop.querySelectorAll("[data-months]")) {
      button.addEventListener("click", () => {
        this.day = shiftMonths(this.day, Number(button.dataset.months));
        this.draw(false);
        this.pop.querySelector(`[data-months="${button.dataset.months}"]`).focus();
      });
    }
    for (const button of this.pop.querySelectorAll("[data-day]")) button.addEventListener("click", () => this.choose(button.dataset.day));
    if (focus) this.pop.querySelector("[tabindex='0']").focus();
  }

  choose(text) {
    this.input.value = text;
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
    this.input.dispatchEvent(new Event("change", { bubbles: true }));
    this.hide(true);
  }

  key(event) {
    const moves = {
      ArrowLeft: () => shift(this.day, -1),
      ArrowRight: () => shift(this.day, 1),
      ArrowUp: () => shift(this.day, -7),
      ArrowDown: () => shift(this.day, 7),
      PageUp: () => shiftMonths(this.day, event.shiftKey ? -12 : -1),
      PageDown: () => shiftMonths(this.day, event.shiftKey ? 12 : 1),
      Home: () => shift(this.day, -((this.day.getUTCDay() + 6) % 7)),
      End: () => shift(this.day, 6 - ((this.day.getUTCDay() + 6) % 7)),
    };
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.hide(true);
    } else if (moves[event.key] && event.target.dataset.day) {
      event.preventDefault();
      this.day = moves[event.key]();
      this.draw(true);
    }
  }
}

customElements.define("date-field", DateField);

// A period preset fills the two dates beside it; changing a date by hand makes the period a custom one.
for (const select of document.querySelectorAll("select[data-period]")) {
  const range = select.closest("[data-range]");
  const [from, to] = range.querySelectorAll("date-field input");
  let filling = false;
  select.addEventListener("change", () => {
    const option = select.selectedOptions[0];
    if (option.value === "custom") return;
    filling = true;
    from.value = option.dataset.from ?? "";
    to.value = option.dataset.to ?? "";
    for (const input of [from, to]) input.dispatchEvent(new Event("change", { bubbles: true }));
    filling = false;
  });
  for (const input of [from, to]) {
    input.addEventListener("change", () => {
      if (filling) return;
      const match = [...select.options].find((option) => option.value !== "custom" && (option.dataset.from ?? "") === from.value && (option.dataset.to ?? "") === to.value);
      select.value = match ? match.value : "custom";
      select.combobox?.sync();
    });
  }
}
