// The comparison as one file: the reports of its runs are in it, packed, and shown in its place.
const trail = document.querySelector("nav.trail"), comparing = document.title, reports = new Map();
let shownRun = null;

async function reportOf(number) {
  if (!reports.has(number)) {
    const data = await fetch(`data:application/gzip;base64,${byId(`run-${number}`).textContent}`);
    const whole = await new Response(data.body.pipeThrough(new DecompressionStream("gzip"))).blob();
    reports.set(number, URL.createObjectURL(new Blob([whole], { type: "text/html" })));
  }
  return reports.get(number);
}

function closeRun() {
  shownRun?.remove();
  shownRun = null;
  byId("here").hidden = true;
  document.body.classList.remove("shows-run");
  document.title = comparing;
}

async function routeRun() {
  const asked = new URLSearchParams(location.hash.slice(1)), number = asked.get("run");
  if (!number || !byId(`run-${number}`)) return closeRun();
  const address = `${await reportOf(number)}#${asked.get("at") ?? ""}`;
  shownRun?.remove();
  shownRun = document.createElement("iframe");
  shownRun.id = "run";
  shownRun.title = byId(`run-${number}`).dataset.name;
  shownRun.src = address;
  document.body.append(shownRun);
  document.body.classList.add("shows-run");
  byId("here").hidden = false;
  byId("here").textContent = shownRun.title;
  document.title = `${shownRun.title} · ${comparing}`;
  shownRun.addEventListener("load", () => shownRun?.focus());
}

window.addEventListener("hashchange", routeRun);
routeRun();
