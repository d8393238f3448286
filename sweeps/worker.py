"""A worker process: one browser and one world server, playing the jobs that come over the wire until it closes.

Started as `python -m sitegym.sweeps.worker FD SETTINGS` by `pool.py`; it lives in a session of its own, so that Ctrl-C
reaches only the sweep, and ends when the wire does: a sweep that is killed leaves no workers behind.
"""

from __future__ import annotations

import faulthandler
import json
import os
import queue
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..agents import retries
from ..sites.world.runtime import Runtime
from .faults import cause_of, fault_of
from .heartbeat import Heartbeat
from .machine import Machine, Machines, Place
from .permits import Permits
from .plan import EpisodeSpec, site_of
from .play import play
from .proof_job import prove_instance
from .record import Recorder
from .verify_job import verify_episode
from .wire import Message, Wire


class Worker:
    """Plays as many jobs at once as it has places, each in a thread, and says what came of them."""

    def __init__(self, wire: Wire, settings: dict[str, Any]) -> None:
        self.wire = wire
        self.settings = settings
        self.machines = Machines(headless=settings["headless"], runtime=Runtime(**settings.get("runtime", {})))
        self.permits = Permits(settings.get("caps", ()), self._send)
        self._places: queue.SimpleQueue[Place] = queue.SimpleQueue()
        for _ in range(settings.get("at_once", 1)):
            self._places.put(Place())
        self._recorders: set[Recorder] = set()
        self._at: dict[str, str] = {}
        """What each job that has no recorder yet is at."""
        self._jobs: dict[str, Callable[[Message, Place, Machine], Any]] = {
            "episode": self._episode,
            "proof": self._proof,
            "verify": self._verify,
        }

    def run(self) -> None:
        """Take jobs until the other side closes the wire."""
        self._send({"type": "ready"})
        try:
            with Heartbeat(self._beat):
                for message in self.wire:
                    if message.get("type") == "granted":
                        self.permits.granted(message["ticket"])
                    else:
                        threading.Thread(target=self._work, args=(message,), name=message["id"], daemon=True).start()
        finally:
            for recorder in tuple(self._recorders):
                recorder.interrupt()
            self.permits.end()
            self.machines.close()

    def _send(self, message: Message) -> None:
        with suppress(OSError):  # the sweep is gone, which the end of the wire tells
            self.wire.send(message)

    def _work(self, job: Message) -> None:
        place = self._places.get()
        try:
            with self.machines.use() as machine:
                self._at[job["id"]] = "opening a world"
                answer = self._answer(job, place, machine)
        finally:
            self._at.pop(job["id"], None)
            self._places.put(place)
        self._send(answer)

    def _answer(self, job: Message, place: Place, machine: Machine) -> Message:
        try:
            place.move(machine)
            return {"type": "done", "id": job["id"], "result": self._jobs[job["kind"]](job, place, machine)}
        except Exception as error:
            _log(error)
            fault = {"message": str(error), **fault_of(error)}
            if machine.server_is_dead and fault["cause"] not in ("container_died", "server_lost"):
                fault = {**fault, "cause": "server_died", "retry": True}
            if cause_of(fault["cause"]).renew:
                self.machines.renew()
            else:
                place.clear()
            return {"type": "fault", "id": job["id"], **fault}

    def _episode(self, job: Message, place: Place, machine: Machine) -> dict[str, Any]:
        spec = EpisodeSpec(**job["spec"])
        world = place.world(site_of(spec.task), spec.data, spec.data_seed)
        self._at[spec.id] = "starting a browser"
        host = machine.host()
        watched: list[Recorder] = []

        def watch(recorder: Recorder) -> None:
            watched.append(recorder)
            self._recorders.add(recorder)

        try:
            result = play(
                spec,
                host,
                world,
                Path(job["folder"]),
                ahead=place.ahead(world),
                screenshots=self.settings["screenshots"],
                observations=self.settings.get("observations", ()),
                versions=self.settings["versions"],
                watch=watch,
                permit=self.permits.hold,
                **({"grading_s": allowed} if (allowed := self.settings.get("grading_seconds")) else {}),
            )
        finally:
            self._recorders.difference_update(watched)
        return result.to_json()

    def _proof(self, job: Message, place: Place, machine: Machine) -> dict[str, Any]:
        world = place.world(site_of(job["task"]), job["data"], job["data_seed"])
        return prove_instance(job, lambda: place.ahead(world), world)

    def _verify(self, job: Message, place: Place, machine: Machine) -> dict[str, Any]:
        spec = EpisodeSpec(**job["spec"])
        world = place.world(site_of(spec.task), spec.data, spec.data_seed)
        return verify_episode(spec, Path(job["folder"]), machine.host(), world, place.ahead(world)).to_json()

    def _beat(self) -> None:
        recorders = tuple(self._recorders)
        at = {**self._at, **{recorder.spec.id: f"{recorder.state} {recorder.steps}" for recorder in recorders}}
        self._send({"type": "beat", "at": at, "waits": retries.waiting()})
        for recorder in recorders:
            if recorder.folder.is_dir():
                with suppress(OSError):  # a full disk is noticed by the episode itself
                    recorder.beat()


def main() -> None:
    """Entry of the process: the wire's file descriptor and the settings are the arguments."""
    signal.signal(signal.SIGTERM, _stop)
    faulthandler.register(signal.SIGUSR1, all_threads=True)  # the sweep asks a hanging worker where it hangs
    wire, code = Wire(socket.socket(fileno=int(sys.argv[1]))), 1
    try:
        Worker(wire, json.loads(sys.argv[2])).run()
        code = 0
    except SystemExit as error:
        code = int(error.code or 0)
    except BaseException as error:
        _log(error)
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)  # an agent or a verifier may hang in a thread that nothing can end


def _log(error: BaseException) -> None:
    """Write down what happened, where there is room for it."""
    with suppress(OSError):
        traceback.print_exception(error)
        sys.stderr.flush()


def _stop(number: int, frame: object) -> None:
    """Leave by the front door, so that the browser and the world server are closed on the way."""
    raise SystemExit(128 + number)


if __name__ == "__main__":
    main()
