"""A conversation with Anthropic's computer-use models, over the Messages API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..envs.formats import View, shown
from ..envs.formats.anthropic import image
from .base import ModelCall, Usage
from .cua_caching import KEEP, marked
from .cua_chat import CuaChat, Said, number

_BETAS = {
    "anthropic/computer_20251124": "computer-use-2025-11-24",
    "anthropic/computer_20250124": "computer-use-2025-01-24",
}
"""What the tools want to be announced by; the toolset wants nothing."""
LONGEST = 8192
"""Tokens of an answer where `max_tokens` is not given; the API wants a number."""
OLD = {"type": "text", "text": "(an earlier picture, left out)"}
NOT_PLAYED = "Not taken."


class AnthropicChat(CuaChat):
    """`messages` grow by one answer and its results at a time; only the newest pictures are sent again."""

    formats = ("anthropic/computer_20251124", "anthropic/computer_20250124", "anthropic/computer_toolset_20260801")
    package, extra, key_env, url_env = "anthropic", "anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"

    def connect(self, sdk: Any) -> Any:
        options = self.options
        return sdk.Anthropic(
            api_key=self.key(), base_url=options.base_url or None, timeout=options.timeout_s, max_retries=0
        )

    def begin(self, system: str, goal: str, view: View, also: Sequence[str]) -> None:
        options = self.options
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": [_text(goal), _picture(view)]}]
        said = {"temperature": options.temperature, "top_p": options.top_p}
        self._system, self._cache = system, bool(getattr(options, "cache", False))
        first = {"cache_control": KEEP} if self._cache else {}  # tools stand before it, and are kept with it
        self._request: dict[str, Any] = {
            "model": options.model, "max_tokens": options.max_tokens or LONGEST,
            "system": [{"type": "text", "text": system, **first}], "tools": self.form.tools(view, also=also),
            **{name: value for name, value in said.items() if value is not None},
        }  # fmt: skip
        if beta := _BETAS.get(self.form.name):
            self._request["betas"] = [beta]
        if options.extra_body:
            self._request["extra_body"] = dict(options.extra_body)

    def ask(self) -> tuple[Said, ModelCall]:
        keep = getattr(self.options, "history", 1)
        messages = without_old_pictures(self.messages, keep)
        sent = marked(messages, settled(self.messages, keep)) if self._cache else messages
        create = self.client.beta.messages.create
        response, failed, seconds = self.called(lambda: create(messages=sent, **self._request))
        content = response.get("content") or []
        self.messages.append({"role": "assistant", "content": content or [_text("(nothing)")]})
        self._open = [block for block in content if block.get("type") == "tool_use"]
        told = response.get("usage")
        cached, kept = number(told, "cache_read_input_tokens"), number(told, "cache_creation_input_tokens")
        usage = Usage(
            prompt_tokens=number(told, "input_tokens") + kept + cached,
            completion_tokens=number(told, "output_tokens"),
            cached_tokens=cached,
            cache_write_tokens=kept,
            reasoning_tokens=number((told or {}).get("output_tokens_details"), "thinking_tokens"),
        )
        said = Said(
            text="\n".join(str(block["text"]) for block in content if block.get("type") == "text").strip(),
            reasoning="\n".join(str(block.get("thinking", "")) for block in content if block.get("type") == "thinking"),
            calls=self._open,
        )
        return said, ModelCall(
            model=str(response.get("model") or self.options.model),
            messages=[{"role": "system", "content": self._system}, *messages],
            answer={"content": content},
            finish=str(response.get("stop_reason") or ""),
            usage=usage if told else None,
            seconds=seconds,
            retries=failed,
        )

    def give(self, call: Any, result: Any) -> None:
        self._answer([result])

    def told(self, text: str, view: View) -> None:
        refused = [
            {"type": "tool_result", "tool_use_id": block["id"], "content": [_text(NOT_PLAYED)], "is_error": True}
            for block in self._open
        ]
        self._answer([*refused, _text(text), _picture(view)])

    def _answer(self, blocks: list[dict[str, Any]]) -> None:
        """Results go into one message, after the answer that called."""
        if self.messages[-1]["role"] == "user":
            self.messages[-1]["content"].extend(blocks)
        else:
            self.messages.append({"role": "user", "content": blocks})


def without_old_pictures(messages: list[dict[str, Any]], keep: int) -> list[dict[str, Any]]:
    """The messages with all but the newest `keep` pictures replaced by a word."""
    old = max(0, sum(1 for message in messages for _ in _pictures(message)) - keep)
    sent: list[dict[str, Any]] = []
    for message in messages:
        here = sum(1 for _ in _pictures(message))
        sent.append({**message, "content": _cut(message["content"], min(old, here))} if old and here else message)
        old -= min(old, here)
    return sent


def settled(messages: list[dict[str, Any]], keep: int) -> int:
    """How many messages from the first on are as they were, or will be: all while no picture was left out, then those
    before the oldest picture that is still sent, which is the next to be left out."""
    old = sum(1 for message in messages for _ in _pictures(message)) - keep
    if old <= 0:
        return len(messages)
    for at, message in enumerate(messages):
        old -= sum(1 for _ in _pictures(message))
        if old < 0:
            return at
    return len(messages)


def _pictures(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for block in message["content"]:
        for part in block.get("content") or [] if block.get("type") == "tool_result" else [block]:
            if part.get("type") == "image":
                yield part


def _cut(blocks: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Blocks without their first `count` pictures."""
    cut: list[dict[str, Any]] = []
    for block in blocks:
        if block.get("type") == "tool_result" and block.get("content"):
            inner = [part for part in block["content"] if part.get("type") == "image"]
            here = min(count, len(inner))
            cut.append({**block, "content": _cut(block["content"], here)} if here else block)
            count -= here
        elif block.get("type") == "image" and count:
            cut.append(OLD)
            count -= 1
        else:
            cut.append(block)
    return cut


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _picture(view: View) -> dict[str, Any]:
    return image(shown.picture(view.observation, view))
