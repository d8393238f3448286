"""What the next episode begins with, made ahead while one runs: the next world is made ready, opened and looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import SitegymError
from ..sites import registry
from ..sites.kit.world import milliseconds
from .host import forget
from .session import Prepared, Session, prepare

if TYPE_CHECKING:
    from ..sites.world.client import Ready, World
    from .host import BrowserHost


@dataclass(frozen=True)
class Start:
    """What an episode begins with: who is signed in, the page that is open, and what of it is observed first."""

    role: str
    url: str
    kinds: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Opened:
    """A world that is ready, and a context of its own at it; `session` stands at the start page, if there is one."""

    ready: Ready
    prepared: Prepared
    start: Start | None = None
    session: Session | None = None

    @property
    def begun(self) -> int:
        """The time at which the world begins, in milliseconds."""
        return milliseconds(self.ready.now)


class Ahead:
    """Keeps one beginning ready for a world, on the host's loop, as far as the host has room for unused ones.

    It is opened behind the world's other address, and `take` makes it the world's present, which is the reset. Made
    ahead is what the episode before began with; anything else is made when it is asked for.
    """

    def __init__(self, host: BrowserHost, world: World, viewport: tuple[int, int] = (1280, 800)) -> None:
        self.host = host
        self._world = world
        self._viewport = viewport
        self._hosts = registry.get(world.baseline.site).hosts
        self._seed = f"{world.baseline.data}/{world.baseline.seed}"
        self._files: set[str] = set()
        self._start: Start | None = None
        self._asked = False
        self._next: asyncio.Task[Opened] | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing waits, is being opened, or will be."""
        return not self._asked

    def begin(self, start: Start | None, files: Collection[str] = ()) -> None:
        """Begin to open what comes next when there is room, without waiting for it; `files` it may load ahead."""
        self._files.update(files)
        if not self._asked:
            self._start, self._asked = start, True
            self.host.spares.ask(self._open)

    def _open(self) -> None:
        self._next = asyncio.ensure_future(self.host.guard(self._opened(self._start)))
        self._next.add_done_callback(forget)

    async def _opened(self, start: Start | None) -> Opened:
        ready = await self.host.threaded(self._world.make_ready, start and start.role)
        site = f"http://{next(iter(self._hosts))}/"
        prepared = await prepare(self.host, ready.address, self._viewport, site, self._files)
        opened = Opened(ready, prepared)
        return opened if start is None else await self._at(opened, start)

    async def _at(self, opened: Opened, start: Start) -> Opened:
        """Open the start page."""
        session = self.session(opened, opened.begun)
        assert opened.ready.cookie is not None
        cookie: Any = opened.ready.cookie.for_browser()
        await asyncio.gather(session.context.add_cookies([cookie]), session.clock.publish())
        await session.open(start.url)
        await session.look_ahead(start.kinds)
        return Opened(opened.ready, opened.prepared, start, session)

    def session(self, opened: Opened, now: int) -> Session:
        """A session in a context, whose time is `now`."""
        return Session(opened.prepared, now=now, seed=self._seed, hosts=self._hosts)

    def _opening(self, start: Start | None) -> asyncio.Task[Opened]:
        """What comes next, begun now if it was not."""
        if self._next is None:
            self._start, self._asked = start, True
            self.host.spares.insist(self._open)
        assert self._next is not None
        return self._next

    async def wait(self) -> None:
        """Wait until what comes next is ready."""
        await asyncio.shield(self._opening(self._start))

    async def take(self, start: Start | None) -> Opened:
        """Reset the world to a beginning that nobody has used: at `start`, or with nothing open and nobody signed in.

        Cancelled meanwhile, what was being opened stays for the next who asks.
        """
        while True:
            opening = self._opening(start)
            try:
                opened = await asyncio.shield(opening)
            except Exception:
                self._leave()
                raise
            self._leave()
            try:
                if opened.start == start and await self.host.threaded(self._world.turn, opened.ready):
                    return opened
            except BaseException:
                asyncio.ensure_future(opened.prepared.context.close()).add_done_callback(forget)
                raise
            await self.host.guard(opened.prepared.context.close())  # another start, or somebody else made ready

    def _leave(self) -> None:
        self._asked, self._next = False, None
        self.host.spares.leave()

    async def close(self) -> None:
        """Close the context that waits, if there is one."""
        self.host.spares.withdraw(self._open)
        opening, self._asked = self._next, False
        if opening is None:
            return
        self._leave()
        with suppress(SitegymError):  # browser or world is gone, and what was being opened with it
            await self.host.guard((await opening).prepared.context.close())
