// What a document still waits for: fetches and body reads, requests, navigations, images, pop-ups.
// One of the parts of the init script (see settle.py); counting only, every call goes through unchanged.

let busy = 0;                  // fetches, body reads and XMLHttpRequests under way
let leaving = false;           // a navigation to another document has begun
let waiters = [];
sg.opened = 0;                 // pop-ups and new tabs that this document has asked for
sg.led = 0;                    // those of them that lead to a document of a server
sg.moved = false;              // something scrolled or animated: the next picture needs two frames

const REAL_CAP_MS = 15000;     // a page that is still busy after this is reported as not settled
const MOST_OPENED = 8;         // tabs that a document can open in one action; browsers let it have one for a click
const NO_FRAME_MS = 100;
const LAZY_CAP_MS = 2000;      // an image in sight that does not begin to load is no longer waited for

function done() {
  busy -= 1;
  wake();
}
function wake() {
  const woken = waiters;
  waiters = [];
  for (const resume of woken) resume();
}
function counted(promise) {
  busy += 1;
  promise.then(done, done);
  return promise;
}

const fetch_ = window.fetch;
window.fetch = function fetch(...args) { return counted(fetch_.apply(this, args)); };
for (const name of ["json", "text", "arrayBuffer", "blob", "formData", "bytes"]) {
  const read = Response.prototype[name];
  if (read) Response.prototype[name] = function (...args) { return counted(read.apply(this, args)); };
}
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (...args) {
  busy += 1;
  this.addEventListener("loadend", done, { once: true });
  try {
    return send.apply(this, args);
  } catch (error) {
    this.removeEventListener("loadend", done);
    done();
    throw error;
  }
};

// ---- navigations ------------------------------------------------------------------------------------------------

/** Whether an address leads to a document: files, the browser's own pages and programs of the system never open. */
function leads(url, kinds = /^(https?|about|blob|data|javascript):$/) {
  try { return kinds.test(new URL(url, document.baseURI).protocol); } catch { return true; }
}
/** Whether it opens in a new tab. The console says where it does not, of data: as the browser does of all others. */
function opensTab(url) {
  if (!url || leads(url, /^(https?|about|blob):$/)) return true;
  if (leads(url, /^data:$/)) console.error(`Not allowed to open a tab with: ${url}`);
  return false;
}
/** Count a tab that `url` is opened in. */
function opens(url) {
  if (!opensTab(url)) return;
  sg.opened += 1;
  if (url && URL.canParse(url, document.baseURI) && leads(url, /^(https?|blob):$/)) sg.led += 1;
}
/** A frame whose address is blocked never gets a document, and whoever asks it waits in vain: it gets an empty one. */
const blank = new WeakSet();
function fillFrames() {
  for (const frame of document.querySelectorAll("iframe[src], frame[src], object[data], embed[src]")) {
    if (blank.has(frame) || leads(frame.src ?? frame.data)) continue;
    blank.add(frame);
    frame.contentWindow?.location.replace("about:blank");
  }
}

if (window.navigation) {
  navigation.addEventListener("navigate", (event) => {
    const elsewhere = !event.destination.sameDocument && event.downloadRequest === null;
    if (elsewhere && !event.defaultPrevented && leads(event.destination.url)) leaving = true;
  });
  for (const end of ["navigatesuccess", "navigateerror"]) navigation.addEventListener(end, () => sg.stay());
}

/** The navigation came to nothing (a download, an empty answer, a beforeunload that was dismissed). */
sg.stay = () => { leaving = false; wake(); };

const isElsewhere = (target) => target && !["_self", "_parent", "_top"].includes(target.toLowerCase()) && !frames[target];
const open_ = window.open;
window.open = function open(...args) {
  if (sg.opened >= MOST_OPENED) {
    console.error(`Not allowed to open one more tab: ${new URL(args[0] || "about:blank", document.baseURI)}`);
    return null;
  }
  const opened = open_.apply(this, args);
  const alone = /\b(noopener|noreferrer)\b/.test(args[2] ?? "");      // then nothing is given back
  if ((opened || alone) && isElsewhere(args[1] || "_blank")) opens(String(args[0] ?? ""));
  return opened;
};
const NEW_TAB = navigator.platform.startsWith("Mac") ? "metaKey" : "ctrlKey";
for (const kind of ["click", "auxclick"]) window.addEventListener(kind, (event) => {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
  const modified = kind === "click" ? (event[NEW_TAB] || event.shiftKey) && !event.altKey : event.button === 1;
  if (kind === "auxclick" && !modified) return;
  if (link && event.isTrusted && !event.defaultPrevented && !link.hasAttribute("download")
      && (modified || isElsewhere(link.target))) opens(link.href);
});
window.addEventListener("submit", (event) => {
  const target = event.submitter?.getAttribute("formtarget") || event.target.target;
  const to = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : event.target.action;
  if (!event.defaultPrevented && isElsewhere(target)) opens(String(to));
});
window.addEventListener("scroll", () => { sg.moved = true; }, { capture: true, passive: true });

