// The bell: a number that is kept up to date by the server's events, and a drawer with the lines.
// The stream is open only while the page is seen, so that many tabs do not use up the browser's connections.

const button = document.getElementById("bell");
const drawer = document.getElementById("notifications");
const said = document.getElementById("bell-said");

function show(unread) {
  const badge = button.querySelector("[data-unread]");
  badge.textContent = unread > 99 ? "99+" : String(unread);
  badge.hidden = unread === 0;
  button.setAttribute("aria-label", unread ? `Notifications, ${unread} unread` : "Notifications");
  drawer.querySelector("[data-read-all]").hidden = unread === 0;
}

let last = button ? Number(button.dataset.last) : 0;
let source = null;

function listen() {
  source = new EventSource(`/events?after=${last}`);
  source.addEventListener("notification", (event) => {
    const { text, unread } = JSON.parse(event.data);
    last = Number(event.lastEventId);
    show(unread);
    said.textContent = text;
    if (drawer.open) fill();
  });
}

function hush() {
  source?.close();
  source = null;
}

const list = drawer?.querySelector("[data-lines]");

async function fetched(query = "") {
  const answer = await fetch(`/notifications${query}`, { headers: { Accept: "application/json" } });
  if (answer.status === 401) window.location.assign("/login");
  if (!answer.ok) throw new Error(`notifications: ${answer.status}`);
  return answer.text();
}

async function fill() {
  list.setAttribute("aria-busy", "true");
  try {
    list.innerHTML = await fetched();
  } catch {
    list.innerHTML = '<p class="note bad" role="alert">The notifications could not be loaded.</p>';
  }
  list.removeAttribute("aria-busy");
}

if (button) {
  drawer.addEventListener("shown", fill);
  list.addEventListener("click", async (event) => {
    const more = event.target.closest("[data-bell-more]");
    if (!more) return;
    const older = document.createElement("div");
    older.innerHTML = await fetched(`?before=${more.dataset.bellMore}`);
    const first = older.querySelector("button");
    more.replaceWith(...older.childNodes);
    first?.focus();
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
  window.addEventListener("pagehide", hush);
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  if (!document.hidden) listen();
}
