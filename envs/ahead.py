"""Browser contexts made ahead: while one episode runs, the context of the next is being opened."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import EnvironmentFault
from .host import forget
from .session import Prepared, prepare

if TYPE_CHECKING:
    from .host import BrowserHost


class Ahead:
    """Keeps one context ready for a world, on the host's loop. A context is bound to its world, which is its proxy."""

    def __init__(self, host: BrowserHost, proxy: str, viewport: tuple[int, int], site: str) -> None:
        self._host = host
        self._proxy = proxy
        self._viewport = viewport
        self._site = site
        self._files: set[str] = set()
        self._next: asyncio.Task[Prepared] | None = None

    @property
    def empty(self) -> bool:
        """Whether no context waits or is being opened."""
        return self._next is None

    def start(self, files: Collection[str] = ()) -> None:
        """Begin to open the next context, without waiting for it; `files` are what it may load ahead."""
        self._files.update(files)
        if self._next is None:
            opening = prepare(self._host, self._proxy, self._viewport, self._site, self._files)
            self._next = asyncio.ensure_future(self._host.guard(opening))
            self._next.add_done_callback(forget)

    async def wait(self) -> None:
        """Wait until the next context is open."""
        self.start()
        assert self._next is not None
        await asyncio.shield(self._next)

    async def take(self) -> Prepared:
        """A context that nobody has used. Cancelled meanwhile, it stays for the next who asks."""
        self.start()
        assert self._next is not None
        try:
            ready = await asyncio.shield(self._next)
        except Exception:
            self._next = None
            raise
        self._next = None
        return ready

    async def close(self) -> None:
        """Close the context that waits, if there is one."""
        ready, self._next = self._next, None
        if ready is None:
            return
        with suppress(EnvironmentFault):  # the browser is gone, and the context with it
            await self._host.guard((await ready).context.close())
