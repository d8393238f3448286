"""What a person points at: the elements under a point of the picture, and where the caret of a field stands."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from playwright.async_api import Error

from . import capture, tree

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .session import Session

_HOLDS = """(element, [x, y]) => {
  let hit = document.elementFromPoint(x, y);
  for (let inner = hit; inner?.shadowRoot && (inner = inner.shadowRoot.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
  for (let node = hit; node; node = node.parentNode ?? node.host) if (node === element) return true;
  return false;
}"""
_CARET = """(element) => {
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
}"""
_SCROLLER = """(element) => {
  for (let node = element; node && node !== document.body; node = node.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(node);
    if (/auto|scroll/.test(overflowY) && node.scrollHeight > node.clientHeight + 1) return true;
    if (/auto|scroll/.test(overflowX) && node.scrollWidth > node.clientWidth + 1) return true;
  }
  return false;
}"""
_BOX = re.compile(r"(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)")


async def elements_at(session: Session, x: float, y: float) -> list[str]:
    """References of the elements under a point of the active tab, the innermost first; none while a dialog is open."""
    if session.dialogs.open is not None:
        return []
    page = session.tabs.active
    boxes = _boxes(await capture.snapshot(page, boxes=True))
    near = sorted((w * h, ref) for ref, (left, top, w, h) in boxes.items() if _inside(x - left, y - top, w, h))
    held = await asyncio.gather(*(_says(page, ref, _HOLDS, [x, y]) for _, ref in near))
    return [ref for (_, ref), holds in zip(near, held, strict=True) if holds]


async def caret(session: Session, ref: str) -> str:
    """Where the caret of a field stands: `end`, `all` where everything is selected, `inside`, or empty where it is gone."""
    if session.dialogs.open is not None:
        return ""
    return str(await _says(session.tabs.active, ref, _CARET) or "")


async def scrolls(session: Session, ref: str) -> bool:
    """Whether a part of the page around this element scrolls by itself."""
    return session.dialogs.open is None and bool(await _says(session.tabs.active, ref, _SCROLLER))


def _boxes(snapshot: str) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, width and height of every element of the main document."""
    found: dict[str, tuple[float, float, float, float]] = {}
    for node in tree.parse(snapshot).walk():
        box = _BOX.fullmatch(node.states.get("box", ""))
        if box and node.ref and node.ref.startswith("e"):
            left, top, width, height = map(float, box.groups())
            found[node.ref] = (left, top, width, height)
    return found


def _inside(x: float, y: float, width: float, height: float) -> bool:
    """Boxes are rounded, so that a pixel more counts."""
    return -1 <= x <= width + 1 and -1 <= y <= height + 1


async def _says(page: Page, ref: str, script: str, given: object = None) -> object:
    """What a script says of an element; None where the element is gone."""
    try:
        return await page.eval_on_selector(f"aria-ref={ref}", script, given)
    except Error:
        return None
