// Rich text as the shop keeps it: the same small set of tags that the server allows, cut down before it is shown.

const KEPT = new Set(["P", "BR", "STRONG", "EM", "U", "H3", "UL", "OL", "LI", "BLOCKQUOTE", "A"]);
const SAME = { B: "STRONG", I: "EM", DIV: "P", H1: "H3", H2: "H3", H4: "H3", H5: "H3", H6: "H3" };
const GONE = new Set(["SCRIPT", "STYLE", "TITLE", "IFRAME", "OBJECT", "NOSCRIPT", "TEMPLATE", "SVG", "MATH", "META", "LINK"]);
const BLOCKS = new Set(["P", "H3", "UL", "OL", "BLOCKQUOTE"]);
const LINK = /^(https?:\/\/[^\s/]|mailto:[^\s@]+@|\/(?![/\\]))/i;

/** Whether an address may stand in a description. */
export const linkable = (address) => LINK.test(address.trim());

/** HTML of any origin as a fragment of allowed tags, blocks at the top; nothing in it ever runs. */
export function fragment(html) {
  const source = new DOMParser().parseFromString(html, "text/html");
  const result = document.createDocumentFragment();
  for (const node of children(source.body)) result.append(node);
  return blocks(result);
}

/** An element's content as the HTML that is stored. */
export function written(element) {
  const box = document.createElement("div");
  box.append(fragment(element.innerHTML));
  const html = box.innerHTML.replaceAll("&nbsp;", " ").replaceAll("\u00a0", " ");
  return box.textContent.trim() ? html.replace(/<(p|h3|li|blockquote)>(\s|<br>)*<\/\1>/g, "").trim() : "";
}

function children(node) {
  return [...node.childNodes].flatMap(clean);
}

function clean(node) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent.replace(/[\r\n\t]+/g, " "))];
  if (node.nodeType !== Node.ELEMENT_NODE || GONE.has(node.tagName.toUpperCase())) return [];
  const name = styled(node) ?? SAME[node.tagName] ?? node.tagName;
  const inside = children(node);
  if (!KEPT.has(name)) return inside;
  if (name === "BR") return [document.createElement("br")];
  if (name === "P" && inside.some((each) => BLOCKS.has(each.tagName))) return inside;
  const kept = document.createElement(name);
  if (name === "A") {
    const address = (node.getAttribute("href") ?? "").trim();
    if (!linkable(address)) return inside;
    kept.setAttribute("href", address);
  }
  kept.append(...inside);
  return [kept];
}

/** What word processors write as a style: bold and italic spans. */
function styled(node) {
  if (node.tagName !== "SPAN") return null;
  const { fontWeight, fontStyle } = node.style;
  if (fontWeight === "bold" || Number(fontWeight) >= 600) return "STRONG";
  return fontStyle === "italic" ? "EM" : null;
}

/** Loose text between blocks becomes a paragraph of its own. */
function blocks(from) {
  const result = document.createDocumentFragment();
  let open = null;
  for (const node of [...from.childNodes]) {
    if (BLOCKS.has(node.tagName)) {
      open = null;
      result.append(node);
    } else if (open || node.tagName || node.textContent.trim()) {
      if (!open) {
        open = document.createElement("p");
        result.append(open);
      }
      open.append(node);
    }
  }
  return result;
}
