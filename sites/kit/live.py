"""Server-sent events: an open page is told what is new, for as long as it is open.

A stream holds no row and no lock while it waits. The harness has no use for a stream that answers at some moment of
real time: it asks for what is there (`PENDING`), when world time says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, request

from .world import WorldContext

PENDING = "X-Events"
"""A request with this header gets what is new and no more."""

STREAMS = "sitegym.streams"
"""Set in the WSGI environment of a request whose answer lives on."""

_RETRY_MS = 2000
_LOOK_S = 0.5  # how soon a stream notices that its page is gone


@dataclass(frozen=True)
class Event:
    """One message: its number in the stream, its name, and what it carries."""

    id: int
    name: str
    data: Any

    def encoded(self) -> bytes:
        """The message in the stream's format (WHATWG HTML, section 9.2.5)."""
        text = json.dumps(self.data, sort_keys=True, ensure_ascii=False)
        return f"id: {self.id}\nevent: {self.name}\ndata: {text}\n\n".encode()


Pending = Callable[[WorldContext, int], Sequence[Event]]
"""The events after a number, oldest first; reads the world that it is given."""


def stream(world: WorldContext, pending: Pending, after: int) -> Response:
    """Answer a request for events with those after number `after`, and with what comes while the page is open."""
    last = int(seen) if (seen := request.headers.get("Last-Event-ID", "")).isdecimal() else after
    if PENDING in request.headers:
        body: Any = b"".join(event.encoded() for event in pending(world, last))
        return Response(body, mimetype="text/event-stream")
    request.environ[STREAMS] = True
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    return Response(_follow(world, pending, last, gone), mimetype="text/event-stream")


def _follow(world: WorldContext, pending: Pending, last: int, gone: Callable[[], bool]) -> Iterator[bytes]:
    moment, me = world.moment, object()
    moment.follow(me)
    try:
        yield f"retry: {_RETRY_MS}\n\n".encode()
        rings: int | None = -1
        while rings is not None and not gone():
            now = moment.wait(me, rings, _LOOK_S)
            if now is not None and now != rings:
                for event in _read(WorldContext(moment, host=world.host, face=world.face), pending, last):
                    yield event.encoded()
                    last = event.id
            rings = now
    finally:
        moment.unfollow(me)


def _read(world: WorldContext, pending: Pending, last: int) -> Sequence[Event]:
    """What is new; nothing where the world has moved on to another generation."""
    if not world.moment.pin():
        return ()
    try:
        return pending(world, last)
    finally:
        world.moment.unpin()
