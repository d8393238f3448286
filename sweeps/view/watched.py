"""The run that is watched, also before there is one: what all requests share, one at a time."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from .state import RunState

FRESH_S = 0.4
"""An overview so young answers for whoever else asks."""


class Watched:
    """A run's folder, which may begin to hold a run only later.

    Raises `UsageError` where it holds something else, or a run of another version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._state: RunState | None = None
        self._told: tuple[float, dict[str, Any]] = (0.0, {})
        self._open()

    def _open(self) -> RunState | None:
        if self._state is None:
            if (self.path / "run.json").is_file():
                self._state = RunState(RunFolder.open(self.path))
            elif self.path.exists() and (not self.path.is_dir() or not _to_be(self.path)):
                raise UsageError(f"{self.path} is not a run folder: it has no run.json")
        return self._state

    @property
    def begun(self) -> bool:
        """Whether there is a run yet."""
        with self._lock:
            return self._open() is not None

    def run(self) -> RunState:
        """The run; raises `UsageError` where there is none yet."""
        with self._lock:
            state = self._open()
        if state is None:
            raise UsageError(f"there is no run in {self.path} yet")
        return state

    def overview(self) -> dict[str, Any]:
        """What the overview shows now. Raises `sqlite3.Error` where it can't be told just now."""
        with self._lock:
            state = self._open()
            if state is None:
                return {"name": self.path.resolve().name, "state": "none"}
            if time.monotonic() - self._told[0] > FRESH_S:
                self._told = time.monotonic(), state.now()
            return self._told[1]

    def spec(self, id: str) -> EpisodeSpec | None:
        """The planned episode of this name."""
        with self._lock:
            state = self._open()
        return None if state is None else state.specs.get(id)

    def result(self, id: str) -> EpisodeResult | None:
        """What became of an episode. Raises `sqlite3.Error`."""
        state = self.run()
        with self._lock:
            return state.index.result(id)

    def results(self) -> dict[str, EpisodeResult]:
        """What became of all that are over. Raises `sqlite3.Error`."""
        state = self.run()
        with self._lock:
            return state.index.results()

    def results_of(self, spec: EpisodeSpec) -> dict[str, EpisodeResult]:
        """The same of all plays of an instance. Raises `sqlite3.Error`."""
        state = self.run()
        with self._lock:
            return state.index.results(spec.task, spec.task_seed)

    def episode(self, id: str) -> Path:
        """The folder of a planned episode."""
        return self.path / "episodes" / id

    def holds(self, path: Path) -> bool:
        """Whether a file lies in the run's folder, wherever links lead."""
        return path.resolve().is_relative_to(self.path.resolve())

    def close(self) -> None:
        """Remove what was made aside."""
        with self._lock:
            if self._state is not None:
                self._state.index.close()


def _to_be(path: Path) -> bool:
    """Whether a folder may be that of a run which is being made: empty, or with the first of what a run has."""
    names = {one.name for one in path.iterdir() if not one.name.startswith(".")}
    return names <= {"episodes", "set-aside", "logs", "index.sqlite", "index.sqlite-journal", "lock"}
