"""Where an action happened, as shapes to draw on the picture that the agent saw, and the action in words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_POINTED = frozenset(
    {"click", "double_click", "right_click", "hover", "check", "drag", "drag_by", "upload", "scroll_to"}
)


def drawing(name: str, arguments: Mapping[str, Any], box: list[float] | None) -> dict[str, Any]:
    """`{box, point, to, label}`, each only where the action has it; pixels of the picture."""
    found: dict[str, Any] = {}
    if box:
        found["box"] = [round(value, 1) for value in box]
    if name in _POINTED and box:
        found["point"] = [round(box[0] + box[2] / 2, 1), round(box[1] + box[3] / 2, 1)]
    if "x" in arguments and "y" in arguments:
        found["point"] = [arguments["x"], arguments["y"]]
    if "to_x" in arguments and "to_y" in arguments:
        found["to"] = [arguments["to_x"], arguments["to_y"]]
    if name == "drag_by" and "point" in found:
        found["to"] = [found["point"][0] + arguments["dx"], found["point"][1] + arguments["dy"]]
    label = _label(name, arguments)
    return {**found, "label": label} if label else found


def sentence(name: str, arguments: Mapping[str, Any], tree: str) -> str:
    """The action as a person would say it: `Click button “Cancel order”`."""
    target = described(tree, arguments.get("ref"))
    text = str(arguments.get("text", ""))
    at = f"{arguments.get('x')}, {arguments.get('y')}"
    held = " and ".join(arguments.get("modifiers") or ())
    if held:
        return f"{sentence(name, {**arguments, 'modifiers': None}, tree)} with {held} held"
    match name:
        case "type" | "type_":
            return f"Type “{text}” into {target}" + (" and press Enter" if arguments.get("submit") else "")
        case "select":
            return f"Choose {_quoted(arguments.get('option'))} in {target}"
        case "check":
            return f"{'Tick' if arguments.get('checked', True) else 'Untick'} {target}"
        case "press":
            return f"Press {arguments.get('key')}" + (f" in {target}" if arguments.get("ref") else "")
        case "key_down" | "key_up":
            return f"{'Hold' if name == 'key_down' else 'Release'} {arguments.get('key')}"
        case "keyboard_type":
            return f"Type “{text}”"
        case "upload":
            return f"Upload {_quoted(arguments.get('files'))} to {target}"
        case "read_download":
            return f"Read the download “{arguments.get('name')}”"
        case "navigate":
            return f"Open {arguments.get('url')}"
        case "scroll":
            return f"Scroll {arguments.get('direction', '')}" + (f" in {target}" if arguments.get("ref") else "")
        case "drag":
            return f"Drag {target} to {described(tree, arguments.get('to'))}"
        case "drag_by":
            return f"Drag {target} by {arguments.get('dx')}, {arguments.get('dy')}"
        case "mouse_drag":
            return f"Drag from {at} to {arguments.get('to_x')}, {arguments.get('to_y')}"
        case "mouse_scroll":
            return f"Turn the wheel at {at} by {arguments.get('dx')}, {arguments.get('dy')}"
        case "mouse_click" | "mouse_move" | "mouse_down" | "mouse_up":
            verbs = {"click": "Click", "move": "Move the mouse", "down": "Press the mouse", "up": "Release the mouse"}
            return f"{verbs[name.removeprefix('mouse_')]} {'to' if name == 'mouse_move' else 'at'} {at}"
        case "finish":
            answer = arguments.get("answer")
            said = f" with the answer “{answer}”" if answer is not None else ""
            return f"Finish: {arguments.get('outcome', 'DONE')}{said}"
        case "unreadable":
            return f"Not an action: {text}"
    words = name.replace("_", " ").capitalize()
    return f"{words} {target}" if arguments.get("ref") else words


def described(tree: str, ref: object) -> str:
    """`button “Save”` for a ref of this tree; the ref itself where the tree does not hold it."""
    if not isinstance(ref, str):
        return "the page"
    line = line_of(tree, ref)
    found = (
        re.match(r'\s*- \'?(?P<role>[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?', tree.splitlines()[line])
        if line is not None
        else None
    )
    if found is None:
        return ref
    name = found["name"]
    return f"{found['role']} “{_unquoted(name)}”" if name else f"{found['role']} {ref}"


def line_of(tree: str, ref: object) -> int | None:
    """The line of the tree that holds a ref."""
    mark = f"[ref={ref}]"
    return next((number for number, line in enumerate(tree.splitlines()) if mark in line), None)


def _label(name: str, arguments: Mapping[str, Any]) -> str:
    match name:
        case "type" | "type_" | "keyboard_type":
            return f"“{arguments.get('text', '')}”" + (" ⏎" if arguments.get("submit") else "")
        case "select":
            return _quoted(arguments.get("option"))
        case "press":
            return str(arguments.get("key", ""))
        case "key_down" | "key_up":
            return f"{arguments.get('key', '')} {'↓' if name == 'key_down' else '↑'}"
        case "upload":
            return _quoted(arguments.get("files"))
        case "read_download":
            return str(arguments.get("name", ""))
        case "mouse_scroll":
            return f"scroll {arguments.get('dx', 0)}, {arguments.get('dy', 0)}"
        case "click" | "double_click" | "right_click" | "mouse_click":
            return " + ".join(arguments.get("modifiers") or ())
        case "scroll":
            arrows = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
            return f"{arrows.get(str(arguments.get('direction')), '')} scroll {arguments.get('pixels', '')}".strip()
        case "navigate" | "new_tab":
            return str(arguments.get("url", ""))
        case "wait":
            return f"wait {arguments.get('ms', '')} ms"
        case "accept_dialog" | "dismiss_dialog":
            return "dialog: OK" if name == "accept_dialog" else "dialog: Cancel"
        case "finish":
            answer = arguments.get("answer")
            return f"{arguments.get('outcome', 'DONE')}" + (f": {answer}" if answer is not None else "")
        case "unreadable":
            return "not an action"
        case "back" | "forward" | "reload" | "close_tab" | "switch_tab" | "clear" | "more" | "read_clipboard":
            return name.replace("_", " ")
    return ""


def _quoted(option: Any) -> str:
    options = option if isinstance(option, list) else [option]
    return ", ".join(f"“{one}”" for one in options)


def _unquoted(name: str) -> str:
    try:
        return str(json.loads(name))
    except ValueError:
        return name.strip('"')