// ---- quiet ------------------------------------------------------------------------------------------------------

/** Whether some part of an image lies in the window and in all that clips it: a lazy one is then loaded. */
function inSight(image) {
  if (!image.checkVisibility()) return false;
  let { left, top, right, bottom } = image.getBoundingClientRect();
  [left, top, right, bottom] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
  for (let node = image.parentElement; node && right > left && bottom > top; node = node.parentElement) {
    if (getComputedStyle(node).overflow === "visible") continue;
    const box = node.getBoundingClientRect();
    [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return right > left && bottom > top;
}

/** `lazy`: whether lazy images count that are in sight. */
function loading(lazy) {
  if (document.readyState !== "complete") return true;
  for (const image of document.images) {
    if (!image.complete && (image.loading !== "lazy" || (lazy && inSight(image)))) return true;
  }
  return document.fonts.status === "loading";
}
const isBusy = (lazy) => busy > 0 || leaving || loading(lazy);

for (const event of ["load", "error"]) {
  window.addEventListener(event, wake, true);
  document.addEventListener(event, wake, true);         // the window never hears that an image was loaded
}
document.addEventListener("readystatechange", wake);
for (const event of ["loadingdone", "loadingerror"]) document.fonts.addEventListener(event, wake);

/** Wait until nothing is under way; false when the page stays busy for too long. */
sg.quiet = async () => {
  const begun = real.now();
  for (;;) {
    await sg.task();
    await sg.task();                    // a form is sent in a task after its click
    const spent = real.now() - begun;
    const lazy = spent < LAZY_CAP_MS;
    if (!isBusy(lazy)) return true;
    const left = (lazy && !isBusy(false) ? LAZY_CAP_MS : REAL_CAP_MS) - spent;
    if (left <= 0) return false;
    await new Promise((resume) => {
      const timer = real.setTimeout(resume, left);
      waiters.push(() => { real.clearTimeout(timer); resume(); });
    });
  }
};

// What the mouse was last said to be over; layout may have moved something else under it since.
let under = null;
window.addEventListener("mouseover", (event) => { if (event.isTrusted) under = event.composedPath()[0]; }, true);
sg.isStale = (x, y) => { const found = hit(x, y); return found !== null && found !== under && found !== document.documentElement; };

/** The next frame, or a moment later where nothing is drawn (in a window that was minimized, say). */
sg.frame = () => new Promise((drawn) => { real.requestAnimationFrame(drawn); real.setTimeout(drawn, NO_FRAME_MS); });

/** Two frames that were really drawn, so that scroll and hover have reached the picture. */
sg.frames = () => new Promise((drawn) => real.requestAnimationFrame(() => real.requestAnimationFrame(drawn)));

/** Run world time to `limit` and settle; says where the document stands.
 *  `since` is the time of the action, `mouse` is [x, y] in the main frame or null, `how` is what `sg.landed` is asked first
 *  or null: where the mouse missed, nothing is run. */
sg.settle = async (limit, since, draw, mouse, how) => {
  const missed = how === null ? null : sg.landed(how);
  if (missed) return { missed };
  fillFrames();
  let settled = await sg.runTo(limit);
  if (draw || sg.moved) {
    await sg.frames();
    settled = settled && await sg.quiet();      // what came into sight is loaded
  }
  const { opened, led } = sg;
  sg.moved = false;
  sg.opened = sg.led = 0;
  return {
    settled, opened, led, due: sg.nextDue(), chained: sg.chained(since), title: document.title,
    stale: mouse !== null && sg.isStale(...mouse), news: sg.news(),
  };
};
