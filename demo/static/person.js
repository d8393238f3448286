// A person's hands on the stage: mouse, keys, tabs and dialogs become gestures, which Python turns into actions.
// Nothing here reaches the episode's page by itself; a gesture is `{kind, …}` and points are pixels of the picture.

const by = (id) => document.getElementById(id);
const screen_ = by("screen"), echo = by("echo"), choice = by("choice");
const TYPING_MS = 350, DRAG_PX = 6, WHEEL_MS = 120, HOVER_MS = 650;
let typed = "", typing = 0, down = null, wheel = null, hovering = 0, seen = null, over = [640, 400], given = null, dragged = false;

const doing = () => document.body.className === "doing" && by("verdict").hidden;
const send = (gesture) => { flush(); tell(gesture); };
const tell = (gesture) => { screen_.classList.add("busy"); globalThis.sitegym(gesture); };
const point = (event) => {
  const box = screen_.getBoundingClientRect(), size = seen?.size ?? [1280, 800];
  return [Math.round((event.clientX - box.left) / box.width * size[0]), Math.round((event.clientY - box.top) / box.height * size[1])];
};
const onPage = (event) => doing() && by("dialog").hidden && !choice.contains(event.target);

globalThis.addEventListener("stage-page", (event) => {
  seen = event.detail;
  screen_.classList.remove("busy");
  hideChoice();
});

// ---- mouse

screen_.addEventListener("pointerdown", (event) => {
  if (!onPage(event)) return;
  hideChoice();
  screen_.focus({ preventScroll: true });
  clearTimeout(hovering);
  down = { at: point(event), button: event.button };
});
screen_.addEventListener("pointerup", (event) => {
  if (!onPage(event) || !down) return;
  const from = down.at, to = point(event), far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const button = down.button;
  down = null;
  dragged = button === 0 && far > DRAG_PX;
  if (dragged) send({ kind: "drag", at: from, to });
});
screen_.addEventListener("click", (event) => {
  if (!onPage(event) || event.detail > 2 || dragged) return;
  const held = [(event.ctrlKey || event.metaKey) && "Control", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
  send({ kind: "click", at: point(event), count: event.detail || 1, held });
});
screen_.addEventListener("auxclick", (event) => {
  if (onPage(event) && event.button === 1) send({ kind: "middle", at: point(event) });
});
screen_.addEventListener("contextmenu", (event) => {
  if (!doing()) return;
  event.preventDefault();
  if (onPage(event)) send({ kind: "context", at: point(event) });
});
screen_.addEventListener("pointermove", (event) => {
  over = point(event);
  clearTimeout(hovering);
  if (onPage(event) && !down && !typed) hovering = setTimeout(() => globalThis.sitegym({ kind: "hover", at: over }), HOVER_MS);
});
screen_.addEventListener("pointerleave", () => clearTimeout(hovering));
screen_.addEventListener("dragstart", (event) => event.preventDefault());
screen_.addEventListener("wheel", (event) => {
  if (!onPage(event)) return;
  event.preventDefault();
  wheel ??= { at: point(event), x: 0, y: 0 };
  const line = event.deltaMode === 1 ? 40 : 1;
  wheel.x += event.deltaX * line;
  wheel.y += event.deltaY * line;
  clearTimeout(wheel.timer);
  wheel.timer = setTimeout(() => { const turned = wheel; wheel = null; send({ kind: "wheel", at: turned.at, x: turned.x, y: turned.y }); }, WHEEL_MS);
}, { passive: false });

// ---- keys

const MODIFIERS = ["Control", "Alt", "Shift", "Meta", "CapsLock", "AltGraph", "Dead", "Process", "Unidentified"];
document.addEventListener("keydown", (event) => {
  if (!doing()) return;
  if (event.key === "F6") {
    event.preventDefault();
    (by("end").contains(document.activeElement) ? screen_ : by("answer")).focus();
    return;
  }
  if (event.target !== screen_ || !by("dialog").hidden || MODIFIERS.includes(event.key)) return;
  const command = event.ctrlKey || event.metaKey || event.altKey;
  const letter = command ? event.key.toLowerCase() : "";
  if (letter === "c" || letter === "x") copied = true;
  if (letter === "v" && !copied) return;                       // the paste event brings what is on the person's clipboard
  event.preventDefault();
  if (!command && [...event.key].length === 1) return type(event.key);
  const parts = [(event.ctrlKey || event.metaKey) && "Control", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
  send({ kind: "key", key: [...parts, event.key === " " ? "Space" : event.key].join("+") });
});
let copied = false;            // what was copied last was copied on the page, so that it is pasted there
window.addEventListener("blur", () => { copied = false; });
document.addEventListener("paste", (event) => {
  const words = event.clipboardData?.getData("text");
  if (doing() && document.activeElement === screen_ && words) { event.preventDefault(); type(words); }
});

/** Letters are collected until the person pauses, and written beside the mouse meanwhile. */
function type(words) {
  typed += words;
  echo.hidden = false;
  echo.textContent = typed;
  const size = seen?.size ?? [1280, 800];
  Object.assign(echo.style, { left: `${Math.min(100 * over[0] / size[0] + 1, 60)}%`, top: `${Math.min(100 * over[1] / size[1] + 2, 92)}%` });
  clearTimeout(typing);
  typing = setTimeout(flush, TYPING_MS);
}
function flush() {
  clearTimeout(typing);
  if (!typed) return;
  const words = typed;
  typed = "";
  echo.hidden = true;
  tell({ kind: "text", text: words });
}

// ---- the browser's own controls

by("tabs").addEventListener("click", (event) => {
  const tab = event.target.closest("[data-tab]");
  if (!doing() || !tab) return;
  if (tab.dataset.tab === "new") send({ kind: "new_tab" });
  else send({ kind: event.target.matches(".close") ? "close_tab" : "switch_tab", tab: Number(tab.dataset.tab) });
});
for (const id of ["back", "forward", "reload"]) by(id).addEventListener("click", () => { if (doing()) send({ kind: id }); });
by("go").addEventListener("submit", (event) => {
  event.preventDefault();
  const where = by("url").value.trim();
  if (doing() && where) send({ kind: "navigate", url: /^[a-z]+:|^\//i.test(where) ? where : `http://${where}` });
  screen_.focus();
});
by("dialog-ok").addEventListener("click", () => {
  const prompt = !by("dialog-input").hidden;
  if (doing()) { send({ kind: "accept", text: prompt ? by("dialog-input").value : null }); screen_.focus(); }
});
by("dialog-cancel").addEventListener("click", () => { if (doing()) { send({ kind: "dismiss" }); screen_.focus(); } });
by("dialog").addEventListener("keydown", (event) => {
  if (event.key === "Escape") by(by("dialog-cancel").hidden ? "dialog-ok" : "dialog-cancel").click();
  if (event.key === "Enter" && event.target === by("dialog-input")) by("dialog-ok").click();
});

// ---- finish

by("end").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ kind: "finish", answer: by("answer").value.trim() || null, outcome: by("outcome").value });
});
by("give-up").addEventListener("click", () => send({ kind: "give_up" }));

