"""What a reset replaces: a generation of a world, pinned by the requests that began in it, disposed by the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Lock
from typing import Any

from ..kit.refusals import RefusalLog
from ..kit.views import View, ViewLog
from ..kit.world import instant
from .database import Database
from .source import Stored

_KEPT_ERRORS = 50
_MOST_KEPT = 500
_MOST_STREAMS = 3  # half of a port's threads


class Generation:
    """The database, clock and view record of one stretch of a world's life, from one reset to the next."""

    def __init__(
        self,
        rows: Stored | Path,
        *,
        secret: bytes,
        now_ms: int,
        views: Sequence[View] = (),
        dispose: Callable[[Generation], None],
    ) -> None:
        self.database: Stored = Database(rows) if isinstance(rows, Path) else rows
        self.views = ViewLog(views)
        self.secret = secret
        self.now_ms = now_ms
        self.errors: list[str] = []
        self.refusals = RefusalLog()
        """Requests that were refused since this stretch began, or was gone back to."""
        self._dispose = dispose
        self._pins = 0
        self._retired = False
        self._lock = Lock()
        self._news = Condition(self._lock)
        self._rings = 0
        self._followers: list[object] = []
        self._kept: dict[object, Any] = {}
        self._kept_at = 0

    @property
    def pins(self) -> int:
        """How many requests and service calls are using this generation now."""
        return self._pins

    def pin(self) -> bool:
        """Keep the generation alive until `unpin`. False where it was disposed already."""
        with self._lock:
            if self._retired and not self._pins:
                return False
            self._pins += 1
            return True

    def unpin(self) -> None:
        """Let go; the last one to leave a retired generation disposes it."""
        with self._lock:
            self._pins -= 1
            last = self._retired and not self._pins
        if last:
            self._dispose(self)

    def retire(self) -> None:
        """Take the generation out of use; it goes once nobody holds it."""
        with self._lock:
            last = not self._retired and not self._pins
            self._retired = True
            self._news.notify_all()
        if last:
            self._dispose(self)

    def advance(self, ms: int) -> int:
        """Move the clock on; returns the time after it, in milliseconds since 1970."""
        with self._lock:
            self.now_ms += ms
            return self.now_ms

    def rewind(self, now_ms: int, views: Sequence[View], rings: int, errors: Sequence[str]) -> None:
        """Put the clock and all records back to what they were at some instant; the rows are not touched."""
        with self._lock:
            self.now_ms, self.views, self._rings, self.errors = now_ms, ViewLog(views), rings, list(errors)
            self.refusals = RefusalLog()

    def kept(self) -> dict[object, Any]:
        """What requests keep of the rows as they are; empty again after each write."""
        with self._lock:
            if self._kept_at != self.database.writes or len(self._kept) > _MOST_KEPT:
                self._kept, self._kept_at = {}, self.database.writes
            return self._kept

    @property
    def rings(self) -> int:
        """How often something was written that open pages are told about."""
        return self._rings

    def ring(self) -> None:
        """Wake the streams: something was committed that open pages are told about."""
        with self._news:
            self._rings += 1
            self._news.notify_all()

    def follow(self, follower: object) -> None:
        """Let a stream wait here. Each keeps a thread busy, so the eldest of too many has to go."""
        with self._news:
            self._followers = [*self._followers, follower][-_MOST_STREAMS:]
            self._news.notify_all()

    def unfollow(self, follower: object) -> None:
        """The stream has ended."""
        with self._news:
            self._followers = [other for other in self._followers if other is not follower]

    def hush(self) -> None:
        """End all streams."""
        with self._news:
            self._followers = []
            self._news.notify_all()

    def wait(self, follower: object, rings: int, timeout_s: float) -> int | None:
        """Wait for a ring after `rings`, at most so long; the count then, or None where the stream has to end."""
        with self._news:
            self._news.wait_for(lambda: self._rings != rings or not self._serves(follower), timeout_s)
            return self._rings if self._serves(follower) else None

    def _serves(self, follower: object) -> bool:
        return not self._retired and any(other is follower for other in self._followers)

    def record_error(self, text: str) -> None:
        """Keep a traceback, the latest few only."""
        with self._lock:
            self.errors = [*self.errors, text][-_KEPT_ERRORS:]

    def refuse(self, method: str, url: str, status: int, why: str) -> None:
        """Note a request that was refused."""
        self.refusals.add(method=method, url=url, status=status, why=why, at=instant(self.now_ms))

    @contextmanager
    def held(self) -> Iterator[Generation]:
        """Pinned inside the block; the caller has pinned it already."""
        try:
            yield self
        finally:
            self.unpin()
