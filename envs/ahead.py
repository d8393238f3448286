"""Browser contexts made ahead: while one episode runs, the context of the next is being opened."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import EnvironmentFault
from .session import Prepared, prepare

if TYPE_CHECKING:
    from .host import BrowserHost


class Ahead:
    """Keeps one context ready for a world. A context is bound to its world, since the world is its proxy."""

    def __init__(self, host: BrowserHost, proxy: str, viewport: tuple[int, int], site: str) -> None:
        self._host = host
        self._proxy = proxy
        self._viewport = viewport
        self._site = site
        self._files: set[str] = set()
        self._next: Future[Prepared] | None = None

    def start(self, files: Collection[str] = ()) -> None:
        """Begin to open the next context, without waiting for it; `files` are what it may load ahead."""
        self._files.update(files)
        if self._next is None:
            self._next = self._host.start(prepare(self._host, self._proxy, self._viewport, self._site, self._files))

    def wait(self) -> None:
        """Wait until the next context is open."""
        self.start()
        assert self._next is not None
        self._next.result()

    def take(self) -> Prepared:
        """A context that nobody has used."""
        self.start()
        ready, self._next = self._next, None
        assert ready is not None
        return ready.result()

    def close(self) -> None:
        """Close the context that waits, if there is one."""
        ready, self._next = self._next, None
        if ready is None:
            return
        with suppress(EnvironmentFault):  # the browser is gone, and the context with it
            self._host.run(ready.result().context.close())
