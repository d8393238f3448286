"""The browser and the world server of a worker, shared by the episodes that it plays at once; renewed after faults."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from ..envs.ahead import Ahead
from ..envs.host import BrowserHost
from ..errors import SitegymError
from ..sites.world.client import World, WorldServer
from ..sites.world.runtime import Runtime, as_runtime


class Machine:
    """One browser and one world server, each begun when it is first needed."""

    def __init__(self, *, headless: bool, runtime: Runtime | None = None) -> None:
        self.headless = headless
        self._runtime = as_runtime(runtime)
        self._stack = ExitStack()
        self._beginning = threading.Lock()
        self._host: BrowserHost | None = None
        self._server: WorldServer | None = None

    def host(self) -> BrowserHost:
        """The browser."""
        with self._beginning:
            if self._host is None:
                self._host = BrowserHost(headless=self.headless)
                self._stack.callback(self._host.close)
            return self._host

    def server(self) -> WorldServer:
        """The world server."""
        with self._beginning:
            if self._server is None:
                self._server = self._stack.enter_context(self._runtime.start())
            return self._server

    @property
    def server_is_dead(self) -> bool:
        """Whether the world server ended by itself: then that is the cause, whatever a page or call complained of."""
        return self._server is not None and not self._server.alive

    def close(self) -> None:
        """End both; what is already dead is no error."""
        try:
            self._stack.close()
        except (SitegymError, OSError) as error:
            print(f"while closing: {error}", file=sys.stderr, flush=True)


class Place:
    """Where one episode at a time is played: worlds of its own in a machine, each opened once."""

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self._worlds: dict[tuple[str, str, int], World] = {}
        self._aheads: dict[World, Ahead] = {}

    def move(self, machine: Machine) -> None:
        """Go to a machine; what was opened in another is gone with it."""
        if machine is not self.machine:
            self._worlds.clear()
            self._aheads.clear()
            self.machine = machine

    def world(self, site: str, data: str, data_seed: int) -> World:
        """The world of one data set."""
        assert self.machine is not None
        key = (site, data, data_seed)
        if key not in self._worlds:
            self._worlds[key] = self.machine.server().open(site=site, data=data, seed=data_seed)
        return self._worlds[key]

    def ahead(self, world: World) -> Ahead:
        """What is opened ahead for the next episode in a world."""
        assert self.machine is not None
        if world not in self._aheads:
            self._aheads[world] = Ahead(self.machine.host(), world)
        return self._aheads[world]

    def clear(self) -> None:
        """Leave nothing of an episode that went wrong to the next."""
        for ahead in self._aheads.values():
            if ahead.host.works:
                with suppress(Exception):  # it is thrown away
                    ahead.host.run(ahead.close())
        for world in self._worlds.values():
            with suppress(SitegymError, OSError):
                world.close()
        self._worlds.clear()
        self._aheads.clear()


class Machines:
    """Gives out the one machine of a worker. After a fault that asks for it, nobody begins on it any more; it is closed
    when the last has left, and only then is there a new one: a worker has one browser."""

    def __init__(self, *, headless: bool, runtime: Runtime | None = None) -> None:
        self._headless = headless
        self._runtime = runtime
        self._changed = threading.Condition()
        self._machine = Machine(headless=headless, runtime=runtime)
        self._users = 0
        self._worn = False

    @contextmanager
    def use(self) -> Iterator[Machine]:
        """The machine, kept while the context is open."""
        with self._changed:
            self._changed.wait_for(lambda: not self._worn)
            self._users += 1
            machine = self._machine
        try:
            yield machine
        finally:
            self._leave()

    def renew(self) -> None:
        """Have it replaced; for somebody who uses it."""
        with self._changed:
            self._worn = True

    def _leave(self) -> None:
        with self._changed:
            self._users -= 1
            if not self._worn or self._users:
                return
            self._machine.close()
            self._machine = Machine(headless=self._headless, runtime=self._runtime)
            self._worn = False
            self._changed.notify_all()

    def close(self) -> None:
        """End it under whoever uses it."""
        self._machine.close()
