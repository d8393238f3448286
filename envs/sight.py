"""What is read of a page beside Playwright's tree (boxes, what is in view, text, HTML), all frames put together.

The reading is done by a selector engine in the isolated world where Playwright keeps the references of its snapshots,
so that the page's own scripts neither see nor bend it. It answers with the text of an element that is nowhere in the
page; nothing is changed to be looked at.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, FrameLocator, Page, Playwright

    from .observation import Box

ENGINE = "sitegym-eyes"
"""The name under which Playwright knows the engine."""

READ_S = 20.0
"""Real time in which a document must give its answer."""

_PARTS = ("eyes.js", "eyes_text.js", "eyes_html.js", "eyes_engine.js")
_PLACE = re.compile("([ \t]*)\x01(\\d+)\x01")
_REF = re.compile("\x02([^\x02]*)\x02")


_LOADER = """({ queryAll: (root, body) => {
  const at = body.indexOf("|"), bytes = Uint8Array.from(atob(body.slice(at + 1)), (letter) => letter.charCodeAt(0));
  return globalThis.eval(new TextDecoder().decode(bytes))(body.slice(0, at));
} })"""
"""All that every document is given; what it runs comes with the question, so that a look without one costs nothing."""

TREE = "sitegym-tree"
"""The name of the engine that answers with Playwright's snapshot, or with what the page script says of an element."""

WORD = f"sitegym-{secrets.token_hex(8)}"
"""The event by which the engine asks the page script; no page can guess it, so that none can hear or answer it."""

_SNAPSHOT = """(() => {
  let snapshots = null;
  // Playwright makes its engines in the constructor of what has its snapshots, and sets this field right after them.
  Object.defineProperty(Object.prototype, "_browserName", { configurable: true, set(value) {
    delete Object.prototype._browserName;
    snapshots = this;
    this._browserName = value;
  } });
  const tree = (boxes) => {
    const page = document.querySelector("body, frameset") ?? document.documentElement; // a drawing has no body
    const text = page ? snapshots?.ariaSnapshot?.(page, { mode: "ai", boxes }) : "";
    return typeof text === "string" && !/^ *- '?iframe/m.test(text) ? text || " " : "";
  };
  const ask = (told, ref, question) => {
    const [element] = snapshots?._engines?.get("aria-ref")?.queryAll(document, ref) ?? [];
    told.title = question;
    element?.dispatchEvent(new FocusEvent("WORD", { relatedTarget: told, composed: true }));
  };
  return { queryAll: (root, body) => {
    const told = document.createElement("pre"), [what, ref, question] = body.split(" ");
    if (what === "ask") ask(told, ref, atob(question));
    else told.textContent = tree(what === "boxes" || undefined);
    return [told];
  } };
})()""".replace("WORD", WORD)
"""Has Playwright's own code write its snapshot where it stands: `aria_snapshot` carries the tree across as an object,
node by node, and writes it on the other side, which with 100 rows takes half as long again. And finds an element by its
reference and has the page script asked about it at once, which takes four messages by `eval_on_selector`."""


@cache
def script() -> str:
    """The engine's code: a function that answers a question. As base64, which Playwright's selectors carry unharmed."""
    folder = files(__package__) / "static"
    parts = "\n".join((folder / part).read_text("utf-8") for part in _PARTS)
    return base64.b64encode(f"(() => {{\n{parts}\nreturn answer;\n}})()".encode()).decode()


async def register(playwright: Playwright) -> None:
    """Make the engines known, once for each driver and before its first page."""
    await playwright.selectors.register(ENGINE, script=_LOADER, content_script=True)
    await playwright.selectors.register(TREE, script=_SNAPSHOT, content_script=True)


def _selector(question: str) -> str:
    return f"{ENGINE}={question}|{script()}"


async def tree(page: Page, *, boxes: bool = False) -> str | None:
    """Playwright's snapshot of a page without frames; None where there are frames, or it can't be had in this way."""
    if len(page.frames) > 1:
        return None
    answer = await page.text_content(f"{TREE}={'boxes' if boxes else 'plain'}", timeout=READ_S * 1000)
    return "" if answer == " " else answer or None


async def asked(page: Page, ref: str, function: str, args: Sequence[object]) -> Any:
    """What a function of the page script says of an element, in one message; None where it can't be asked like this."""
    if len(page.frames) > 1:
        return None
    question = base64.b64encode(json.dumps([function, *args]).encode()).decode()
    answer = await page.text_content(f"{TREE}=ask {ref} {question}", timeout=0)  # a dialog may hold it up for long
    return json.loads(answer) if answer else None


async def left_out(page: Page, ref: str) -> ElementHandle | None:
    """The element that an earlier tree called `ref`, where it is still in the page though the last tree left it out."""
    for frame in page.frames:
        handle = await frame.query_selector(_selector(f"ref {ref}"))
        if handle is not None:
            return handle
    return None


