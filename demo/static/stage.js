// The demo's stage: it shows what the episode sees and what its agent does, and never touches the episode's page.
// Python calls the functions of `stage`; those that move something end when the movement does.

const by = (id) => document.getElementById(id);
const screen_ = by("screen"), pointer = by("pointer"), frame = by("frame"), label = by("label"), ripple = by("ripple");
const SIGNS = { pass: "M8 21 l8 8 L32 11", fail: "M11 11 L29 29 M29 11 L11 29", fault: "M20 9 v15 M20 31 v.5", open: "M12 20 h16" };
let size = [1280, 800], at = [0.5, 0.62], pace = 0, begun = false;

const text = (id, words) => { by(id).textContent = words; };
const make = (tag, words = "", kind = "") => Object.assign(document.createElement(tag), { textContent: words, className: kind });
const place = ([x, y]) => `translate(${x * screen_.clientWidth}px, ${y * screen_.clientHeight}px)`;
const put = () => { pointer.style.transform = place(at); };
new ResizeObserver(put).observe(screen_);

/** Let `share` of a step's time pass; nothing at pace 0. */
const rest = (share) => new Promise((over) => setTimeout(over, pace * share * 1000));

const stage = globalThis.stage = {
  /** `doing`: a person does the task here; otherwise one watches. */
  open({ doing, seconds }) {
    pace = seconds;
    document.body.className = doing ? "doing" : "watching";
    screen_.tabIndex = doing ? 0 : -1;
    by("end").hidden = !doing;
    by("url").readOnly = !doing;
    for (const id of ["back", "forward", "reload"]) by(id).tabIndex = doing ? 0 : -1;
    text("now-title", doing ? "Last step" : "Now");
  },

  begin(episode) {
    size = episode.size;
    text("task", `${episode.task} · seed ${episode.seed}`);
    text("agent", episode.agent === "human" ? "you" : `agent: ${episode.agent}`);
    by("place").hidden = episode.total < 2;
    text("place", `task ${episode.number} of ${episode.total}`);
    text("goal", episode.goal);
    by("goal").parentElement.classList.toggle("long", episode.goal.length > 420);
    text("now", document.body.className === "doing" ? "None yet: begin in the page." : `Signed in as ${episode.role}; the agent begins …`);
    by("steps").replaceChildren();
    by("verdict").hidden = true;
    by("outcome").replaceChildren(...episode.outcomes.map(([value, words]) => new Option(words, value)));
    by("answer").value = "";
    count(0, episode.budget);
    begun = false;
    at = [0.5, 0.62];
    put();
  },

  /** What the episode shows now. Ends when the picture is drawn and, but for the first, was looked at. */
  async page(seen) {
    text("clock", seen.time);
    by("url").value = seen.url.replace(/^http:\/\//, "");
    by("tabs").replaceChildren(...seen.tabs.map(tab), ...(document.body.className === "doing" ? [another()] : []));
    dialog(seen.dialog);
    by("refused").hidden = !seen.error;
    text("refused", seen.error);
    label.className = "label";
    frame.className = "frame";
    const last = by("steps").lastElementChild;
    if (last) {
      last.className = seen.error ? "refused-step" : "";
      last.lastElementChild.textContent = seen.error ? "✗" : "✓";
      last.title = seen.error;
    }
    if (seen.picture) await show(seen.picture);
    if (begun) await rest(0.4);
    begun = true;
    globalThis.dispatchEvent(new CustomEvent("stage-page", { detail: seen }));
  },

  /** Ends when the screen shows what was given; a window that nobody sees is not drawn. */
  settle: async () => document.hidden || new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),

  /** Let people read the goal and look at the first page. */
  look: () => rest(0.9),

  /** What the agent is about to do: the pointer goes there, and what it types is written beside it. */
  async intend(action) {
    text("now", action.words);
    count(action.number, action.budget);
    const line = make("li", "", "current");
    line.append(make("i", String(action.number)), make("b", action.words), make("s", ""));
    by("steps").append(line);
    line.scrollIntoView({ block: "nearest" });
    if (document.body.className === "doing") return;
    by("refused").hidden = true;
    if (action.box) mark(action.box);
    if (action.point) await move(action.point, 0.32);
    if (action.pressed) await press(action.pressed);
    if (action.label) await say(action.label, action.typed);
    if (action.to) await move(action.to, 0.3);
    await rest(action.point || action.label ? 0.08 : 0.3);
  },

  /** How it ended. */
  verdict(end) {
    const panel = by("verdict");
    panel.className = `verdict ${end.kind}`;
    panel.replaceChildren(stamp(end), columns(end), foot(end));
    panel.hidden = false;
    by("choice").hidden = by("dialog").hidden = by("refused").hidden = by("echo").hidden = true;
    label.className = "label";
    frame.className = "frame";
    text("now", end.title);
    (panel.querySelector("button") ?? panel).focus({ preventScroll: true });
  },

  /** Keep still for as long as a person needs to take in the end. */
  linger: (seconds) => new Promise((over) => setTimeout(over, seconds * 1000)),
};

