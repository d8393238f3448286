"""The client of a chat completions server: one request at a time, tried again where that may help, with its usage."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import chat, extras, reach, retries
from .base import ModelCall
from .chat import Answer
from .retries import Patience

WHY = "an agent on an OpenAI-compatible endpoint"
NO_KEY = "none"
"""What is sent as a key to a server of one's own, which asks for none."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a model is, and the name of the environment variable that holds the key.

    Raises `UsageError` where there is no key and the server is not one's own, where the SDK is not installed, and for
    an address that is none.
    """

    base_url: str
    """Empty: `OPENAI_BASE_URL`, else the vendor's own."""
    key_env: str

    def __post_init__(self) -> None:
        reach.check_needs(self._no_key(), extras.missing("openai", "openai", WHY))
        reach.check_address(self.url, "base_url" if self.base_url else "OPENAI_BASE_URL")

    @property
    def url(self) -> str:
        """The address as it is known."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL", "")

    def key(self) -> str:
        """The key; a word where there is none, for a server of one's own."""
        return os.environ.get(self.key_env, "") or NO_KEY

    def _no_key(self) -> str:
        if os.environ.get(self.key_env) or self.url:
            return ""
        return f"the environment variable {self.key_env} holds no key, and no base_url names a server"

    def client(self, timeout_s: float) -> Any:
        """The official SDK's client, without retries of its own: ours are counted."""
        openai = extras.use("openai", "openai", WHY)
        return openai.OpenAI(api_key=self.key(), base_url=self.url or None, timeout=timeout_s, max_retries=0)


class Completions:
    """Asks one model; `request` holds what every request says beside its messages."""

    def __init__(
        self, endpoint: Endpoint, request: Mapping[str, Any], *, patience: Patience, timeout_s: float, stream: bool
    ) -> None:
        self._endpoint = endpoint
        self._request = dict(request)
        self._patience = patience
        self._timeout_s = timeout_s
        self._stream = stream
        self._client: Any = None

    def ask(self, messages: list[dict[str, Any]]) -> tuple[Answer, ModelCall]:
        """The answer, and the call as it is recorded, still without its cost.

        Raises as `retries.call` does.
        """
        if self._client is None:
            self._client = self._endpoint.client(self._timeout_s)
        where = str(self._client.base_url)
        response, failed, seconds = retries.call(lambda: self._once(messages), self._patience, where)
        answer = chat.read(response)
        return answer, ModelCall(
            model=answer.model or str(self._request["model"]),
            messages=messages,
            answer=answer.message,
            finish=answer.finish,
            usage=answer.usage,
            seconds=seconds,
            retries=failed,
            prompt_token_ids=answer.prompt_token_ids,
            completion_token_ids=answer.completion_token_ids,
            logprobs=answer.logprobs,
        )

    def _once(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        create = self._client.chat.completions.create
        if not self._stream:
            whole: dict[str, Any] = create(messages=messages, **self._request).model_dump(
                exclude_unset=True, warnings=False
            )
            return whole
        asked = create(messages=messages, stream=True, stream_options={"include_usage": True}, **self._request)
        with asked as chunks:
            return chat.joined(chunk.model_dump(exclude_unset=True, warnings=False) for chunk in chunks)

    def close(self) -> None:
        """Close its connections."""
        if self._client is not None:
            self._client.close()
