"""The frames of episodes with each line of their texts once, as most lines of a tree stand in several frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Lines:
    """Lines by number, each once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def spans(self, text: str) -> list[int]:
        """The lines of a text as spans of numbers: the first, how many follow it, the first of the next span …"""
        found: list[int] = []
        expected = -1
        for line in text.split("\n"):
            place = self._places.setdefault(line, len(self._places))
            if place == expected:
                found[-1] += 1
            else:
                found += (place, 0)
            expected = place + 1
        return found

    def all(self) -> list[str]:
        """The lines in the order of their numbers."""
        return list(self._places)


def packed(frames: Sequence[Mapping[str, Any]], lines: Lines) -> list[dict[str, Any]]:
    """The frames with the texts of their trees, and of what else was observed, as spans of `lines`."""
    return [
        {
            **frame,
            "tree": lines.spans(frame["tree"]),
            "more": {name: _other(one, lines) for name, one in frame["more"].items()},
        }
        for frame in frames
    ]


def _other(one: Mapping[str, Any], lines: Lines) -> dict[str, Any]:
    return {"lines": lines.spans(one["text"])} if "text" in one else dict(one)
