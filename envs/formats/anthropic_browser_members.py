"""The members of Anthropic's browser tools, one function each, and why some have no meaning here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from .. import actions
from ..actions import Action, InvalidAction
from . import hands
from .anthropic import MAX_REPEAT, Chord, held
from .anthropic_browser import BROWSER
from .format import Param
from .view import View

__all__ = ["BROWSER"]

MAX_S = 30
_COORDINATE = {"type": "coordinate", "x": 640, "y": 400}
_REF = {"type": "ref", "ref": "e12"}
Target = Annotated[
    dict[str, Any], Param("object", 'a point {"type": "coordinate", …} or an element {"type": "ref", …}', example=_REF)
]
Element = Annotated[dict[str, Any], Param("object", 'an element: {"type": "ref", "ref": …}', example=_REF)]
Place = Annotated[
    dict[str, Any], Param("object", 'a point: {"type": "coordinate", "x": …, "y": …}', example=_COORDINATE)
]
Held = Annotated[str | None, Param("text", "keys to hold meanwhile", example="ctrl+shift")]
Tab = Annotated[str | None, Param("text", "the tab to act on; else the active one", example="1")]
Seconds = Annotated[float, Param("number", "how long, in seconds", minimum=0, maximum=MAX_S, example=2)]

_define = BROWSER.member


def _number(tab_id: str) -> int:
    if not (tab_id.isascii() and tab_id.isdigit() and len(tab_id) < 3):
        raise InvalidAction(f'tab_id is the number of a tab as text, such as "0", not {json.dumps(tab_id)}')
    return int(tab_id)


def _in_tab(view: View, tab_id: str | None, inner: list[Action]) -> list[Action]:
    """Actions in another tab, with the active one active again afterwards."""
    if tab_id is None or _number(tab_id) == view.tab:
        return inner
    return [actions.switch_tab(_number(tab_id)), *inner, actions.switch_tab(view.tab)]


def _look(view: View, tab_id: str | None) -> list[Action]:
    """What is shown is the active tab, so another one becomes that."""
    return [] if tab_id is None or _number(tab_id) == view.tab else [actions.switch_tab(_number(tab_id))]


def _ref(target: Mapping[str, Any]) -> str:
    ref = target.get("ref")
    if target.get("type") != "ref" or not isinstance(ref, str) or set(target) != {"type", "ref"}:
        raise InvalidAction(
            f"target is an element such as {json.dumps(_REF)}, not {json.dumps(dict(target), default=str)}"
        )
    return ref


def _point(view: View, target: Mapping[str, Any]) -> tuple[int, int]:
    x, y = target.get("x"), target.get("y")
    if target.get("type") != "coordinate" or set(target) != {"type", "x", "y"} or not (_whole(x) and _whole(y)):
        example = json.dumps(_COORDINATE)
        raise InvalidAction(f"target is a point such as {example}, not {json.dumps(dict(target), default=str)}")
    return view.point(float(x), float(y))  # type: ignore[arg-type]


def _whole(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and float(value).is_integer()


def _click(
    view: View,
    target: Mapping[str, Any],
    modifiers: str | None,
    tab_id: str | None,
    button: str = "left",
    count: int = 1,
) -> list[Action]:
    keys = held(modifiers)
    if target.get("type") == "ref":
        return _in_tab(view, tab_id, hands.click_on(view, _ref(target), button, count, keys))
    return _in_tab(view, tab_id, hands.click(_point(view, target), button, count, keys))


@_define(needs=())
def navigate(
    view: View,
    url: Annotated[
        str, Param("text", 'an address, or "back", "forward", "reload"', example="admin.shop.localhost/orders")
    ],
    tab_id: Tab = None,
) -> list[Action]:
    """Open an address (http where it names no protocol, since a world has nothing else), or go through the history."""
    history = {"back": actions.back, "forward": actions.forward, "reload": actions.reload}
    if url in history:
        return _in_tab(view, tab_id, [history[url]()])
    full = url if "://" in url or url.startswith("/") or ":" in url.partition("/")[0] else f"http://{url}"
    return _in_tab(view, tab_id, [actions.navigate(full)])


@_define(needs=())
def list_tabs(view: View) -> list[Action]:
    """List the tabs."""
    return []


@_define(needs=())
def new_tab(view: View) -> list[Action]:
    """Open a blank tab."""
    return [actions.new_tab()]


@_define(needs=())
def switch_tab(view: View, tab_id: Annotated[str, Param("text", "the number of the tab", example="1")]) -> list[Action]:
    """Make a tab the active one."""
    return [actions.switch_tab(_number(tab_id))]


@_define(needs=())
def close_tab(view: View, tab_id: Annotated[str, Param("text", "the number of the tab", example="1")]) -> list[Action]:
    """Close a tab."""
    return [actions.close_tab(_number(tab_id))]


@_define(needs=("axtree",))
def read_page(
    view: View,
    filter: Annotated[str | None, Param("text", "which elements", choices=("all", "interactive"))] = None,
    ref: Annotated[str | None, Param("text", "the element to read beneath", example="e12")] = None,
    depth: Annotated[int | None, Param("int", "how many levels", minimum=1, maximum=1000)] = None,
    tab_id: Tab = None,
) -> list[Action]:
    """Read the tree: the folded one, what can be acted on, or all of it."""
    return _look(view, tab_id)


@_define(needs=("text",))
def get_page_text(view: View, tab_id: Tab = None) -> list[Action]:
    """Read the visible text."""
    return _look(view, tab_id)


@_define(needs=(), value="2026-03-18")
def form_input(
    view: View,
    target: Element,
    value: Annotated[str | float | bool, Param("any", "what to set", example="hello")],
    tab_id: Tab = None,
) -> list[Action]:
    """Fill, tick or choose: true and false tick, and a text is an option where the tree shows options."""
    ref = _ref(target)
    if isinstance(value, bool):
        return _in_tab(view, tab_id, [actions.check(ref, value)])
    if not isinstance(value, (str, int, float)):
        raise InvalidAction("form_input: value is a text, a number, true or false")
    text = value if isinstance(value, str) else f"{value:g}" if float(value).is_integer() else str(value)
    return _in_tab(view, tab_id, [actions.select(ref, text) if view.lists(ref) else actions.type_(ref, text)])


@_define(needs=(), paths=["invoice.pdf"])
def file_upload(
    view: View,
    target: Element,
    document_ids: Annotated[list[str] | None, Param("texts", "names of files that the task offers")] = None,
    paths: Annotated[list[str] | None, Param("texts", "names of files that the task offers")] = None,
    tab_id: Tab = None,
) -> list[Action]:
    """Choose files that the task offers, by name."""
    files = [*(paths or []), *(document_ids or [])]
    if not files:
        raise InvalidAction("file_upload: paths names the files, by the names that the task gives them")
    return _in_tab(view, tab_id, [actions.upload(_ref(target), files)])


@_define(needs=())
def scroll_to(view: View, target: Element, tab_id: Tab = None) -> list[Action]:
    """Bring an element into the window."""
    return _in_tab(view, tab_id, [actions.scroll_to(_ref(target))])


@_define()
def screenshot(view: View, tab_id: Tab = None) -> list[Action]:
    """Look at the window."""
    return _look(view, tab_id)


@_define()
def zoom(
    view: View,
    region: Annotated[list[int], Param("region", "left, top, right, bottom in pixels")],
    tab_id: Tab = None,
) -> list[Action]:
    """See a part of the window enlarged."""
    left, top, right, bottom = region
    view.point(left, top), view.point(right - 1, bottom - 1)
    if not (left < right and top < bottom):
        raise InvalidAction(f"zoom: the region {list(region)} is empty: it is [left, top, right, bottom]")
    return _look(view, tab_id)


@_define(needs=())
def left_click(view: View, target: Target, modifiers: Held = None, tab_id: Tab = None) -> list[Action]:
    """Click."""
    return _click(view, target, modifiers, tab_id)


@_define(needs=())
def right_click(view: View, target: Target, modifiers: Held = None, tab_id: Tab = None) -> list[Action]:
    """Click with the right button."""
    return _click(view, target, modifiers, tab_id, "right")


@_define(needs=(), target=_COORDINATE)
def middle_click(view: View, target: Target, modifiers: Held = None, tab_id: Tab = None) -> list[Action]:
    """Click with the middle button; an element's place must be known from `boxes`."""
    return _click(view, target, modifiers, tab_id, "middle")


