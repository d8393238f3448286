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
    """Keeps one context ready for a world, on the host's loop, as far as the host has room for unused ones.

    A context is bound to its world, which is its proxy.
    """

    def __init__(self, host: BrowserHost, proxy: str, viewport: tuple[int, int], site: str) -> None:
        self._host = host
        self._proxy = proxy
        self._viewport = viewport
        self._site = site
        self._files: set[str] = set()
        self._asked = False
        self._next: asyncio.Task[Prepared] | None = None

    @property
    def empty(self) -> bool:
        """Whether no context waits, is being opened, or will be."""
        return not self._asked

    def start(self, files: Collection[str] = ()) -> None:
        """Begin to open the next context when there is room, without waiting for it; `files` it may load ahead."""
        self._files.update(files)
        if not self._asked:
            self._asked = True
            self._host.spares.ask(self._open)

    def _open(self) -> None:
        opening = prepare(self._host, self._proxy, self._viewport, self._site, self._files)
        self._next = asyncio.ensure_future(self._host.guard(opening))
        self._next.add_done_callback(forget)

    def _opening(self) -> asyncio.Task[Prepared]:
        """The next context, begun now if it was not."""
        if self._next is None:
            self._asked = True
            self._host.spares.insist(self._open)
        assert self._next is not None
        return self._next

    async def wait(self) -> None:
        """Wait until the next context is open."""
        await asyncio.shield(self._opening())

    async def take(self) -> Prepared:
        """A context that nobody has used. Cancelled meanwhile, it stays for the next who asks."""
        opening = self._opening()
        try:
            ready = await asyncio.shield(opening)
        except Exception:
            self._leave()
            raise
        self._leave()
        return ready

    def _leave(self) -> None:
        self._asked, self._next = False, None
        self._host.spares.leave()

    async def close(self) -> None:
        """Close the context that waits, if there is one."""
        self._host.spares.withdraw(self._open)
        opening, self._asked = self._next, False
        if opening is None:
            return
        self._leave()
        with suppress(EnvironmentFault):  # the browser is gone, and the context with it
            await self._host.guard((await opening).context.close())
