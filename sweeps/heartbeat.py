"""A thread that calls a function every few seconds, so that a long wait looks different from a dead process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

INTERVAL_S = 2.0


class Heartbeat:
    """Calls `beat` every few seconds between enter and exit; an `OSError` in it ends only the beating."""

    def __init__(self, beat: Callable[[], None], interval_s: float = INTERVAL_S) -> None:
        self._beat = beat
        self._interval = interval_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            try:
                self._beat()
            except OSError:
                return

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