@_define(needs=())
def double_click(view: View, target: Target, modifiers: Held = None, tab_id: Tab = None) -> list[Action]:
    """Click twice."""
    return _click(view, target, modifiers, tab_id, count=2)


@_define(needs=(), target=_COORDINATE)
def triple_click(view: View, target: Target, modifiers: Held = None, tab_id: Tab = None) -> list[Action]:
    """Click three times; an element's place must be known from `boxes`."""
    return _click(view, target, modifiers, tab_id, count=3)


@_define(needs=())
def hover(view: View, target: Target, tab_id: Tab = None) -> list[Action]:
    """Move the mouse over an element or to a point."""
    if target.get("type") == "ref":
        return _in_tab(view, tab_id, [actions.hover(_ref(target))])
    return _in_tab(view, tab_id, [actions.mouse_move(*_point(view, target))])


@_define(needs=(), target=_COORDINATE | {"x": 800, "y": 500})
def left_click_drag(view: View, from_: Place, target: Place, tab_id: Tab = None) -> list[Action]:
    """Drag from one point to another."""
    return _in_tab(view, tab_id, hands.drag([_point(view, from_), _point(view, target)]))


@_define(needs=())
def left_mouse_down(view: View, target: Place, tab_id: Tab = None) -> list[Action]:
    """Press the left button at a point, and hold it."""
    return _in_tab(view, tab_id, [actions.mouse_down(*_point(view, target))])


