// The report as one file: the address says whether the overview or an episode is shown, and which.
const places = JSON.parse(byId("places").textContent), unpackedChunks = new Map(), KEPT = 3;
let opened = null, overviewAt = { hash: "", scroll: 0 };

async function chunkOf(number) {
  if (!unpackedChunks.has(number)) {
    const bytes = Uint8Array.from(atob(byId(`chunk-${number}`).textContent), (letter) => letter.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    if (unpackedChunks.size >= KEPT) unpackedChunks.delete(unpackedChunks.keys().next().value);
    unpackedChunks.set(number, JSON.parse(text));
  }
  return unpackedChunks.get(number);
}

function leave() {
  opened?.abort();
  opened = null;
}

function step(link, id) {
  link.hidden = !id;
  if (!id) return link.removeAttribute("href");
  link.href = window.embeddedAddress(id);
  link.title = `${link.id === "before" ? "Episode before" : "Next episode"} in the list: ${id}`;
}

async function showEpisode(id, start) {
  leave();
  const mine = opened = new AbortController();
  const { lines, episodes } = await chunkOf(places[id]);
  if (mine.signal.aborted) return;
  if (!byId("overview").hidden) overviewAt.scroll = scrollY;
  byId("episode").innerHTML = textOf(episodes[id].html, lines);
  byId("overview").hidden = true;
  byId("episode").hidden = byId("here").hidden = false;
  byId("here").textContent = document.title = id;
  byId("up").href = overviewAt.hash || "#";
  const listed = list.ids(), all = listed.includes(id) ? listed : Object.keys(places), at = all.indexOf(id);
  step(byId("before"), all[at - 1]);
  step(byId("after"), all[at + 1]);
  scrollTo(0, 0);
  openViewer({ lines, frames: episodes[id].frames }, { start, signal: mine.signal,
    follow: (number) => history.replaceState(null, "", `${window.embeddedAddress(id)}&step=${number}`) });
}

function showOverview() {
  leave();
  const back = byId("overview").hidden;
  byId("episode").replaceChildren();
  byId("episode").hidden = byId("here").hidden = true;
  byId("overview").hidden = false;
  document.title = `${byId("up").textContent} · sitegym`;
  step(byId("before"));
  step(byId("after"));
  overviewAt.hash = location.hash;
  if (back) scrollTo(0, overviewAt.scroll);
}

function route() {
  const asked = new URLSearchParams(location.hash.slice(1)), id = asked.get("episode");
  if (id in places) showEpisode(id, Number.parseInt(asked.get("step"), 10) - 1 || 0);
  else showOverview();
}

document.addEventListener("click", (event) => {
  if (!byId("overview").hidden && event.target.closest("#episodes a")) overviewAt.hash = location.hash;
});
window.addEventListener("hashchange", route);
route();
