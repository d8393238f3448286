// A document's HTML without what only styles or runs. One of the parts of the engine (see sight.py).

const DROPPED = new Set(["script", "style", "noscript", "template", "head", "link", "meta", "base", "source", "track", "datalist"]);
const KEPT = new Set([
  "href", "title", "name", "type", "placeholder", "for", "role", "colspan", "rowspan", "scope", "target", "action", "method",
  "alt", "min", "max", "step", "maxlength", "pattern", "accept", "contenteditable", "draggable", "open", "tabindex", "download", "lang",
]);
const STATES = ["checked", "selected", "disabled", "readOnly", "required", "multiple"];
const VOID = new Set(["area", "br", "col", "embed", "hr", "img", "input", "wbr"]);
const WRAPPERS = new Set(["div", "span", "slot", "tbody", "section", "center", "font"]);
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const WIDE = 160, OPTIONS = 15;

function attributes(element) {
  const found = [];
  const say = (name, value) => found.push(value === true || value === "" && name !== "value" && name !== "alt" ? name : `${name}="${escape(String(value).replace(CONTROL, "")).replace(/"/g, "&quot;")}"`);
  for (const { name, value } of element.attributes) {
    if (name === "href" && value.startsWith("data:")) continue;
    if (KEPT.has(name) || name.startsWith("aria-") && !["aria-controls", "aria-labelledby", "aria-describedby", "aria-owns", "aria-hidden", "aria-keyshortcuts"].includes(name)) say(name, value);
    else if (name === "id" && element.localName !== "div" && element.labels?.length) say(name, value);
  }
  for (const name of STATES) if (element[name] === true && (name !== "selected" || element.localName === "option")) say(name.toLowerCase(), true);
  if (element.localName === "input" && !["checkbox", "radio", "file", "password"].includes(element.type) && element.value) say("value", element.value);
  if (element.localName === "option" && element.value !== element.text) say("value", element.value);
  return (found.length ? " " : "") + found.join(" ");
}

/** Children; of a long select the first options and those that are chosen, with a note. */
function entries(node) {
  if (node.localName === "details" && !node.open) return [...node.children].filter((child) => child.localName === "summary");
  const options = node.localName === "select" ? [...node.options] : [];
  if (options.length <= OPTIONS) return [...node.childNodes];
  const kept = options.filter((option, index) => index < OPTIONS || option.selected);
  return [...kept, `<!-- (cut): ${kept.length} of ${options.length} options -->`];
}

function html() {
  const place = new Map(frames().map((frame, index) => [frame.element, index]));
  const write = (node) => {
    if (node.nodeType === 3) return node.parentElement && getComputedStyle(node.parentElement).visibility !== "visible" ? "" : escape(node.data.replace(CONTROL, "").replace(/\s+/g, " "));
    if (node.nodeType !== 1 || DROPPED.has(node.localName)) return "";
    const style = getComputedStyle(node);
    const option = node.localName === "option" || node.localName === "optgroup";
    if (style.display === "none" && !option || node.type === "hidden") return "";
    if (style.contentVisibility === "hidden") return "";
    const frame = place.has(node) ? `\u0001${place.get(node)}\u0001` : "";
    const around = `${attributes(node)}${acts(node, style) || !PLAIN.has(roleOf(node)) ? `\u0002${refOf(node)}\u0002` : ""}`;
    if (node.localName === "svg" && node !== whole()) return /aria-label|role=/.test(around) ? `<svg${around}/>` : "";
    if (node.localName === "textarea") return `<textarea${around}>${escape(node.value).replace(/\n/g, "&#10;")}</textarea>`;
    const light = entries(node).map((child) => (typeof child === "string" ? child : write(child))).filter((part) => part !== "");
    const shade = node.shadowRoot ? [...node.shadowRoot.childNodes].map((child) => write(child)).filter((part) => part.trim()) : [];
    const parts = frame ? [frame] : shade.length ? [wrap("template", ' shadowrootmode="open"', shade), ...light] : light;
    if (style.visibility !== "visible" && !option && !parts.some((part) => part.includes("<"))) return "";
    if (WRAPPERS.has(node.localName) && !shade.length && !/[a-z]/.test(around.replace(/\u0002[^\u0002]*\u0002/g, "")) && style.cursor !== "pointer") {
      const flat = parts.some((part) => part.includes("\n")) ? `\n${lines(parts).join("\n")}\n` : parts.join("");
      if (parts.length <= 1 || node.localName !== "div") return style.display === "inline" || style.display === "contents" ? flat : `\n${flat}\n`;
    }
    return VOID.has(node.localName) ? `<${node.localName}${around}>` : wrap(node.localName, around, parts);
  };
  const lines = (parts) => parts.map((part) => part.trim()).filter(Boolean);
  const wrap = (name, around, parts) => {
    const flat = parts.join("").trim();
    if (!flat.includes("\n") && flat.length <= WIDE && !/<(div|ul|ol|table|thead|tbody|tr|form|fieldset|section|select|p|h\d)\b/.test(flat)) return name === "tr" ? `\n<tr${around}>${flat}</tr>\n` : `<${name}${around}>${flat}</${name}>`;
    const inside = lines(parts).join("\n").replace(/\n/g, "\n ");
    return `\n<${name}${around}>\n ${inside}\n</${name}>\n`;
  };
  return whole() ? write(whole()).replace(/\n\s*\n/g, "\n").trim() : "";
}