@_define(needs=())
def left_mouse_up(view: View, target: Place, tab_id: Tab = None) -> list[Action]:
    """Release the left button at a point."""
    return _in_tab(view, tab_id, [actions.mouse_up(*_point(view, target))])


@_define(needs=())
def mouse_move(view: View, target: Place, tab_id: Tab = None) -> list[Action]:
    """Move the mouse."""
    return _in_tab(view, tab_id, [actions.mouse_move(*_point(view, target))])


@_define(needs=())
def scroll(
    view: View,
    scroll_direction: Annotated[str, Param("text", choices=tuple(hands.DIRECTIONS), example="down")],
    target: Place,
    scroll_amount: Annotated[int, Param("int", "notches of the wheel", minimum=1, maximum=10)] = 3,
    tab_id: Tab = None,
) -> list[Action]:
    """Turn the wheel; a notch is 100 pixels."""
    turned = hands.wheel(_point(view, target), scroll_direction, int(scroll_amount) * hands.NOTCH)
    return _in_tab(view, tab_id, turned)


@_define(needs=(), name="type")
def type_(view: View, text: Annotated[str, Param("text", "what to type")], tab_id: Tab = None) -> list[Action]:
    """Type where the focus is."""
    return _in_tab(view, tab_id, hands.write(view, text))


@_define(needs=())
def key(
    view: View,
    text: Chord,
    repeat: Annotated[int, Param("int", "how often", minimum=1, maximum=MAX_REPEAT)] = 1,
    tab_id: Tab = None,
) -> list[Action]:
    """Press a key or chord, or several one after the other."""
    return _in_tab(view, tab_id, hands.sequence(view, text, int(repeat)))


@_define(needs=())
def hold_key(view: View, text: Chord, duration: Seconds, tab_id: Tab = None) -> list[Action]:
    """Hold a key or chord for some time."""
    return _in_tab(view, tab_id, hands.hold(text, duration))


@_define(needs=())
def wait(view: View, duration: Seconds, tab_id: Tab = None) -> list[Action]:
    """Let world time pass."""
    return hands.wait(duration)


BROWSER.refuse("an agent acts as a person does, and a person runs no scripts in a page", "javascript_exec")
BROWSER.refuse("a person sees no console of a page, so no observation has it", "read_console")
BROWSER.refuse("a person sees no requests of a page, so no observation has them", "read_network")
BROWSER.refuse(
    "finding by description takes a model of its own; read_page shows what there is, with references", "find"
)
