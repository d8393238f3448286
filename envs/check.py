"""Whether an element can take an action, decided from the page's state in one call; refusals that say why."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from playwright.async_api import Error

from . import sight
from .refusal import Refusal
from .settle import Asking, moved_on

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Frame, Page

    from .tree import Node

_REFERENCE = re.compile(r"\[ref=((?:f\d+)?)e(\d+)\]")


@dataclass(frozen=True, kw_only=True)
class Target:
    """An element that takes the action: where to click in the main frame's viewport, and what it is."""

    x: float = 0.0
    y: float = 0.0
    tag: str = ""
    type: str = ""
    role: str = ""
    framed: bool = False
    checked: bool = False
    editable: bool = False
    filled: bool = False
    multiple: bool = False
    listed: bool = False
    """A list of options belongs to it."""
    value: str | None = None


_REASONS = {
    "detached": "{who} is no longer on the page; look at the new tree",
    "hidden": "{who} is hidden; make it visible first",
    "disabled": "{who} is disabled; something else on the page has to be done first, or it is not allowed now",
    "readonly": "{who} is read-only and takes no text; another field or a button beside it may change it",
    "not_editable": "{who} is no text field: it is {detail}",
    "covered": "{who} is covered by {detail}; close or finish that first",
    "gone": "{who} went away as the mouse came to it; look at the new tree",
    "vanished": "{who} was hidden as the mouse came to it; look at the new tree",
    "moved": "{who} moved away as the mouse came to it; look at the new tree",
    "covered_now": "{who} is covered by {detail} as soon as the mouse is over it; click that, or finish it first",
    "replaced": "{who} was pressed, but the page drew it anew before it could be clicked; look at the new tree",
    "shifted": "{who} was pressed, but moved away before it could be clicked; look at the new tree",
    "outside": "{who} cannot be brought into the window; scroll what it lies in, or use the keyboard",
}
_AWAY = "{who} went away while it was being acted on; look at the new tree"
_SCROLLED = ("covered", "outside")
"""Reasons that are found only after scrolling."""


class Ledger:
    """Every reference that a tree has ever shown, so that a stale one and one that never was are told apart.

    References are numbered in the order in which elements are first seen, each document with a prefix of its own: the
    highest number of each prefix says it all. Names are looked up in the last few trees, when a message needs one.
    """

    def __init__(self) -> None:
        self._highest: dict[str, int] = {}
        self._trees: deque[Node] = deque(maxlen=8)

    def note(self, snapshot: str, tree: Node) -> None:
        """Take in a new tree."""
        self._trees.append(tree)
        found = _REFERENCE.findall(snapshot)
        for prefix in {prefix for prefix, _ in found}:
            highest = max(int(number) for one, number in found if one == prefix)
            self._highest[prefix] = max(highest, self._highest.get(prefix, 0))

    def who(self, ref: str) -> str:
        """The element in a message: `e12 (button "Save")`."""
        for tree in reversed(self._trees):
            for node in tree.walk():
                if node.ref == ref:
                    return f"{ref} ({node})"
        return ref

    def missing(self, ref: str) -> Refusal:
        """Why there is no element `ref`."""
        prefix, _, number = ref.rpartition("e")
        if int(number) <= self._highest.get(prefix, 0):
            return Refusal(f"{self.who(ref)} is stale: it is no longer on the page; take a reference from the new tree")
        return Refusal(f"no element {ref}: no tree has shown this reference; take one from the tree")


def is_gone(error: Error) -> bool:
    """Whether a lookup failed because there is no such element now: it is gone, or its whole document is."""
    text = str(error)
    return "Failed to find" in text or "Invalid frame in aria-ref" in text or moved_on(error)


async def find(page: Page, ref: str) -> ElementHandle | None:
    """Playwright's handle of an element; None where it is not there."""
    try:
        return await page.query_selector(f"aria-ref={ref}")
    except Error as error:
        if is_gone(error):
            return None
        raise


def _documents(page: Page, target: Target) -> Sequence[Frame]:
    """The document of a target, or all that may be it."""
    return page.frames if target.framed else [page.main_frame]


