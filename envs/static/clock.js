// The virtual clock of a document: timers, frames, dates and random numbers stand still until the harness runs them.
// One of the parts of the init script (see settle.py); `sg` is the object that the parts share.

const real = {
  Date, performance, setTimeout: setTimeout.bind(window), clearTimeout: clearTimeout.bind(window),
  requestAnimationFrame: requestAnimationFrame.bind(window), now: performance.now.bind(performance),
};
const FRAME_MS = 16;

sg.now = 0;            // milliseconds since the epoch, in world time
sg.origin = 0;         // world time at which this document began
const timers = new Map();
let lastTimer = 0, running = 0;

/** Begin at `ms`, unless the parent document (or the opener) already lives at a later time. */
sg.startAt = (ms, seed) => {
  const elder = relative();
  sg.now = sg.origin = Math.max(ms, elder ? elder.now : 0);
  seedRandom(`${seed}|${sg.now}|${location.href}`);
};

function relative() {
  for (const other of [window.parent, window.opener]) {
    try {
      if (other && other !== window && other.__sitegym) return other.__sitegym;
    } catch { /* another origin: the harness brings this document up to date at the next run */ }
  }
  return null;
}

// ---- timers -----------------------------------------------------------------------------------------------------

function add(kind, fn, delay, args = []) {
  let ms = Math.max(0, Math.min(Number(delay) || 0, 2 ** 31 - 1));
  if (kind === "interval" || running) ms = Math.max(ms, 1);   // as browsers do, so that a chain of 0 ms moves on
  const id = ++lastTimer;
  timers.set(id, { id, kind, fn, args, due: sg.now + ms, every: ms, delay: ms, created: sg.now });
  return id;
}

function fire(timer) {
  if (timer.kind === "interval") timer.due += timer.every;
  else timers.delete(timer.id);
  running += 1;
  try {
    if (typeof timer.fn === "function") timer.fn.apply(window, timer.args);
    else if (timer.kind !== "frame" && timer.kind !== "idle") (0, eval)(String(timer.fn));
    else if (timer.fn && timer.fn.handleEvent) timer.fn.handleEvent(...timer.args);
  } catch (error) {
    reportError(error);     // as an uncaught error of the page, without ending the run
  } finally {
    running -= 1;
  }
}

/** The timer that is due first, at `limit` or before; ties in order of creation. */
function first(limit) {
  let best = null;
  for (const timer of timers.values()) {
    if (timer.due <= limit && (!best || timer.due < best.due)) best = timer;
  }
  return best;
}

/** When the next timer is due, or null. */
sg.nextDue = () => { const timer = first(Infinity); return timer ? timer.due : null; };

/** The last due time of one-shot timers of at most 500 ms that were begun at `since` or later, or null. */
sg.chained = (since) => {
  let last = null;
  for (const timer of timers.values()) {
    if (timer.kind !== "interval" && timer.created >= since && timer.delay <= 500) last = Math.max(last ?? 0, timer.due);
  }
  return last;
};

/** Run everything that is due until `limit`, with the network quiet before each timer; then it is `limit`.
 *  False where that takes too long: requests that never end, or timers without number. */
sg.runTo = async (limit) => {
  const begun = real.now();
  for (;;) {
    if (!await sg.quiet() || real.now() - begun > REAL_CAP_MS) return false;
    const timer = first(limit);
    if (!timer) break;
    sg.now = Math.max(sg.now, timer.due);
    if (timer.kind === "frame") timer.args = [sg.now - sg.origin];
    fire(timer);
    await task();
  }
  sg.now = Math.max(sg.now, limit);
  return true;
};

/** One turn of the page's event loop, so that promises and posted messages are worked off. */
const channel = new MessageChannel(), waiting = [];
channel.port1.onmessage = () => waiting.shift()();
const task = sg.task = () => new Promise((done) => { waiting.push(done); channel.port2.postMessage(0); });

const fakes = {
  setTimeout: (fn, ms, ...args) => add("timeout", fn, ms, args),
  setInterval: (fn, ms, ...args) => add("interval", fn, ms, args),
  clearTimeout: (id) => { timers.delete(Number(id)); },
  clearInterval: (id) => { timers.delete(Number(id)); },
  requestAnimationFrame: (fn) => add("frame", fn, FRAME_MS - ((sg.now - sg.origin) % FRAME_MS)),
  cancelAnimationFrame: (id) => { timers.delete(Number(id)); },
  requestIdleCallback: (fn) => add("idle", fn, 1, [{ didTimeout: false, timeRemaining: () => 10 }]),
  cancelIdleCallback: (id) => { timers.delete(Number(id)); },
};
for (const [name, fake] of Object.entries(fakes)) {
  Object.defineProperty(fake, "name", { value: name });
  window[name] = fake;
}

// ---- dates ------------------------------------------------------------------------------------------------------

window.Date = new Proxy(real.Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [sg.now], newTarget),
  apply: (target) => new target(sg.now).toString(),
  get: (target, key) => (key === "now" ? () => Math.floor(sg.now) : Reflect.get(target, key)),
});
real.Date.prototype.constructor = window.Date;

const performanceNow = () => sg.now - sg.origin;
Object.defineProperty(Performance.prototype, "now", { value: performanceNow, configurable: true, writable: true });
Object.defineProperty(Performance.prototype, "timeOrigin", { get: () => sg.origin, configurable: true });
Object.defineProperty(Event.prototype, "timeStamp", { get: performanceNow, configurable: true });

for (const name of ["format", "formatToParts"]) {
  const own = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, name);
  const at = (date) => (date === undefined ? sg.now : date);
  Object.defineProperty(Intl.DateTimeFormat.prototype, name, name === "format"
    ? { ...own, get() { const format = own.get.call(this); return (date) => format(at(date)); } }
    : { ...own, value(date) { return own.value.call(this, at(date)); } });
}

AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  add("timeout", () => controller.abort(new DOMException("signal timed out", "TimeoutError")), ms);
  return controller.signal;
};

// ---- chance -----------------------------------------------------------------------------------------------------

let state = 1;
function seedRandom(text) {
  state = 2166136261;                                       // FNV-1a of the text
  for (let i = 0; i < text.length; i += 1) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
}
function random32() {                                       // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
}
Math.random = () => random32() / 4294967296;

// Tokens that a page makes for itself must repeat as well; this world keeps no secrets.
Crypto.prototype.getRandomValues = function getRandomValues(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = random32() & 255;
  return array;
};
Crypto.prototype.randomUUID = function randomUUID() {
  const hex = [...this.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab"[random32() & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};
