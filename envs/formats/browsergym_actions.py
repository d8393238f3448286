"""The functions of BrowserGym's action sets, one each, and why some have no meaning here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from .. import actions
from ..actions import Action
from . import hands, keys
from .browsergym import BROWSERGYM
from .format import Param
from .view import View

__all__ = ["BROWSERGYM"]

Bid = Annotated[str, Param("text", "the element's reference in the tree", example="e12")]
Button = Annotated[str, Param("text", "the button", choices=("left", "middle", "right"))]
X = Annotated[float, Param("number", "pixels from the left", example=640)]
Y = Annotated[float, Param("number", "pixels from the top", example=400)]
Chord = Annotated[str, Param("text", "a key or chord", example="Control+a")]
Held = Annotated[
    list[str] | None,
    Param("texts", "keys to hold meanwhile", choices=("Alt", "Control", "ControlOrMeta", "Meta", "Shift")),
]

_define = BROWSERGYM.member


def _held(names: Sequence[str] | None) -> list[str]:
    return [keys.key(name) for name in names or ()]


@_define()
def send_msg_to_user(view: View, text: Annotated[str, Param("text", "the answer", example="42")]) -> list[Action]:
    """End the episode with this answer, as its tasks take a message."""
    return [actions.finish(text)]


BROWSERGYM.refuse(
    'the reason is graded here: finish(outcome="NOT_FOUND"), or NOT_ALLOWED, PERMISSION_DENIED, INVALID_INPUT',
    "report_infeasible",
)


@_define()
def noop(
    view: View, wait_ms: Annotated[float, Param("number", "milliseconds", minimum=0, maximum=600_000)] = 1000
) -> list[Action]:
    """Let world time pass."""
    return hands.wait(wait_ms / 1000)


@_define()
def fill(
    view: View,
    bid: Bid,
    value: Annotated[str, Param("text", "what to type")],
    enable_autocomplete_menu: Annotated[bool, Param("bool", "text is typed, so menus open anyway")] = False,
) -> list[Action]:
    """Type into a field, in place of what it holds."""
    return [actions.type_(bid, value)]


@_define()
def check(view: View, bid: Bid) -> list[Action]:
    """Tick."""
    return [actions.check(bid)]


@_define()
def uncheck(view: View, bid: Bid) -> list[Action]:
    """Remove a tick."""
    return [actions.check(bid, False)]


@_define()
def select_option(
    view: View,
    bid: Bid,
    options: Annotated[str | list[str], Param("text_or_texts", "options as they are shown", example="Large")],
) -> list[Action]:
    """Choose options by their text."""
    return [actions.select(bid, options)]


@_define()
def click(view: View, bid: Bid, button: Button = "left", modifiers: Held = None) -> list[Action]:
    """Click; with the middle button, the element's place must be known from `boxes`."""
    return hands.click_on(view, bid, button, 1, _held(modifiers))


@_define()
def dblclick(view: View, bid: Bid, button: Button = "left", modifiers: Held = None) -> list[Action]:
    """Click twice; with another button, the element's place must be known from `boxes`."""
    return hands.click_on(view, bid, button, 2, _held(modifiers))


@_define()
def hover(view: View, bid: Bid) -> list[Action]:
    """Move the mouse over an element."""
    return [actions.hover(bid)]


@_define()
def press(view: View, bid: Bid, key_comb: Chord) -> list[Action]:
    """Press a key or chord in an element."""
    return [actions.press(keys.chord(keys.split(key_comb)), bid)]


BROWSERGYM.refuse("a person gives an element the focus by clicking it or with Tab", "focus")


@_define()
def clear(view: View, bid: Bid) -> list[Action]:
    """Empty a field."""
    return [actions.clear(bid)]


@_define()
def drag_and_drop(
    view: View, from_bid: Bid, to_bid: Annotated[str, Param("text", "the element to drop on", example="e20")]
) -> list[Action]:
    """Drag one element onto another."""
    return [actions.drag(from_bid, to_bid)]


@_define()
def scroll(
    view: View,
    delta_x: Annotated[float, Param("number", "pixels to the right", example=0)],
    delta_y: Annotated[float, Param("number", "pixels down", example=200)],
) -> list[Action]:
    """Turn the wheel where the mouse is."""
    return [actions.mouse_scroll(*view.here(), *view.distance(delta_x, delta_y))]


