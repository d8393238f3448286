// The overview: asks every second for what is new, and changes only what changed.
"use strict";

const EVERY_MS = 1000, LATE_S = 15;
const STATES = {
  none: ["Not begun", "open"], ready: ["Starting", "open"], running: ["Running", "pass"], over: ["Over", "open"],
  interrupted: ["Interrupted", "fault"], stopped: ["Stopped", "fail"],
};
const NOTES = {
  none: "There is no run in this folder yet. It is shown as soon as it begins.",
  interrupted: "The sweep was interrupted. What is over is kept; it goes on with eval --resume.",
  stopped: "The sweep's process is gone. What is over is kept; it goes on with eval --resume.",
};

// What stands in the place of a step while there is none; after a fault the episode waits to be played again.
const WAITS = { starting: "starts", fault: "again", over: "ends" };

const number = (value) => value.toLocaleString("en");
const percent = (value) => `${Math.round(100 * value)} %`;

function span(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function put(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
}

function made(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

// Rows keep their elements as long as their key stays, so that a link that somebody is about to click does not vanish.
function fill(table, rows, key, cells) {
  const body = document.querySelector(`#${table} tbody`);
  const there = new Map([...body.children].map((row) => [row.dataset.key, row]));
  let before = null;
  for (const one of rows) {
    const mark = key(one);
    let row = there.get(mark);
    if (!row) {
      row = made("tr");
      row.dataset.key = mark;
    }
    there.delete(mark);
    cells(one).forEach((cell, at) => {
      const old = row.children[at];
      if (!old) row.append(cell);
      else if (old.outerHTML !== cell.outerHTML) old.replaceWith(cell);
    });
    const place = before ? before.nextElementSibling : body.firstElementChild;
    if (place !== row) body.insertBefore(row, place);
    before = row;
  }
  for (const row of there.values()) row.remove();
}

function cell(text, className) {
  return made("td", text, className);
}

function link(one) {
  const where = made("td"), to = made("a", one.task);
  to.href = `episodes/${encodeURIComponent(one.id)}.html`;
  where.append(to);
  return where;
}

const seed = (one) => cell(one.repeat ? `${one.seed}.${one.repeat}` : `${one.seed}`, "num");

// A name with many options keeps its beginning; the rest is in its title.
function agentCell(agent) {
  const where = cell(agent, "name");
  where.title = agent;
  return where;
}

function success(agent) {
  const where = made("td", undefined, "rate");
  if (!agent.graded) {
    where.append(made("span", agent.over < agent.planned ? "nothing graded yet" : "nothing graded", "is-quiet"));
    return where;
  }
  const share = agent.success / agent.graded, bar = made("span", undefined, "interval"), from = made("i"), at = made("b");
  from.style.left = `${100 * agent.low}%`;
  from.style.width = `${100 * (agent.high - agent.low)}%`;
  at.style.left = `${100 * share}%`;
  bar.append(from, at);
  where.append(bar, made("b", percent(share)), made("span", `  ${percent(agent.low)} to ${percent(agent.high)}`, "within"));
  return where;
}

function ratio(now) {
  const sum = (pick) => now.agents.reduce((total, agent) => total + pick(agent), 0);
  const parts = {
    pass: sum((agent) => agent.success), fail: sum((agent) => agent.graded - agent.success),
    fault: sum((agent) => agent.faults), open: now.planned - now.over,
  };
  const bar = document.getElementById("ratio");
  bar.setAttribute("aria-label", `${parts.pass} succeeded, ${parts.fail} failed, ${parts.fault} without a verdict, ${parts.open} not over`);
  bar.replaceChildren(...Object.entries(parts).filter(([, count]) => count).map(([kind, count]) => {
    const part = made("i", undefined, kind);
    part.style.flexGrow = count;
    return part;
  }));
}

function show(now) {
  const [word, kind] = STATES[now.state] ?? [now.state, "open"], state = document.getElementById("state");
  put("state", word);
  state.className = `badge ${kind}`;
  const note = document.getElementById("note");
  note.hidden = !NOTES[now.state];
  put("note", NOTES[now.state] ?? "");
  document.body.dataset.state = now.state;
  if (now.state === "none") return;
  document.title = `${now.over} of ${now.planned} · ${now.name} · sitegym`;
  put("created", now.created);
  document.getElementById("whole").hidden = !now.over;
  put("over", number(now.over));
  put("of", `of ${number(now.planned)} planned`);
  const ended = now.took_s !== null, rate = ended ? now.over / now.took_s * 60 : now.rate;
  put("rate", rate === null ? "–" : rate.toFixed(rate < 10 ? 1 : 0));
  put("rate-of", ended ? "episodes a minute" : "episodes a minute, of late");
  put("left-word", ended ? "Duration" : "Time left");
  put("left", span(ended ? now.took_s : now.left_s));
  put("left-of", ended ? "from the beginning to the last episode" : "at this rate");
  put("cost", now.cost_usd ? `$${now.cost_usd.toFixed(2)}` : "–");
  put("tokens", now.tokens ? `${number(now.tokens)} tokens` : "no model told of any");
  ratio(now);
  fill("agents", now.agents, (agent) => agent.name, (agent) => [
    agentCell(agent.name), success(agent), cell(number(agent.graded), "num"),
    cell(agent.damaged ? number(agent.damaged) : "–", agent.damaged ? "num is-bad" : "num is-quiet"),
    cell(agent.faults ? number(agent.faults) : "–", agent.faults ? "num is-fault" : "num is-quiet"),
    cell(`${number(agent.over)} of ${number(agent.planned)}`, "num"),
  ]);
  put("playing-words", now.state === "running" || now.state === "ready" ? "Being played now" : "Being played when it stopped");
  put("playing-count", now.playing.length ? `${now.playing.length}` : "");
  document.getElementById("playing").hidden = !now.playing.length;
  document.getElementById("playing-section").hidden = now.state === "over" && !now.playing.length;
  document.getElementById("playing-none").hidden = now.playing.length > 0;
  fill("playing", now.playing, (one) => one.id, (one) => [
    agentCell(one.agent), link(one), seed(one), cell(one.state === "playing" ? `${one.step}` : WAITS[one.state] ?? "waits", "num"),
    cell(span(one.for_s), "num"),
    cell(one.age_s === null ? "–" : `${span(one.age_s)} ago`, one.age_s > LATE_S ? "num is-late" : "num"),
  ]);
  document.getElementById("faults-section").hidden = !now.faults.length;
  fill("faults", now.faults, (one) => one.cause, (one) => {
    const cause = made("td");
    cause.append(made("code", one.cause));
    return [cause, cell(one.meaning), cell(number(one.attempts), "num"), cell(one.lost ? number(one.lost) : "–", "num")];
  });
  document.getElementById("latest").hidden = !now.latest.length;
  document.getElementById("latest-none").hidden = now.latest.length > 0;
  fill("latest", now.latest, (one) => one.id, (one) => {
    const badge = made("td"), why = made("td", undefined, "why"), reason = made("span", one.reason);
    badge.append(made("span", one.word, `badge ${one.kind}`));
    reason.title = one.reason;
    why.append(reason);
    return [
      badge, agentCell(one.agent), link(one), seed(one), why, cell(one.steps ? `${one.steps}` : "–", "num"),
      cell(one.seconds ? `${one.seconds.toFixed(1)} s` : "–", "num"), cell(span(one.ago_s), "num"),
    ];
  });
}

async function follow() {
  try {
    const answer = await fetch("../live/overview.json");
    if (answer.ok) show(await answer.json());
  } catch {
    document.getElementById("note").hidden = false;
    put("note", "The viewer does not answer: it was ended. This page stays as it was.");
  }
  setTimeout(follow, document.hidden ? 5 * EVERY_MS : EVERY_MS);
}
follow();
