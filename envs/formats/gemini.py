"""Gemini's computer use: how calls and results look, and the functions of Gemini 3.5 (`click`, `type`, …)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from .. import actions
from ..actions import Action
from ..observation import Observation
from . import hands, keys, shown
from .format import Format, Param, given, plain, text_of
from .view import View

SOURCE = (
    "Google's page ai.google.dev/gemini-api/docs/computer-use; "
    "the PyPI package google-genai 3.6.1 has the tool (`ComputerUse`), but no schemas of the functions"
)
GRID = 1000
"""Points are named on a grid of 1000 x 1000 over the picture, 0 to 999 each way."""

X = Annotated[int, Param("int", "0 to 999 from the left", minimum=0, maximum=GRID - 1, example=500)]
Y = Annotated[int, Param("int", "0 to 999 from the top", minimum=0, maximum=GRID - 1, example=300)]
Intent = Annotated[str | None, Param("text", "why; it is not used")]
Safety = Annotated[
    dict[str, Any] | None, Param("object", "whether a person must confirm; it is the caller's to act on")
]
Key = Annotated[str, Param("text", "a key", example="Enter")]
Direction = Annotated[str, Param("text", choices=tuple(hands.DIRECTIONS), example="down")]


class Gemini(Format):
    """Function calls of `generateContent` (`name`, `args`) and of the Interactions API (`name`, `arguments`)."""

    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """One function call."""
        field = "arguments" if "arguments" in call else "args"
        return [(text_of(call.get("name"), "name"), given(call.get(field), field))]

    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """For `generateContent`: the tool without what is refused here, and actions of ours as declarations."""
        use = {"environment": "ENVIRONMENT_BROWSER", "excluded_predefined_functions": self._excluded()}
        functions = [
            {"name": spec.name, "description": spec.doc, "parameters_json_schema": spec.parameters()}
            for spec in self.own(also)
        ]
        return [{"computer_use": use}, *([{"function_declarations": functions}] if functions else [])]

    def interaction_tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """The same for the Interactions API."""
        use = {"type": "computer_use", "environment": "browser", "excluded_predefined_functions": self._excluded()}
        functions = [
            {"type": "function", "name": spec.name, "description": spec.doc, "parameters": spec.parameters()}
            for spec in self.own(also)
        ]
        return [use, *functions]

    def _excluded(self) -> list[str]:
        return [one.name for one in self.refused() if one.name not in _MOBILE]

    def result(self, call: Any, observation: Observation, view: View) -> dict[str, Any]:
        """A `function_response` part, or a `function_result` item where the call came from the Interactions API."""
        call = plain(call)
        said = shown.news(observation, view)
        response: dict[str, Any] = {"url": observation.url}
        response |= {"error": observation.error} if observation.error else {}
        response |= {"message": "\n".join(said)} if said else {}
        image = shown.picture(observation, view) if call.get("name") in self.members else ""
        if call.get("type") == "function_call":
            content: list[dict[str, Any]] = [{"type": "text", "text": json.dumps(response, ensure_ascii=False)}]
            content += [{"type": "image", "data": image, "mime_type": "image/png"}] if image else []
            return {"type": "function_result", "name": call.get("name"), "call_id": call.get("id"), "result": content}
        parts = [{"inline_data": {"mime_type": "image/png", "data": image}}] if image else []
        body: dict[str, Any] = {"name": call.get("name"), "response": response}
        body |= {"id": call["id"]} if call.get("id") else {}
        return {"function_response": body | ({"parts": parts} if parts else {})}


GEMINI_3_5 = Gemini("gemini/3.5", "Gemini 3.5's computer use", SOURCE)
_MOBILE = ("open_app", "list_apps", "long_press")
_new = GEMINI_3_5.member


def point(view: View, x: float, y: float) -> tuple[int, int]:
    """A point of the grid as one of the viewport, as Google's page computes it."""
    width, height = view.viewport
    return int(x) * width // GRID, int(y) * height // GRID


@_new()
def click(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Click."""
    return hands.click(point(view, x, y))


@_new()
def double_click(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Click twice."""
    return hands.click(point(view, x, y), count=2)


@_new()
def triple_click(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Click three times."""
    return hands.click(point(view, x, y), count=3)


@_new()
def middle_click(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Click with the middle button."""
    return hands.click(point(view, x, y), "middle")


@_new()
def right_click(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Click with the right button."""
    return hands.click(point(view, x, y), "right")


@_new()
def mouse_down(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Press the button at a point, and hold it."""
    return [actions.mouse_down(*point(view, x, y))]


@_new()
def mouse_up(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Release the button at a point."""
    return [actions.mouse_up(*point(view, x, y))]


@_new()
def move(view: View, y: Y, x: X, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Move the mouse."""
    return [actions.mouse_move(*point(view, x, y))]


@_new(name="type")
def type_(
    view: View,
    text: Annotated[str, Param("text", "what to type")],
    press_enter: Annotated[bool, Param("bool", "press Enter afterwards")] = False,
    intent: Intent = None,
    safety_decision: Safety = None,
) -> list[Action]:
    """Type where the focus is."""
    return hands.write(view, text + "\n" * press_enter)


@_new(end_y=600, end_x=700)
def drag_and_drop(
    view: View, start_y: Y, start_x: X, end_y: Y, end_x: X, intent: Intent = None, safety_decision: Safety = None
) -> list[Action]:
    """Drag from one point to another."""
    return hands.drag([point(view, start_x, start_y), point(view, end_x, end_y)])


@_new()
def wait(
    view: View,
    seconds: Annotated[float, Param("number", "how long", minimum=0, maximum=600)] = 1,
    intent: Intent = None,
    safety_decision: Safety = None,
) -> list[Action]:
    """Let world time pass."""
    return hands.wait(seconds)


@_new()
def press_key(view: View, key: Key, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Press a key."""
    return hands.press(view, keys.split(key))


@_new()
def key_down(view: View, key: Key, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Hold a key down."""
    return [actions.key_down(keys.key(key))]


@_new()
def key_up(view: View, key: Key, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Release a key."""
    return [actions.key_up(keys.key(key))]


@_new()
def hotkey(
    view: View,
    keys_: Annotated[list[str], Param("texts", "the keys of a chord", example=["CTRL", "A"])],
    intent: Intent = None,
    safety_decision: Safety = None,
) -> list[Action]:
    """Press a chord."""
    return hands.press(view, [keys.key(name) for name in keys_])


@_new()
def take_screenshot(view: View, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Look; every result has a picture anyway."""
    return []


@_new()
def scroll(
    view: View,
    y: Y,
    x: X,
    direction: Direction,
    magnitude_in_pixels: Annotated[int, Param("int", "how far", minimum=0, maximum=GRID - 1)] = 300,
    intent: Intent = None,
    safety_decision: Safety = None,
) -> list[Action]:
    """Turn the wheel over a point."""
    return hands.wheel(point(view, x, y), direction, int(magnitude_in_pixels))


@_new()
def go_back(view: View, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Go back one page."""
    return [actions.back()]


@_new()
def navigate(
    view: View,
    url: Annotated[str, Param("text", "an address of this world", example="http://admin.shop.localhost/orders")],
    intent: Intent = None,
    safety_decision: Safety = None,
) -> list[Action]:
    """Open an address."""
    return [actions.navigate(url)]


@_new()
def go_forward(view: View, intent: Intent = None, safety_decision: Safety = None) -> list[Action]:
    """Go forward one page."""
    return [actions.forward()]


GEMINI_3_5.refuse("this is a browser, and the function is for phones (ENVIRONMENT_MOBILE)", *_MOBILE)
