"""Answers of a chat completions server, whole or as they stream in, as one plain value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .base import Usage

_THOUGHT = re.compile(r"<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL)
_THOUGHT_ENDS = re.compile(r"\A(.*?)</think(?:ing)?>", re.DOTALL)
_REASONING = ("reasoning_content", "reasoning")
"""Fields in which servers give the reasoning apart from the answer."""


@dataclass(frozen=True)
class ToolCall:
    """One call as the model wrote it; the arguments are text that should be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a model said, by parts."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: str = ""
    usage: Usage | None = None
    model: str = ""
    message: Mapping[str, Any] = field(default_factory=dict)
    """As it came."""
    prompt_token_ids: list[int] | None = None
    completion_token_ids: list[int] | None = None
    logprobs: list[float] | None = None


def read(response: Mapping[str, Any]) -> Answer:
    """The answer in a response (its JSON). One without choices is an empty answer."""
    choice: Mapping[str, Any] = (response.get("choices") or [{}])[0]
    message: Mapping[str, Any] = choice.get("message") or {}
    text, thought = apart(_text(message.get("content")))
    told = next((str(message[name]) for name in _REASONING if message.get(name)), "")
    return Answer(
        text=text or str(message.get("refusal") or ""),
        reasoning="\n".join(part for part in (told, thought) if part),
        calls=tuple(_call(number, one) for number, one in enumerate(message.get("tool_calls") or ())),
        finish=str(choice.get("finish_reason") or ""),
        usage=usage_of(response.get("usage")),
        model=str(response.get("model") or ""),
        message=message,
        prompt_token_ids=response.get("prompt_token_ids"),
        completion_token_ids=choice.get("token_ids"),
        logprobs=_logprobs(choice.get("logprobs")),
    )


def joined(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The response that a stream of chunks amounts to."""
    response: dict[str, Any] = {}
    choice: dict[str, Any] = {"message": {"role": "assistant"}}
    for chunk in chunks:
        response |= {name: chunk[name] for name in ("model", "id", "usage", "prompt_token_ids") if chunk.get(name)}
        for part in (chunk.get("choices") or ())[:1]:
            _grow(choice["message"], part.get("delta") or {})
            if part.get("finish_reason"):
                choice["finish_reason"] = part["finish_reason"]
            if part.get("token_ids"):
                choice["token_ids"] = [*choice.get("token_ids", ()), *part["token_ids"]]
            if content := (part.get("logprobs") or {}).get("content"):
                choice["logprobs"] = {"content": [*choice.get("logprobs", {}).get("content", ()), *content]}
    return {**response, "choices": [choice]}


def _grow(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Add to a message what one chunk brings."""
    for name in ("content", "refusal", *_REASONING):
        if delta.get(name):
            message[name] = message.get(name, "") + delta[name]
    for part in delta.get("tool_calls") or ():
        calls = message.setdefault("tool_calls", [])
        index = part.get("index")
        if index is None:  # some servers send each call whole, without a number
            index = len(calls)
        while len(calls) <= index:
            calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call, function = calls[index], part.get("function") or {}
        call["id"] = part.get("id") or call["id"]
        call["function"]["name"] += function.get("name") or ""
        call["function"]["arguments"] += function.get("arguments") or ""


def apart(text: str) -> tuple[str, str]:
    """What a model said, and what it thought in `<think>` blocks; the first may lack its opening, the last its end."""
    thoughts: list[str] = []

    def take(found: re.Match[str]) -> str:
        thoughts.append(found[1].strip())
        return ""

    if "<think" not in text.partition("</think")[0]:  # the template of the chat opened the block already
        text = _THOUGHT_ENDS.sub(take, text, count=1)
    said = _THOUGHT.sub(take, text)
    return said.strip(), "\n".join(thought for thought in thoughts if thought)


def usage_of(told: Mapping[str, Any] | None) -> Usage | None:
    """Tokens as the server counted them; None where it told none."""
    if not told or told.get("prompt_tokens") is None:
        return None
    read = told.get("prompt_tokens_details") or {}
    written = told.get("completion_tokens_details") or {}
    return Usage(
        prompt_tokens=int(told["prompt_tokens"]),
        completion_tokens=int(told.get("completion_tokens") or 0),
        cached_tokens=int(read.get("cached_tokens") or 0),
        reasoning_tokens=int(written.get("reasoning_tokens") or 0),
    )


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return str(content or "")


def _call(number: int, call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function") or {}
    return ToolCall(
        str(call.get("id") or f"call_{number}"), str(function.get("name") or ""), str(function.get("arguments") or "")
    )


def _logprobs(told: Mapping[str, Any] | None) -> list[float] | None:
    content = (told or {}).get("content")
    return [float(one["logprob"]) for one in content] if content else None
