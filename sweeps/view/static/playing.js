// An episode while it is being played: its steps as they come. `draw` is the report's own.
"use strict";

{
  const AGAIN_MS = 700, LATE_S = 15, source = byId("watch").dataset.steps;
  const picture = byId("picture"), overlay = byId("overlay"), list = byId("steps"), follow = byId("follow");
  const frames = [], items = [];
  let at = -1;

  function redraw() {
    draw(overlay, frames[at]?.draw, picture.naturalWidth || 1280, picture.naturalHeight || 800);
  }

  function show(index) {
    at = Math.min(Math.max(index, 0), frames.length - 1);
    const frame = frames[at];
    picture.hidden = !frame.image;
    byId("blank").hidden = Boolean(frame.image);
    if (frame.image && picture.getAttribute("src") !== frame.image) picture.src = frame.image;
    redraw();
    byId("number").textContent = frame.waiting ? "" : `${at + 1}`;
    byId("words").textContent = frame.waiting ? "The agent has this page before it" : frame.words;
    byId("raw").textContent = frame.raw || "";
    byId("error").textContent = frame.error ? `refused: ${frame.error}` : "";
    byId("url").textContent = frame.url;
    byId("time").textContent = frame.time;
    byId("previous").disabled = at === 0;
    byId("next").disabled = at === frames.length - 1;
    items.forEach((item, number) => item.setAttribute("aria-current", String(number === at)));
    items[at].scrollIntoView({ block: "nearest" });
  }

  function put(frame, index) {
    const item = items[index] ?? document.createElement("button"), words = document.createElement("span");
    item.type = "button";
    words.textContent = frame.waiting ? "…" : `${index + 1}. ${frame.words}`;
    words.className = frame.waiting ? "waits" : "";
    item.replaceChildren(words);
    for (const [text, className] of [[frame.thought, "why"], [frame.error && `refused: ${frame.error}`, "refused"]]) {
      if (!text) continue;
      const line = document.createElement("span");
      line.className = className;
      line.textContent = text;
      item.append(line);
    }
    frames[index] = frame;
    if (items[index]) return;
    items.push(item);
    item.addEventListener("click", () => { follow.checked = false; show(index); });
    const row = document.createElement("li");
    row.append(item);
    list.append(row);
  }

  function tell(now) {
    byId("state").textContent = { starting: "Starting", playing: "Playing", "": "Waits" }[now.state] ?? now.state;
    byId("step").textContent = now.step;
    byId("beat").textContent = now.age_s === null ? "–" : `${Math.round(now.age_s)} s ago`;
    byId("beat").className = now.age_s > LATE_S ? "is-late" : "";
    if (now.goal) byId("goal").textContent = now.goal;
  }

  async function ask() {
    let wait = AGAIN_MS;
    try {
      const known = Math.max(frames.length - 1, 0);  // the last one had no action yet
      const answer = await fetch(`${source}?after=${known}`);
      if (answer.ok) {
        const now = await answer.json();
        tell(now);
        if (now.whole) {
          if (now.count < frames.length) return location.reload();  // it is being played anew
          now.frames.forEach((frame, index) => put(frame, known + index));
          const steps = frames.filter((frame) => !frame.waiting).length;
          byId("count").textContent = steps ? `${steps}` : "";
          if (frames.length && (follow.checked || at < 0)) show(frames.length - 1);
          else if (frames.length) show(at);
        }
        if (now.over) return over(now.graded);
      }
    } catch {
      byId("note").hidden = false;
      byId("note").textContent = "The viewer does not answer: it was ended. This page stays as it was.";
      wait *= 5;
    }
    setTimeout(ask, wait);
  }

  // The page is left as it is, for whoever reads in it; what became of the episode is a click away.
  function over(graded) {
    const note = byId("note"), link = document.createElement("a");
    byId("state").textContent = "Over";
    note.className = "note is-over";
    note.hidden = false;
    link.href = location.href;
    link.textContent = graded ? "See its verdict" : "It has no verdict: see why";
    note.replaceChildren("The episode is over. ", link);
  }

  picture.addEventListener("load", redraw);
  byId("previous").addEventListener("click", () => { follow.checked = false; show(at - 1); });
  byId("next").addEventListener("click", () => show(at + 1));
  follow.addEventListener("change", () => { if (follow.checked && frames.length) show(frames.length - 1); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !frames.length) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: frames.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    follow.checked = to >= frames.length - 1;
    show(to);
  });
  ask();
}
