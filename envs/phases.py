"""Where the time of an episode goes: seconds by phase, added up since the reset."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

PHASES = ("browser", "site", "observe", "grading")


class Phases:
    """Seconds by phase, for one thing at a time."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._within = 0.0

    def clear(self) -> None:
        """Begin anew, at nothing in each phase."""
        self.seconds, self._within = dict.fromkeys(PHASES, 0.0), 0.0

    @contextmanager
    def spent(self, name: str) -> Iterator[None]:
        """Book the time inside as `name`; a phase within a phase is its own, so that no time counts twice."""
        begun, outside, self._within = time.perf_counter(), self._within, 0.0
        try:
            yield
        finally:
            took = time.perf_counter() - begun
            self.seconds[name] = self.seconds.get(name, 0.0) + took - self._within
            self._within = outside + took
