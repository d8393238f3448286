"""The mouse of an episode: clicks, moves, drags and the wheel at points of the picture, and buttons that are held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .refusal import Refusal

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .keyboard import Keyboard
    from .settle import PageClock
    from .tabs import Tabs

Point = tuple[float, float]

STEPS = 10
"""Moves between two points of a drag, as a hand makes them: widgets measure them, and native drags begin with one."""

FRAME_MS = 16
"""World time that passes at each turn of a drag, so that widgets which draw once a frame follow the mouse."""


class Pointer:
    """One mouse for all tabs. Its actions raise `Refusal` for points outside the window and buttons that do not fit."""

    def __init__(self, tabs: Tabs, clock: PageClock, keyboard: Keyboard) -> None:
        self.held: list[str] = []
        """Buttons that are held down."""
        self._tabs = tabs
        self._clock = clock
        self._keyboard = keyboard
        self._page: Page | None = None

    async def carry(self) -> None:
        """Let go of the buttons in a tab that is no longer the active one."""
        page, before = self._tabs.active, self._page
        self._page = page
        if page is before:
            return
        while self.held:
            button: Any = self.held.pop()
            if before in self._tabs.pages:
                assert before is not None
                await before.mouse.up(button=button)

    async def click(self, x: float, y: float, *, button: Any = "left", count: int = 1) -> None:
        """Click at a point of the window."""
        self._free(button)
        self._clock.mouse = (x, y)
        self._tabs.touched = True
        await self._tabs.active.mouse.click(x, y, button=button, click_count=count)

    async def move(self, x: float, y: float, steps: int = 1) -> None:
        """Move to a point of the window."""
        self._clock.mouse = (x, y)
        self._tabs.touched = True
        await self._tabs.active.mouse.move(x, y, steps=steps)

    async def drag(self, *points: Point) -> None:
        """Press the left button at the first point, pass the others, and release it at the last."""
        self._free("left")
        mouse = self._tabs.active.mouse
        await self.move(*points[0])
        await mouse.down()
        for point in points[1:]:
            await self._pull(*point)
        await mouse.up()

    async def _pull(self, x: float, y: float) -> None:
        """Move with a button held, and let the page draw what it makes of it: some drop where they last drew it."""
        await self.move(x, y, steps=STEPS)
        await self._clock.run(FRAME_MS)
        await self.move(x, y)

    async def wheel(self, x: float, y: float, dx: int, dy: int) -> None:
        """Turn the wheel over a point."""
        await self.move(x, y)
        await self._tabs.active.mouse.wheel(dx, dy)

    def middle(self) -> Point:
        """The middle of the window."""
        width, height = self._size()
        return width / 2, height / 2

    def inside(self, x: float, y: float) -> None:
        """Raise `Refusal` where a point is not in the window."""
        width, height = self._size()
        if not (0 <= x < width and 0 <= y < height):
            raise Refusal(f"({x:g}, {y:g}) lies outside the window, which is {width} x {height}")

    def _size(self) -> tuple[int, int]:
        size = self._tabs.active.viewport_size or {"width": 1280, "height": 800}
        return size["width"], size["height"]

    def _free(self, button: str) -> None:
        if button in self.held:
            raise Refusal(f"the {button} mouse button is held down; release it with mouse_up(x, y) first")

    # ---- actions ---------------------------------------------------------------------------------------------------

    async def mouse_click(self, x: int, y: int, button: str, count: int, modifiers: Sequence[str] | None) -> None:
        """Click at a point."""
        self.inside(x, y)
        async with self._keyboard.holding(modifiers):
            await self.click(x, y, button=button, count=count)

    async def mouse_move(self, x: int, y: int) -> None:
        """Move to a point; a held button drags."""
        self.inside(x, y)
        await self.move(x, y, steps=STEPS if self.held else 1)

    async def mouse_down(self, x: int, y: int, button: Any) -> None:
        """Press a button and hold it."""
        self.inside(x, y)
        self._free(button)
        await self.move(x, y)
        self.held.append(button)
        await self._tabs.active.mouse.down(button=button)

    async def mouse_up(self, x: int, y: int, button: Any) -> None:
        """Release a button at a point."""
        self.inside(x, y)
        if button not in self.held:
            raise Refusal(f"the {button} mouse button is not held down; press it with mouse_down(x, y) first")
        await self._pull(x, y)
        self.held.remove(button)
        await self._tabs.active.mouse.up(button=button)

    async def mouse_drag(self, x: int, y: int, to_x: int, to_y: int, path: Sequence[Sequence[int]] | None) -> None:
        """Drag between points."""
        points = [(x, y), *((px, py) for px, py in path or ()), (to_x, to_y)]
        for point in points:
            self.inside(*point)
        await self.drag(*points)

    async def mouse_scroll(self, x: int, y: int, dx: int, dy: int) -> None:
        """Turn the wheel over a point."""
        self.inside(x, y)
        await self.wheel(x, y, dx, dy)
