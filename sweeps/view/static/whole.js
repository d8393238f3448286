// The report's own overview, while the sweep runs: takes what is new where episodes were over meanwhile.
"use strict";

{
  const AGAIN_MS = 2000, TIMES = 20;  // an overview that takes long to make is made more seldom
  let over = -1;

  async function ask() {
    let wait = AGAIN_MS;
    try {
      const now = await (await fetch("../live/overview.json")).json();
      const first = over < 0;  // episodes may have ended since the page was made, but not where all were over
      if (first ? now.state !== "over" : now.over !== over) {
        const begun = performance.now(), found = await (await fetch("../live/whole.json")).json();
        showSummary(found.summary);
        showEpisodes(found.data);
        wait = Math.max(wait, TIMES * (performance.now() - begun));
      }
      over = now.over;
    } catch { /* the viewer was ended, or the index is being written: the page stays as it is */ }
    setTimeout(ask, wait);
  }
  ask();
}
