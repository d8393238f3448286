// The engine: answers questions about a document with a detached element that holds JSON. One of the parts (see sight.py).

/** The element that a tree called `ref`, whether or not a tree would show it now; through open shadow roots. */
function called(ref, root = document) {
  for (const element of root.querySelectorAll("*")) {
    if (refOf(element) === ref) return element;
    const inner = element.shadowRoot && called(ref, element.shadowRoot);
    if (inner) return inner;
  }
  return null;
}

/** `frame 2` gives that frame itself, `ref e12` the element of that name or none; else an element that is nowhere in the
 *  page, whose text is the answer as JSON. */
function answer(asked) {
  const [first, ...rest] = asked.split(" ");
  kept = null;
  if (first === "ref") return [called(rest[0])].filter(Boolean);
  if (first === "frame") return frames().slice(Number(rest[0]), Number(rest[0]) + 1).map((frame) => frame.element);
  const told = {};
  if (first === "hits") {
    const frame = frames()[Number(rest[0])]?.element;
    told.hits = rest.slice(1).map((at) => hit(...at.split(",").map(Number)) === frame);
  } else {
    const parts = new Set([first, ...rest]);
    if (parts.has("boxes")) told.boxes = boxes();
    if (parts.has("seen") || parts.has("points")) told.seen = seen(parts.has("seen"), parts.has("points"));
    if (parts.has("text")) told.text = text();
    if (parts.has("html")) told.html = html();
    if (!parts.has("text") || parts.size > 1) told.known = elements().some(refOf);
    told.frames = frames().map(({ corner, scale, part }) => ({ corner, scale, part }));
  }
  kept = null;
  const sheet = document.createElement("pre");
  sheet.textContent = JSON.stringify(told);
  return [sheet];
}