function count(number, budget) {
  by("count").replaceChildren("step ", make("b", String(number)), ` of at most ${budget}`);
}

function tab(one, number) {
  const button = make("button", "", "tab");
  button.type = "button";
  button.setAttribute("aria-pressed", String(one.active));
  button.append(make("span", one.title || one.url || "New tab"));
  button.dataset.tab = number;
  if (document.body.className === "doing") {
    const close = make("span", "×", "close");
    close.title = "Close this tab";
    button.append(close);
  } else button.tabIndex = -1;
  return button;
}

function another() {
  const button = make("button", "+", "tab");
  button.dataset.tab = "new";
  button.setAttribute("aria-label", "New tab");
  return button;
}

function dialog(open) {
  by("dialog").hidden = !open;
  if (!open) return;
  const words = { beforeunload: "Leave this page? Changes that were not saved are lost.", alert: "", confirm: "", prompt: "" };
  text("dialog-from", open.kind === "beforeunload" ? "Leave page" : "The page says");
  text("dialog-text", open.message || words[open.kind] || "");
  by("dialog-input").hidden = open.kind !== "prompt";
  by("dialog-input").value = open.default;
  by("dialog-cancel").hidden = open.kind === "alert";
  if (document.body.className === "doing") by(open.kind === "prompt" ? "dialog-input" : "dialog-ok").focus();
}

/** Exchange the picture without a flicker: the new one is decoded first, then faded in over the old one. */
async function show(source) {
  const under = by("under"), picture = by("picture");
  if (picture.src) under.src = picture.src;
  const next = new Image();
  next.src = source;
  await next.decode();
  picture.src = source;
  await picture.decode();
  if (pace && under.src && document.body.className !== "doing") {
    await picture.animate([{ opacity: 0 }, { opacity: 1 }], { duration: Math.min(180, pace * 120), easing: "ease-out" }).finished;
  }
}

function mark([x, y, width, height]) {
  const [w, h] = size, edge = 4;
  const left = Math.max(x - edge, 2), top = Math.max(y - edge, 2);
  const right = Math.min(x + width + edge, w - 2), bottom = Math.min(y + height + edge, h - 2);
  if (right <= left || bottom <= top) return;
  Object.assign(frame.style, {
    left: `${100 * left / w}%`, top: `${100 * top / h}%`, width: `${100 * (right - left) / w}%`, height: `${100 * (bottom - top) / h}%`,
  });
  frame.className = "frame on";
}

