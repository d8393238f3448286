"""The functions of Gemini 2.5 (`click_at`, `type_text_at`, …)."""

from __future__ import annotations

from typing import Annotated

from .. import actions
from ..actions import Action
from . import hands, keys
from .format import Param
from .gemini import GRID, SOURCE, Direction, Gemini, Safety, X, Y, point
from .view import View

GEMINI_2_5 = Gemini("gemini/2.5", "Gemini 2.5's computer use", SOURCE)
_old = GEMINI_2_5.member


@_old()
def open_web_browser(view: View, safety_decision: Safety = None) -> list[Action]:
    """Nothing: the browser is open."""
    return []


@_old()
def wait_5_seconds(view: View, safety_decision: Safety = None) -> list[Action]:
    """Let five seconds of world time pass."""
    return hands.wait(5)


@_old(name="go_back")
def back(view: View, safety_decision: Safety = None) -> list[Action]:
    """Go back one page."""
    return [actions.back()]


@_old(name="go_forward")
def forward(view: View, safety_decision: Safety = None) -> list[Action]:
    """Go forward one page."""
    return [actions.forward()]


GEMINI_2_5.refuse("a world has no search engine; use the search of its own pages, or navigate", "search")


@_old()
def navigate(
    view: View,
    url: Annotated[str, Param("text", "an address of this world", example="http://admin.shop.localhost/orders")],
    safety_decision: Safety = None,
) -> list[Action]:
    """Open an address."""
    return [actions.navigate(url)]


@_old()
def click_at(view: View, y: Y, x: X, safety_decision: Safety = None) -> list[Action]:
    """Click."""
    return hands.click(point(view, x, y))


@_old()
def hover_at(view: View, y: Y, x: X, safety_decision: Safety = None) -> list[Action]:
    """Move the mouse."""
    return [actions.mouse_move(*point(view, x, y))]


@_old()
def type_text_at(
    view: View,
    y: Y,
    x: X,
    text: Annotated[str, Param("text", "what to type")],
    press_enter: Annotated[bool, Param("bool", "press Enter afterwards")] = True,
    clear_before_typing: Annotated[bool, Param("bool", "replace what the field holds")] = True,
    safety_decision: Safety = None,
) -> list[Action]:
    """Click into a field, select all that it holds and type over it, then press Enter."""
    done = hands.click(point(view, x, y))
    if clear_before_typing:
        done += [actions.press("Control+a"), *([] if text else [actions.press("Delete")])]
    return done + hands.write(view, text + "\n" * press_enter) if text or press_enter else done


@_old()
def key_combination(
    view: View,
    keys_: Annotated[str, Param("text", "a chord", example="Control+A")],
    safety_decision: Safety = None,
) -> list[Action]:
    """Press a key or chord."""
    return hands.press(view, keys.split(keys_))


@_old()
def scroll_document(view: View, direction: Direction, safety_decision: Safety = None) -> list[Action]:
    """Turn the wheel over the middle of the page by seven eighths of the window, as Page Down scrolls in Chromium."""
    width, height = view.viewport
    pixels = (height if direction in ("up", "down") else width) * 7 // 8
    return hands.wheel((width // 2, height // 2), direction, pixels)


@_old()
def scroll_at(
    view: View,
    y: Y,
    x: X,
    direction: Direction,
    magnitude: Annotated[int, Param("int", "how far, in 1000ths of the picture", minimum=0, maximum=GRID - 1)] = 800,
    safety_decision: Safety = None,
) -> list[Action]:
    """Turn the wheel over a point."""
    along = view.viewport[1] if direction in ("up", "down") else view.viewport[0]
    return hands.wheel(point(view, x, y), direction, int(magnitude) * along // GRID)


@_old(destination_y=600, destination_x=700)
def drag_and_drop(
    view: View, y: Y, x: X, destination_y: Y, destination_x: X, safety_decision: Safety = None
) -> list[Action]:
    """Drag from one point to another."""
    return hands.drag([point(view, x, y), point(view, destination_x, destination_y)])
