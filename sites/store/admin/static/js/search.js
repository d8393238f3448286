// The search over everything: grouped suggestions while typing; Enter without a choice opens the page of results.
import { place } from "./combobox.js";

const WAIT_MS = 150;
const form = document.getElementById("global-search");

class Search {
  constructor() {
    this.input = form.querySelector("input");
    this.list = document.createElement("ul");
    this.list.className = "listbox";
    this.list.id = "search-list";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Suggestions");
    this.list.hidden = true;
    document.body.append(this.list);
    this.links = [];
    this.active = -1;
    this.asked = 0;
    this.input.addEventListener("input", () => this.wait());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("focus", () => this.input.value.trim() && this.links.length && this.show());
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const item = event.target.closest("[role='option']");
      if (item) window.location.assign(item.dataset.href);
    });
  }

  wait() {
    clearTimeout(this.timer);
    const query = this.input.value.trim();
    if (!query) {
      this.links = [];
      this.close();
      return;
    }
    this.timer = setTimeout(() => this.ask(query), WAIT_MS);
  }

  async ask(query) {
    const turn = ++this.asked;
    const answer = await fetch(`/search/suggest?q=${encodeURIComponent(query)}`, { headers: { Accept: "application/json" } });
    if (turn !== this.asked || document.activeElement !== this.input) return;
    if (answer.status === 401) {
      window.location.assign("/login");
      return;
    }
    if (answer.ok) this.fill((await answer.json()).groups);
  }

  fill(groups) {
    const nodes = [];
    this.links = [];
    for (const group of groups) {
      const head = document.createElement("li");
      head.className = "group";
      head.setAttribute("role", "presentation");
      head.textContent = group.label;
      nodes.push(head, ...group.items.map((item) => this.item(item)));
    }
    if (!nodes.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "Nothing found";
      nodes.push(none);
    }
    this.list.replaceChildren(...nodes);
    this.show();
  }

  item({ label, detail, href, picture }) {
    const node = document.createElement("li");
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", "false");
    node.id = `search-option-${this.links.length}`;
    node.dataset.href = href;
    const name = document.createElement("span");
    name.className = "grow";
    name.textContent = label;
    const more = document.createElement("small");
    more.textContent = detail;
    if (picture) node.append(Object.assign(document.createElement("img"), { src: picture, alt: "", width: 24, height: 24, className: "thumb" }));
    node.append(name, " ", more);
    this.links.push(node);
    return node;
  }

  show() {
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    place(this.list, this.input);
    this.point(-1);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.active = -1;
  }

  point(index) {
    this.active = index;
    for (const [i, item] of this.links.entries()) {
      item.classList.toggle("active", i === index);
      item.setAttribute("aria-selected", String(i === index));
    }
    if (index < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", this.links[index].id);
      this.links[index].scrollIntoView({ block: "nearest" });
    }
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.links.length) {
      event.preventDefault();
      if (this.list.hidden) this.show();
      const total = this.links.length;
      this.point(this.active < 0 ? (step > 0 ? 0 : total - 1) : (this.active + step + total) % total);
    } else if (event.key === "Enter" && this.active >= 0) {
      event.preventDefault();
      window.location.assign(this.links[this.active].dataset.href);
    } else if (event.key === "Escape") {
      this.close();
    }
  }
}

if (form) {
  new Search();
  form.addEventListener("submit", (event) => {
    if (!form.q.value.trim()) event.preventDefault();
  });
}