/** The pointer on its way, in a slight arc, as a hand moves it. */
async function move([x, y], share) {
  const from = at, to = [Math.min(Math.max(x / size[0], 0.005), 0.99), Math.min(Math.max(y / size[1], 0.005), 0.985)];
  at = to;
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (pace && far > 0.004) {
    const bend = [(from[0] + to[0]) / 2 + (to[1] - from[1]) * 0.09, (from[1] + to[1]) / 2 - (to[0] - from[0]) * 0.09];
    const path = Array.from({ length: 13 }, (_, i) => i / 12).map((t) => [0, 1].map((k) =>
      (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * bend[k] + t ** 2 * to[k]));
    const duration = pace * share * 1000 * Math.min(1, 0.45 + far);
    await pointer.animate(path.map((point) => ({ transform: place(point) })), { duration, easing: "cubic-bezier(.45,.05,.2,1)" }).finished;
  }
  put();
}

async function press(times) {
  Object.assign(ripple.style, { left: `${100 * at[0]}%`, top: `${100 * at[1]}%` });
  for (let i = 0; i < times && pace; i += 1) {
    const duration = Math.min(420, pace * 220);
    pointer.animate([{ scale: 1 }, { scale: 0.82 }, { scale: 1 }], { duration });
    await ripple.animate([{ opacity: 1, transform: "scale(.4)" }, { opacity: 0, transform: "scale(4.2)" }], { duration, easing: "ease-out" }).finished;
  }
}

/** Keys and choices beside the pointer; what is typed appears letter by letter. */
async function say(words, typed) {
  const right = at[0] > 0.6, low = at[1] > 0.86;
  Object.assign(label.style, {
    left: right ? "auto" : `${100 * at[0] + 1.6}%`, right: right ? `${100 - 100 * at[0] + 0.6}%` : "auto",
    top: low ? "auto" : `${100 * at[1] + 3.4}%`, bottom: low ? `${100 - 100 * at[1] + 1.6}%` : "auto",
  });
  label.className = typed ? "label on" : "label on whole";
  label.textContent = typed && pace ? "" : words;
  if (!pace) return;
  if (!typed) return void await rest(0.22);
  const letters = [...words], turns = Math.min(letters.length, 28), wait = Math.min(0.34, 0.02 * letters.length + 0.1) / turns;
  for (let i = 1; i <= turns; i += 1) {
    label.textContent = letters.slice(0, Math.round(letters.length * i / turns)).join("");
    await rest(wait);
  }
}

// ---- the verdict

function stamp(end) {
  const head = make("div", "", "stamp"), sign = make("div", "", "sign"), told = make("div");
  sign.innerHTML = `<svg viewBox="0 0 40 40" aria-hidden="true"><path d="${SIGNS[end.kind] ?? SIGNS.open}"/></svg>`;
  told.append(make("h1", end.title), make("p", end.reason), make("p", end.facts, "facts"));
  head.append(sign, told);
  return head;
}

function columns(end) {
  const both = make("div", "", "columns"), checks = make("section", "", "card"), rows = make("section", "", "card rows");
  const list = make("ul", "", "checks");
  list.append(...end.checks.map((check) => {
    const line = make("li", "", check.ok ? "ok" : "not"), told = make("div", check.what);
    told.append(make("small", check.ok ? `found ${check.found}` : `wanted ${check.wanted}, found ${check.found}`));
    line.append(make("i", check.ok ? "✓" : "✗"), told);
    return line;
  }));
  checks.append(make("h2", "Checks"), list);
  if (!end.checks.length) checks.append(make("p", "Nothing was asked for but to leave everything as it was.", "quiet-line"));
  rows.append(make("h2", "What changed in the database"));
  for (const group of end.groups) {
    const lines = make("ul");
    lines.append(...group.rows.map(row));
    rows.append(make("h3", group.title, group.kind), lines);
  }
  if (!end.groups.length) rows.append(make("p", "No row of the application's data.", "quiet-line"));
  if (end.side) rows.append(make("p", end.side, "quiet-line"));
  both.append(checks, rows);
  return both;
}

function row(one) {
  const line = make("li"), head = make("p", `${one.words} `), cells = make("dl");
  head.append(make("code", one.table));
  for (const cell of one.cells) {
    const value = make("dd");
    if (cell.old !== null) value.append(make("del", cell.old));
    if (cell.old !== null && cell.new !== null) value.append(" → ");
    if (cell.new !== null) value.append(make("ins", cell.new));
    cells.append(make("dt", cell.column), value);
  }
  line.append(head, cells);
  if (one.why) line.append(make("p", one.why, "why"));
  return line;
}

function foot(end) {
  const line = make("footer");
  if (!end.closing) return line;
  const button = make("button", end.more ? "Next task" : "Close");
  button.type = "button";
  button.addEventListener("click", () => globalThis.sitegym({ kind: "over" }));
  line.append(button, make("span", end.hint));
  return line;
}
