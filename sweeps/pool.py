"""The sweep's side of its workers: handing out jobs, noticing that one of them is gone or hangs.

A worker takes several jobs at once; the queue is before it: a job that waits has no browser and no world yet. Where the
workers run is the engine's matter (see `engines`).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import EnvironmentFault
from .engines.base import Engine, EngineWorker, Loss
from .engines.local import LocalEngine
from .permits import Caps
from .wire import Message

STILLBORN_LIMIT = 2
"""How many workers in a row may die before they are ready, until the sweep gives up."""


@dataclass
class Job:
    """One piece of work: `message` is sent to a worker as it is; `attempt` counts from 1."""

    message: Message
    attempt: int = 1

    @property
    def id(self) -> str:
        """The job's id."""
        return str(self.message["id"])


@dataclass
class Event:
    """What became of a job: `kind` is started, done or fault."""

    kind: str
    job: Job
    worker: int
    content: Message = field(default_factory=dict)


class Pool:
    """Runs jobs on `workers` workers and yields events as they come. Use as a context manager.

    `settings` go to the workers; of these `at_once` (how many jobs a worker takes, 1 without it) and `caps` (see
    `permits`) are looked at here. Without an `engine` the workers are processes on this machine, and `logs` is the
    folder of what they print.
    """

    def __init__(
        self,
        *,
        workers: int,
        settings: dict[str, Any],
        logs: Path,
        job_timeout_s: float,
        engine: Engine[Any] | None = None,
    ) -> None:
        self._count = workers
        self._at_once = int(settings.get("at_once", 1))
        self._caps = Caps(settings.get("caps", {}))
        self._timeout = job_timeout_s
        self._engine: Engine[Any] = engine or LocalEngine(settings, logs)
        self._workers: dict[int, EngineWorker] = {}
        self._queue: deque[Job] = deque()
        self._stillborn = 0
        self.waits: dict[int, list[str]] = {}
        """What calls of models are being tried again for, by worker."""

    def retry(self, job: Job, *, counted: bool = True) -> None:
        """Put a job back, to be started again before new ones; as another attempt where that is `counted`."""
        self._queue.appendleft(Job(job.message, job.attempt + counted))

    def run(self, jobs: Iterable[Message]) -> Iterator[Event | None]:
        """Events until all jobs are over; None about four times a second while nothing happens.

        A caller that gets a fault may call `retry` before it takes the next event.
        """
        self._queue.extend(Job(message) for message in jobs)
        for number in range(min(self._count, -(-len(self._queue) // self._at_once))):
            self._workers[number] = self._engine.begin(number)
        while self._queue or any(worker.jobs for worker in self._workers.values()):
            yield from self._hand_out()
            ready = self._engine.wait(0.25)
            for worker in ready:
                yield from self._read(worker)
            yield from self._overdue()
            if not ready:
                yield None

    def _hand_out(self) -> Iterator[Event]:
        while self._queue:
            room = [one for one in self._workers.values() if one.ready and len(one.jobs) < self._at_once]
            if not room:
                return
            worker = min(room, key=lambda one: len(one.jobs))
            job = self._queue.popleft()
            yield Event("started", job, worker.number)
            worker.give(job)

    def _read(self, worker: EngineWorker) -> Iterator[Event]:
        messages = worker.receive()
        if messages is None:
            yield from self._lost(worker, worker.loss())
            return
        for message in messages:
            match message["type"]:
                case "ready":
                    worker.ready, self._stillborn = True, 0
                case "beat":
                    worker.moved(message.get("at", {}))
                    self.waits[worker.number] = message.get("waits", [])
                case "want":
                    self._tell(self._caps.want(message["what"], worker.number, message["ticket"]))
                case "free":
                    self._tell(self._caps.give_back(message["what"], worker.number, message["ticket"]))
                case "done" | "fault" if message["id"] in worker.jobs:
                    yield Event(message["type"], worker.took(message["id"]), worker.number, message)

    def _tell(self, granted: Iterable[tuple[int, int]]) -> None:
        """Tell workers what they may begin with."""
        for number, ticket in granted:
            self._workers[number].tell({"type": "granted", "ticket": ticket})

    def _overdue(self) -> Iterator[Event]:
        for worker in list(self._workers.values()):
            late = [id for id, begun in worker.begun.items() if time.monotonic() - begun > self._timeout]
            if late:
                worker.ask_where_it_is()
                message = f"nothing came of it within {self._timeout:.0f} s; {worker.log} says where it was"
                yield from self._lost(worker, Loss("timed_out", message), late)

    def _lost(self, worker: EngineWorker, loss: Loss, late: Sequence[str] = ()) -> Iterator[Event]:
        """A worker is gone: whatever it was at is a fault, of `late` jobs alone where they are why it was ended."""
        self._engine.end(worker)
        jobs, worker.jobs = worker.jobs, {}
        self.waits.pop(worker.number, None)
        if not worker.ready:
            self._count_stillborn(worker, loss)
        granted = self._caps.lost(worker.number)
        self._workers[worker.number] = self._engine.begin(worker.number)
        self._tell(granted)
        for id, job in jobs.items():
            if late and id not in late:
                content = {"cause": "neighbour_hung", "message": f"{late[0]} hung in the same worker"}
            else:
                content = {"cause": loss.cause, "message": loss.message}
            yield Event("fault", job, worker.number, {**content, "retry": True})

    def _count_stillborn(self, worker: EngineWorker, loss: Loss) -> None:
        """A worker that never gets as far as its first job will not do so the next time either; on a node that is gone
        it may be another's turn."""
        self._stillborn += loss.cause != "node_lost"
        if self._stillborn > STILLBORN_LIMIT:
            text = worker.log.read_text(errors="replace") if worker.log.exists() else ""
            lines = text.strip().splitlines() or ["it printed nothing"]
            raise EnvironmentFault(f"worker processes do not start: {lines[-1]}", cause="worker_start", retry=False)

    def __enter__(self) -> Pool:
        self._engine.open()
        return self

    def __exit__(self, *error: object) -> None:
        self._engine.close(self._workers.values())
