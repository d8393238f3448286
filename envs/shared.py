"""Browsers and world servers that the environments of a process share: started by the first, closed after the last."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .host import BrowserHost

if TYPE_CHECKING:
    from ..sites.world.client import WorldServer
    from ..sites.world.runtime import Runtime

T = TypeVar("T")


class Pool(Generic[T]):
    """Things by key, each held open as long as somebody has it."""

    def __init__(self, make: Callable[..., T], works: Callable[[T], bool], close: Callable[[T], None]) -> None:
        self._make = make
        self._works = works
        self._close = close
        self._lock = threading.Lock()
        self._held: dict[Hashable, tuple[T, int]] = {}
        self._left: list[tuple[T, int]] = []

    def take(self, key: Hashable = (), *args: Any) -> T:
        """The thing of this key, made if nobody has it or if the one there is has failed."""
        key = os.getpid(), key  # a fork can't use what was begun before it
        with self._lock:
            thing, holders = self._held.get(key, (None, 0))
            if thing is not None and not self._works(thing):
                self._left.append((thing, holders))  # its holders give it back in their own time
                thing, holders = None, 0
            if thing is None:
                thing = self._make(*args)
            self._held[key] = (thing, holders + 1)
            return thing

    def give_back(self, thing: T) -> None:
        """Somebody needs it no longer; the last one closes it."""
        with self._lock:
            last = self._drop(thing)
        if last:
            self._close(thing)

    def _drop(self, thing: T) -> bool:
        for key, (held, holders) in self._held.items():
            if held is thing:
                if holders == 1:
                    del self._held[key]
                else:
                    self._held[key] = (thing, holders - 1)
                return holders == 1
        for index, (held, holders) in enumerate(self._left):
            if held is thing:
                self._left[index] = (thing, holders - 1)
                if holders == 1:
                    del self._left[index]
                return holders == 1
        return False


def _server(runtime: Runtime | None = None) -> WorldServer:
    from ..sites.world.runtime import as_runtime

    return as_runtime(runtime).start()


hosts: Pool[BrowserHost] = Pool(BrowserHost, lambda host: host.works, lambda host: host.close())
servers: Pool[WorldServer] = Pool(_server, lambda server: server.alive, lambda server: server.close())
