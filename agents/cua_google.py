"""A conversation with Google's computer-use models, over `generateContent`."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from ..envs.formats import View, shown
from .base import ModelCall, Usage
from .cua_chat import CuaChat, Said, number

NOT_PLAYED = "Not taken."


class GoogleChat(CuaChat):
    """The whole conversation is sent each time, with only the newest pictures in it."""

    formats = ("gemini/3.5", "gemini/2.5")
    package, extra, key_env = "google.genai", "google", "GEMINI_API_KEY"

    def connect(self, sdk: Any) -> Any:
        options = self.options
        http = {
            "timeout": int(options.timeout_s * 1000),
            **({"base_url": options.base_url} if options.base_url else {}),
        }
        return sdk.Client(api_key=self.key(), http_options=http)

    def begin(self, system: str, goal: str, view: View, also: Sequence[str]) -> None:
        options = self.options
        self._contents: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": goal}, _picture(view)]}]
        self._answers: dict[int, Any] = {}
        self._open: list[dict[str, Any]] = []
        said = {
            "temperature": options.temperature, "top_p": options.top_p, "max_output_tokens": options.max_tokens,
        }  # fmt: skip
        self._system = system
        self._config: dict[str, Any] = {
            "system_instruction": system, "tools": self.form.tools(view, also=also),
            "automatic_function_calling": {"disable": True},
            **{name: value for name, value in said.items() if value is not None},
        }  # fmt: skip
        if options.extra_body:
            self._config["http_options"] = {"extra_body": dict(options.extra_body)}

    def ask(self) -> tuple[Said, ModelCall]:
        contents = without_old_pictures(self._contents, getattr(self.options, "history", 1))
        # answers go back as they came, signatures of thoughts included, which JSON would spell otherwise
        sent = [self._answers.get(at, as_sent(content)) for at, content in enumerate(contents)]
        generate = self.client.models.generate_content
        kept: list[Any] = []

        def once() -> Any:
            response = generate(model=self.options.model, contents=sent, config=self._config)
            kept[:] = [response]
            return response

        response, failed, seconds = self.called(once)
        candidate: dict[str, Any] = (response.get("candidates") or [{}])[0]
        parts = (candidate.get("content") or {}).get("parts") or []
        if parts:
            self._answers[len(self._contents)] = kept[0].candidates[0].content
        self._contents.append({"role": "model", "parts": parts or [{"text": "(nothing)"}]})
        self._open = [part["function_call"] for part in parts if part.get("function_call")]
        told = response.get("usage_metadata")
        thought = number(told, "thoughts_token_count")
        usage = Usage(
            prompt_tokens=number(told, "prompt_token_count"),
            completion_tokens=number(told, "candidates_token_count") + thought,
            cached_tokens=number(told, "cached_content_token_count"),
            reasoning_tokens=thought,
        )
        texts = [(bool(part.get("thought")), str(part["text"])) for part in parts if part.get("text")]
        said = Said(
            text="\n".join(text for thought, text in texts if not thought).strip(),
            reasoning="\n".join(text for thought, text in texts if thought).strip(),
            calls=[{"args": {}, **call} for call in self._open],
        )
        return said, ModelCall(
            model=str(response.get("model_version") or self.options.model),
            messages=[{"role": "system", "content": self._system}, *contents],
            answer={"parts": parts},
            finish=str(candidate.get("finish_reason") or ""),
            usage=usage if told else None,
            seconds=seconds,
            retries=failed,
        )

    def give(self, call: Any, result: Any) -> None:
        if call["args"].get("safety_decision"):  # a world is a sandbox: whatever is done there may be done
            result["function_response"]["response"]["safety_acknowledgement"] = "true"
        self._answer([result])

    def told(self, text: str, view: View) -> None:
        refused = [
            {"function_response": {"name": call.get("name"), "response": {"error": NOT_PLAYED}}} for call in self._open
        ]
        self._answer([*refused, {"text": text}, _picture(view)])

    def _answer(self, parts: list[dict[str, Any]]) -> None:
        if self._contents[-1]["role"] == "user":
            self._contents[-1]["parts"].extend(parts)
        else:
            self._contents.append({"role": "user", "parts": parts})


def without_old_pictures(contents: list[dict[str, Any]], keep: int) -> list[dict[str, Any]]:
    """The contents with all but the newest `keep` pictures left out."""
    sent: list[dict[str, Any]] = []
    for content in reversed(contents):
        parts: list[dict[str, Any]] = []
        for part in reversed(content["parts"]):
            response = part.get("function_response") or {}
            if "inline_data" in part or response.get("parts"):
                keep -= 1
                if keep < 0:
                    part = {"text": "(an earlier picture, left out)"} if "inline_data" in part else _bare(part)
            parts.append(part)
        sent.append({**content, "parts": parts[::-1]})
    return sent[::-1]


def _bare(part: dict[str, Any]) -> dict[str, Any]:
    response = {name: value for name, value in part["function_response"].items() if name != "parts"}
    return {**part, "function_response": response}


def as_sent(value: Any) -> Any:
    """A content with its pictures as bytes, as the SDK takes them."""
    if isinstance(value, dict):
        if "mime_type" in value and isinstance(value.get("data"), str):
            return {**value, "data": base64.b64decode(value["data"])}
        return {name: as_sent(item) for name, item in value.items()}
    return [as_sent(item) for item in value] if isinstance(value, list) else value


def _picture(view: View) -> dict[str, Any]:
    return {"inline_data": {"mime_type": "image/png", "data": shown.picture(view.observation, view)}}
