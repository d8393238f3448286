"""Two locks: many readers or one writer between threads, and one process at a time through a file."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import EnvironmentFault

LOCK_TIMEOUT_S = 30.0
"""A request that waits longer than this for the database has met a request that hangs."""


class SharedLock:
    """Any number of readers, or one writer. A waiting writer goes before readers that come later."""

    def __init__(self, timeout_s: float = LOCK_TIMEOUT_S) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._writing = False
        self._writers_waiting = 0
        self._timeout_s = timeout_s

    def acquire_shared(self) -> None:
        """Wait until no writer is in, and stay in as a reader. Raises `EnvironmentFault` after the time-out."""
        with self._changed:
            self._wait(lambda: not self._writing and not self._writers_waiting)
            self._readers += 1

    def release_shared(self) -> None:
        """Leave as a reader."""
        with self._changed:
            self._readers -= 1
            self._changed.notify_all()

    def acquire_exclusive(self) -> None:
        """Wait until nobody is in, and stay in as the writer. Raises `EnvironmentFault` after the time-out."""
        with self._changed:
            self._writers_waiting += 1
            try:
                self._wait(lambda: not self._writing and not self._readers)
                self._writing = True
            finally:
                self._writers_waiting -= 1
                self._changed.notify_all()

    def release_exclusive(self) -> None:
        """Leave as the writer."""
        with self._changed:
            self._writing = False
            self._changed.notify_all()

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Be a reader inside the block."""
        self.acquire_shared()
        try:
            yield
        finally:
            self.release_shared()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Be the writer inside the block."""
        self.acquire_exclusive()
        try:
            yield
        finally:
            self.release_exclusive()

    def _wait(self, free: Callable[[], bool]) -> None:
        if not self._changed.wait_for(free, self._timeout_s):
            raise EnvironmentFault(
                f"the world's database was locked for {self._timeout_s:.0f} s: a request hangs", cause="server_hung"
            )


@contextmanager
def file_lock(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold a lock that other processes and threads respect; it is freed even where its holder is killed.

    Raises `OSError` where the file can't be made and `EnvironmentFault` where somebody holds it for too long.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _flock(handle, path, timeout_s)
        yield
    finally:
        os.close(handle)


def _flock(handle: int, path: Path, timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > deadline:
                message = f"another process has held {path} for {timeout_s:.0f} s"
                raise EnvironmentFault(message, cause="cache_locked") from None
            time.sleep(0.02)  # flock has no time-out of its own
