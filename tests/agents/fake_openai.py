"""A server that speaks chat completions as OpenAI and vLLM do, answered by a function of the request.

It is as strict as the real ones: each call must get its result before anything else is said, pictures must be PNG
files, and tools must be declared; what breaks the protocol is answered with status 400 and noted in `refused`.
"""

from __future__ import annotations

import base64
import io
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fake_server import FakeServer, Refused, Response
from PIL import Image


@dataclass
class Says:
    """One answer of the model."""

    calls: list[tuple[str, Any]] = field(default_factory=list)
    """Name and arguments: an object, or text as it is."""
    text: str | None = None
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"
    finish: str = ""
    usage: bool = True
    after: threading.Event | None = None
    broken: bool = False


@dataclass
class Fails:
    """An error in the place of an answer."""

    status: int
    message: str = "try again later"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


Brain = Callable[[dict[str, Any]], "Says | Fails"]


class FakeOpenAI(FakeServer):
    """`brain` is asked for each request; a list of answers is played in order."""

    def __init__(self, brain: Brain | list[Says | Fails]) -> None:
        super().__init__()
        script = iter(brain) if isinstance(brain, list) else None
        self.brain: Brain = (lambda request: next(script)) if script is not None else brain  # type: ignore[assignment]
        self.answers: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{self.address}/v1"

    def answer(self, path: str, body: dict[str, Any]) -> Response:
        if path != "/v1/chat/completions":
            raise Refused(f"there is no {path}")
        check(body)
        says = self.brain(body)
        if isinstance(says, Fails):
            error = {"message": says.message, "type": "error", "code": says.code}
            return Response({"error": error}, says.status, says.headers)
        whole = completion(body, says)
        self.answers.append(whole)
        if not body.get("stream"):
            return Response(whole, after=says.after, broken=says.broken)
        events: list[Any] = [*chunks(whole, body), "[DONE]"]
        return Response(events=events[:2] if says.broken else events, after=says.after, broken=says.broken)


def check(body: dict[str, Any]) -> None:
    """Raise `Refused` where the request breaks the protocol."""
    if not isinstance(body.get("model"), str):
        raise Refused("model is missing")
    for tool in body.get("tools", ()):
        if tool["type"] != "function" or tool["function"]["parameters"]["type"] != "object":
            raise Refused("a tool is no function")
    waiting: list[str] = []
    for message in body["messages"]:
        role = message["role"]
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                raise Refused(f"there is no call {message['tool_call_id']}")
            if not isinstance(message["content"], str):
                raise Refused("the result of a tool is text")
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            raise Refused(f"call {waiting[0]} got no result")
        if role == "assistant":
            waiting = [_checked_call(call) for call in message.get("tool_calls") or ()]
            if not waiting and not message.get("content"):
                raise Refused("an answer says nothing")
        for part in message["content"] if isinstance(message["content"], list) else ():
            if part["type"] == "image_url":
                picture(part["image_url"]["url"])
    if waiting:
        raise Refused(f"call {waiting[0]} got no result")


def _checked_call(call: dict[str, Any]) -> str:
    try:
        json.loads(call["function"]["arguments"])
    except ValueError:
        raise Refused("the arguments of an earlier call are no JSON") from None
    return str(call["id"])


def picture(url: str) -> Image.Image:
    """The picture in a data URL."""
    head, _, data = url.partition(",")
    if head != "data:image/png;base64":
        raise Refused(f"{head} is no picture")
    found = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
    found.load()
    return found


def completion(body: dict[str, Any], says: Says) -> dict[str, Any]:
    """The response as one object."""
    message: dict[str, Any] = {"role": "assistant", "content": says.text}
    if says.reasoning:
        message[says.reasoning_field] = says.reasoning
    number = len(body["messages"])
    if says.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for index, (name, given) in enumerate(says.calls)
        ]
    prompt, written = list(json.dumps(body["messages"]).encode()), list(json.dumps(message).encode())
    choice: dict[str, Any] = {"index": 0, "message": message}
    choice["finish_reason"] = says.finish or ("tool_calls" if says.calls else "stop")
    whole: dict[str, Any] = {
        "id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1_800_000_000, "model": body["model"],
        "choices": [choice],
    }  # fmt: skip
    if body.get("logprobs"):
        content = [{"token": chr(one), "logprob": -one / 1000, "bytes": [one], "top_logprobs": []} for one in written]
        choice["logprobs"] = {"content": content}
    if body.get("return_token_ids"):
        whole["prompt_token_ids"], choice["token_ids"] = prompt, written
    if says.usage:
        whole["usage"] = {
            "prompt_tokens": len(prompt), "completion_tokens": len(written), "total_tokens": len(prompt) + len(written),
            "prompt_tokens_details": {"cached_tokens": len(prompt) // 2},
        }  # fmt: skip
    return whole


def chunks(whole: dict[str, Any], body: dict[str, Any]) -> list[dict[str, Any]]:
    """The same as a stream: each text and each call's arguments in two pieces."""
    (choice,) = whole["choices"]
    message = choice["message"]
    head = {"id": whole["id"], "object": "chat.completion.chunk", "created": whole["created"], "model": whole["model"]}
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for name in ("reasoning_content", "reasoning", "content"):
        text = message.get(name) or ""
        deltas += [{name: piece} for piece in (text[: len(text) // 2], text[len(text) // 2 :]) if piece]
    for index, call in enumerate(message.get("tool_calls", ())):
        given = call["function"]["arguments"]
        first = {"name": call["function"]["name"], "arguments": given[:3]}
        deltas.append({"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": first}]})
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": given[3:]}}]})
    made = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    if "token_ids" in choice:
        made[0]["prompt_token_ids"] = whole["prompt_token_ids"]
        made[1]["choices"][0]["token_ids"] = choice["token_ids"][:5]
        made[-1]["choices"][0]["token_ids"] = choice["token_ids"][5:]
    if "logprobs" in choice:
        made[-1]["choices"][0]["logprobs"] = choice["logprobs"]
    made.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    if (body.get("stream_options") or {}).get("include_usage") and "usage" in whole:
        made.append({**head, "choices": [], "usage": whole["usage"]})
    return made
