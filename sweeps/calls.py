"""The calls of models in an episode: `calls.jsonl`, each message once, each call by the messages that it was made of.

    {"message": 3, "role": "user", "content": [...]}     pictures by their path beside the file
    {"call": 0, "step": 1, "messages": [0, 1, 2, 3], "answer": {...}, "usage": {...}, ...}

So the window of history that a model was shown can be rebuilt word by word, and costs no more than what was new in it.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files import json_bytes

if TYPE_CHECKING:
    from ..agents import ModelCall
    from .pictures import Pictures

FILE = "calls.jsonl"
_PNG = "data:image/png;base64,"


class Calls:
    """Writes the file of one episode, which there is only once a call was made; keeps the sums."""

    def __init__(self, folder: Path, pictures: Pictures) -> None:
        self._path, self._pictures = folder / FILE, pictures
        self._known: dict[bytes, int] = {}
        self._files: dict[str, str] = {}
        self.totals: dict[str, float] = {}
        """Tokens, calls, retries and, where prices are known, US dollars so far."""

    def add(self, step: int, calls: Sequence[ModelCall], *, taken: bool = True) -> dict[str, Any]:
        """Write the calls that led to a step; gives the step's ATIF fields. `step` counts from 1.

        `taken` says whether the trajectory has that step; it has none where the calls led to the end of the episode.
        """
        if not calls:
            return {}
        lines: list[Any] = []
        for call in calls:
            numbers = [self._number(message, lines) for message in call.messages]
            self._sum(call)
            told = {name: value for name, value in asdict(call).items() if name != "messages" and value is not None}
            if taken and len(calls) == 1:  # they stand in the step's metrics
                told = {name: value for name, value in told.items() if name not in _IDS}
            number = int(self.totals["calls"]) - 1
            lines.append({"call": number, "step": step, "messages": numbers, **self._plain(told)})
        with self._path.open("ab") as file:
            file.write(b"".join(json_bytes(line) + b"\n" for line in lines))
        return {"llm_call_count": len(calls), "model_name": calls[-1].model, "metrics": metrics(calls)}

    def _number(self, message: Mapping[str, Any], lines: list[Any]) -> int:
        plain = self._plain(message)
        key = json_bytes(plain)
        if key not in self._known:
            self._known[key] = len(self._known)
            lines.append({"message": self._known[key], **plain})
        return self._known[key]

    def _plain(self, value: Any) -> Any:
        """The value with each picture replaced by the path of its file."""
        if isinstance(value, Mapping):
            kind = value.get("media_type") or value.get("mime_type")
            if str(kind).startswith("image/") and isinstance(value.get("data"), str):
                return {**value, "data": self._file(value["data"])}
            return {str(name): self._plain(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(item) for item in value]
        if isinstance(value, str) and value.startswith(_PNG):
            return self._file(value.removeprefix(_PNG))
        return value

    def _file(self, encoded: str) -> str:
        if encoded not in self._files:
            import numpy as np
            from PIL import Image

            pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB"))
            self._files[encoded] = self._pictures.save(np.ascontiguousarray(pixels))
        return self._files[encoded]

    def _sum(self, call: ModelCall) -> None:
        _add(self.totals, asdict(call.usage) if call.usage else {}, len(call.retries), call.cost_usd)

    def final(self) -> dict[str, Any]:
        """The sums under ATIF's names; nothing where no model was called."""
        names = {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"}
        return {f"total_{name}": value for name, value in self.totals.items() if name in names}


def spent(folder: Path) -> dict[str, float]:
    """What the calls recorded in the folder of an episode used, such as `Calls.totals`; nothing where there is no file.

    A worker that was killed may leave half a line; what it says is not known.
    """
    totals: dict[str, float] = {}
    with suppress(OSError), (folder / FILE).open(encoding="utf-8") as file:
        for text in file:
            with suppress(ValueError):
                line = json.loads(text)
                if "call" in line:
                    _add(totals, line.get("usage") or {}, len(line.get("retries") or ()), line.get("cost_usd"))
    return totals


def _add(totals: dict[str, float], usage: Mapping[str, Any], retries: int, cost_usd: float | None) -> None:
    more = {**usage, "calls": 1, "retries": retries, "cost_usd": cost_usd}
    if not more.get("cache_write_tokens"):  # few servers know such tokens
        more.pop("cache_write_tokens", None)
    for name, value in more.items():
        if value is not None:
            totals[name] = totals.get(name, 0) + value


_IDS = ("prompt_token_ids", "completion_token_ids", "logprobs")


def metrics(calls: Sequence[ModelCall]) -> dict[str, Any]:
    """ATIF's metrics of a step: sums over its calls, and, of a single one, the ids of its tokens."""
    told: dict[str, Any] = {}
    usages = [call.usage for call in calls if call.usage]
    if usages:
        told = {
            "prompt_tokens": sum(usage.prompt_tokens for usage in usages),
            "completion_tokens": sum(usage.completion_tokens for usage in usages),
            "cached_tokens": sum(usage.cached_tokens for usage in usages),
        }
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    told |= {"cost_usd": sum(costs)} if costs else {}
    if len(calls) == 1:
        told |= {name: list(ids) for name in _IDS if (ids := getattr(calls[0], name)) is not None}
    more: dict[str, Any] = {"seconds": round(sum(call.seconds for call in calls), 3), "finish": calls[-1].finish}
    for name in ("reasoning_tokens", "cache_write_tokens"):
        if count := sum(getattr(usage, name) for usage in usages):
            more[name] = count
    if retries := [asdict(retry) for call in calls for retry in call.retries]:
        more["retries"] = retries
    return {**told, "extra": more}


def read_calls(folder: Path) -> Iterator[dict[str, Any]]:
    """The calls of an episode with their messages as they were sent; pictures stay paths relative to `folder`."""
    path = folder / FILE
    messages: dict[int, dict[str, Any]] = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        found: dict[str, Any] = json.loads(line)
        if "message" in found:
            messages[found.pop("message")] = found
        else:
            yield {**found, "messages": [messages[number] for number in found["messages"]]}
