"""What is done to elements by reference: each action, after the check that decides whether the page takes it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from . import keys
from .check import Checker, Target
from .keyboard import Keyboard
from .pointer import Pointer
from .refusal import Refusal
from .settle import SPAN_MS, PageClock
from .shortcuts import Shortcuts

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .tabs import Tabs

_CHECKED_ROLES = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")
_EXAMPLES = {
    "date": "2026-03-18",
    "time": "14:30",
    "datetime-local": "2026-03-18T14:30",
    "month": "2026-03",
    "week": "2026-W12",
    "color": "#ff8800",
    "range": "a number within its limits and steps",
}


class Hands:
    """What a person does with mouse and keyboard. Every method raises `Refusal` where the page does not take it."""

    def __init__(
        self,
        tabs: Tabs,
        clock: PageClock,
        checker: Checker,
        pointer: Pointer,
        keyboard: Keyboard,
    ) -> None:
        self._tabs = tabs
        self._clock = clock
        self._checker = checker
        self._pointer = pointer
        self._keyboard = keyboard
        self._shortcuts = Shortcuts(tabs)

    @property
    def _page(self) -> Page:
        return self._tabs.active

    def _who(self, ref: str) -> str:
        """The element in a message; asked only where there is one, as a tree may have to be read for it."""
        return self._checker.ledger.who(ref)

    async def _press_on(
        self, ref: str, modifiers: Sequence[str] | None, *, button: str = "left", count: int = 1
    ) -> None:
        async with self._keyboard.holding(modifiers):  # before the look at the page, which may answer to keys
            await self._click(ref, button, count)

    async def _click(self, ref: str, button: str, count: int) -> None:
        async with self._checker.aimed(self._page, ref, how=button, last=True) as target:
            if target.type == "file":
                raise Refusal(f"{self._who(ref)} opens the file chooser of the system; use upload instead")
            if target.tag == "select" and button == "left":
                raise Refusal(f"{self._who(ref)} opens a list of the system; use select({ref!r}, …) instead")
            await self._pointer.click(target.x, target.y, button=button, count=count)

    async def click(self, ref: str, modifiers: Sequence[str] | None) -> None:
        """Click."""
        await self._press_on(ref, modifiers)

    async def double_click(self, ref: str, modifiers: Sequence[str] | None) -> None:
        """Click twice."""
        await self._press_on(ref, modifiers, count=2)

    async def right_click(self, ref: str, modifiers: Sequence[str] | None) -> None:
        """Click with the right button."""
        await self._press_on(ref, modifiers, button="right")

    async def hover(self, ref: str) -> None:
        """Move the mouse over the element."""
        async with self._checker.aimed(self._page, ref, "hover", how="hover", last=True) as target:
            await self._pointer.move(target.x, target.y)

    async def type(self, ref: str, text: str, submit: bool, clear: bool) -> None:
        """Type into a field, key by key."""
        async with self._checker.aimed(self._page, ref, "text", how="focus") as target:
            if target.tag == "input" and ("\n" in text or "\r" in text):
                raise Refusal(f"{self._who(ref)} takes one line; use submit=true to press Enter")
            if target.filled:
                await self._fill(ref, target, text)
            else:
                await self._pointer.click(target.x, target.y)
        if not target.filled:
            await self._focus(ref, select_all=clear)
            if text or not clear:
                await self._keyboard.enter(text)
            else:
                await self._page.keyboard.press("Delete")
            await self._checker.typed(self._page, ref, target)
        if submit:
            await self._page.keyboard.press("Enter")

    async def _focus(self, ref: str, select_all: bool) -> None:
        if not await self._checker.ask(self._page, ref, "focus", select_all):
            raise Refusal(f"{self._who(ref)} did not take the focus")

    async def _fill(self, ref: str, target: Target, text: str) -> None:
        if not await self._checker.ask(self._page, ref, "fill", text):
            example = _EXAMPLES.get(target.type, "another value")
            raise Refusal(f"{self._who(ref)} does not take {text!r}: a {target.type} field wants {example}")

    async def clear(self, ref: str) -> None:
        """Empty a field."""
        await self.type(ref, "", submit=False, clear=True)

    async def press(self, key: str, ref: str | None) -> None:
        """Press a key or chord."""
        keys.check(key)
        if ref is not None:
            await self._checker.check(self._page, ref)
            script = "element => { element.focus(); return element.matches(':focus, :focus-within'); }"
            if not await self._checker.run(self._page, ref, script):
                await self._checker.check(self._page, ref, "any")  # it may have gone away at the focus
                raise Refusal(f"{self._who(ref)} cannot have the focus; click it, or press the key without a ref")
        await self._shortcuts.press(key, self._keyboard.held, self._keyboard.press)

    async def check(self, ref: str, checked: bool) -> None:
        """Tick or untick."""
        async with self._checker.aimed(self._page, ref, last=True) as target:
            radio = target.type == "radio" or target.role in ("radio", "menuitemradio")
            if target.type not in ("checkbox", "radio") and target.role not in _CHECKED_ROLES:
                raise Refusal(f"{self._who(ref)} is no checkbox, radio button or switch; use click")
            if radio and not checked:
                raise Refusal(f"{self._who(ref)} is a radio button, which cannot be unticked; tick another one")
            if target.checked != checked:
                await self._pointer.click(target.x, target.y)

    async def select(self, ref: str, option: str | list[str]) -> None:
        """Choose options of a native select, a listbox or an ARIA combobox."""
        wanted = [option] if isinstance(option, str) else option
        target = await self._checker.check(self._page, ref)
        if target.tag == "select":
            await self._select_native(ref, target, wanted)
        elif target.listed or target.role in ("combobox", "listbox"):
            await self._select_listed(ref, target, wanted)
        else:
            raise Refusal(f"{self._who(ref)} is no select, combobox or list box; click it or type into it")

    async def _select_native(self, ref: str, target: Target, wanted: list[str]) -> None:
        if len(wanted) > 1 and not target.multiple:
            raise Refusal(f"{self._who(ref)} takes one option, not {len(wanted)}")
        options = await self._checker.ask(self._page, ref, "options")
        indexes = [self._find(ref, options, name) for name in wanted]
        await self._checker.ask(self._page, ref, "choose", indexes)

    async def _select_listed(self, ref: str, target: Target, wanted: list[str]) -> None:
        opened = False
        for name in wanted:
            if not await self._checker.ask(self._page, ref, "isOpenList"):
                await self._pointer.click(target.x, target.y)
                await self._clock.run(SPAN_MS)
                opened = True
            options = await self._checker.ask(self._page, ref, "options")
            if not options:
                raise Refusal(f"{self._who(ref)} shows no list; type into it or click it first")
            if len(wanted) > 1 and name == wanted[0]:
                await self._check_several(ref, options, wanted)
            index = self._find(ref, options, name)
            async with self._checker.aimed(self._page, ref, option=index) as at:
                await self._pointer.click(at.x, at.y)
            await self._clock.run(0)
        await self._fold(ref, opened, len(wanted) > 1)

    async def _check_several(self, ref: str, options: list[dict[str, Any]], wanted: list[str]) -> None:
        """Raise `Refusal` where not all can be chosen, before any is."""
        if not await self._checker.ask(self._page, ref, "takesSeveral"):
            raise Refusal(f"{self._who(ref)} takes one option, not {len(wanted)}")
        for name in wanted:
            self._find(ref, options, name)

    async def _fold(self, ref: str, opened: bool, several: bool) -> None:
        """Close a list for several options that stays open, which would cover what is below: click the control that
        opened it, or leave the field; the Escape key might take the choice back or close the dialog around it."""
        if await self._checker.ask(self._page, ref, "staysOpen", opened, several) == "button":
            with suppress(Refusal):  # the list may lie over it
                async with self._checker.aimed(self._page, ref) as target:
                    await self._pointer.click(target.x, target.y)
                await self._clock.run(0)
        for span in (0, SPAN_MS):  # some wait a moment
            if await self._checker.ask(self._page, ref, "staysOpen", opened, several):
                await self._checker.ask(self._page, ref, "leave")
                await self._clock.run(span)

    def _find(self, ref: str, options: list[dict[str, Any]], name: str) -> int:
        wanted = " ".join(name.split())
        for index, option in enumerate(options):
            if option["name"] == wanted:
                if option["disabled"]:
                    raise Refusal(f"option {wanted!r} of {self._who(ref)} is disabled")
                return index
        names = ", ".join(repr(option["name"]) for option in options[:30])
        rest = f" and {len(options) - 30} more" if len(options) > 30 else ""
        raise Refusal(f"{self._who(ref)} has no option {wanted!r}; there are: {names}{rest}")

    async def drag(self, ref: str, to: str, dx: int, dy: int) -> None:
        """Drag one element onto another, with moves in between as a hand makes them."""
        await self._checker.check(self._page, ref)
        end = await self._checker.check(self._page, to, "hover")
        async with self._checker.aimed(self._page, ref, how="drag") as start:
            if (await self._checker.check(self._page, to, "hover")) != end:
                fit = "do not fit into the window together; scroll, or use the keyboard or a menu"
                raise Refusal(f"{ref} and {to} {fit}")
            self._pointer.inside(end.x + dx, end.y + dy)
            await self._pointer.drag((start.x, start.y), (end.x + dx, end.y + dy))

    async def drag_by(self, ref: str, dx: int, dy: int) -> None:
        """Drag an element so many pixels."""
        async with self._checker.aimed(self._page, ref, how="drag") as start:
            self._pointer.inside(start.x + dx, start.y + dy)
            await self._pointer.drag((start.x, start.y), (start.x + dx, start.y + dy))

    async def scroll(self, direction: str, ref: str | None, pixels: int) -> None:
        """Turn the wheel."""
        x, y = self._pointer.middle()
        if ref is not None:
            target = await self._checker.check(self._page, ref, "hover")
            x, y = target.x, target.y
        far = -pixels if direction in ("up", "left") else pixels
        across = direction in ("left", "right")
        await self._pointer.wheel(x, y, far if across else 0, 0 if across else far)

    async def scroll_to(self, ref: str) -> None:
        """Bring an element into the middle of the window."""
        if not await self._checker.ask(self._page, ref, "scrollTo"):
            raise Refusal(f"{self._who(ref)} is hidden; make it visible first")
