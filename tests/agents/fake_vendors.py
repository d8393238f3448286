"""Servers that speak the computer-use protocols of Anthropic, OpenAI and Google, as strict as the real ones."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fake_openai import Fails
from fake_server import FakeServer, Refused, Response
from PIL import Image

URL_SAFE = str.maketrans("-_", "+/")
"""The other alphabet of base64, which Google takes as well and its client writes."""


@dataclass
class Answers:
    """One answer: texts, and calls as name and arguments in the vendor's form."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    text: str = ""
    thought: str = ""


Brain = Callable[[dict[str, Any]], "Answers | Fails"]


class FakeVendor(FakeServer):
    """`brain` is asked for each request that keeps to the protocol."""

    def __init__(self, brain: Brain) -> None:
        super().__init__()
        self.brain = brain
        self.count = 0

    def answer(self, path: str, body: dict[str, Any]) -> Response:
        path = path.partition("?")[0]
        self.check(path, body)
        answers = self.brain(body)
        if isinstance(answers, Fails):
            return Response({"error": {"message": answers.message, "type": "error"}}, answers.status)
        self.count += 1
        return Response(self.response(body, answers))

    def check(self, path: str, body: dict[str, Any]) -> None:
        """Raise `Refused` where the request breaks the protocol."""
        raise NotImplementedError

    def response(self, body: dict[str, Any], answers: Answers) -> dict[str, Any]:
        """The answer in the vendor's form."""
        raise NotImplementedError


def size(data: str) -> tuple[int, int]:
    """The size of a picture in base64."""
    found = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
    found.load()
    return found.size


class FakeAnthropic(FakeVendor):
    """Messages: each `tool_use` gets its `tool_result` at the beginning of the next message."""

    def check(self, path: str, body: dict[str, Any]) -> None:
        if path != "/v1/messages":
            raise Refused(f"there is no {path}")
        if body["tools"][0]["type"] == "computer_20251124" and "computer-use-2025-11-24" not in self.headers[-1].get(
            "anthropic-beta", ""
        ):
            raise Refused("the tool is not announced")
        asked: list[str] = []
        for number, message in enumerate(body["messages"]):
            if message["role"] != ("user", "assistant")[number % 2]:
                raise Refused("roles must alternate")
            results = [block for block in message["content"] if block["type"] == "tool_result"]
            if [block["tool_use_id"] for block in results] != asked or message["content"][: len(results)] != results:
                raise Refused(f"{asked} want their results first")
            for block in [*message["content"], *(part for result in results for part in result["content"])]:
                if block["type"] == "image":
                    size(block["source"]["data"])
            if any(block.get("is_error") and any(p["type"] != "text" for p in block["content"]) for block in results):
                raise Refused("an error holds text alone")
            asked = [block["id"] for block in message["content"] if block["type"] == "tool_use"]

    def response(self, body: dict[str, Any], answers: Answers) -> dict[str, Any]:
        thought = {"type": "thinking", "thinking": answers.thought, "signature": "c2ln"}
        content = [thought] if answers.thought else []
        content += [{"type": "text", "text": answers.text}] if answers.text else []
        content += [
            {"type": "tool_use", "id": f"toolu_{self.count}_{at}", "name": name, "input": given}
            for at, (name, given) in enumerate(answers.calls)
        ]
        usage = {"input_tokens": 1000 + self.count, "output_tokens": 50, "cache_read_input_tokens": 200}
        return {
            "id": f"msg_{self.count}", "type": "message", "role": "assistant", "model": body["model"],
            "content": content, "stop_reason": "tool_use" if answers.calls else "end_turn", "usage": usage,
        }  # fmt: skip


