"""Keys that belong to the browser rather than the page: F5 reloads, Control+T opens a tab, Alt+ArrowLeft goes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from playwright.async_api import Error

from . import keys
from .refusal import Refusal
from .settle import moved_on
from .travel import Travel

if TYPE_CHECKING:
    from .tabs import Tabs

_KEPT = {
    "Control+t": "new_tab", "Control+w": "close_tab", "Control+F4": "close_tab", "Control+Tab": "next_tab",
    "Control+PageDown": "next_tab", "Control+Shift+Tab": "previous_tab", "Control+PageUp": "previous_tab",
    "Control+n": "window", "Control+Shift+n": "window",
}  # fmt: skip
"""Chords of which a page never hears."""

_LEFT = {
    "F5": "reload", "Control+r": "reload", "Control+F5": "reload", "Shift+F5": "reload", "Control+Shift+r": "reload",
    "Alt+ArrowLeft": "back", "Alt+ArrowRight": "forward", "Control+l": "address", "Alt+d": "address", "F6": "address",
    "Control+f": "find", "F3": "find", "Control+p": "print", "Control+o": "open",
}  # fmt: skip
"""Chords that a page may take for itself, and that the browser follows where it does not."""

_REASONS = {
    "window": "opens a window of the browser, which there is not here; use new_tab()",
    "address": "goes to the browser's address bar, which there is not here; use navigate(url)",
    "find": "opens the browser's search bar, which there is not here; read the tree, scroll, or search in the page",
    "print": "opens the browser's print window, which there is not here; nothing can be printed",
    "open": "opens a file of the computer, which there is not here; use upload(ref, files) for a file field",
}

_TAKEN = "() => { const sg = globalThis.__sitegym; return sg ? sg.keyTaken() : false; }"


class Shortcuts:
    """What the browser does at a chord. Raises `Refusal` where it would open something that there is not here."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._travel = Travel(tabs)

    async def press(self, chord: str, held: Sequence[str], press: Callable[[str], Awaitable[None]]) -> None:
        """Press a chord on the page, with `press`, and do what the browser does at it unless the page has taken it."""
        name = _name(chord, held)
        if name in _KEPT:
            await self._do(_KEPT[name], chord)
        elif name in _LEFT:
            await self._taken()
            self._tabs.touched = True
            await press(chord)
            if not await self._taken():
                await self._do(_LEFT[name], chord)
        else:
            await press(chord)

    async def _taken(self) -> bool:
        """Whether a document of the tab has taken the last key for itself; asked once for each key."""
        taken = False
        for frame in self._tabs.active.frames:
            try:
                taken = await frame.evaluate(_TAKEN) or taken
            except Error as error:
                if not (frame.is_detached() or moved_on(error)):
                    raise
                taken = True  # the key led to another page
        return taken

    async def _do(self, what: str, chord: str) -> None:
        travel, tabs = self._travel, self._tabs
        match what:
            case "new_tab":
                await travel.new_tab("")
            case "close_tab":
                await travel.close_tab(None)
            case "next_tab" | "previous_tab":
                step = 1 if what == "next_tab" else -1
                await travel.switch_tab((tabs.pages.index(tabs.active) + step) % len(tabs.pages))
            case "reload":
                await travel.reload()
            case "back":
                await travel.back()
            case "forward":
                await travel.forward()
            case _:
                raise Refusal(f"{chord} {_REASONS[what]}")


def _name(chord: str, held: Sequence[str]) -> str:
    """The chord as the tables call it, with what is held down anyway."""
    *modifiers, key = keys.split(chord)
    pressed = {"Control" if name == "ControlOrMeta" else name for name in (*modifiers, *held)}
    names = [name for name in keys.MODIFIERS if name in pressed]
    return "+".join([*names, key.lower() if len(key) == 1 else key])
