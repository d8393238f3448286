"""How many beginnings may wait unused in one browser: they make resets fast, but each holds a renderer's memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

SPARES = 1
"""Beginnings made ahead per browser. With more episodes at once the others wait, the longest without one first: the
machine is busy with the episodes then, and what is made ahead costs as much as what is made when it is asked for."""


class Spares:
    """Gives out the places of a browser; lives on its loop."""

    def __init__(self, places: int = SPARES) -> None:
        self._free = places
        self._waiting: deque[Callable[[], None]] = deque()

    def ask(self, begin: Callable[[], None]) -> None:
        """Have `begin` called as soon as a place is free: now, or when somebody leaves."""
        if self._free > 0:
            self._free -= 1
            begin()
        else:
            self._waiting.append(begin)

    def insist(self, begin: Callable[[], None]) -> None:
        """Have `begin` called now, whether or not there is a place."""
        self.withdraw(begin)
        self._free -= 1
        begin()

    def withdraw(self, begin: Callable[[], None]) -> None:
        """Wait no longer."""
        if begin in self._waiting:
            self._waiting.remove(begin)

    def leave(self) -> None:
        """Give a place back, to whoever has waited longest."""
        self._free += 1
        if self._waiting and self._free > 0:
            self.ask(self._waiting.popleft())
