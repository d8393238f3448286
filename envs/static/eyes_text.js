// The text of a document as a person reads it. One of the parts of the engine (see sight.py).

const SILENT = new Set(["script", "style", "noscript", "template", "head", "title", "desc", "defs", "symbol", "canvas", "video", "audio", "object", "datalist"]);
const INLINE = /^(inline|contents|ruby)/;
const AS_WRITTEN = /^(pre|break-spaces)/;
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;

const transforms = {
  uppercase: (text) => text.toUpperCase(), lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => text.replace(/(^|\s)\S/g, (first) => first.toUpperCase()),
};

function words(node, style) {
  if (style.visibility !== "visible") return "";
  const text = node.data.replace(CONTROL, "");
  const spaced = style.whiteSpace === "pre-line" ? text.replace(/[ \t]+/g, " ") : AS_WRITTEN.test(style.whiteSpace) ? text : text.replace(/\s+/g, " ");
  return (transforms[style.textTransform] ?? ((same) => same))(spaced);
}

/** What a field shows. */
function field(element) {
  const type = element.localName === "input" ? element.type : element.localName;
  switch (type) {
    case "hidden": case "range": case "color": case "image": return "";
    case "checkbox": return element.checked ? "[x] " : "[ ] ";
    case "radio": return element.checked ? "(x) " : "( ) ";
    case "password": return element.value ? "•".repeat(element.value.length) : element.placeholder;
    case "file": return [...element.files].map((file) => file.name).join(", ") || "No file chosen";
    case "submit": return element.value || "Submit";
    case "reset": return element.value || "Reset";
    case "select": {
      const all = [...element.options];
      if (element.multiple || element.size > 1) return all.map((option) => `${option.selected ? "[x]" : "[ ]"} ${option.text.trim()}`).join("\n");
      return element.selectedOptions[0]?.text.trim() ?? "";
    }
  }
  return (element.value || element.placeholder || "").replace(CONTROL, "");
}

function quoted(element, part) {
  const { content, display } = getComputedStyle(element, part);
  return display !== "none" && /^"[^"]*"$/.test(content) ? content.slice(1, -1).replace(/[^ -\u{dfff}\u{f900}-\u{10ffff}]/gu, "") : "";
}

/** Before an item of a list, what is drawn there. */
function bullet(element, style) {
  if (style.display !== "list-item" || style.listStyleType === "none") return "";
  if (style.listStyleType !== "decimal") return /^(disc|circle|square)$/.test(style.listStyleType) ? "• " : "";
  const list = element.parentElement;
  return `${(list?.start ?? 1) + [...(list?.children ?? [])].indexOf(element)}. `;
}

const oneLine = (text) => text.trim().replace(/\s+/g, " ");
const beside = (parts) => parts.map(oneLine).filter(Boolean).join("\t");

function text() {
  const place = new Map(frames().map((frame, index) => [frame.element, index]));
  const read = (node) => {
    const style = getComputedStyle(node);
    if (SILENT.has(node.localName)) return "";
    if (!isDrawn(node, style) || isForEars(node, style)) return "";
    if (FRAMES.has(node.localName)) return style.visibility === "visible" ? `\n\u0001${place.get(node)}\u0001\n` : "";
    if (node.localName === "br" || node.localName === "hr") return "\n";
    if (["input", "textarea", "select"].includes(node.localName)) {
      if (style.visibility !== "visible") return "";
      const held = field(node);
      return held && !held.includes("\n") ? ` ${held} ` : `\n${held}\n`;
    }
    const parts = [quoted(node, "::before"), ...children(node, style), quoted(node, "::after")];
    if (style.display === "table-row" || /^(inline-)?flex$/.test(style.display) && style.flexDirection.startsWith("row")) {
      const across = style.display === "table-row" || parts.every((part) => !part.trim().includes("\n"));
      if (across) return `\n${beside(parts)}\n`;
    }
    const all = bullet(node, style) + parts.join("");
    if (INLINE.test(style.display)) return style.display === "inline" || style.display === "contents" ? all : ` ${all} `;
    return `\n${all}\n`;
  };
  const children = (node, style) => (node.localName === "details" && !node.open ? [...node.children].filter((child) => child.localName === "summary") : [...drawn(node)]).map((child) => (child.nodeType === 3 ? words(child, style) : child.nodeType === 1 ? read(child) : ""));
  const lines = whole() ? read(whole()).split("\n") : [];
  return lines.map((line) => line.trim().replace(/ {2,}/g, " ")).filter(Boolean).join("\n");
}