@_define()
def scroll_at(
    view: View,
    x: X,
    y: Y,
    dx: Annotated[float, Param("number", "pixels to the right", example=0)],
    dy: Annotated[float, Param("number", "pixels down", example=200)],
) -> list[Action]:
    """Turn the wheel over a point."""
    return [actions.mouse_scroll(*view.point(x, y), *view.distance(dx, dy))]


@_define()
def mouse_move(view: View, x: X, y: Y) -> list[Action]:
    """Move the mouse."""
    return [actions.mouse_move(*view.point(x, y))]


@_define()
def mouse_up(view: View, x: X, y: Y, button: Button = "left") -> list[Action]:
    """Release a button at a point."""
    return [actions.mouse_up(*view.point(x, y), button)]


@_define()
def mouse_down(view: View, x: X, y: Y, button: Button = "left") -> list[Action]:
    """Press a button at a point, and hold it."""
    return [actions.mouse_down(*view.point(x, y), button)]


@_define()
def mouse_click(view: View, x: X, y: Y, button: Button = "left") -> list[Action]:
    """Click at a point."""
    return hands.click(view.point(x, y), button)


@_define()
def mouse_dblclick(view: View, x: X, y: Y, button: Button = "left") -> list[Action]:
    """Click twice at a point."""
    return hands.click(view.point(x, y), button, 2)


@_define()
def mouse_drag_and_drop(
    view: View,
    from_x: X,
    from_y: Y,
    to_x: Annotated[float, Param("number", "where to: pixels from the left", example=800)],
    to_y: Annotated[float, Param("number", "where to: pixels from the top", example=500)],
) -> list[Action]:
    """Drag from one point to another."""
    return hands.drag([view.point(from_x, from_y), view.point(to_x, to_y)])


@_define()
def keyboard_press(view: View, key: Chord) -> list[Action]:
    """Press a key or chord."""
    return hands.press(view, keys.split(key))


@_define()
def keyboard_up(view: View, key: Annotated[str, Param("text", "a key", example="Shift")]) -> list[Action]:
    """Release a key."""
    return [actions.key_up(keys.key(key))]


@_define()
def keyboard_down(view: View, key: Annotated[str, Param("text", "a key", example="Shift")]) -> list[Action]:
    """Hold a key down."""
    return [actions.key_down(keys.key(key))]


@_define()
def keyboard_type(view: View, text: Annotated[str, Param("text", "what to type")]) -> list[Action]:
    """Type where the focus is."""
    return hands.write(view, text)


@_define()
def keyboard_insert_text(view: View, text: Annotated[str, Param("text", "what to type")]) -> list[Action]:
    """Type where the focus is; it is typed key by key here."""
    return hands.write(view, text)


@_define()
def goto(
    view: View, url: Annotated[str, Param("text", "an address", example="http://admin.shop.localhost/orders")]
) -> list[Action]:
    """Open an address of this world."""
    return [actions.navigate(url)]


@_define()
def go_back(view: View) -> list[Action]:
    """Go back one page."""
    return [actions.back()]


@_define()
def go_forward(view: View) -> list[Action]:
    """Go forward one page."""
    return [actions.forward()]


@_define()
def new_tab(view: View) -> list[Action]:
    """Open a blank tab."""
    return [actions.new_tab()]


@_define()
def tab_close(view: View) -> list[Action]:
    """Close the active tab."""
    return [actions.close_tab()]


@_define()
def tab_focus(view: View, index: Annotated[int, Param("int", "the number of the tab", example=1)]) -> list[Action]:
    """Make a tab the active one."""
    return [actions.switch_tab(int(index))]


@_define()
def upload_file(
    view: View,
    bid: Bid,
    file: Annotated[
        str | list[str], Param("text_or_texts", "names of files that the task offers", example="invoice.pdf")
    ],
) -> list[Action]:
    """Choose files that the task offers, by name."""
    return [actions.upload(bid, file)]


BROWSERGYM.refuse("files are chosen in a file field by reference: upload_file(bid, file)", "mouse_upload_file")
