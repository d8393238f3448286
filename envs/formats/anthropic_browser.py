"""Anthropic's browser tools, `browser_toolset_20260801`: members that act on elements by reference or on points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..observation import Observation
from . import shown
from .anthropic import Blocks, image
from .format import plain
from .view import View

SOURCE = (
    "types `BetaBrowserToolset20260801Param` and `BetaBrowser…Input` of the PyPI package anthropic 2.14.0, "
    "and Anthropic's page on the browser use tool"
)
OPTIONAL = ("file_upload", "read_console", "read_network", "javascript_exec")
"""Members that Anthropic offers to a model only where they are switched on."""


class Browser(Blocks):
    """The toolset. `tab_id` is the number of a tab as text, and references are those of the tree."""

    family = "browser"

    def tools(
        self, view: View, *, also: Sequence[str] = ("finish", "accept_dialog", "dismiss_dialog")
    ) -> list[dict[str, Any]]:
        """The toolset without the members that are refused here, with uploads, and actions of ours as custom tools."""
        configs: dict[str, Any] = {one.name: {"enabled": False} for one in self.refused()}
        configs["file_upload"] = {"enabled": True}
        return [{"type": "browser_toolset_20260801", "configs": configs}, *self.functions(also)]

    def needs(self, call: Any) -> tuple[str, ...]:
        """Which tree `read_page` shows depends on its filter."""
        name, arguments = self.block(plain(call))
        if name == "read_page":
            return (_tree_kind(arguments),)
        return super().needs(call)

    def result(self, call: Any, observation: Observation, view: View) -> dict[str, Any]:
        """The `tool_result`: what the member shows, in words or as a picture, and the state of the tabs."""
        call = plain(call)
        name, arguments = self.block(call)
        said = shown.news(observation, view)
        if observation.error:
            return self.answer(call, [_text("\n".join([observation.error, *said]))], error=True)
        state = _state(observation, view)
        if name in ("new_tab", "list_tabs", "switch_tab", "close_tab") and name in self.members:
            return self.answer(call, [state])
        return self.answer(call, [*self._content(name, arguments, observation, view, said), state])

    def _content(
        self, name: str, arguments: Mapping[str, Any], observation: Observation, view: View, said: list[str]
    ) -> list[dict[str, Any]]:
        words = [_text("\n".join(said))] if said else []
        match name if name in self.members else "":
            case "screenshot":
                return [*words, image(shown.picture(observation, view))]
            case "zoom":
                left, top, right, bottom = (int(edge) for edge in arguments["region"])
                return [*words, image(shown.part(observation, view, (left, top, right, bottom)))]
            case "read_page":
                text = getattr(observation, _tree_kind(arguments))
                return [*words, _text(shown.tree(text, arguments.get("ref"), arguments.get("depth")) or "(empty)")]
            case "get_page_text":
                return [*words, _text(shown.cut(observation.text) or "(empty)")]
            case "navigate":
                return [_text("\n".join([f"The page is now {observation.url}: {observation.title}", *said]))]
        return words or [_text("Done.")]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _tree_kind(arguments: Mapping[str, Any]) -> str:
    return {"all": "axtree_full", "interactive": "axtree_interactive"}.get(str(arguments.get("filter")), "axtree")


def _state(observation: Observation, view: View) -> dict[str, Any]:
    tabs = [
        {"tab_id": str(number), "title": tab.title, "url": tab.url, "active": tab.active}
        for number, tab in enumerate(observation.tabs)
    ]
    before = len(view.observation.tabs)
    opened = [{"type": "tab_opened", "tab_id": str(number)} for number in range(before, len(tabs))] if before else []
    return {"type": "browser_state", "tabs": tabs, **({"state_changes": opened} if opened else {})}


BROWSER = Browser("anthropic/browser_toolset_20260801", "Anthropic's `browser_toolset_20260801`", SOURCE)
