"""The tools of Playwright-MCP, one function each, and why the rest has no meaning here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from .. import actions
from ..actions import Action, InvalidAction
from . import hands, keys
from .format import Param
from .playwright_mcp import MCP, RENAMED, pattern
from .view import View

__all__ = ["MCP"]

BUTTONS = ("left", "right", "middle")
Words = Annotated[str | None, Param("text", "the element in words; it is not used")]
Target = Annotated[str, Param("text", "the element's reference in the snapshot", example="e12")]
OptionalTarget = Annotated[str | None, Param("text", "the element's reference in the snapshot", example="e12")]
File = Annotated[str | None, Param("text", "where to save; nothing is saved here")]
X = Annotated[float, Param("number", "pixels from the left", example=640)]
Y = Annotated[float, Param("number", "pixels from the top", example=400)]
Button = Annotated[str | None, Param("text", "the button", choices=BUTTONS)]
Held = Annotated[
    list[str] | None,
    Param("texts", "keys to hold meanwhile", choices=("Alt", "Control", "ControlOrMeta", "Meta", "Shift")),
]
_define = MCP.member
_TREE = ("axtree",)


def _held(names: Sequence[str] | None) -> list[str]:
    return [keys.key(name) for name in names or ()]


def _nothing_saved(filename: str | None) -> None:
    if filename is not None:
        raise InvalidAction("nothing is saved to files here; leave filename out and read the result")


@_define(needs=_TREE)
def browser_click(
    view: View,
    target: Target,
    element: Words = None,
    doubleClick: Annotated[bool, Param("bool", "click twice")] = False,
    button: Button = None,
    modifiers: Held = None,
) -> list[Action]:
    """Click an element."""
    return hands.click_on(view, target, button or "left", 2 if doubleClick else 1, _held(modifiers))


@_define(needs=_TREE)
def browser_close(view: View) -> list[Action]:
    """Close the active tab."""
    return [actions.close_tab()]


@_define(needs=_TREE)
def browser_drag(
    view: View,
    startTarget: Target,
    endTarget: Annotated[str, Param("text", "the reference of the element to drop on", example="e20")],
    startElement: Words = None,
    endElement: Words = None,
) -> list[Action]:
    """Drag one element onto another."""
    return [actions.drag(startTarget, endTarget)]


@_define(needs=_TREE, paths=["invoice.pdf"])
def browser_file_upload(
    view: View, paths: Annotated[list[str] | None, Param("texts", "names of files that the task offers")] = None
) -> list[Action]:
    """Choose files that the task offers, by name, in the file field that was clicked last; without files do nothing."""
    if not paths:
        return []
    if view.chosen is None:
        raise InvalidAction("browser_file_upload: click the file field first")
    return [actions.upload(view.chosen, paths)]


@_define(needs=_TREE)
def browser_fill_form(
    view: View,
    fields: Annotated[
        list[dict[str, Any]],
        Param(
            "objects",
            "fields: target, name, type (textbox, checkbox, radio, combobox, slider) and value",
            example=[
                {"target": "e12", "name": "Name", "type": "textbox", "value": "Ann"},
                {"target": "e13", "name": "News", "type": "checkbox", "value": "true"},
                {"target": "e14", "name": "Size", "type": "combobox", "value": "Large"},
            ],
        ),
    ],
) -> list[Action]:
    """Fill several fields, one after the other."""
    return [_fill({RENAMED.get(name, name): value for name, value in field.items()}) for field in fields]


def _fill(field: Mapping[str, Any]) -> Action:
    missing = [name for name in ("target", "name", "type", "value") if not isinstance(field.get(name), str)]
    if missing:
        raise InvalidAction(
            f"browser_fill_form: each field has target, name, type and value as texts; {missing[0]} is none"
        )
    target, value = field["target"], field["value"]
    match field["type"]:
        case "textbox" | "slider":
            return actions.type_(target, value)
        case "combobox":
            return actions.select(target, value)
        case "checkbox" | "radio" if value in ("true", "false"):
            return actions.check(target, value == "true")
        case "checkbox" | "radio":
            raise InvalidAction(f"browser_fill_form: value of a {field['type']} is true or false, not {value!r}")
    raise InvalidAction(
        f"browser_fill_form: type is textbox, checkbox, radio, combobox or slider, not {field['type']!r}"
    )


@_define(needs=("axtree_full",), text="Total")
def browser_find(
    view: View,
    text: Annotated[str | None, Param("text", "text to find, whatever its case")] = None,
    regex: Annotated[str | None, Param("text", "a regular expression to find, or /…/i")] = None,
    filename: File = None,
) -> list[Action]:
    """Search the whole tree of the page."""
    _nothing_saved(filename)
    pattern({"text": text, "regex": regex})
    return []


@_define(needs=_TREE)
def browser_handle_dialog(
    view: View,
    accept: Annotated[bool, Param("bool", "OK or Cancel")],
    promptText: Annotated[str | None, Param("text", "the answer to a prompt")] = None,
) -> list[Action]:
    """Answer a dialog of the browser."""
    return [actions.accept_dialog(promptText) if accept else actions.dismiss_dialog()]


@_define(needs=_TREE)
def browser_hover(view: View, target: Target, element: Words = None) -> list[Action]:
    """Move the mouse over an element."""
    return [actions.hover(target)]


@_define(needs=_TREE)
def browser_navigate(
    view: View, url: Annotated[str, Param("text", "an address", example="http://admin.shop.localhost/orders")]
) -> list[Action]:
    """Open an address of this world."""
    return [actions.navigate(url)]


@_define(needs=_TREE)
def browser_navigate_back(view: View) -> list[Action]:
    """Go back one page."""
    return [actions.back()]


@_define(needs=_TREE)
def browser_press_key(
    view: View, key: Annotated[str, Param("text", "a key or chord", example="Enter")]
) -> list[Action]:
    """Press a key or chord."""
    return hands.press(view, keys.split(key))


@_define(needs=_TREE)
def browser_select_option(
    view: View,
    target: Target,
    values: Annotated[list[str], Param("texts", "options as they are shown", example=["Large"])],
    element: Words = None,
) -> list[Action]:
    """Choose options by their text."""
    if not values:
        raise InvalidAction("browser_select_option: values is empty")
    return [actions.select(target, values)]


@_define(needs=_TREE)
def browser_snapshot(
    view: View,
    target: OptionalTarget = None,
    filename: File = None,
    depth: Annotated[float | None, Param("int", "how many levels", minimum=1, maximum=1000)] = None,
    boxes: Annotated[bool, Param("bool", "with the place of each element")] = False,
) -> list[Action]:
    """Read the tree of the page, folded and paged."""
    _nothing_saved(filename)
    return []


@_define(needs=("screenshot",))
def browser_take_screenshot(
    view: View,
    scale: Annotated[str, Param("text", "one pixel is one CSS pixel here", choices=("css", "device"))] = "css",
    element: Words = None,
    target: OptionalTarget = None,
    type: Annotated[str, Param("text", "pictures are PNG here", choices=("png", "jpeg", "webp"))] = "png",
    filename: File = None,
    fullPage: Annotated[bool, Param("bool", "the window alone can be pictured here")] = False,
) -> list[Action]:
    """Look at the window, or at an element in it, as PNG."""
    _nothing_saved(filename)
    if type != "png":
        raise InvalidAction(f"browser_take_screenshot: pictures are PNG here, not {type}")
    if fullPage:
        raise InvalidAction("browser_take_screenshot: the window alone can be pictured; scroll to see the rest")
    return []


@_define(needs=_TREE)
def browser_type(
    view: View,
    target: Target,
    text: Annotated[str, Param("text", "what to type")],
    element: Words = None,
    submit: Annotated[bool, Param("bool", "press Enter afterwards")] = False,
    slowly: Annotated[bool, Param("bool", "key by key; text is typed so anyway")] = False,
) -> list[Action]:
    """Type into a field, in place of what it holds."""
    return [actions.type_(target, text, submit)]


@_define(needs=_TREE, time=2)
def browser_wait_for(
    view: View,
    time: Annotated[float | None, Param("number", "seconds, at most 30", minimum=0, maximum=30)] = None,
    text: Annotated[str | None, Param("text", "text to appear")] = None,
    textGone: Annotated[str | None, Param("text", "text to disappear")] = None,
) -> list[Action]:
    """Let world time pass."""
    if text is not None or textGone is not None:
        raise InvalidAction("browser_wait_for: pages are settled after each action, so look instead, or wait some time")
    if time is None:
        raise InvalidAction("browser_wait_for: time says how many seconds")
    return hands.wait(time)


@_define(needs=_TREE)
def browser_tabs(
    view: View,
    action: Annotated[str, Param("text", "what to do", choices=("list", "new", "close", "select"))],
    index: Annotated[int | None, Param("int", "the number of the tab", minimum=0, maximum=99)] = None,
    url: Annotated[str | None, Param("text", "an address to open in a new tab")] = None,
) -> list[Action]:
    """List, open, close or select tabs."""
    number = None if index is None else int(index)
    match action:
        case "new":
            return [actions.new_tab(url or "")]
        case "close":
            return [actions.close_tab(number)]
        case "select" if number is not None:
            return [actions.switch_tab(number)]
        case "select":
            raise InvalidAction("browser_tabs: index says which tab to select")
    return []


@_define(needs=_TREE)
def browser_mouse_click_xy(
    view: View,
    x: X,
    y: Y,
    button: Button = None,
    clickCount: Annotated[int, Param("int", "how often", minimum=1, maximum=3)] = 1,
    delay: Annotated[float, Param("number", "milliseconds to hold the button", minimum=0, maximum=30_000)] = 0,
) -> list[Action]:
    """Click at a point of the picture."""
    point, name = view.point(x, y), button or "left"
    if not delay:
        return hands.click(point, name, int(clickCount))
    if clickCount != 1:
        raise InvalidAction("browser_mouse_click_xy: delay goes with a single click")
    return [actions.mouse_down(*point, name), *hands.wait(delay / 1000), actions.mouse_up(*point, name)]


@_define(needs=_TREE)
def browser_mouse_move_xy(view: View, x: X, y: Y) -> list[Action]:
    """Move the mouse."""
    return [actions.mouse_move(*view.point(x, y))]


@_define(needs=_TREE)
def browser_mouse_drag_xy(
    view: View,
    startX: X,
    startY: Y,
    endX: Annotated[float, Param("number", "where to: pixels from the left", example=800)],
    endY: Annotated[float, Param("number", "where to: pixels from the top", example=500)],
) -> list[Action]:
    """Drag from one point to another."""
    return hands.drag([view.point(startX, startY), view.point(endX, endY)])


@_define(needs=_TREE)
def browser_mouse_down(view: View, button: Button = None) -> list[Action]:
    """Press a button where the mouse is, and hold it."""
    return [actions.mouse_down(*view.here(), button or "left")]


@_define(needs=_TREE)
def browser_mouse_up(view: View, button: Button = None) -> list[Action]:
    """Release a button where the mouse is."""
    return [actions.mouse_up(*view.here(), button or "left")]


@_define(needs=_TREE)
def browser_mouse_wheel(
    view: View,
    deltaX: Annotated[float, Param("number", "pixels to the right", example=0)],
    deltaY: Annotated[float, Param("number", "pixels down", example=300)],
) -> list[Action]:
    """Turn the wheel where the mouse is."""
    return [actions.mouse_scroll(*view.here(), *view.distance(deltaX, deltaY))]


_SCRIPTS = ("browser_evaluate", "browser_run_code_unsafe", "browser_resume", "browser_route", "browser_route_list",
            "browser_unroute", "browser_network_state_set")  # fmt: skip
_VERBS = ("list", "get", "set", "delete", "clear")
_UNSEEN = ("browser_console_messages", "browser_network_request", "browser_network_requests")
_STATE = tuple(
    f"browser_{what}"
    for what in (
        "storage_state", "set_storage_state", *(f"cookie_{verb}" for verb in _VERBS),
        *(f"{store}storage_{verb}" for store in ("local", "session") for verb in _VERBS),
    )
)  # fmt: skip
_TESTING = tuple(
    f"browser_{what}"
    for what in (
        "generate_locator", "verify_element_visible", "verify_text_visible", "verify_list_visible", "verify_value",
        "start_recording", "stop_recording", "start_tracing", "stop_tracing", "start_video", "stop_video",
        "video_chapter", "video_show_actions", "video_hide_actions", "annotate", "highlight", "hide_highlight",
        "get_config", "pdf_save",
    )
)  # fmt: skip

MCP.refuse("an agent acts as a person does, and a person runs no scripts and changes no network traffic", *_SCRIPTS)
MCP.refuse("a person sees no console and no requests of a page, so no observation has them", *_UNSEEN)
MCP.refuse("a person does not read or change cookies and storage; signing in is done by the episode", *_STATE)
MCP.refuse("it serves those who write or record tests; an episode is recorded by the harness", *_TESTING)
MCP.refuse(
    "window and media are options of the episode, the same for all its steps", "browser_resize", "browser_emulate_media"
)
MCP.refuse("files come from the task: click the file field, then browser_file_upload", "browser_drop")
