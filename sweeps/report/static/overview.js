// The overview: the list of episodes from compact data, page by page, with filters that live in the address.
"use strict";

const PAGE = 50;
const EXACT = ["agent", "task", "outcome", "kind", "difficulty", "split", "cause"];

// What an episode's page walks through with its arrows: the episodes that were listed when it was opened.
function remember(names) {
  try {
    sessionStorage.setItem("list", JSON.stringify(names));
  } catch { /* no storage for pages opened from disk: the plan's order is used */ }
}

const pageOf = (id) => window.embeddedAddress ? window.embeddedAddress(id) : `episodes/${encodeURIComponent(id)}.html`;

// A row as the filters and the table want it.
function episodesOf(data) {
  const place = Object.fromEntries(data.columns.map((name, at) => [name, at]));
  return data.rows.map((row) => {
    const get = (name) => row[place[name]] ?? null;
    const task = data.tasks[get("task")], outcome = data.outcomes[get("outcome")];
    const nameOf = (list, at) => at === null ? "" : list[at];
    return { id: get("id"), agent: data.agents[get("agent")], task: task.name, kind: task.kind, tags: task.tags, difficulty: task.difficulty,
      split: nameOf(data.splits, get("split")), outcome: outcome.word, badge: outcome.kind, cause: nameOf(data.causes, get("cause")),
      tried: nameOf(data.causes, get("tried")), seed: get("seed"), repeat: get("repeat"), reason: get("reason"), damage: get("damage"),
      steps: get("steps"), seconds: get("seconds"), tokens: get("tokens"), over: row.length > place.cause };
  });
}

const wordsOf = (one) => (one.text ??= [one.id, one.outcome, one.agent, one.task, one.reason ?? "", one.cause, one.tried].join(" ").toLowerCase());
const inTime = (value) => !value ? "–" : value < 10 ? `${value.toFixed(2)} s` : `${value.toFixed(1)} s`;

// As the templates shorten names: what tells long ones apart is often at their ends.
const shortName = (name) => name.length <= 24 ? name : `${name.slice(0, 11)}…${name.slice(-12)}`;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function rowOf(one, withTokens) {
  const row = element("tr"), cell = (content, className) => {
    const made = element("td", className);
    made.append(content);
    row.append(made);
    return made;
  };
  cell(element("span", `badge ${one.badge}`, one.outcome));
  const agent = element("span", "name", shortName(one.agent));
  agent.title = one.agent;
  cell(agent);
  const link = element("a", "", one.task);
  link.href = pageOf(one.id);
  link.dataset.id = one.id;
  cell(link);
  cell(one.repeat ? `${one.seed}, play ${one.repeat + 1}` : `${one.seed}`, "num").title = one.repeat ? `seed ${one.seed}, play ${one.repeat + 1} of it` : "";
  const why = element("span", "", one.over ? one.reason : "planned, not run yet");
  why.title = one.reason ?? "";
  const told = cell(why, one.over ? "why" : "why is-quiet");
  if (one.tried) told.append(" ", element("span", "is-fault", `(tried again after: ${one.tried})`));
  cell(`${one.damage || "–"}`, `num ${one.damage ? "is-bad" : "is-quiet"}`);
  cell(`${one.steps || "–"}`, "num");
  if (withTokens) cell(one.tokens ? one.tokens.toLocaleString("en") : "–", "num");
  cell(inTime(one.seconds), "num");
  return row;
}

