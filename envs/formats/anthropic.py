"""Anthropic's computer tools: `computer_20250124`, `computer_20251124` (with zoom) and `computer_toolset_20260801`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from .. import actions
from ..actions import Action, InvalidAction
from ..observation import Observation
from . import hands, keys, shown
from .format import Format, Param, given, plain, text_of
from .view import View

SOURCE = "types `BetaToolComputerUse…Param` and `BetaComputer…Input` of the PyPI package anthropic 2.14.0"
MAX_S = 300
"""The longest `wait` and `hold_key`, in seconds. The types name no bound; others cite this of Anthropic's page."""
MAX_REPEAT = 100
"""The most presses of one `key`, cited likewise."""

Point = Annotated[list[int], Param("point", "x and y in pixels of the picture")]
OptionalPoint = Annotated[
    list[int] | None, Param("point", "x and y in pixels of the picture; else where the mouse is", example=[640, 400])
]
Held = Annotated[str | None, Param("text", "keys to hold meanwhile", example="ctrl+shift")]
Chord = Annotated[str, Param("text", 'a key or chord such as "ctrl+s", several with spaces between', example="ctrl+a")]
Seconds = Annotated[float, Param("number", "how long, in seconds", minimum=0, maximum=MAX_S, example=2)]


class Blocks(Format):
    """What Anthropic's formats share: `tool_use` blocks in, `tool_result` blocks out."""

    family = ""
    """The `toolset_name` of a toolset; its members are tools of their own, and results repeat it."""

    def block(self, call: dict[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """Name and input of a `tool_use` block."""
        if call.get("type", "tool_use") != "tool_use":
            raise InvalidAction(f"a call of {self.title} is a tool_use block, not {call.get('type')!r}")
        return text_of(call.get("name"), "name"), given(call.get("input"), "input")

    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """A `tool_use` block; for the tools before the toolset the action is in its input."""
        name, arguments = self.block(call)
        if self.family or name != "computer":
            return [(name, arguments)]
        rest = {key: value for key, value in arguments.items() if key != "action"}
        return [(text_of(arguments.get("action"), "action"), rest)]

    def answer(self, call: dict[str, Any], content: list[dict[str, Any]], *, error: bool = False) -> dict[str, Any]:
        """The `tool_result` block."""
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call.get("id"), "content": content}
        if call.get("toolset_name"):
            block["toolset_name"] = call["toolset_name"]
        return block | ({"is_error": True} if error else {})

    def functions(self, also: Sequence[str]) -> list[dict[str, Any]]:
        """Actions of ours as custom tools."""
        return [{"name": one.name, "description": one.doc, "input_schema": one.parameters()} for one in self.own(also)]

    def result(self, call: Any, observation: Observation, view: View) -> dict[str, Any]:
        """The `tool_result`: an error in words alone, as the API wants it; else news in words, and the picture."""
        call = plain(call)
        name, arguments = self.calls(call)[0]
        said = shown.news(observation, view)
        if observation.error:
            return self.answer(call, [_text("\n".join([observation.error, *said]))], error=True)
        if name == "cursor_position" and name in self.members:
            x, y = view.pointer_in_picture()
            return self.answer(call, [_text(f"X={x},Y={y}")])
        words = [_text("\n".join(said))] if said else []
        if name == "zoom" and name in self.members:
            return self.answer(call, [*words, image(shown.part(observation, view, _region(arguments)))])
        if name not in self.members:
            return self.answer(call, words or [_text("Done.")])
        return self.answer(call, [*words, image(shown.picture(observation, view))])


class Computer(Blocks):
    """A computer tool; `tool` is its type. Points are pixels of the picture."""

    def __init__(self, tool: str, *, family: str = "") -> None:
        super().__init__(f"anthropic/{tool}", f"Anthropic's `{tool}`", SOURCE)
        self.tool, self.family = tool, family

    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """The tool, with zoom where it has one, and actions of ours as custom tools."""
        if self.family:
            return [{"type": self.tool}, *self.functions(also)]
        width, height = view.size
        tool: dict[str, Any] = {"type": self.tool, "name": "computer"}
        tool |= {"display_width_px": width, "display_height_px": height}
        return [tool | ({"enable_zoom": True} if "zoom" in self.members else {}), *self.functions(also)]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def image(data: str) -> dict[str, Any]:
    """An image block around base64 PNG."""
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def _region(arguments: Mapping[str, Any]) -> tuple[int, int, int, int]:
    left, top, right, bottom = (int(edge) for edge in arguments["region"])
    return left, top, right, bottom


COMPUTER_20250124 = Computer("computer_20250124")
COMPUTER_20251124 = Computer("computer_20251124")
COMPUTER_TOOLSET = Computer("computer_toolset_20260801", family="computer")
_define = COMPUTER_20251124.member


def _at(view: View, coordinate: list[int] | None) -> tuple[int, int]:
    return view.here() if coordinate is None else view.point(*coordinate)


def held(text: str | None) -> list[str]:
    """The keys that are held during an action."""
    return keys.split(text) if text else []


@_define()
def key(view: View, text: Chord) -> list[Action]:
    """Press a key or chord, or several one after the other."""
    return hands.sequence(view, text)


@_define()
def hold_key(view: View, text: Chord, duration: Seconds) -> list[Action]:
    """Hold a key or chord for some time."""
    return hands.hold(text, duration)


@_define(name="type")
def type_(view: View, text: Annotated[str, Param("text", "what to type")]) -> list[Action]:
    """Type where the focus is."""
    return hands.write(view, text)


@_define(needs=())
def cursor_position(view: View) -> list[Action]:
    """Tell where the mouse is."""
    view.here()
    return []


@_define()
def mouse_move(view: View, coordinate: Point) -> list[Action]:
    """Move the mouse."""
    return [actions.mouse_move(*view.point(*coordinate))]


@_define()
def left_mouse_down(view: View) -> list[Action]:
    """Press the left button where the mouse is, and hold it."""
    return [actions.mouse_down(*view.here())]


@_define()
def left_mouse_up(view: View) -> list[Action]:
    """Release the left button where the mouse is."""
    return [actions.mouse_up(*view.here())]


@_define(coordinate=[640, 400])
def left_click(view: View, coordinate: OptionalPoint = None, text: Held = None) -> list[Action]:
    """Click."""
    return hands.click(_at(view, coordinate), held=held(text))


@_define(coordinate=[800, 500])
def left_click_drag(view: View, start_coordinate: Point, coordinate: Point, text: Held = None) -> list[Action]:
    """Drag from one point to another."""
    return hands.holding(held(text), hands.drag([view.point(*start_coordinate), view.point(*coordinate)]))


@_define(coordinate=[640, 400])
def right_click(view: View, coordinate: OptionalPoint = None, text: Held = None) -> list[Action]:
    """Click with the right button."""
    return hands.click(_at(view, coordinate), "right", held=held(text))


@_define(coordinate=[640, 400])
def middle_click(view: View, coordinate: OptionalPoint = None, text: Held = None) -> list[Action]:
    """Click with the middle button."""
    return hands.click(_at(view, coordinate), "middle", held=held(text))


@_define(coordinate=[640, 400])
def double_click(view: View, coordinate: OptionalPoint = None, text: Held = None) -> list[Action]:
    """Click twice."""
    return hands.click(_at(view, coordinate), count=2, held=held(text))


@_define(coordinate=[640, 400])
def triple_click(view: View, coordinate: OptionalPoint = None, text: Held = None) -> list[Action]:
    """Click three times."""
    return hands.click(_at(view, coordinate), count=3, held=held(text))


@_define(coordinate=[640, 400])
def scroll(
    view: View,
    scroll_direction: Annotated[str, Param("text", choices=tuple(hands.DIRECTIONS), example="down")],
    scroll_amount: Annotated[int, Param("int", "notches of the wheel", minimum=0, maximum=100, example=3)],
    coordinate: OptionalPoint = None,
    text: Held = None,
) -> list[Action]:
    """Turn the wheel; a notch is 100 pixels."""
    turned = hands.wheel(_at(view, coordinate), scroll_direction, int(scroll_amount) * hands.NOTCH)
    return hands.holding(held(text), turned)


@_define()
def wait(view: View, duration: Seconds) -> list[Action]:
    """Let world time pass."""
    return hands.wait(duration)


@_define()
def screenshot(view: View) -> list[Action]:
    """Look; every result has a picture anyway."""
    return []


COMPUTER_20250124.members = dict(COMPUTER_20251124.members)
COMPUTER_TOOLSET.members = dict(COMPUTER_20251124.members)


def zoom(
    view: View, region: Annotated[list[int], Param("region", "left, top, right, bottom in pixels")]
) -> list[Action]:
    """See a part of the picture enlarged."""
    left, top, right, bottom = region
    view.point(left, top), view.point(right - 1, bottom - 1)
    if not (left < right and top < bottom):
        raise InvalidAction(f"zoom: the region {list(region)} is empty: it is [left, top, right, bottom]")
    return []


for _one in (COMPUTER_20251124, COMPUTER_TOOLSET):
    _one.member()(zoom)


@COMPUTER_TOOLSET.member(name="key")
def key_repeated(
    view: View,
    text: Chord,
    repeat: Annotated[int, Param("int", "how often", minimum=1, maximum=MAX_REPEAT)] = 1,
) -> list[Action]:
    """Press a key or chord, once or repeatedly."""
    return hands.sequence(view, text, int(repeat))
