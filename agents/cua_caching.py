"""Marks for Anthropic's prompt cache: up to where a request is as later ones will be.

The server keeps what stands before a mark, and finds it again where a later request begins the same. One stands behind
tools and system prompt, one in the messages, behind the last that will be the same in the next request: what is put
into the cache costs more than what is only read, so nothing is put there that can't be found again.
"""

from __future__ import annotations

from typing import Any

KEEP = {"type": "ephemeral"}
"""For five minutes, and again as long whenever it is used."""


def marked(messages: list[dict[str, Any]], settled: int) -> list[dict[str, Any]]:
    """The messages with a mark at the last of a person's among the first `settled`.

    The messages themselves stay as they are: marks are no part of what a model is shown, and are not recorded.
    """
    asked = [at for at, message in enumerate(messages[:settled]) if message["role"] == "user" and message["content"]]
    return [_marked(message) if at in asked[-1:] else message for at, message in enumerate(messages)]


def _marked(message: dict[str, Any]) -> dict[str, Any]:
    *before, last = message["content"]
    return {**message, "content": [*before, {**last, "cache_control": KEEP}]}
