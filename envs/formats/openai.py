"""OpenAI's computer tool in the Responses API: `computer` (several actions a call) and `computer-use-preview` (one)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from .. import actions
from ..actions import Action, InvalidAction
from ..observation import Observation
from . import hands, shown
from .format import Format, Param, given, plain, text_of
from .keys import MODIFIERS, split
from .keys import key as key_of
from .view import View

SOURCE = "types `ComputerAction`, `ComputerTool` and `ComputerUsePreviewTool` of the PyPI package openai 3.57.0"
WAIT_S = 2.0
"""The call `wait` names no time; the loop in OpenAI's guide waits two seconds."""

X = Annotated[int, Param("int", "pixels from the left", example=640)]
Y = Annotated[int, Param("int", "pixels from the top", example=400)]
Held = Annotated[list[str] | None, Param("texts", "keys held meanwhile", example=["CTRL"])]


class OpenAI(Format):
    """`batched` tells the two tools apart: a `computer_call` has `actions`, or a single `action`."""

    def __init__(self, name: str, title: str, *, batched: bool) -> None:
        super().__init__(name, title, SOURCE)
        self.batched = batched

    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """A `computer_call` item, or a `function_call` item for an action of ours."""
        if call.get("type") == "function_call":
            return [(text_of(call.get("name"), "name"), given(call.get("arguments"), "arguments"))]
        if call.get("type") != "computer_call":
            raise InvalidAction(f"a call of {self.title} is a computer_call item, not {call.get('type')!r}")
        field = "actions" if self.batched else "action"
        listed = call.get("actions") if self.batched else [call.get("action")]
        if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
            raise InvalidAction(f"a computer_call of {self.title} has `{field}`")
        return [(text_of(one.get("type"), "type"), _arguments(one)) for one in listed]

    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """The tool and, as functions, actions of ours."""
        tool: dict[str, Any] = {"type": "computer"}
        if not self.batched:
            width, height = view.size
            tool = {"type": "computer_use_preview", "display_width": width, "display_height": height}
            tool["environment"] = "browser"
        return [tool, *(_function(spec) for spec in self.own(also))]

    def result(self, call: Any, observation: Observation, view: View) -> list[dict[str, Any]]:
        """Items to append to `input`: the call's output, and a message with what the picture does not show, if any."""
        call = plain(call)
        said = ([observation.error] if observation.error else []) + shown.news(observation, view)
        if call.get("type") == "function_call":
            answer = {
                "type": "function_call_output",
                "call_id": call.get("call_id"),
                "output": "\n".join(said) or "Done.",
            }
            return [answer]
        image = f"data:image/png;base64,{shown.picture(observation, view)}"
        output = {"type": "computer_screenshot", "image_url": image}
        items: list[dict[str, Any]] = [
            {"type": "computer_call_output", "call_id": call.get("call_id"), "output": output}
        ]
        if said:
            items.append({"role": "user", "content": [{"type": "input_text", "text": "\n".join(said)}]})
        return items


def _arguments(action: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in action.items() if name != "type"}


def _function(spec: actions.Spec) -> dict[str, Any]:
    parameters = spec.parameters()
    return {"type": "function", "name": spec.name, "description": spec.doc, "parameters": parameters, "strict": False}


COMPUTER = OpenAI("openai/computer", "OpenAI's `computer`", batched=True)
PREVIEW = OpenAI("openai/computer-use-preview", "OpenAI's `computer_use_preview`", batched=False)


def _held(names: list[str] | None) -> list[str]:
    return [key_of(name) for name in names or ()]


@COMPUTER.member()
def click(
    view: View,
    button: Annotated[str, Param("text", choices=("left", "right", "wheel", "back", "forward"))],
    x: X,
    y: Y,
    keys: Held = None,
) -> list[Action]:
    """Click; the wheel is the middle button, and the buttons back and forward do what they do in a browser."""
    point, held = view.point(x, y), _held(keys)
    if button in ("back", "forward"):
        if held:
            raise InvalidAction(f"click: the button {button} takes no keys")
        return [actions.back() if button == "back" else actions.forward()]
    return hands.click(point, "middle" if button == "wheel" else button, held=held)


@COMPUTER.member()
def double_click(view: View, x: X, y: Y, keys: Held = None) -> list[Action]:
    """Click twice."""
    return hands.click(view.point(x, y), count=2, held=_held(keys))


@COMPUTER.member()
def drag(
    view: View,
    path: Annotated[
        list[dict[str, int]],
        Param(
            "objects",
            "points from where to where",
            example=[{"x": 100, "y": 200}, {"x": 150, "y": 250}, {"x": 200, "y": 300}],
        ),
    ],
    keys: Held = None,
) -> list[Action]:
    """Drag along a path of at least two points."""
    if len(path) < 2:
        raise InvalidAction("drag: path needs two points or more")
    for point in path:
        if set(point) != {"x", "y"} or not all(_whole(value) for value in point.values()):
            raise InvalidAction('drag: path is a list of points such as {"x": 100, "y": 200}')
    return hands.holding(_held(keys), hands.drag([view.point(point["x"], point["y"]) for point in path]))


def _whole(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and float(value).is_integer()


@COMPUTER.member()
def keypress(
    view: View, keys: Annotated[list[str], Param("texts", "the keys of one chord", example=["CTRL", "A"])]
) -> list[Action]:
    """Press the keys together: modifiers and one other key as a chord, several other keys one after the other."""
    pressed = [key for name in keys for key in _chord(name)]
    if not pressed:
        raise InvalidAction("keypress: keys is empty")
    held = [key for key in pressed if key in MODIFIERS]
    others = [key for key in pressed if key not in MODIFIERS]
    return [action for key in others or [""] for action in hands.press(view, [*held, *([key] if key else [])])]


def _chord(name: str) -> list[str]:
    return split(name) if len(name) > 1 and "+" in name else [key_of(name)]


@COMPUTER.member()
def move(view: View, x: X, y: Y, keys: Held = None) -> list[Action]:
    """Move the mouse."""
    return hands.holding(_held(keys), [actions.mouse_move(*view.point(x, y))])


@COMPUTER.member()
def screenshot(view: View) -> list[Action]:
    """Look; every result has a picture anyway."""
    return []


@COMPUTER.member(scroll_y=300)
def scroll(
    view: View,
    x: X,
    y: Y,
    scroll_x: Annotated[int, Param("int", "pixels to the right", example=0)],
    scroll_y: Annotated[int, Param("int", "pixels down", example=300)],
    keys: Held = None,
) -> list[Action]:
    """Turn the wheel."""
    point, (dx, dy) = view.point(x, y), view.distance(scroll_x, scroll_y)
    return hands.holding(_held(keys), [actions.mouse_scroll(*point, dx, dy)])


@COMPUTER.member(name="type")
def type_(view: View, text: Annotated[str, Param("text", "what to type")]) -> list[Action]:
    """Type where the focus is."""
    return hands.write(view, text)


@COMPUTER.member()
def wait(view: View) -> list[Action]:
    """Let two seconds of world time pass."""
    return hands.wait(WAIT_S)


PREVIEW.members = dict(COMPUTER.members)