class Checker:
    """Looks elements up by reference, without waiting."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.taken: set[str] = set()
        """References that were ready for this action when it began."""
        self.asking: Asking | None = None
        """What the page is still to be asked as it settles."""

    async def check(self, page: Page, ref: str, need: str = "point", *, aim: bool = False) -> Target:
        """The element, ready for a click (`point`), typing (`text`), the mouse alone (`hover`) or anything (`any`).

        Scrolls it into view, except for `any`. Raises `Refusal` where it cannot take the action.
        """
        found = await sight.asked(page, ref, "check", [need, aim])
        target = await self._target(page, ref, found or await self.ask(page, ref, "check", need, aim))
        self.taken.add(ref)
        return target

    async def ask(self, page: Page, ref: str, function: str, *args: object) -> Any:
        """Call one of the page script's functions on the element; raises `Refusal` where it is not there."""
        return await self.run(
            page, ref, f"(element, args) => window.__sitegym.{function}(element, ...args)", list(args)
        )

    async def run(self, page: Page, ref: str, script: str, given: object = None) -> Any:
        """What a script says of the element; raises `Refusal` where it is not there."""
        try:
            return await page.eval_on_selector(f"aria-ref={ref}", script, given)
        except Error as error:
            if is_gone(error):
                raise await self._missing(page, ref) from None
            raise

    async def _missing(self, page: Page, ref: str) -> Refusal:
        """Why no element is called `ref`: it may be there still, but hidden."""
        if ref in self.taken:
            return Refusal(_AWAY.format(who=self.ledger.who(ref)), touched=True)
        try:
            element = await sight.left_out(page, ref)
            if element is not None and not await element.is_visible():
                return Refusal(_REASONS["hidden"].format(who=self.ledger.who(ref)))
        except Error as error:
            if not is_gone(error):
                raise
        return self.ledger.missing(ref)

    @asynccontextmanager
    async def aimed(
        self,
        page: Page,
        ref: str,
        need: str = "point",
        how: str = "left",
        option: int | None = None,
        *,
        last: bool = False,
    ) -> AsyncIterator[Target]:
        """The element, or an option of its open list, ready as in `check`; what the mouse does next is meant for it.

        `how` is the button of a click, `hover`, or anything else for a press that need not end as a click. Raises
        `Refusal` where the page removed, moved or covered the element before the mouse reached it; where this is the
        `last` that the action does, the page is asked as it settles (`asking`), which spares a question.
        """  # fmt: skip
        try:
            if option is None:
                target = await self.check(page, ref, need, aim=True)
            else:
                target = await self._option(page, ref, option)
            yield target
        except Refusal:
            await self._tell(page.frames, "() => globalThis.__sitegym?.aim(null)")
            raise
        if last and not target.framed:
            self.asking = Asking(page.main_frame, how, ref)
            return
        found = await self._tell(_documents(page, target), "how => globalThis.__sitegym?.landed(how)", how)
        if found:
            raise self.missed(ref, found)

    def missed(self, ref: str, found: Mapping[str, str]) -> Refusal:
        """Why the mouse did not reach its element, as the page's script tells it."""
        return Refusal(_REASONS[found["why"]].format(who=self.ledger.who(ref), detail=found["detail"]), touched=True)

    async def typed(self, page: Page, ref: str, target: Target) -> None:
        """Raise `Refusal` where the field went away while it was typed into, and the rest was lost."""
        if await self._tell(_documents(page, target), "() => globalThis.__sitegym?.typed()"):
            raise Refusal(_AWAY.format(who=self.ledger.who(ref)), touched=True)

    async def _tell(self, frames: Sequence[Frame], script: str, given: object = None) -> Any:
        """The first document's answer that says something; one that has moved on meanwhile has none."""
        for frame in frames:
            try:
                if found := await frame.evaluate(script, given):
                    return found
            except Error as error:
                if not (frame.is_detached() or moved_on(error)):
                    raise
        return None

    async def _option(self, page: Page, ref: str, index: int) -> Target:
        """The option `index` of the open list that belongs to the element, ready for a click."""
        script = "(element, i) => window.__sitegym.check(window.__sitegym.optionAt(element, i), 'point', true)"
        return await self._target(page, ref, await self.run(page, ref, script, index))

    async def handle(self, page: Page, ref: str) -> ElementHandle:
        """Playwright's handle of the element; raises `Refusal` where it is not there."""
        handle = await find(page, ref)
        if handle is None:
            raise await self._missing(page, ref)
        return handle

    async def _target(self, page: Page, ref: str, found: dict[str, Any]) -> Target:
        if "why" in found:
            why = found["why"]
            message = _REASONS[why].format(who=self.ledger.who(ref), detail=found["detail"])
            raise Refusal(message, touched=why in _SCROLLED)
        target = Target(**{key: value for key, value in found.items() if value is not None})
        return await self._outward(page, ref, target) if target.framed and "x" in found else target

    async def _outward(self, page: Page, ref: str, target: Target) -> Target:
        """The target with its point counted in the main frame, checked in every document on the way."""
        handle = await self.handle(page, ref)
        frame = await handle.owner_frame()
        at = {"x": target.x, "y": target.y}
        while frame is not None and frame.parent_frame is not None:
            element = await frame.frame_element()
            script = "(frame, at) => window.__sitegym.outward(frame, at)"
            out = cast("dict[str, Any]", await element.evaluate(script, at))
            if out["cover"] is not None:
                message = _REASONS["covered"].format(who=self.ledger.who(ref), detail=out["cover"])
                raise Refusal(message, touched=True)
            at = {"x": out["x"], "y": out["y"]}
            frame = frame.parent_frame
        return Target(**{**vars(target), **at})
