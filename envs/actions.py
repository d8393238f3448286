"""What an agent can do: each function here is one action, and its signature is the only place that says how to call it.

Names, parameters, bounds, defaults, documentation, JSON schemas and both written forms are derived from them:

    click("e12")                          {"action": "click", "ref": "e12"}          actions.click("e12")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from .grammar import parse_call
from .param import InvalidAction
from .param import Param as _P
from .table import Action, Spec, build, define, from_dict, specs

__all__ = [
    "Action", "InvalidAction", "Spec", "accept_dialog", "back", "check", "clear", "click", "close_tab",
    "dismiss_dialog", "double_click", "drag", "drag_by", "finish", "forward", "grammar", "hover", "key_down", "key_up",
    "keyboard_type", "more", "mouse_click", "mouse_down", "mouse_drag", "mouse_move", "mouse_scroll", "mouse_up",
    "navigate", "new_tab", "parse", "press", "read_clipboard", "read_download", "reload", "right_click", "schema",
    "scroll", "scroll_to", "select", "specs", "switch_tab", "tools", "type_", "upload", "wait",
]  # fmt: skip

OUTCOMES = ("DONE", "NOT_FOUND", "NOT_ALLOWED", "PERMISSION_DENIED", "INVALID_INPUT")

Ref = Annotated[str, _P("ref", "the element, by its [ref=…] in the tree")]
OptionalRef = Annotated[str | None, _P("ref", "the element, by its [ref=…] in the tree")]
X = Annotated[int, _P("int", "pixels from the left of the picture", minimum=0, maximum=10_000)]
Y = Annotated[int, _P("int", "pixels from the top of the picture", minimum=0, maximum=10_000)]
Button = Annotated[str, _P("choice", "the mouse button", choices=("left", "right", "middle"))]
Tab = Annotated[int, _P("int", "the number of the tab, as in the list of tabs", minimum=0, maximum=99)]
Key = Annotated[str, _P("key", 'one key, such as "Shift", "ArrowDown" or "a"')]
Modifiers = Annotated[
    Sequence[str] | None,
    _P("several", "keys held meanwhile", choices=("Control", "Shift", "Alt", "Meta")),
]
Across = Annotated[int, _P("int", "pixels to the right; to the left where negative", minimum=-10_000, maximum=10_000)]
Down = Annotated[int, _P("int", "pixels down; up where negative", minimum=-10_000, maximum=10_000)]


@define
def click(ref: Ref, modifiers: Modifiers = None) -> None:
    """Click an element."""


@define
def double_click(ref: Ref, modifiers: Modifiers = None) -> None:
    """Click an element twice, as for opening or editing in place."""


@define
def right_click(ref: Ref, modifiers: Modifiers = None) -> None:
    """Click an element with the right button, which opens its context menu."""


@define
def hover(ref: Ref) -> None:
    """Move the mouse over an element, which opens hover menus and tooltips."""


@define
def type_(
    ref: Ref,
    text: Annotated[str, _P("text", "what to type; dates and times as in HTML (2026-03-18, 14:30)")],
    submit: Annotated[bool, _P("bool", "press Enter afterwards")] = False,
    clear: Annotated[bool, _P("bool", "replace what the field holds; false appends")] = True,
) -> None:
    """Type text into a field."""


@define
def clear(ref: Ref) -> None:
    """Empty a field."""


@define
def press(
    key: Annotated[str, _P("key", 'a key or chord, such as "Enter", "ArrowDown" or "Control+Shift+A"')],
    ref: OptionalRef = None,
) -> None:
    """Press a key or chord, in an element or where the focus is."""


@define
def key_down(key: Key) -> None:
    """Hold a key down, until key_up releases it."""


@define
def key_up(key: Key) -> None:
    """Release a key that is held down."""


@define
def keyboard_type(text: Annotated[str, _P("text", "what to type")]) -> None:
    """Type text where the focus is, key by key; a line break presses Enter, a tab presses Tab."""


@define
def select(
    ref: Ref, option: Annotated[str | list[str], _P("texts", "the option as it is shown; a list for several at once")]
) -> None:
    """Choose an option of a select, combobox or list box by its text."""


@define
def check(ref: Ref, checked: Annotated[bool, _P("bool", "false removes the tick")] = True) -> None:
    """Tick a checkbox, radio button or switch; nothing happens if it already is as asked."""


@define
def drag(ref: Ref, to: Annotated[str, _P("ref", "the element to drop on")], dx: Across = 0, dy: Down = 0) -> None:
    """Drag one element onto another with the mouse: to its middle, or so many pixels away from it."""


@define
def drag_by(ref: Ref, dx: Across, dy: Down) -> None:
    """Drag an element, such as the handle of a slider, so many pixels with the mouse."""


@define
def scroll(
    direction: Annotated[str, _P("choice", "where to", choices=("up", "down", "left", "right"))],
    ref: OptionalRef = None,
    pixels: Annotated[int, _P("int", "how far", minimum=1, maximum=100_000)] = 600,
) -> None:
    """Turn the mouse wheel over an element, or over the middle of the page."""


@define
def scroll_to(ref: Ref) -> None:
    """Bring an element into the middle of the window."""


@define
def upload(
    ref: Ref, files: Annotated[str | list[str], _P("texts", "names of files that the task offers; a list for several")]
) -> None:
    """Choose files in a file field; downloaded files are offered as well."""


@define
def read_download(
    name: Annotated[str, _P("text", "the name of a file in the list of downloads")],
    offset: Annotated[int, _P("int", "the character to begin at", minimum=0, maximum=1_000_000_000)] = 0,
) -> None:
    """Read a downloaded file as text, a part at a time."""


@define
def read_clipboard() -> None:
    """Read the text that was copied last."""


@define
def navigate(url: Annotated[str, _P("text", "an http address of this world, or a path on this site")]) -> None:
    """Open an address in the active tab."""


@define
def back() -> None:
    """Go back one page in the active tab."""


@define
def forward() -> None:
    """Go forward one page in the active tab."""


@define
def reload() -> None:
    """Load the page of the active tab again."""


@define
def new_tab(url: Annotated[str, _P("text", "an address to open there; empty for a blank tab")] = "") -> None:
    """Open a new tab and make it the active one."""


@define
def switch_tab(tab: Tab) -> None:
    """Make another tab the active one."""


@define
def close_tab(
    tab: Annotated[int | None, _P("int", "the number of the tab; else the active one", minimum=0, maximum=99)] = None,
) -> None:
    """Close a tab."""


@define
def wait(ms: Annotated[int, _P("int", "world time to spend, milliseconds", minimum=0, maximum=600_000)] = 1000) -> None:
    """Let time pass on the page and in the world."""


@define
def accept_dialog(text: Annotated[str | None, _P("text", "what to answer a prompt")] = None) -> None:
    """Answer an open alert, confirm, prompt or "leave this page?" with OK."""


@define
def dismiss_dialog() -> None:
    """Answer an open dialog with Cancel."""


@define
def mouse_click(
    x: X,
    y: Y,
    button: Button = "left",
    count: Annotated[int, _P("int", "2 for a double click", minimum=1, maximum=3)] = 1,
    modifiers: Modifiers = None,
) -> None:
    """Click at a point of the picture."""


@define
def mouse_move(x: X, y: Y) -> None:
    """Move the mouse to a point of the picture."""


@define
def mouse_down(x: X, y: Y, button: Button = "left") -> None:
    """Press a mouse button at a point of the picture and hold it, until mouse_up releases it."""


@define
def mouse_up(x: X, y: Y, button: Button = "left") -> None:
    """Move the mouse to a point of the picture and release the button."""


@define
def mouse_scroll(
    x: X,
    y: Y,
    dx: Annotated[int, _P("int", "pixels to the right", minimum=-100_000, maximum=100_000)] = 0,
    dy: Annotated[int, _P("int", "pixels down", minimum=-100_000, maximum=100_000)] = 0,
) -> None:
    """Turn the mouse wheel over a point of the picture."""


@define
def mouse_drag(
    x: X,
    y: Y,
    to_x: Annotated[int, _P("int", "where to drop: pixels from the left", minimum=0, maximum=10_000)],
    to_y: Annotated[int, _P("int", "where to drop: pixels from the top", minimum=0, maximum=10_000)],
    path: Annotated[
        Sequence[Sequence[int]] | None,
        _P("points", "points to pass on the way, such as [[40, 60], [80, 60]]", minimum=0, maximum=10_000),
    ] = None,
) -> None:
    """Press the mouse at one point of the picture and release it at another."""


@define
def more(ref: Annotated[str, _P("ref", "the table or list that is cut, as its marker says")]) -> None:
    """Show the next part of a table or list that the tree cuts; after the last part, the first again."""


@define
def finish(
    answer: Annotated[
        str | float | Sequence[object] | Mapping[str, object] | None,
        _P("answer", "the answer, where the task asks for one: a text, or JSON"),
    ] = None,
    outcome: Annotated[str, _P("choice", "DONE, or why the task cannot be done", choices=OUTCOMES)] = "DONE",
) -> None:
    """End the episode; the state of the application is graded now."""


def parse(action: object) -> Action:
    """The action that a string, dict or `Action` stands for.

    Never guesses: raises `InvalidAction`, whose message says what is wrong and how it would be right, for anything but
    exactly one well-formed call (prose around it, two calls, unbalanced quotes, unknown names, wrong arguments). An
    `InvalidAction` in the place of an action, what an agent makes of a model's answer that is none, is raised itself.
    """
    if isinstance(action, InvalidAction):
        raise action
    if isinstance(action, Action):
        return build(action.name, (), dict(action.args))
    if isinstance(action, str):
        name, positional, named = parse_call(action)
        return build(name, positional, named)
    if isinstance(action, dict):
        return from_dict(action)
    raise InvalidAction(f"an action is a string, a dict or an Action, not {type(action).__name__}")


def grammar() -> str:
    """One line an action, as a prompt may show it: `click(ref): Click an element.`"""
    return "\n".join(f"{spec.signature()}: {spec.doc}" for spec in specs().values())


def schema() -> dict[str, object]:
    """JSON schema of the dict form of every action."""
    return {"oneOf": [spec.schema() for spec in specs().values()]}


def tools() -> list[dict[str, object]]:
    """The actions as function tools: name, description and JSON schema of the arguments."""
    return [{"name": spec.name, "description": spec.doc, "parameters": spec.parameters()} for spec in specs().values()]
