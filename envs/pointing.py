"""What a person points at: the elements under a point of the picture, and what a hand must know of one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from . import capture, tree

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .session import Session


@dataclass(frozen=True, kw_only=True)
class About:
    """An element under a person's hand."""

    tag: str
    type: str
    value: str
    editable: bool
    """It takes text, or is another kind of input."""
    multiple: bool
    options: tuple[str, ...]
    """Texts of the options of a native select that can be chosen."""
    caret: str
    """Of a field: `end`, `all` where everything in it is selected, else `inside`."""
    scrolls: bool
    """It scrolls by itself."""


_HOLDS = """(element, [x, y]) => {
  let hit = document.elementFromPoint(x, y);
  for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
  for (let node = hit; node; node = node.parentNode ?? node.host) if (node === element) return true;
  return false;
}"""
_ABOUT = """(element) => {
  const caret = () => {
    if (typeof element.selectionStart === "number") {
      const { selectionStart: from, selectionEnd: to, value } = element;
      if (from === value.length) return "end";
      return from === 0 && to === value.length ? "all" : "inside";
    }
    if (!element.isContentEditable) return element.value === "" ? "end" : "inside";
    const chosen = getSelection(), rest = document.createRange();
    if (!element.textContent) return "end";
    if (chosen.toString().trim() === element.innerText.trim()) return "all";
    if (!chosen.isCollapsed || !element.contains(chosen.focusNode)) return "inside";
    rest.selectNodeContents(element);
    rest.setStart(chosen.focusNode, chosen.focusOffset);
    return rest.toString() === "" ? "end" : "inside";
  };
  const scrolls = () => {
    const { overflowX, overflowY } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1) return true;
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) return true;
    return false;
  };
  const options = element.localName === "select" ? [...element.options].filter((option) => !option.disabled) : [];
  return {
    tag: element.localName, type: String(element.type ?? ""), value: String(element.value ?? ""),
    editable: element.isContentEditable || ["input", "textarea"].includes(element.localName),
    multiple: element.multiple === true, options: options.map((option) => option.text.trim().replace(/\\s+/g, " ")),
    caret: caret(), scrolls: scrolls(),
  };
}"""
_BOX = re.compile(r"(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)")


async def elements_at(session: Session, x: float, y: float) -> list[str]:
    """References of the elements under a point of the active tab, the innermost first; none while a dialog is open."""
    if session.dialogs.open is not None:
        return []
    page = session.tabs.active
    places = _places(await capture.snapshot(page, boxes=True))
    near = sorted((p for p in places.values() if p.holds(x, y)), key=lambda p: p.width * p.height)
    inmost: _Place | None = None
    for place in near:  # the smallest that is under the mouse, then what lies within it: a line's box may be smaller
        if (inmost is None or inmost.ref in place.around) and await _says(page, place.ref, _HOLDS, [x, y]):
            inmost = place
    return [inmost.ref, *(outer for outer in inmost.around if outer in places)] if inmost else []


async def about(session: Session, ref: str) -> About | None:
    """What a person must know who points at an element; None where it is gone or a dialog is open."""
    if session.dialogs.open is not None:
        return None
    found = cast("dict[str, Any] | None", await _says(session.tabs.active, ref, _ABOUT))
    return About(**{**found, "options": tuple(found["options"])}) if found else None


@dataclass(frozen=True)
class _Place:
    """Where an element stands, and what stands around it, the nearest first."""

    ref: str
    left: float
    top: float
    width: float
    height: float
    around: tuple[str, ...]

    def holds(self, x: float, y: float) -> bool:
        """Boxes are rounded, so that a pixel more counts."""
        return -1 <= x - self.left <= self.width + 1 and -1 <= y - self.top <= self.height + 1


def _places(snapshot: str) -> dict[str, _Place]:
    """The places of all elements of the main document that have one."""
    found: dict[str, _Place] = {}
    waiting: list[tuple[tree.Node, tuple[str, ...]]] = [(tree.parse(snapshot), ())]
    while waiting:
        node, around = waiting.pop()
        box = _BOX.fullmatch(node.states.get("box", ""))
        if box and node.ref:
            left, top, width, height = map(float, box.groups())
            found[node.ref] = _Place(node.ref, left, top, width, height, around)
        if node.role != "iframe":  # what is inside counts from its own corner
            inner = (node.ref, *around) if node.ref else around
            waiting += [(child, inner) for child in node.children]
    return found


async def _says(page: Page, ref: str, script: str, given: object = None) -> object:
    """What a script says of an element; None where the element is gone."""
    try:
        return await page.eval_on_selector(f"aria-ref={ref}", script, given)
    except Error:
        return None
