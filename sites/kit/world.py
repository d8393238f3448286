"""The world as one request or one service call sees it: the time, the secret, the rows, and where to record a view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from .views import Filters, View, ViewLog

T = TypeVar("T")

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Rows(Protocol):
    """The database of one generation, as far as a request may touch it."""

    def reading(self) -> AbstractContextManager[Session]:
        """A read-only session on one consistent state; excludes writers while it is open."""
        ...

    def writing(self) -> AbstractContextManager[Session]:
        """The one writing transaction; commits at the end, rolls back on an exception."""
        ...

    def paused(self, session: Session) -> AbstractContextManager[None]:
        """Let go of what a reading session holds, and take it again at the end."""
        ...


class Moment(Protocol):
    """One generation of a world: everything that a reset throws away."""

    @property
    def database(self) -> Rows:
        """Its rows."""
        ...

    @property
    def views(self) -> ViewLog:
        """What it rendered."""
        ...

    @property
    def secret(self) -> bytes:
        """The key for sessions and seals."""
        ...

    @property
    def now_ms(self) -> int:
        """Its time, in milliseconds since 1970."""
        ...

    def kept(self) -> dict[object, Any]:
        """What requests keep of the rows as they are."""
        ...

    @property
    def rings(self) -> int:
        """How often open pages were to be told of something."""
        ...

    def ring(self) -> None:
        """Wake the streams of events."""
        ...

    def pin(self) -> bool:
        """Keep it alive until `unpin`; False where it is gone."""
        ...

    def unpin(self) -> None:
        """Let go."""
        ...

    def follow(self, follower: object) -> None:
        """Let a stream wait for rings."""
        ...

    def unfollow(self, follower: object) -> None:
        """The stream has ended."""
        ...

    def wait(self, follower: object, rings: int, timeout_s: float) -> int | None:
        """Wait for a ring; None where the stream has to end."""
        ...

    def record_error(self, text: str) -> None:
        """Keep the traceback of a request that the application failed to answer."""
        ...


class WorldContext:
    """What `g.world` is: one request's (or one service call's) hold on the world.

    It stays with the generation that was current when the request came in, also when the world is reset meanwhile.
    One thread uses it at a time.
    """

    def __init__(self, moment: Moment, *, host: str = "", face: str = "") -> None:
        self.host = host
        """The host name asked for, without a port."""
        self.face = face
        """The face of the site that this host shows."""
        self.view: View | None = None
        """The view recorded last in this request."""
        self.refused = ""
        """Why this request is refused, where its answer is no error (the way to a sign-in page, say)."""
        self.moment = moment
        """The generation behind it; for the machinery, not for sites."""
        self._session: Session | None = None
        self._writing = False
        self._ringing = False

    def now(self) -> str:
        """The world's time, `2026-03-18T10:00:00Z`; it moves only when the harness moves it."""
        return instant(self.moment.now_ms)

    def today(self) -> str:
        """The date of `now`, `2026-03-18`."""
        return self.now()[:10]

    @property
    def secret(self) -> bytes:
        """The key for sessions and seals: the same in every episode on the same data and seed."""
        return self.moment.secret

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A read-only session. Inside another `read` or `write` of this request it is that one's session.

        All queries of one block see one state. No writer gets in while it is open, so don't wait for anything inside.
        """
        if self._session is not None:
            yield self._session
            return
        with self.moment.database.reading() as session:
            self._session = session
            try:
                yield session
            finally:
                self._session = None

    def remembered(self, name: object, read: Callable[[Session], T]) -> T:
        """What `read` makes of the rows, read once until the world is written to again.

        For what many pages want and few writes change: who is signed in, lists of choices. The value must not change
        and must not need its session any more. Inside a write it is read afresh, and not kept.
        """
        with self.read() as db:
            if self._writing:
                return read(db)
            kept = self.moment.kept()  # no writer gets in while the session is open
            if name not in kept:
                kept[name] = read(db)
            found: T = kept[name]
            return found

    @contextmanager
    def write(self) -> Iterator[Session]:
        """The one writing transaction of the world: committed at the end, rolled back on an exception.

        Inside another `write` of this request it joins that transaction. Inside a `read` the reading session is let go
        for the while, and what it had loaded is loaded afresh afterwards.
        """
        if self._writing and self._session is not None:
            yield self._session
            return
        reader = self._session
        if reader is None:
            with self._write() as session:
                yield session
            return
        with self.moment.database.paused(reader):
            try:
                with self._write() as session:
                    yield session
            finally:
                self._session = reader

    @contextmanager
    def _write(self) -> Iterator[Session]:
        self._ringing = False
        with self.moment.database.writing() as session:
            self._session, self._writing = session, True
            try:
                yield session
            finally:
                self._session, self._writing = None, False
        if self._ringing:
            self.moment.ring()

    def ring(self) -> None:
        """Tell open pages, once this transaction is committed, that there is something new for them."""
        self._ringing = True

    def record_view(
        self,
        *,
        path: str,
        filters: Filters | None = None,
        sort: Sequence[str] = (),
        page: int | None = None,
        size: int | None = None,
        q: str | None = None,
        staff_id: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> int:
        """Record what this response shows, and return its id; it goes out as `X-View` by itself.

        Keys of `extra` that are named like arguments (`page`, `q`, …) count as these.
        """
        known: dict[str, Any] = {"page": page, "size": size, "q": q, "staff_id": staff_id}
        rest = dict(extra or {})
        fields = {name: rest.pop(name, None) if value is None else value for name, value in known.items()}
        self.view = self.moment.views.add(
            host=self.host, path=path, filters=filters or {}, sort=tuple(sort), extra=rest, **fields
        )
        return self.view.id

    def finish_view(self, path: str, status: int) -> int:
        """Called as the document goes out: note its status; a document that nobody declared is recorded by its path."""
        if self.view is None:
            self.view = self.moment.views.add(host=self.host, path=path, status=status, declared=False)
        else:
            self.moment.views.set_status(self.view.id, status)
        return self.view.id

    def record_error(self, text: str) -> None:
        """Keep the traceback of a failed request, for `World.errors()`."""
        self.moment.record_error(text)


def instant(ms: int) -> str:
    """Milliseconds since 1970 as `2026-03-18T10:00:00Z`, cut to the second."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def milliseconds(text: str) -> int:
    """`2026-03-18T10:00:00Z` as milliseconds since 1970. Raises `ValueError` for any other form."""
    if not _INSTANT.fullmatch(text):
        raise ValueError(f"{text!r} is not an instant like 2026-03-18T10:00:00Z")
    return round(datetime.fromisoformat(text).timestamp() * 1000)