@dataclass
class Sight:
    """What was read of a page; what was not asked for is empty. Boxes count in the window of the main document."""

    boxes: dict[str, Box] = field(default_factory=dict)
    seen: dict[str, Box] = field(default_factory=dict)
    """The part of each element that the window shows, of those that have one."""
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Of what can be acted on and is in view, a point that no other element covers."""
    text: str = ""
    html: str = ""
    known: bool = False
    """Elements of the main document have references (looked for where a part needs them)."""


@dataclass(frozen=True)
class _Within:
    """Where a document stands in the main one: its corner, its scale, and the part of the window that it has."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1.0
    down: float = 1.0
    part: tuple[float, float, float, float] | None = (0.0, 0.0, float("inf"), float("inf"))

    def point(self, x: float, y: float) -> tuple[float, float]:
        return round(self.x + x * self.across, 2), round(self.y + y * self.down, 2)

    def box(self, box: Box) -> Box:
        return (*self.point(box[0], box[1]), round(box[2] * self.across, 2), round(box[3] * self.down, 2))

    def clipped(self, box: Box) -> Box | None:
        """What of a box can be seen."""
        if self.part is None:
            return None
        x, y, width, height = self.box(box)
        left, top = max(x, self.part[0]), max(y, self.part[1])
        right, bottom = min(x + width, self.part[2]), min(y + height, self.part[3])
        if right - left < 1 or bottom - top < 1:
            return None
        return left, top, round(right - left, 2), round(bottom - top, 2)

    def frame(self, told: dict[str, Any]) -> _Within:
        """The place of a frame's document in this one."""
        x, y = self.point(*told["corner"])
        across, down = told["scale"]
        part = None
        if told["part"] is not None:
            left, top, right, bottom = told["part"]
            box = self.clipped((left, top, right - left, bottom - top))
            part = (box[0], box[1], box[0] + box[2], box[1] + box[3]) if box else None
        return _Within(x, y, self.across * across, self.down * down, part)


async def read(page: Page, parts: Collection[str]) -> Sight:
    """Read `parts` (of boxes, seen, points, text, html) of a page and its frames, in one call for each document."""
    return await _read(page, " ".join(sorted(parts)), _Within())


async def _read(place: Page | FrameLocator, parts: str, within: _Within) -> Sight:
    told = await _ask(place, parts)
    sight = Sight(known=told.get("known", False))
    for ref, *box in told.get("boxes", ()):
        sight.boxes[ref] = within.box((box[0], box[1], box[2], box[3]))
    for ref, *box, point in told.get("seen", ()):
        part = within.clipped((box[0], box[1], box[2], box[3]))
        if part is not None:
            sight.seen[ref] = part
            if point is not None:
                sight.points[ref] = within.point(*point)
    inner = await asyncio.gather(
        *(
            _read(place.frame_locator(_selector(f"frame {index}")), parts, within.frame(frame))
            for index, frame in enumerate(told["frames"])
        )
    )
    for index, one in enumerate(inner):
        sight.boxes |= one.boxes
        sight.seen |= one.seen
        sight.points |= await _uncovered(place, index, one.points, within)
    sight.text = _joined(told.get("text", ""), [one.text for one in inner])
    sight.html = _joined(told.get("html", ""), [one.html for one in inner])
    return sight


async def _uncovered(
    place: Page | FrameLocator, index: int, points: dict[str, tuple[float, float]], within: _Within
) -> dict[str, tuple[float, float]]:
    """Those points of a frame that nothing in the document around it covers."""
    if not points:
        return points
    own = [((x - within.x) / within.across, (y - within.y) / within.down) for x, y in points.values()]
    told = await _ask(place, f"hits {index} " + " ".join(f"{x:.2f},{y:.2f}" for x, y in own))
    return {ref: at for (ref, at), hits in zip(points.items(), told["hits"], strict=True) if hits}


async def _ask(place: Page | FrameLocator, question: str) -> dict[str, Any]:
    from playwright.async_api import Error

    try:
        answer = await place.locator(_selector(question)).text_content(timeout=READ_S * 1000)
    except Error as error:
        raise Error(str(error).replace(script(), "")) from None  # what it says is long enough without the code
    found: dict[str, Any] = json.loads(answer or "{}")
    return found


def _joined(text: str, inner: list[str]) -> str:
    """A document's text with those of its frames where they stand, indented as they are."""

    def put(found: re.Match[str]) -> str:
        return "\n".join(found[1] + line for line in inner[int(found[2])].split("\n"))

    return _PLACE.sub(put, text) if text else text


def named(html: str, refs: Collection[str]) -> str:
    """HTML with the references that hold, each as an attribute `ref`."""
    return _REF.sub(lambda found: f' ref="{found[1]}"' if found[1] in refs else "", html)
