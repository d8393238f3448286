"""A conversation with OpenAI's computer-use models, over the Responses API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..envs.formats import View, shown
from .base import ModelCall, Usage
from .cua_chat import CuaChat, Said, number

NOT_PLAYED = "Not taken."


class OpenAIChat(CuaChat):
    """Each request sends what is new and names the response before: the server keeps what was said.

    It must: with `store` off, the items of earlier responses can't be sent back for the computer tool.
    """

    formats = ("openai/computer", "openai/computer-use-preview")
    package, extra, key_env, url_env = "openai", "openai", "OPENAI_API_KEY", "OPENAI_BASE_URL"

    def connect(self, sdk: Any) -> Any:
        options = self.options
        return sdk.OpenAI(
            api_key=self.key(), base_url=options.base_url or None, timeout=options.timeout_s, max_retries=0
        )

    def begin(self, system: str, goal: str, view: View, also: Sequence[str]) -> None:
        options = self.options
        self._new: list[dict[str, Any]] = [_message(goal, view)]
        self._all: list[dict[str, Any]] = [{"role": "system", "content": system}]
        self._before: str | None = None
        self._open: list[dict[str, Any]] = []
        said = {
            "temperature": options.temperature, "top_p": options.top_p, "max_output_tokens": options.max_tokens,
            "extra_body": dict(options.extra_body) or None,
        }  # fmt: skip
        self._request: dict[str, Any] = {
            "model": options.model, "instructions": system, "tools": self.form.tools(view, also=also),
            "truncation": "auto", **{name: value for name, value in said.items() if value is not None},
        }  # fmt: skip

    def ask(self) -> tuple[Said, ModelCall]:
        new, create = self._new, self.client.responses.create
        before = {} if self._before is None else {"previous_response_id": self._before}
        response, failed, seconds = self.called(lambda: create(input=new, **before, **self._request))
        output = response.get("output") or []
        self._all += new
        messages = list(self._all)
        self._all += output
        self._before, self._new = response.get("id"), []
        self._open = [item for item in output if item.get("type") in ("computer_call", "function_call")]
        told = response.get("usage")
        usage = Usage(
            prompt_tokens=number(told, "input_tokens"),
            completion_tokens=number(told, "output_tokens"),
            cached_tokens=number((told or {}).get("input_tokens_details"), "cached_tokens"),
            reasoning_tokens=number((told or {}).get("output_tokens_details"), "reasoning_tokens"),
        )
        return Said(text=_texts(output, "message"), reasoning=_texts(output, "reasoning"), calls=self._open), ModelCall(
            model=str(response.get("model") or self.options.model),
            messages=messages,
            answer={"output": output},
            finish=str((response.get("incomplete_details") or {}).get("reason") or response.get("status") or ""),
            usage=usage if told else None,
            seconds=seconds,
            retries=failed,
        )

    def give(self, call: Any, result: Any) -> None:
        first, *rest = result
        if checks := call.get("pending_safety_checks"):  # a world is a sandbox: whatever is done there may be done
            first = {**first, "acknowledged_safety_checks": checks}
        # results come before anything else that is said, so words after one wait for the results of later calls
        outputs = [item for item in self._new if item.get("type", "").endswith("_output")]
        others = [item for item in self._new if not item.get("type", "").endswith("_output")]
        self._new = [*outputs, first, *others, *rest]

    def told(self, text: str, view: View) -> None:
        for call in self._open:
            if call["type"] == "function_call":
                self._new.append({"type": "function_call_output", "call_id": call["call_id"], "output": NOT_PLAYED})
            else:
                shot = {"type": "computer_screenshot", "image_url": _url(view)}
                self._new.append({"type": "computer_call_output", "call_id": call["call_id"], "output": shot})
        self._new.append(_message(text, view))


def _texts(output: list[dict[str, Any]], kind: str) -> str:
    """What messages say, or what reasoning is told of."""
    items = [item for item in output if item.get("type") == kind]
    parts = [part for item in items for part in [*(item.get("summary") or []), *(item.get("content") or [])]]
    return "\n".join(str(part["text"]) for part in parts if part.get("text")).strip()


def _message(text: str, view: View) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": _url(view), "detail": "auto"}]
    return {"role": "user", "content": content}


def _url(view: View) -> str:
    return f"data:image/png;base64,{shown.picture(view.observation, view)}"
