"""Eyes: takes a look at the active tab, reading no more than the kinds asked for need, and remembers the last one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import EnvironmentFault
from . import capture, changes, fold, marks, sight, tree, views
from .kinds import TREES
from .sight import Sight
from .tree import Node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.async_api import Page

    from .check import Ledger
    from .settle import PageClock
    from .tabs import Tabs

_PICTURES = frozenset({"screenshot", "screenshot_marked"})
_PAGED = frozenset({"axtree", "axtree_interactive", "axtree_changes"})
_PARTS = {"axtree_viewport": "seen", "screenshot_marked": "points", "text": "text", "html": "html", "boxes": "boxes"}
"""What the engine must read for a kind."""

_MARKED = frozenset({"axtree_viewport", "screenshot_marked", "html", "boxes"})
"""Kinds for which the engine reads references off the elements."""

_FRAME = "() => globalThis.__sitegym?.frame()"

_TREELESS = frozenset({"screenshot", "text"})
"""Kinds for which no reference is needed, and so no tree."""


@dataclass
class Memory:
    """What is kept of earlier looks: plain data, all of it."""

    values: dict[str, Any] = field(default_factory=dict)
    """The last value of each kind; while a dialog is open, this is what is seen."""
    shown: Node = field(default_factory=lambda: Node("document"))
    """The tree of the last look."""
    whole: Node = field(default_factory=lambda: Node("document"))
    """The last paged tree with the entries that were left out, empty."""
    starts: dict[str, int] = field(default_factory=dict)
    """Where long lists are shown from, by reference."""
    base: str = ""
    """The text to which `axtree_changes` is the difference."""
    base_url: str = ""
    url: str = ""
    title: str = ""


class Eyes:
    """Looks at the active tab. Nothing that it does can be noticed by the page."""

    def __init__(self, tabs: Tabs, clock: PageClock, ledger: Ledger) -> None:
        self.memory = Memory()
        self._tabs = tabs
        self._clock = clock
        self._ledger = ledger

    async def look(self, kinds: Collection[str]) -> None:
        """Take in what `kinds` need; `memory` holds it then."""
        page, wanted = self._tabs.active, frozenset(kinds)
        picture = self._picture(page) if wanted & _PICTURES else _nothing()
        pixels, (snapshot, seen), _ = await asyncio.gather(picture, _read(page, wanted), self._clock.publish())
        memory = self.memory
        if page.url != memory.url:
            memory.starts.clear()
        memory.url, memory.title = page.url, self._tabs.titles.get(page, "")
        found: dict[str, Any] = {"screenshot": pixels, "text": capture.limited(seen.text), "axtree_full": snapshot}
        if snapshot is not None:
            _agree(snapshot, seen, wanted)
            self._take_in(snapshot, seen, wanted, found)
        if "screenshot_marked" in wanted and snapshot is not None and pixels is not None:
            refs = capture.references(snapshot)
            boxes = {ref: box for ref, box in seen.seen.items() if ref in seen.points and ref in refs}
            found["screenshot_marked"] = await asyncio.to_thread(marks.draw, pixels, boxes)
        memory.values |= {kind: found[kind] for kind in wanted}

    def _take_in(
        self,
        snapshot: str,
        seen: Sight,
        wanted: frozenset[str],
        found: dict[str, Any],
    ) -> None:
        """Make the kinds that need a tree; `shown` becomes the fullest one of those that were asked for."""
        memory = self.memory
        refs = capture.references(snapshot) if wanted & {"html", "boxes"} else {}
        if "html" in wanted:
            found["html"] = capture.limited(sight.named(seen.html, refs), fold.MAX_CHARS * 2, "<!-- ", " -->")
        if "boxes" in wanted:
            found["boxes"] = {ref: seen.boxes[ref] for ref in refs if ref in seen.boxes}
        if "axtree_viewport" in wanted:
            inside = views.in_view(snapshot, seen.seen)
            found["axtree_viewport"] = fold.render(inside)
            memory.shown = inside
        if wanted & _PAGED:
            self._paged(snapshot, wanted, found)
        if "axtree_full" in wanted:
            memory.shown = tree.Unread(snapshot)
        self._ledger.note(snapshot, memory.shown)

    def _paged(self, snapshot: str, wanted: frozenset[str], found: dict[str, Any]) -> None:
        memory = self.memory
        memory.whole, shown = capture.read(snapshot, memory.starts)
        if wanted & {"axtree", "axtree_changes"}:
            text = found["axtree"] = fold.render(shown)
            same_page = changes.place(memory.url) == changes.place(memory.base_url)
            if "axtree_changes" in wanted:
                found["axtree_changes"] = changes.between(memory.base, text, same_page=same_page)
            memory.base, memory.base_url = text, memory.url
        memory.shown = shown
        if "axtree_interactive" in wanted:
            acting = views.interactive(shown)
            found["axtree_interactive"] = fold.render(acting)
            if not wanted & {"axtree", "axtree_changes"}:
                memory.shown = acting

    async def _picture(self, page: Page) -> NDArray[np.uint8]:
        return await capture.picture(await self._tabs.protocol(page))

    def seen(self, kinds: Collection[str], *, stale: bool) -> Mapping[str, Any]:
        """Fields of an observation: the kinds asked for as they were last seen, tree, address and title."""
        values = {kind: self.memory.values[kind] for kind in kinds if kind in self.memory.values}
        if stale:
            values = {kind: value.copy() if kind in _PICTURES else value for kind, value in values.items()}
        shown = self.memory.shown if set(kinds) & set(TREES) else Node("document")
        return {**values, "tree": shown, "url": self.memory.url, "title": self.memory.title}

    def more(self, ref: str, refusal: Callable[[str], Exception]) -> None:
        """Show the next page of the list `ref` from now on; raises `refusal` where it is not cut."""
        start = fold.next_start(self.memory.whole, ref, self.memory.starts)
        if start is None:
            raise refusal(f"{self._ledger.who(ref)} is not cut; more takes the reference that a (cut) line names")
        self.memory.starts[ref] = start


async def _read(page: Page, wanted: frozenset[str]) -> tuple[str | None, Sight]:
    """Playwright's tree, then what the engine says: it is the tree that gives elements their references."""
    if wanted & _PICTURES and wanted - _PICTURES:
        # The picture begins with a frame of the page. While that waits for a long script, as the tree is one, the
        # browser draws without end: with 100 rows this costs more than the question.
        await page.evaluate(_FRAME)
    snapshot = await capture.snapshot(page) if wanted - _TREELESS else None
    parts = {_PARTS[kind] for kind in wanted if kind in _PARTS}
    return snapshot, await sight.read(page, parts) if parts else Sight()


def _agree(snapshot: str, seen: Sight, wanted: frozenset[str]) -> None:
    """Raise `EnvironmentFault` where the tree has references and the engine finds none on the elements."""
    if wanted & _MARKED and not seen.known and capture.references(snapshot):
        raise EnvironmentFault(
            "this version of Playwright keeps its references elsewhere; use one that this version of sitegym names",
            cause="no_references",
            retry=False,
        )


async def _nothing() -> None:
    return None
