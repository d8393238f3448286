"""Calls of tools as a model wrote them, read as one action of ours, or as what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from ..envs.actions import Action, InvalidAction, specs
from ..envs.table import build
from ..errors import closest
from .chat import Answer, ToolCall


def move_of(answer: Answer, offered: Collection[str]) -> Action | InvalidAction:
    """The action that an answer stands for; nothing is guessed. What is wrong is said in a sentence to the model."""
    if not answer.calls:
        cut = ", since it was too long and was cut off" if answer.finish == "length" else ""
        return InvalidAction(
            f"your answer holds no call{cut}: answer with exactly one call of a tool; finish is one too"
        )
    if len(answer.calls) > 1:
        names = ", ".join(call.name for call in answer.calls)
        return InvalidAction(
            f"one call at a time: this answer holds {len(answer.calls)} ({names}), and none of them was taken"
        )
    (call,) = answer.calls
    if call.name not in offered:
        close = closest(call.name, offered)
        hint = f" (did you mean {close!r}?)" if close else ""
        return InvalidAction(f"there is no tool {call.name!r}{hint}; there are: {', '.join(offered)}")
    try:
        return build(call.name, (), _given(call, cut=answer.finish == "length"))
    except InvalidAction as error:
        return error


def arguments_of(call: ToolCall) -> dict[str, Any] | None:
    """The arguments of a call; None where they are no JSON object."""
    try:
        found = json.loads(call.arguments or "{}", strict=False)  # models leave line breaks in texts as they are
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _given(call: ToolCall, *, cut: bool) -> dict[str, Any]:
    """The arguments without those that are null where an action has a default, as some models fill in every field."""
    found = arguments_of(call)
    if found is None:
        why = "they were cut off, since the answer was too long" if cut else f"they are {call.arguments[:200]!r}"
        raise InvalidAction(f"the arguments of {call.name} are no JSON object: {why}")
    optional = {param.name for param in specs()[call.name].params if not param.required}
    return {name: value for name, value in found.items() if value is not None or name not in optional}


def echo(answer: Answer) -> tuple[dict[str, Any], list[str]]:
    """An answer as it is sent back in the next request, and the ids of its calls, each of which wants a result.

    Reasoning is left out. A call whose arguments are no JSON is told as text, since servers read those of earlier
    messages too and fail on it.
    """
    if answer.calls and all(arguments_of(call) is not None and call.name.isidentifier() for call in answer.calls):
        message = {"role": "assistant", "content": answer.text or None, "tool_calls": _written(answer.calls)}
        return message, [call.id for call in answer.calls]
    calls = [f"{call.name} {call.arguments}" for call in answer.calls]
    return {"role": "assistant", "content": "\n".join([answer.text, *calls]).strip() or "(nothing)"}, []


def _written(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments or "{}"}}
        for call in calls
    ]


def tools(offered: Collection[str]) -> list[dict[str, Any]]:
    """Actions of these names as function tools, from the table of actions."""
    return [
        {"type": "function", "function": {"name": one.name, "description": one.doc, "parameters": one.parameters()}}
        for name, one in specs().items()
        if name in offered
    ]
