"""Actions that several vendors' calls become: clicks with keys held, chords and sequences, waits, wheels."""

from __future__ import annotations

from collections.abc import Sequence

from .. import actions
from ..actions import Action, InvalidAction
from . import keys
from .view import View

NOTCH = 100
"""Pixels that a page scrolls for one notch of a wheel, as Chromium scrolls for one on Windows and Linux."""

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
"""Which way a wheel turns: across and down."""


def click(point: tuple[int, int], button: str = "left", count: int = 1, held: Sequence[str] = ()) -> list[Action]:
    """A click at a point of the viewport, with modifiers held."""
    return [actions.mouse_click(*point, button, count, keys.modifiers(held) or None)]


def click_on(view: View, ref: str, button: str = "left", count: int = 1, held: Sequence[str] = ()) -> list[Action]:
    """A click on an element; with the middle button, or three times, at its middle, which must be known."""
    kind = {("left", 1): actions.click, ("left", 2): actions.double_click, ("right", 1): actions.right_click}
    if (button, count) in kind:
        return [kind[button, count](ref, keys.modifiers(held) or None)]
    return click(view.middle(ref), button, count, held)


def holding(held: Sequence[str], inner: list[Action]) -> list[Action]:
    """Actions while keys are held, for those that take no modifiers themselves."""
    down = [actions.key_down(name) for name in held]
    return [*down, *inner, *(actions.key_up(name) for name in reversed(held))]


def press(view: View, pressed: Sequence[str]) -> list[Action]:
    """A chord, pressed. While a native dialog is open, Enter is its OK and Escape its Cancel, as in any browser."""
    chord = keys.chord(pressed)
    if view.observation.dialog is not None:
        if chord in ("Enter", "Space"):
            return [actions.accept_dialog()]
        if chord == "Escape":
            return [actions.dismiss_dialog()]
    return [actions.press(chord)]


def sequence(view: View, text: str, repeat: int = 1) -> list[Action]:
    """Chords one after the other, with spaces between them: `Down Down ctrl+a`."""
    chords = [keys.split(text)] if not text.strip() else [keys.split(part) for part in text.split()]
    return [action for _ in range(repeat) for pressed in chords for action in press(view, pressed)]


def hold(text: str, seconds: float) -> list[Action]:
    """A key or chord held for some time."""
    return holding(keys.split(text), wait(seconds))


def write(view: View, text: str) -> list[Action]:
    """Text typed where the focus is. A prompt that is open takes a text that ends in a line break as its answer."""
    dialog = view.observation.dialog
    if dialog is not None and dialog.kind == "prompt":
        if not text.endswith("\n"):
            raise InvalidAction("a prompt is open: end the text with a line break, which answers it with OK")
        return [actions.accept_dialog(text[:-1])]
    return [actions.keyboard_type(text)]


def wait(seconds: float) -> list[Action]:
    """World time, spent."""
    return [actions.wait(round(seconds * 1000))]


def wheel(point: tuple[int, int], direction: str, pixels: int) -> list[Action]:
    """The wheel, turned over a point."""
    across, down = DIRECTIONS[direction]
    return [actions.mouse_scroll(*point, across * pixels, down * pixels)]


def drag(points: Sequence[tuple[int, int]]) -> list[Action]:
    """A drag along points of the viewport."""
    between = [list(point) for point in points[1:-1]]
    return [actions.mouse_drag(*points[0], *points[-1], between or None)]
