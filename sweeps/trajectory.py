"""An episode's trajectory as ATIF v1.8 JSON (https://github.com/harbor-framework/harbor), whole after every step.

The file is never rewritten: each step overwrites only the closing brackets, so a long episode costs no more a step
than a short one, and a reader finds valid JSON at any moment between two writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import UsageError
from .files import json_bytes, read_json

SCHEMA = "ATIF-v1.8"
MEDIA_TYPES = {".webp": "image/webp", ".png": "image/png"}


class TrajectoryFile:
    """Appends steps to `path`; `head` are the root fields before `steps` (agent, trajectory_id, extra …)."""

    def __init__(self, path: Path, *, head: dict[str, Any]) -> None:
        self.path = path
        self.count = 0
        self._file = path.open("wb")
        self._file.write(json_bytes({"schema_version": SCHEMA, **head})[:-1] + b', "steps": [')
        self._end = self._file.tell()
        self._close_with({})

    def append(self, step: dict[str, Any], *, totals: dict[str, Any] | None = None) -> None:
        """Add a step (its `step_id` is given here) and, where known, the `final_metrics` so far."""
        self.count += 1
        self._file.seek(self._end)
        self._file.write((b",\n" if self.count > 1 else b"\n") + json_bytes({"step_id": self.count, **step}))
        self._end = self._file.tell()
        self._close_with({"final_metrics": totals} if totals else {})

    def finish(self, **tail: Any) -> None:
        """Write the root fields that are known only at the end (`final_metrics`, `notes`) and close the file."""
        self._close_with(tail)
        self.close()

    def close(self) -> None:
        """Close the file as it is; closing twice is fine."""
        self._file.close()

    def _close_with(self, tail: dict[str, Any]) -> None:
        closing = json_bytes(tail)[1:-1]
        self._file.seek(self._end)
        self._file.write(b"\n]" + (b", " if closing else b"") + closing + b"}\n")
        self._file.truncate()
        self._file.flush()


def read_trajectory(path: Path) -> dict[str, Any]:
    """The trajectory in `path`; raises `UsageError` where it is cut short, or is no trajectory of this version."""
    found = read_json(path)
    version = found.get("schema_version") if isinstance(found, dict) else None
    if version != SCHEMA:
        raise UsageError(f"{path} is not a trajectory of {SCHEMA}: its schema_version is {version!r}")
    trajectory: dict[str, Any] = found
    return trajectory


def user_step(text: str) -> dict[str, Any]:
    """The goal, as the person's message."""
    return {"source": "user", "message": text}


def system_step(message: str, content: list[dict[str, Any]], extra: dict[str, Any]) -> dict[str, Any]:
    """What the machinery shows without being asked: the first observation."""
    return {"source": "system", "message": message, "observation": {"results": [{"content": content}]}, "extra": extra}


def agent_step(
    *,
    at: str,
    message: str,
    call: tuple[str, dict[str, Any]],
    number: int,
    content: list[dict[str, Any]],
    extra: dict[str, Any],
    reasoning: str | None = None,
) -> dict[str, Any]:
    """One action and what was seen after it. `at` is wall-clock time, `call` the action's name and arguments."""
    call_id = f"call_{number}"
    step: dict[str, Any] = {
        "timestamp": at,
        "source": "agent",
        "message": message,
        "tool_calls": [{"tool_call_id": call_id, "function_name": call[0], "arguments": call[1]}],
        "observation": {"results": [{"source_call_id": call_id, "content": content}]},
        "extra": extra,
    }
    if reasoning:
        step["reasoning_content"] = reasoning
    return step


def text_part(text: str) -> dict[str, Any]:
    """A text part of an observation."""
    return {"type": "text", "text": text}


def image_part(path: str) -> dict[str, Any]:
    """A picture stored beside the trajectory, by its relative path."""
    return {"type": "image", "source": {"media_type": MEDIA_TYPES[Path(path).suffix], "path": path}}
