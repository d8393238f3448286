// The viewer of an episode: a film of its steps with each action drawn on the picture.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const LABEL = 22;

function shape(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// Draws the box of the target, the point of a click, the way of a drag, and what was typed, on a picture of this size.
function draw(overlay, drawing, width, height) {
  overlay.replaceChildren();
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (!drawing) return;
  const { box, point, to, label } = drawing;
  if (box) shape(overlay, "rect", { class: "d-box", x: box[0] - 3, y: box[1] - 3, width: box[2] + 6, height: box[3] + 6, rx: 5 });
  if (point && to) shape(overlay, "line", { class: "d-way", x1: point[0], y1: point[1], x2: to[0], y2: to[1] });
  for (const at of [point, to]) {
    if (!at) continue;
    shape(overlay, "circle", { class: "d-ring", cx: at[0], cy: at[1], r: 14 });
    shape(overlay, "circle", { class: "d-dot", cx: at[0], cy: at[1], r: 4 });
  }
  if (label) drawLabel(overlay, label, box, width, height);
}

function drawLabel(overlay, label, box, width, height) {
  const shown = label.length > 90 ? `${label.slice(0, 88)}…` : label;
  const text = shape(overlay, "text", { class: "d-text", "font-size": LABEL }, shown);
  const wide = text.getComputedTextLength() || shown.length * LABEL * 0.56;
  const x = box ? Math.min(Math.max(box[0], 12), Math.max(width - wide - 26, 12)) : (width - wide) / 2;
  const below = box ? box[1] + box[3] + LABEL + 22 : height - 40;
  const y = below < height - 10 ? below : Math.max(box[1] - 20, LABEL + 14);
  text.setAttribute("x", x + 8);
  text.setAttribute("y", y);
  const back = shape(overlay, "rect", { class: "d-label", x: x - 4, y: y - LABEL - 4, width: wide + 24, height: LABEL + 16, rx: 7 });
  overlay.insertBefore(back, text);
}

// Texts are spans of numbered lines, as most lines stand in several: the first, how many follow it, the first of the next …
function textOf(spans, lines) {
  const found = [];
  for (let at = 0; at < spans.length; at += 2) for (let more = 0; more <= spans[at + 1]; more += 1) found.push(lines[spans[at] + more]);
  return found.join("\n");
}

function unpacked({ lines, frames }) {
  const whole = (spans) => textOf(spans, lines);
  const other = (one) => one.lines ? { text: whole(one.lines) } : { image: addressOf(one.image) };
  return frames.map((frame) => ({ ...frame, image: addressOf(frame.image), tree: whole(frame.tree),
    more: Object.fromEntries(Object.entries(frame.more).map(([kind, one]) => [kind, other(one)])) }));
}

// A picture lies beside the page, or, where the report is one file, in it.
const addressOf = (name) => window.embeddedPicture ? window.embeddedPicture(name) : name;

const PHASES = ["model", "browser", "site", "observe", "grading", "recording"];
const inSeconds = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;

// `follow` keeps the step in the address; `signal` ends the listeners that are not those of the page's own elements.
function viewer(frames, { signal, start = 0, follow = () => {} } = {}) {
  const picture = byId("picture"), overlay = byId("overlay"), film = byId("film"), tree = byId("tree");
  let at = 0;

  const thumbs = frames.map((frame, index) => {
    const item = document.createElement("li"), button = document.createElement("button"), words = document.createElement("span");
    button.type = "button";
    button.className = frame.error || (frame.refused || []).length ? "has-error" : "";
    if (frame.image) {
      const image = document.createElement("img");
      image.loading = "lazy";
      image.alt = "";
      image.src = frame.image;
      button.append(image);
    }
    words.textContent = index < frames.length - 1 ? `${index + 1}. ${frame.words}` : frame.words;
    button.append(words);
    button.addEventListener("click", () => show(index));
    item.append(button);
    film.append(item);
    return button;
  });

  function redraw() {
    draw(overlay, frames[at].draw, picture.naturalWidth || 1280, picture.naturalHeight || 800);
  }

  // What else the agent was given beside tree and picture: one kind at a time in the place of the tree.
  const kinds = [...new Set(frames.flatMap((frame) => Object.keys(frame.more)))], kind = byId("kind");
  kind.append(...["axtree", ...kinds].map((name) => new Option(name)));
  kind.hidden = !kinds.length;
  kind.addEventListener("change", () => showTree(frames[at]));

  function showOther({ text, image }) {
    const shown = document.createElement(image ? "img" : "span");
    if (image) Object.assign(shown, { src: image, alt: `${kind.value} as the agent saw it` });
    else shown.textContent = text;
    shown.className = image ? "" : "line";
    tree.replaceChildren(shown);
    byId("tree-of").textContent = image ? "" : `${text.length.toLocaleString("en")} characters`;
  }

  function showTree(frame) {
    if (kind.value !== "axtree") return showOther(frame.more[kind.value] ?? { text: "" });
    const lines = frame.tree.split("\n").map((text, number) => {
      const line = document.createElement("span");
      line.className = number === frame.line ? "line target" : "line";
      line.textContent = `${text}\n`;
      return line;
    });
    tree.replaceChildren(...lines);
    const target = tree.querySelector(".target");
    tree.scrollTop = target ? target.offsetTop - tree.offsetTop - tree.clientHeight / 2 : 0;
    byId("tree-of").textContent = `as the agent saw it before this step, ${frame.tree.length.toLocaleString("en")} characters`;
  }

  function showSeconds(spent) {
    const known = Object.entries(spent).filter(([, value]) => value > 0).sort(([a], [b]) => PHASES.indexOf(a) - PHASES.indexOf(b));
    byId("spent").replaceChildren(...known.map(([name, value]) => {
      const part = document.createElement("i");
      part.className = `phase ${name}`;
      part.style.flexGrow = value.toFixed(4);
      part.title = `${name} ${inSeconds(value)}`;
      return part;
    }));
    const all = known.reduce((sum, [, value]) => sum + value, 0);
    byId("spent-text").textContent = known.length ? `${inSeconds(all)}: ${known.map(([name, value]) => `${name} ${inSeconds(value)}`).join(", ")}` : "";
    byId("step-time").hidden = !known.length;
  }

  function show(index) {
    at = Math.min(Math.max(index, 0), frames.length - 1);
    const frame = frames[at];
    picture.hidden = !frame.image;
    byId("blank").hidden = Boolean(frame.image);
    if (frame.image) picture.src = frame.image;
    redraw();
    byId("number").textContent = at < frames.length - 1 ? `${at + 1} of ${frames.length - 1}` : "";
    byId("words").textContent = frame.words;
    byId("raw").textContent = frame.raw;
    const barred = (frame.refused || []).map((one) => `not let through: ${one}`);
    byId("error").textContent = [...(frame.error ? [`refused: ${frame.error}`] : []), ...barred].join(" · ");
    byId("url").textContent = frame.url;
    byId("time").textContent = frame.time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|\+00:00)$/, "$1 $2 UTC");
    showSeconds(frame.seconds ?? {});
    byId("thought").hidden = !frame.thought;
    byId("thought").textContent = frame.thought || "";
    byId("previous").disabled = at === 0;
    byId("next").disabled = at === frames.length - 1;
    showTree(frame);
    thumbs.forEach((thumb, number) => thumb.setAttribute("aria-current", String(number === at)));
    const thumb = thumbs[at];
    film.scrollLeft = thumb.offsetLeft - film.offsetLeft - film.clientWidth / 2 + thumb.clientWidth / 2;
    follow(at + 1);
  }

  picture.addEventListener("load", redraw);
  byId("previous").addEventListener("click", () => show(at - 1));
  byId("next").addEventListener("click", () => show(at + 1));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  }, { signal });
  show(start);
}

// Before and after are those of the list that this episode was opened from, where the browser remembers it.
function neighbours() {
  let names = [];
  try {
    names = JSON.parse(sessionStorage.getItem("list")) ?? [];
  } catch { /* no storage */ }
  const at = names.indexOf(location.pathname.split("/").pop());
  if (at < 0) return;
  for (const [id, name] of [["before", names[at - 1]], ["after", names[at + 1]]]) {
    const link = byId(id);
    if (!link) continue;
    link.hidden = !name;
    if (!name) continue;
    link.href = name;
    link.title = `${id === "before" ? "Episode before" : "Next episode"} in the list: ${decodeURIComponent(name).replace(/\.html$/, "")}`;
  }
}

// What a page holds of an episode that did not begin is nothing.
function openViewer(packed, options) {
  const frames = unpacked(packed);
  byId("viewer").hidden = byId("tree-panel").hidden = !frames.length;
  if (frames.length) viewer(frames, options);
}

if (byId("frames")) {
  openViewer(JSON.parse(byId("frames").textContent), { start: Number.parseInt(location.hash.slice(1), 10) - 1 || 0,
    follow: (step) => history.replaceState(null, "", `#${step}`) });
  neighbours();
}

