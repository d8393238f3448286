"""The sweep's side of its workers: starting them, handing out jobs, noticing that one died or hangs.

A worker takes several jobs at once; the queue is before it: a job that waits has no browser and no world yet.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import EnvironmentFault
from .permits import Caps
from .wire import Message, Wire

GRACE_S = 5.0
"""How long a worker may take to close its browser before it is killed."""
STACKS_S = 0.5
"""How long a hanging worker is given to write down where it hangs."""
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


class WorkerProcess:
    """One worker process and the jobs it is at."""

    def __init__(self, number: int, settings: dict[str, Any], log: Path) -> None:
        self.number = number
        self.jobs: dict[str, Job] = {}
        self.begun: dict[str, float] = {}
        self.ready = False
        self.log = log
        ours, theirs = socket.socketpair()
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sitegym.sweeps.worker", str(theirs.fileno()), json.dumps(settings)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        theirs.close()
        self.wire = Wire(ours)

    def give(self, job: Job) -> None:
        """Hand it a job; a worker that is already dead is noticed at its end of stream."""
        self.jobs[job.id], self.begun[job.id] = job, time.monotonic()
        self.tell(job.message)

    def tell(self, message: Message) -> None:
        """Send it something; nothing happens where it is dead."""
        with contextlib.suppress(OSError):
            self.wire.send(message)

    def ask_where_it_is(self) -> None:
        """Have it write the stacks of its threads to its log, for whoever wants to know why it hangs."""
        self.process.send_signal(signal.SIGUSR1)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=STACKS_S)

    def kill(self) -> None:
        """End the process and what it started, at once."""
        self.wire.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Pool:
    """Runs jobs on `workers` processes and yields events as they come. Use as a context manager.

    `settings` go to the workers; of these `at_once` (how many jobs a worker takes, 1 without it) and `caps` (see
    `permits`) are looked at here.
    """

    def __init__(self, *, workers: int, settings: dict[str, Any], logs: Path, job_timeout_s: float) -> None:
        self._count = workers
        self._settings = settings
        self._at_once = int(settings.get("at_once", 1))
        self._caps = Caps(settings.get("caps", {}))
        self._logs = logs
        self._timeout = job_timeout_s
        self._selector = selectors.DefaultSelector()
        self._workers: dict[int, WorkerProcess] = {}
        self._queue: deque[Job] = deque()
        self._stillborn = 0

    def retry(self, job: Job, *, counted: bool = True) -> None:
        """Put a job back, to be started again before new ones; as another attempt where that is `counted`."""
        self._queue.appendleft(Job(job.message, job.attempt + counted))

    def run(self, jobs: Iterable[Message]) -> Iterator[Event | None]:
        """Events until all jobs are over; None about four times a second while nothing happens.

        A caller that gets a fault may call `retry` before it takes the next event.
        """
        self._queue.extend(Job(message) for message in jobs)
        for number in range(min(self._count, -(-len(self._queue) // self._at_once))):
            self._start(number)
        while self._queue or any(worker.jobs for worker in self._workers.values()):
            yield from self._hand_out()
            ready = self._selector.select(timeout=0.25)
            for key, _ in ready:
                yield from self._read(key.data)
            yield from self._overdue()
            if not ready:
                yield None

    def _start(self, number: int) -> None:
        self._logs.mkdir(parents=True, exist_ok=True)
        worker = WorkerProcess(number, self._settings, self._logs / f"worker-{number}.log")
        self._workers[number] = worker
        self._selector.register(worker.wire, selectors.EVENT_READ, worker)

    def _hand_out(self) -> Iterator[Event]:
        while self._queue:
            room = [one for one in self._workers.values() if one.ready and len(one.jobs) < self._at_once]
            if not room:
                return
            worker = min(room, key=lambda one: len(one.jobs))
            job = self._queue.popleft()
            yield Event("started", job, worker.number)
            worker.give(job)

    def _read(self, worker: WorkerProcess) -> Iterator[Event]:
        messages = worker.wire.receive()
        if messages is None:
            yield from self._lost(worker, "worker_killed", f"worker {worker.number} died{self._how(worker)}")
            return
        for message in messages:
            match message["type"]:
                case "ready":
                    worker.ready, self._stillborn = True, 0
                case "want":
                    self._tell(self._caps.want(message["what"], worker.number, message["ticket"]))
                case "free":
                    self._tell(self._caps.give_back(message["what"], worker.number, message["ticket"]))
                case "done" | "fault" if message["id"] in worker.jobs:
                    del worker.begun[message["id"]]
                    yield Event(message["type"], worker.jobs.pop(message["id"]), worker.number, message)

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
                yield from self._lost(worker, "timed_out", message, late)

    def _lost(self, worker: WorkerProcess, cause: str, message: str, late: Sequence[str] = ()) -> Iterator[Event]:
        """A worker is gone: whatever it was at is a fault, of `late` jobs alone where they are why it was ended."""
        jobs, worker.jobs = worker.jobs, {}
        self._selector.unregister(worker.wire)
        worker.kill()
        if not worker.ready:
            self._count_stillborn(worker)
        granted = self._caps.lost(worker.number)
        self._start(worker.number)
        self._tell(granted)
        for id, job in jobs.items():
            if late and id not in late:
                content = {"cause": "neighbour_hung", "message": f"{late[0]} hung in the same worker"}
            else:
                content = {"cause": cause, "message": message}
            yield Event("fault", job, worker.number, {**content, "retry": True})

    def _count_stillborn(self, worker: WorkerProcess) -> None:
        """A worker that never gets as far as its first job will not do so the next time either."""
        self._stillborn += 1
        if self._stillborn > STILLBORN_LIMIT:
            lines = worker.log.read_text(errors="replace").strip().splitlines() or ["it printed nothing"]
            raise EnvironmentFault(f"worker processes do not start: {lines[-1]}", cause="worker_start", retry=False)

    def _how(self, worker: WorkerProcess) -> str:
        try:
            code = worker.process.wait(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            return ""
        return (
            f" by signal {-code}"
            if code < 0
            else f" with exit code {code}; see {self._logs / f'worker-{worker.number}.log'}"
        )

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        """Let the workers close their browsers, then end what is left."""
        for worker in self._workers.values():
            worker.process.terminate()
        deadline = time.monotonic() + GRACE_S
        for worker in self._workers.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            worker.kill()
        self._selector.close()
