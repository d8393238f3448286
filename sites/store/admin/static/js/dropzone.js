// <drop-zone>: takes pictures by drop or by its file field, says what is wrong with them, and sends them one by one.
const TYPES = new Map([
  ["image/jpeg", "JPG"],
  ["image/png", "PNG"],
]);
const FAILED = "could not be sent; try again.";
const KEPT = "drop-zone-problems";

const STYLE = `
  :host { display: block; }
  .zone { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 6px 12px; min-height: 92px; padding: 14px 18px; border: 1.500px dashed var(--line-2); border-radius: 8px; background: var(--surface-2); color: var(--ink-2); text-align: center; }
  .zone.over { border-color: var(--brand); background: var(--brand-soft); }
  .zone svg { color: var(--ink-3); }
  input { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip: rect(0 0 0 0); border: 0; white-space: nowrap; }
  label { display: inline-flex; align-items: center; height: 34px; padding: 0 13px; border: 1px solid var(--line-2); border-radius: 6px; background: var(--surface); color: var(--ink); font-weight: 500; cursor: pointer; box-shadow: var(--shadow-1); }
  label:hover { background: var(--hover); }
  input:focus-visible + label { outline: 2px solid var(--focus); outline-offset: 2px; }
  small { flex-basis: 100%; color: var(--ink-3); }
  ul { margin: 10px 0 0; padding: 0; list-style: none; }
  li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; padding: 4px 0; overflow-wrap: anywhere; }
  progress { width: 160px; height: 8px; accent-color: var(--brand); }
  ul:empty { display: none; }
  .bad { color: var(--danger); font-weight: 500; }
`;

class DropZone extends HTMLElement {
  connectedCallback() {
    const label = this.getAttribute("label");
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${STYLE}</style>
      <div class="zone" part="zone"><svg width="22" height="22" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="M8 1.500 11.500 5H9v5H7V5H4.500zM2 10v3.500h12V10h1.200v4.700H.8V10z"/></svg>
        <span>Drop pictures here, or</span><input type="file" id="files" multiple accept="image/jpeg,image/png"><label for="files">${label}</label>
        <small id="limits">JPG or PNG, at most 2 MB each. They are added at once, behind the others.</small></div>
      <ul class="problems" role="alert"></ul><ul class="going" role="status" aria-label="Uploads"></ul>`;
    this.zone = root.querySelector(".zone");
    this.input = root.querySelector("input");
    this.input.setAttribute("aria-describedby", "limits");
    this.problems = root.querySelector(".problems");
    this.going = root.querySelector(".going");
    this.input.addEventListener("change", () => {
      const files = [...this.input.files];
      this.input.value = "";
      this.take(files);
    });
    for (const name of ["dragenter", "dragover", "dragleave", "drop"]) this.zone.addEventListener(name, (event) => this.drag(event));
    this.recall();
  }

  drag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.zone.classList.toggle("over", event.type === "dragenter" || event.type === "dragover");
    if (event.type === "drop") this.take([...event.dataTransfer.files]);
  }

  /** Send what may be sent, say what is wrong with the rest, then show the page anew with what was added. */
  async take(files) {
    if (this.busy || !files.length) return;
    this.busy = true;
    this.problems.replaceChildren();
    const wrong = [];
    let added = 0;
    for (const file of files) {
      const problem = this.wrong(file) ?? (await this.send(file));
      if (problem) wrong.push(problem);
      else added += 1;
    }
    this.busy = false;
    if (added) {
      try {
        sessionStorage.setItem(KEPT, JSON.stringify(wrong));
      } catch {
        // Storage is off: the problems are not said again after the page is shown anew.
      }
      this.dispatchEvent(new CustomEvent("added", { bubbles: true, detail: added }));
    } else this.say(wrong);
  }

  wrong(file) {
    if (!TYPES.has(file.type)) return `${file.name} is not a JPG or PNG picture.`;
    if (file.size > Number(this.getAttribute("most"))) return `${file.name} is larger than 2 MB.`;
    return null;
  }

  /** Send one file; what is wrong with it, or nothing. */
  send(file) {
    const line = document.createElement("li");
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", `Sending ${file.name}`);
    line.append(bar, file.name);
    this.going.append(line);
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open("POST", this.getAttribute("action"));
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("X-CSRF-Token", this.getAttribute("token"));
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) bar.value = event.loaded / event.total;
      });
      request.addEventListener("loadend", () => {
        line.remove();
        resolve(request.status === 200 ? null : answer(request, file.name));
      });
      const data = new FormData();
      data.append("file", file);
      request.send(data);
    });
  }

  say(problems) {
    this.problems.replaceChildren(...problems.map((text) => Object.assign(document.createElement("li"), { className: "bad", textContent: text })));
  }

  /** What was wrong with files that were chosen together with those now shown. */
  recall() {
    try {
      const kept = sessionStorage.getItem(KEPT);
      sessionStorage.removeItem(KEPT);
      if (kept) this.say(JSON.parse(kept));
    } catch {
      // Storage is off.
    }
  }
}

function answer(request, name) {
  try {
    return JSON.parse(request.responseText).message ?? `${name} ${FAILED}`;
  } catch {
    return `${name} ${FAILED}`;
  }
}

customElements.define("drop-zone", DropZone);