class FakeResponses(FakeVendor):
    """Responses: what was said before is kept here, and each call of it must get its output first."""

    def __init__(self, brain: Brain) -> None:
        super().__init__(brain)
        self.open: dict[str, list[str]] = {}

    def check(self, path: str, body: dict[str, Any]) -> None:
        if path != "/v1/responses":
            raise Refused(f"there is no {path}")
        before = body.get("previous_response_id")
        if before is not None and before not in self.open:
            raise Refused(f"there is no response {before}")
        waiting = list(self.open.get(before or "", ()))
        for item in body["input"]:
            if str(item.get("type", "")).endswith("_output"):
                waiting.remove(item["call_id"])
            elif waiting:
                raise Refused(f"no output for {waiting}")
            for part in [item.get("output"), *(item["content"] if isinstance(item.get("content"), list) else ())]:
                if isinstance(part, dict) and "image_url" in part:
                    size(part["image_url"].removeprefix("data:image/png;base64,"))
        if waiting:
            raise Refused(f"no output for {waiting}")

    def response(self, body: dict[str, Any], answers: Answers) -> dict[str, Any]:
        summary = [{"type": "summary_text", "text": answers.thought}]
        output: list[dict[str, Any]] = [{"type": "reasoning", "id": f"rs_{self.count}", "summary": summary}]
        if answers.text:
            content = [{"type": "output_text", "text": answers.text, "annotations": []}]
            output.append(
                {
                    "type": "message",
                    "id": f"m_{self.count}",
                    "role": "assistant",
                    "status": "completed",
                    "content": content,
                }
            )
        for at, (name, given) in enumerate(answers.calls):
            about = {"id": f"i_{self.count}_{at}", "call_id": f"c_{self.count}_{at}", "status": "completed"}
            if name == "computer":
                checks = [{"id": "s1", "code": "odd", "message": "Sure?"}]
                output.append({"type": "computer_call", **about, "pending_safety_checks": checks, **given})
            else:
                output.append({"type": "function_call", **about, "name": name, "arguments": json.dumps(given)})
        self.open[f"resp_{self.count}"] = [item["call_id"] for item in output if "call_id" in item]
        usage = {
            "input_tokens": 1000, "input_tokens_details": {"cached_tokens": 100}, "output_tokens": 60,
            "output_tokens_details": {"reasoning_tokens": 20}, "total_tokens": 1060,
        }  # fmt: skip
        return {
            "id": f"resp_{self.count}", "object": "response", "created_at": 1_800_000_000, "status": "completed",
            "model": body["model"], "output": output, "usage": usage, "parallel_tool_calls": True, "tools": [],
            "tool_choice": "auto",
        }  # fmt: skip


class FakeGoogle(FakeVendor):
    """`generateContent`: the function calls of a turn get as many responses in the next, by name and in order."""

    def check(self, path: str, body: dict[str, Any]) -> None:
        if not re.fullmatch(r"/v1(beta)?/models/fake:generateContent", path):
            raise Refused(f"there is no {path}")
        asked: list[str] = []
        for content in body["contents"]:
            parts = content["parts"]
            given = [part["functionResponse"]["name"] for part in parts if "functionResponse" in part]
            if given != asked:
                raise Refused(f"{asked} want their responses")
            for part in parts:
                inner = part.get("functionResponse", {}).get("parts", ())
                for one in [part, *inner]:
                    if "inlineData" in one:
                        size(one["inlineData"]["data"].translate(URL_SAFE))
            if content["role"] == "model" and any("functionCall" in part for part in parts):
                signed = next(part for part in parts if "functionCall" in part)
                if base64.urlsafe_b64decode(signed.get("thoughtSignature", "")) != b"signed?>":
                    raise Refused("the signature of the thought is missing")
            asked = [part["functionCall"]["name"] for part in parts if "functionCall" in part]

    def response(self, body: dict[str, Any], answers: Answers) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"text": answers.thought, "thought": True}] if answers.thought else []
        parts += [{"text": answers.text}] if answers.text else []
        signature = base64.b64encode(b"signed?>").decode()
        parts += [
            {"functionCall": {"name": name, "args": given}, "thoughtSignature": signature}
            for name, given in answers.calls
        ]
        usage = {
            "promptTokenCount": 1000,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 10,
            "totalTokenCount": 1040,
        }
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"}
