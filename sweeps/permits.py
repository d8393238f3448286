"""Caps over all workers on what runs at once: calls of models, and grading.

The sweep's process holds the counts (`Caps`), as it is the one that notices when a worker is gone; a worker asks it
over the wire (`Permits`) and waits for the answer.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..errors import EnvironmentFault

MODEL, GRADING = "model", "grading"
Permit = Callable[[str], AbstractContextManager[None]]
"""Holds one of what it is asked for while its context is open; waits for it first."""


def free(what: str) -> AbstractContextManager[None]:
    """A permit where nothing is capped."""
    return nullcontext()


class Caps:
    """Counts what is given out. `limits` name what is capped; who asks is a worker's number and a ticket."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        self._limits = dict(limits)
        self._held: dict[str, set[tuple[int, int]]] = {what: set() for what in limits}
        self._waiting: dict[str, deque[tuple[int, int]]] = {what: deque() for what in limits}

    def want(self, what: str, worker: int, ticket: int) -> list[tuple[int, int]]:
        """Somebody asks; returns those who are granted now."""
        self._waiting[what].append((worker, ticket))
        return self._grant(what)

    def give_back(self, what: str, worker: int, ticket: int) -> list[tuple[int, int]]:
        """Somebody is ready; returns those who are granted now."""
        self._held[what].discard((worker, ticket))
        return self._grant(what)

    def lost(self, worker: int) -> list[tuple[int, int]]:
        """A worker is gone, with all that it held and asked for."""
        granted: list[tuple[int, int]] = []
        for what in self._limits:
            self._held[what] = {one for one in self._held[what] if one[0] != worker}
            self._waiting[what] = deque(one for one in self._waiting[what] if one[0] != worker)
            granted += self._grant(what)
        return granted

    def _grant(self, what: str) -> list[tuple[int, int]]:
        granted = []
        while self._waiting[what] and len(self._held[what]) < self._limits[what]:
            one = self._waiting[what].popleft()
            self._held[what].add(one)
            granted.append(one)
        return granted


class Permits:
    """A worker's side. `send` takes a message to the sweep; `granted` is called with each ticket that it answers."""

    def __init__(self, capped: Mapping[str, Any], send: Callable[[dict[str, Any]], None]) -> None:
        self._capped = set(capped)
        self._send = send
        self._tickets = itertools.count(1)
        self._waiting: dict[int, threading.Event] = {}
        self._ended = False

    @contextmanager
    def hold(self, what: str) -> Iterator[None]:
        """Wait for a permit and keep it while the context is open; at once where there is no cap.

        Raises `EnvironmentFault` (cause `closed`) where the worker ends meanwhile.
        """
        if what not in self._capped:
            yield
            return
        ticket, event = next(self._tickets), threading.Event()
        self._waiting[ticket] = event
        about = {"what": what, "ticket": ticket}
        self._send({"type": "want", **about})
        try:
            event.wait()
            if self._ended:
                raise EnvironmentFault(f"the worker ended while an episode waited for a {what}", cause="closed")
            yield
        finally:
            self._send({"type": "free", **about})

    def granted(self, ticket: int) -> None:
        """The sweep has answered."""
        if event := self._waiting.pop(ticket, None):
            event.set()

    def end(self) -> None:
        """Let all go who wait; for the end of the worker."""
        self._ended = True
        for event in list(self._waiting.values()):
            event.set()
