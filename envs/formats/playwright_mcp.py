"""Playwright-MCP's tools: names, arguments and results, so that an agent made for them plays a world unchanged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..actions import InvalidAction
from ..observation import Observation
from . import shown
from .format import Format, given, plain, text_of
from .view import View

SOURCE = "what the server of the npm package @playwright/mcp 0.0.83 answers to `tools/list` with every capability on"
RENAMED = {"ref": "target", "startRef": "startTarget", "endRef": "endTarget"}
"""Arguments of earlier versions and what they are called now; both are understood."""


class PlaywrightMCP(Format):
    """Calls are `{"name": …, "arguments": {…}}`, the parameters of `tools/call`."""

    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """One call."""
        arguments = given(call.get("arguments"), "arguments")
        return [
            (text_of(call.get("name"), "name"), {RENAMED.get(name, name): value for name, value in arguments.items()})
        ]

    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """Tools as `tools/list` gives them: what is translated, and actions of ours."""
        own = [{"name": one.name, "description": one.doc, "inputSchema": one.parameters()} for one in self.own(also)]
        offered = [{"name": one.name, "description": one.doc, "inputSchema": one.schema()} for one in self.offered()]
        return [*offered, *own]

    def needs(self, call: Any) -> tuple[str, ...]:
        """A picture for a screenshot, the whole tree for a search, else the tree."""
        name, arguments = self.calls(plain(call))[0]
        kinds = super().needs(call) if name in self.members else ("axtree",)
        part = name == "browser_take_screenshot" and arguments.get("target")
        return (*kinds, "boxes") if part or arguments.get("boxes") else kinds

    def result(self, call: Any, observation: Observation, view: View) -> dict[str, Any]:
        """The result of `tools/call`: text, and the picture for a screenshot; `isError` where the page refused."""
        call = plain(call)
        name, arguments = self.calls(call)[0]
        said = shown.news(observation, view)
        if observation.error:
            return {"content": [_text("\n".join([observation.error, *said]))], "isError": True}
        content = [_text("\n".join(said))] if said else []
        if name == "browser_take_screenshot":
            return {"content": [*content, _image(_picture(arguments, observation, view))]}
        if name == "browser_find":
            return {"content": [*content, _text(shown.found(observation.axtree_full, pattern(arguments)))]}
        text = shown.tree(
            observation.axtree, arguments.get("target") if name == "browser_snapshot" else None, _depth(arguments)
        )
        if arguments.get("boxes"):
            text = re.sub(r"\[ref=(\w+)\]", lambda found: found[0] + _box(observation, found[1]), text)
        return {"content": [*content, _text(_page(observation, text))]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _image(data: str) -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": "image/png"}


def _page(observation: Observation, tree: str) -> str:
    tabs = [
        f"- {number}:{' (current)' if tab.active else ''} [{tab.title}]({tab.url})"
        for number, tab in enumerate(observation.tabs)
    ]
    head = ["### Open tabs", *tabs] if len(tabs) > 1 else []
    page = ["### Page", f"- Page URL: {observation.url}", f"- Page Title: {observation.title}"]
    return "\n".join([*head, *page, "### Snapshot", "```yaml", tree, "```"])


def _depth(arguments: Mapping[str, Any]) -> int | None:
    depth = arguments.get("depth")
    return None if depth is None else int(depth)


def _box(observation: Observation, ref: str) -> str:
    box = observation.boxes.get(ref)
    return "" if box is None else f" [box={','.join(str(round(side)) for side in box)}]"


def _picture(arguments: Mapping[str, Any], observation: Observation, view: View) -> str:
    target = arguments.get("target")
    if target is None:
        return shown.picture(observation, view)
    box = observation.boxes.get(str(target))
    if box is None:
        raise InvalidAction(f"{target} is not on the page")
    width, height = view.viewport
    left, top = max(0, round(box[0])), max(0, round(box[1]))
    right, bottom = min(width, round(box[0] + box[2])), min(height, round(box[1] + box[3]))
    if not (left < right and top < bottom):
        raise InvalidAction(f"{target} lies outside the window; scroll to it first")
    return shown.part(observation, View(viewport=view.viewport), (left, top, right, bottom))


def pattern(arguments: Mapping[str, Any]) -> re.Pattern[str]:
    """What `browser_find` searches for; raises `InvalidAction` where that is not said, or twice."""
    text, regex = arguments.get("text"), arguments.get("regex")
    if (text is None) == (regex is None):
        raise InvalidAction("browser_find: give either text or regex")
    if text is not None:
        return re.compile(re.escape(str(text)), re.IGNORECASE)
    wrapped = re.fullmatch(r"/(.*)/([a-z]*)", str(regex), re.DOTALL)
    try:
        if wrapped:
            return re.compile(wrapped[1], re.IGNORECASE if "i" in wrapped[2] else 0)
        return re.compile(str(regex))
    except re.error as error:
        raise InvalidAction(f"browser_find: regex is no regular expression: {error}") from None


MCP = PlaywrightMCP("playwright-mcp", "Playwright-MCP", SOURCE)
