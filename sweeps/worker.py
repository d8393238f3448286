"""A worker process: one browser and one world server, playing the jobs that come over the wire until it closes.

Started as `python -m sitegym.sweeps.worker FD SETTINGS` by `pool.py`; it lives in a session of its own, so that Ctrl-C
reaches only the sweep, and ends when the wire does: a sweep that is killed leaves no workers behind.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..envs.ahead import Ahead
from ..envs.host import BrowserHost
from ..errors import SitegymError
from ..sites.world.client import World, WorldServer
from .faults import fault_of
from .heartbeat import Heartbeat
from .plan import EpisodeSpec, site_of
from .play import play
from .proof_job import prove_instance
from .record import Recorder
from .wire import Message, Wire


@dataclass
class Machine:
    """A browser and the worlds beside it, made when first needed and thrown away after a fault."""

    headless: bool
    _stack: ExitStack = field(default_factory=ExitStack)
    _host: BrowserHost | None = None
    _server: WorldServer | None = None
    _worlds: dict[tuple[str, str, int], World] = field(default_factory=dict)
    _aheads: dict[World, Ahead] = field(default_factory=dict)

    def host(self) -> BrowserHost:
        """The browser."""
        if self._host is None:
            self._host = BrowserHost(headless=self.headless)
            self._stack.callback(self._host.close)
        return self._host

    def ahead(self, world: World) -> Ahead:
        """What is opened ahead for the next episode in a world; goes with the browser."""
        if world not in self._aheads:
            self._aheads[world] = Ahead(self.host(), world)
        return self._aheads[world]

    def world(self, site: str, data: str, data_seed: int) -> World:
        """The world of one data set, opened once."""
        key = (site, data, data_seed)
        if self._server is None:
            self._server = self._stack.enter_context(WorldServer())
        if key not in self._worlds:
            self._worlds[key] = self._server.open(site=site, data=data, seed=data_seed)
        return self._worlds[key]

    @property
    def server_is_dead(self) -> bool:
        """Whether the world server ended by itself: then that is the cause, whatever a page or call complained of."""
        return self._server is not None and not self._server.alive

    def close(self) -> None:
        """End both; what is already dead is no error."""
        stack, self._stack = self._stack, ExitStack()
        self._host, self._server = None, None
        self._worlds.clear()
        self._aheads.clear()
        try:
            stack.close()
        except (SitegymError, OSError) as error:
            print(f"while closing: {error}", file=sys.stderr, flush=True)


class Worker:
    """Plays one job at a time and says what came of it."""

    def __init__(self, wire: Wire, settings: dict[str, Any]) -> None:
        self.wire = wire
        self.settings = settings
        self.machine = Machine(headless=settings["headless"])
        self.recorder: Recorder | None = None
        self._jobs: dict[str, Callable[[Message], Any]] = {"episode": self._episode, "proof": self._proof}

    def run(self) -> None:
        """Answer jobs until the other side closes the wire."""
        self.wire.send({"type": "ready"})
        try:
            with Heartbeat(self._beat):
                for job in self.wire:
                    self.wire.send(self._answer(job))
        except ConnectionError:
            return
        finally:
            self.machine.close()

    def _answer(self, job: Message) -> Message:
        try:
            return {"type": "done", "id": job["id"], "result": self._jobs[job["kind"]](job)}
        except Exception as error:
            traceback.print_exception(error)
            sys.stderr.flush()
            fault = {"message": str(error), **fault_of(error)}
            if self.machine.server_is_dead:
                fault = {**fault, "cause": "server_died", "retry": True}
            self.machine.close()
            return {"type": "fault", "id": job["id"], **fault}

    def _episode(self, job: Message) -> dict[str, Any]:
        spec = EpisodeSpec(**job["spec"])
        world = self.machine.world(site_of(spec.task), spec.data, spec.data_seed)
        try:
            result = play(
                spec,
                self.machine.host(),
                world,
                Path(job["folder"]),
                ahead=self.machine.ahead(world),
                screenshots=self.settings["screenshots"],
                observations=self.settings.get("observations", ()),
                versions=self.settings["versions"],
                watch=self._watch,
            )
        finally:
            self.recorder = None
        return result.to_json()

    def _proof(self, job: Message) -> dict[str, Any]:
        world = self.machine.world(site_of(job["task"]), job["data"], job["data_seed"])
        return prove_instance(job, lambda: self.machine.ahead(world), world)

    def _watch(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def _beat(self) -> None:
        recorder = self.recorder
        try:
            self.wire.send({"type": "beat"})
        except OSError:
            os.kill(os.getpid(), signal.SIGTERM)  # the sweep is gone: end this episode too
            raise
        if recorder is not None and recorder.folder.is_dir():
            recorder.beat()


def main() -> None:
    """Entry of the process: the wire's file descriptor and the settings are the arguments."""
    signal.signal(signal.SIGTERM, _stop)
    faulthandler.register(signal.SIGUSR1, all_threads=True)  # the sweep asks a hanging worker where it hangs
    wire = Wire(socket.socket(fileno=int(sys.argv[1])))
    Worker(wire, json.loads(sys.argv[2])).run()


def _stop(number: int, frame: object) -> None:
    """Leave by the front door, so that the browser and the world server are closed on the way."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main()