function episodeList(form, table) {
  const body = table.querySelector("tbody"), pager = byId("pager");
  const fields = [...form.elements].filter((field) => field.name);
  let episodes = [], shown = [], withTokens = false, page = 0, sort = "";

  const fits = (one, asked) => EXACT.every((name) => !asked[name] || one[name] === asked[name]) && (!asked.tag || one.tags.includes(asked.tag));

  function inOrder(some) {
    if (!sort) return some;
    const key = sort.replace("-", ""), turn = sort.startsWith("-") ? -1 : 1;
    const compared = (a, b) => typeof a === "string" || typeof b === "string" ? String(a ?? "").localeCompare(String(b ?? "")) : (a ?? -1) - (b ?? -1);
    return [...some].sort((a, b) => turn * compared(a[key], b[key]));
  }

  // Chooses what is listed; `stay` keeps the page, where somebody looks at it while episodes end.
  function apply(stay = false) {
    const asked = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    const words = asked.q.trim().toLowerCase();
    shown = inOrder(episodes.filter((one) => fits(one, asked) && (!words || wordsOf(one).includes(words))));
    byId("count").textContent = shown.length === episodes.length ? `${episodes.length.toLocaleString("en")}` : `${shown.length.toLocaleString("en")} of ${episodes.length.toLocaleString("en")}`;
    byId("nothing").hidden = shown.length > 0;
    byId("clear").hidden = !fields.some((field) => field.value);
    turnTo(stay ? page : 0);
  }

  function turnTo(number) {
    const pages = Math.max(Math.ceil(shown.length / PAGE), 1);
    page = Math.min(Math.max(number, 0), pages - 1);
    const some = shown.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(...some.map((one) => rowOf(one, withTokens)));
    pager.hidden = pages === 1;
    byId("page-before").disabled = page === 0;
    byId("page-after").disabled = page === pages - 1;
    byId("page-of").textContent = `${(page * PAGE + 1).toLocaleString("en")} to ${(page * PAGE + some.length).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`;
    for (const head of table.querySelectorAll("th")) head.setAttribute("aria-sort", sort === head.dataset.key ? "ascending" : sort === `-${head.dataset.key}` ? "descending" : "none");
    table.querySelector('th[data-key="tokens"]').hidden = !withTokens;
  }

  function address() {
    const asked = fields.filter((field) => field.value).map((field) => [field.name, field.value]);
    if (sort) asked.push(["sort", sort]);
    if (page) asked.push(["page", page + 1]);
    return asked.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  }

  const keep = () => history.replaceState(null, "", address() ? `#${address()}` : location.href.split("#")[0]);

  function fromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const known = [...fields.map((field) => field.name), "sort", "page"].some((name) => asked.has(name));
    if (location.hash.length > 1 && !known && shown.length) return;   // a place in the page
    for (const field of fields) field.value = asked.get(field.name) ?? "";
    for (const field of fields) if (field.value === "" && field.tagName === "SELECT") field.selectedIndex = 0;
    sort = asked.get("sort") ?? "";
    apply();
    turnTo((Number.parseInt(asked.get("page"), 10) || 1) - 1);
    if (known) byId("list").scrollIntoView();
  }

  function changed() {
    apply();
    keep();
  }

  function turn(step) {
    turnTo(page + step);
    keep();
    byId("list").scrollIntoView();
  }

  form.addEventListener("input", changed);
  form.addEventListener("reset", () => setTimeout(changed));   // the fields are empty only after the event
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("page-before").addEventListener("click", () => turn(-1));
  byId("page-after").addEventListener("click", () => turn(1));
  table.querySelector("thead").addEventListener("click", (event) => {
    const key = event.target.closest("button")?.dataset.sort;
    if (!key) return;
    sort = sort === key ? `-${key}` : sort === `-${key}` ? "" : key;
    changed();
  });
  body.addEventListener("click", (event) => {
    if (event.target.closest("a")) remember(shown.map((one) => `${encodeURIComponent(one.id)}.html`));
  });
  window.addEventListener("hashchange", fromAddress);

  function walk(step) {
    const links = [...body.querySelectorAll("a")], at = links.indexOf(document.activeElement), to = at + step;
    if (at >= 0 && (to < 0 || to >= links.length) && (page + step) * PAGE < shown.length && page + step >= 0) {
      turnTo(page + step);
      keep();
      const there = body.querySelectorAll("a");
      there[step > 0 ? 0 : there.length - 1]?.focus();
    } else links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(to, 0), links.length - 1)]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || form.closest("[hidden]")) return;
    const inField = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && inField) {
      form.reset();
      inField.blur();
    } else if (!inField && event.key === "/") {
      event.preventDefault();
      form.elements.q.focus();
    } else if (!inField && (event.key === "j" || event.key === "k")) {
      walk(event.key === "j" ? 1 : -1);
    }
  });

  return {
    fromAddress,
    ids: () => shown.map((one) => one.id),
    // New data: outcomes and causes that were not there before get their place in the filters.
    take(data) {
      episodes = episodesOf(data);
      withTokens = episodes.some((one) => one.tokens);
      for (const [name, values] of [["outcome", data.outcomes.map((one) => one.word)], ["cause", data.causes]]) {
        const select = form.elements[name], there = new Set([...select.options].map((option) => option.value));
        for (const value of values) if (!there.has(value)) select.append(new Option(value));
        if (name === "cause") select.hidden = !values.length;
      }
    },
    refresh: () => apply(true),
  };
}

const list = byId("filters") && episodeList(byId("filters"), byId("episodes"));
if (list) {
  list.take(JSON.parse(byId("data").textContent));
  list.fromAddress();
}

// For pages that stay open while episodes end: new data for the list, and what stands above it.
function showEpisodes(data) {
  const focused = document.activeElement?.dataset?.id;
  list.take(data);
  list.refresh();
  if (focused) document.querySelector(`#episodes a[data-id="${CSS.escape(focused)}"]`)?.focus();
}
function showSummary(html) {
  byId("summary").innerHTML = html;
}