// ---- what the system would show over a page: lists of options, pickers, files

/** Offer `options` (or a field of `type`) at `box`; what is chosen goes out as a gesture with `ref`. */
globalThis.stage.offer = ({ ref, box, options, chosen, type, value, multiple, empty }) => {
  const size = seen?.size ?? [1280, 800], [x, y, width, height] = box;
  screen_.classList.remove("busy");
  given = screen_;
  choice.replaceChildren(...(type ? picker(ref, type, value) : listed(ref, options, chosen, multiple)));
  if (empty) choice.append(Object.assign(document.createElement("p"), { textContent: empty }));
  const below = (y + height) / size[1] < 0.6;
  Object.assign(choice.style, {
    left: `${Math.min(100 * x / size[0], 78)}%`, minWidth: `${100 * Math.min(width, 420) / size[0]}%`,
    top: below ? `${100 * (y + height + 3) / size[1]}%` : "auto", bottom: below ? "auto" : `${100 * (1 - (y - 3) / size[1])}%`,
  });
  choice.hidden = false;
  (choice.querySelector("[aria-selected=true], input") ?? choice.querySelector("button"))?.focus();
};
function hideChoice() {
  if (choice.hidden) return;
  choice.hidden = true;
  if (given && document.activeElement !== by("answer")) screen_.focus({ preventScroll: true });
}
function listed(ref, options, chosen, multiple) {
  const take = new Set(multiple ? chosen : []);
  const rows = options.map((option) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: option });
    const paint = () => button.setAttribute("aria-selected", String(multiple ? take.has(option) : chosen.includes(option)));
    button.addEventListener("click", () => {
      if (!multiple) return send({ kind: "chosen", ref, options: [option] });
      if (!take.delete(option)) take.add(option);
      paint();
    });
    paint();
    return button;
  });
  if (!multiple) return rows;
  const ready = Object.assign(document.createElement("button"), { type: "button", textContent: "OK" });
  ready.addEventListener("click", () => send({ kind: "chosen", ref, options: options.filter((option) => take.has(option)) }));
  return [...rows, ready];
}
function picker(ref, type, value) {
  const input = Object.assign(document.createElement("input"), { type, value });
  input.setAttribute("aria-label", "Value");
  const ready = Object.assign(document.createElement("button"), { type: "button", textContent: "OK" });
  ready.addEventListener("click", () => send({ kind: "picked", ref, value: input.value }));
  return [input, ready];
}
choice.addEventListener("keydown", (event) => {
  const rows = [...choice.querySelectorAll("button")], here = rows.indexOf(document.activeElement);
  if (event.key === "Escape") hideChoice();
  else if (event.key === "ArrowDown") rows[Math.min(here + 1, rows.length - 1)].focus();
  else if (event.key === "ArrowUp") rows[Math.max(here - 1, 0)].focus();
  else if (event.key === "Enter" && event.target.tagName === "INPUT") rows.at(-1).click();
  else return;
  event.preventDefault();
});
