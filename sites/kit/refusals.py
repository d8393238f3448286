"""Requests that a world refused: kept beside its rows, so that whoever tries a door leaves a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

KEPT = 200
"""Requests that are remembered; those after them are counted only."""
_LONGEST = 300


@dataclass(frozen=True, kw_only=True)
class RefusedRequest:
    """A request that was answered with a refusal, by the world (another host, say) or by one of its sites."""

    method: str
    url: str
    """What was asked for, as it was sent; what is longer than 300 characters is cut."""
    status: int
    """The HTTP status of the answer."""
    why: str
    at: str
    """World time, `2026-03-18T10:00:00Z`."""

    def to_json(self) -> dict[str, Any]:
        """A plain form that crosses a pipe."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> RefusedRequest:
        """The request that `to_json` came from."""
        return cls(**plain)

    def __str__(self) -> str:
        return f"{self.method} {self.url}: {self.status}, {self.why}"


class RefusalLog:
    """The refused requests of one episode, oldest first; safe to use from several threads."""

    def __init__(self) -> None:
        self._kept: list[RefusedRequest] = []
        self._lock = Lock()
        self.count = 0
        """How many there were, those included that are no longer kept."""

    def add(self, *, method: str, url: str, status: int, why: str, at: str) -> None:
        """Note one more."""
        cut = url if len(url) <= _LONGEST else f"{url[:_LONGEST]}… ({len(url):,} characters)"
        with self._lock:
            self.count += 1
            if len(self._kept) < KEPT:
                self._kept.append(RefusedRequest(method=method[:20], url=cut, status=status, why=why, at=at))

    def after(self, number: int) -> list[RefusedRequest]:
        """Those that came after the first `number`."""
        with self._lock:
            return self._kept[number:]
