"""The keyboard of an episode: keys and chords, keys that are held down from one action to the next, typed text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from . import keys
from .refusal import Refusal

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .tabs import Tabs

TYPED_MAX = 400
"""Longer texts arrive at once, as from a paste, instead of key by key."""


class Keyboard:
    """One keyboard for all tabs: what is held down stays so when another tab becomes the active one.

    Its actions raise `Refusal` where a key does not exist or cannot be pressed or released now.
    """

    def __init__(self, tabs: Tabs) -> None:
        self.held: list[str] = []
        """Keys that are held down, in the order in which they were pressed."""
        self._tabs = tabs
        self._page: Page | None = None

    async def carry(self) -> None:
        """Hold the held keys in the active tab, if it is another one than before."""
        page, before = self._tabs.active, self._page
        self._page = page
        if page is before:
            return
        for key in self.held:
            if before in self._tabs.pages:
                assert before is not None
                await before.keyboard.up(key)
            await page.keyboard.down(key)

    async def press(self, chord: str) -> None:
        """Press and release a key or chord; what is held down already stays down."""
        keys.check(chord)
        *modifiers, key = keys.split(chord)
        if key in self.held:
            raise Refusal(f"{key} is held down already; release it with key_up({key!r}) first")
        if "Shift" in (*self.held, *modifiers):
            key = keys.physical(key)
        await self._tabs.active.keyboard.press("+".join([*(m for m in modifiers if m not in self.held), key]))

    async def key_down(self, key: str) -> None:
        """Hold a key down."""
        _single(key)
        if key in self.held:
            raise Refusal(f"{key} is held down already; key_up({key!r}) releases it")
        self.held.append(key)
        await self._tabs.active.keyboard.down(key)

    async def key_up(self, key: str) -> None:
        """Release a key."""
        _single(key)
        if key not in self.held:
            raise Refusal(f"{key} is not held down; held down now: {', '.join(self.held) or 'no key'}")
        self.held.remove(key)
        await self._tabs.active.keyboard.up(key)

    async def keyboard_type(self, text: str) -> None:
        """Type where the focus is; a tab leads to the next field, as its key does."""
        first, *rest = text.split("\t")
        await self.enter(first)
        for part in rest:
            await self._tabs.active.keyboard.press("Tab")
            await self.enter(part)

    async def enter(self, text: str) -> None:
        """Type into what has the focus, tabs included."""
        keyboard = self._tabs.active.keyboard
        if len(text) > TYPED_MAX:
            await keyboard.insert_text(text)
        else:
            await keyboard.type(text)

    @asynccontextmanager
    async def holding(self, modifiers: Sequence[str] | None) -> AsyncIterator[None]:
        """Hold these keys while the body runs; those that are held anyway stay so afterwards."""
        keyboard = self._tabs.active.keyboard
        pressed = [key for key in modifiers or () if key not in self.held]
        for key in pressed:
            self._tabs.touched = True
            await keyboard.down(key)
        try:
            yield
        finally:
            for key in reversed(pressed):
                await keyboard.up(key)


def _single(key: str) -> None:
    keys.check(key)
    if len(keys.split(key)) > 1:
        raise Refusal(f"{key!r} is a chord; hold one key at a time, or use press({key!r})")
