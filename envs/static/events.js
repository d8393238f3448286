// Server-sent events in world time: a source opens no stream, it asks for what is new when the harness says so.
// One of the parts of the init script (see settle.py).

const sources = new Set();

class HarnessedEventSource extends EventTarget {
  constructor(url, { withCredentials = false } = {}) {
    super();
    this.url = new URL(url, document.baseURI).href;
    this.withCredentials = withCredentials;
    this.readyState = HarnessedEventSource.CONNECTING;
    this.onopen = this.onmessage = this.onerror = null;
    this.lastId = null;
    sources.add(this);
    add("timeout", () => {
      if (this.readyState !== HarnessedEventSource.CONNECTING) return;
      this.readyState = HarnessedEventSource.OPEN;
      this.tell(new Event("open"));
    }, 0);
  }

  close() {
    this.readyState = HarnessedEventSource.CLOSED;
    sources.delete(this);
  }

  tell(event) {
    this[`on${event.type}`]?.call(this, event);
    this.dispatchEvent(event);
  }

  async release() {
    const headers = { Accept: "text/event-stream", "X-Events": "pending" };
    if (this.lastId !== null) headers["Last-Event-ID"] = this.lastId;
    const answer = await fetch_(this.url, { headers, credentials: this.withCredentials ? "include" : "same-origin" });
    if (!answer.ok) {
      this.close();
      this.tell(new Event("error"));
      return;
    }
    const text = await answer.text();
    if (this.readyState === HarnessedEventSource.CLOSED) return;
    for (const block of text.split("\n\n")) this.receive(block.split("\n"));
  }

  receive(lines) {
    const data = [];
    let name = "message";
    for (const line of lines) {
      const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (field === "data") data.push(value);
      else if (field === "event") name = value;
      else if (field === "id") this.lastId = value;
    }
    if (!data.length) return;
    const init = { data: data.join("\n"), lastEventId: this.lastId ?? "", origin: new URL(this.url).origin };
    this.tell(new MessageEvent(name, init));
  }
}
["CONNECTING", "OPEN", "CLOSED"].forEach((state, number) => {
  for (const target of [HarnessedEventSource, HarnessedEventSource.prototype]) Object.defineProperty(target, state, { value: number });
});
Object.defineProperty(HarnessedEventSource, "name", { value: "EventSource" });
window.EventSource = HarnessedEventSource;

/** Let every source have what is new; whether there was any source. */
sg.release = async () => {
  for (const source of [...sources]) await source.release();
  return sources.size > 0;
};
