"""BrowserGym's action strings, such as `click('e12')`, one or several, a line each; bids are our references."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from .. import actions
from ..actions import Action, InvalidAction
from ..observation import Observation
from . import shown
from .format import Format, text_of
from .view import View

SOURCE = "module `browsergym.core.action.functions` of the PyPI package browsergym-core 0.14.3"


class BrowserGym(Format):
    """Calls are texts. Positional arguments are as in BrowserGym; values are literals."""

    def translate(self, call: Any, view: View) -> list[Action]:
        """The actions of all calls in the text; an action of ours may stand there too, such as `finish(…)`."""
        done: list[Action] = []
        for name, arguments in self._calls(call):
            done += self._read(name, arguments, view.moved(done))
        return done

    def calls(self, call: dict[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        """Calls in `{"action": text}`."""
        return self._calls(call.get("action"))

    def needs(self, call: Any) -> tuple[str, ...]:
        """The observation is the same after every call."""
        return ("axtree", "screenshot")

    def tools(self, view: View, *, also: Sequence[str] = ("finish",)) -> list[dict[str, Any]]:
        """As `HighLevelActionSet.to_tool_description` does: functions with JSON schemas."""
        own = [{"name": one.name, "description": one.doc, "parameters": one.parameters()} for one in self.own(also)]
        offered = [{"name": one.name, "description": one.doc, "parameters": one.schema()} for one in self.offered()]
        return [{"type": "function", **one} for one in (*offered, *own)]

    def result(self, call: Any, observation: Observation, view: View) -> dict[str, Any]:
        """The entries of BrowserGym's observation that have a meaning here, the tree as `axtree_txt`."""
        active = next((number for number, tab in enumerate(observation.tabs) if tab.active), 0)
        return {
            "goal": observation.goal,
            "open_pages_urls": tuple(tab.url for tab in observation.tabs),
            "open_pages_titles": tuple(tab.title for tab in observation.tabs),
            "active_page_index": active,
            "url": observation.url,
            "screenshot": observation.screenshot,
            "axtree_txt": "\n".join([*shown.news(observation, view), observation.axtree]),
            "last_action": call if isinstance(call, str) else call.get("action", ""),
            "last_action_error": observation.error,
        }

    def _calls(self, text: Any) -> list[tuple[str, Mapping[str, Any]]]:
        try:
            body = ast.parse(text_of(text, "action").strip()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InvalidAction("this is no call such as click('e12'), or several on lines of their own") from None
        if not body:
            raise InvalidAction("this is no call such as click('e12')")
        return [self._call(line) for line in body]

    def _call(self, line: ast.stmt) -> tuple[str, Mapping[str, Any]]:
        call = line.value if isinstance(line, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise InvalidAction(f"{ast.unparse(line)[:60]!r} is no call such as click('e12')")
        name, listed = call.func.id, [_literal(value) for value in call.args]
        given = {keyword.arg or "": _literal(keyword.value) for keyword in call.keywords}
        known = self._parameters(name)
        if len(listed) > len(known):
            raise InvalidAction(f"{name} takes {len(known)} arguments, not {len(listed)}")
        twice = [one for one in known[: len(listed)] if one in given]
        if twice:
            raise InvalidAction(f"{name}: {twice[0]} is given twice")
        return name, dict(zip(known, listed, strict=False)) | given

    def _parameters(self, name: str) -> list[str]:
        if name in self.members:
            one = self.members[name]
            return [param.name for param in one.params] if not one.refusal else _ANY
        return [param.name for param in actions.specs()[name].params] if name in actions.specs() else _ANY


_ANY = [f"argument {number}" for number in range(1, 9)]
"""Names for the arguments of calls that are refused whatever they take."""


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise InvalidAction(f"{ast.unparse(node)[:60]!r} is no literal value") from None


BROWSERGYM = BrowserGym("browsergym", "BrowserGym", SOURCE)
