"""The sweep's side of its workers: starting them, handing out jobs, noticing that one died or hangs."""

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import EnvironmentFault
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
    """One worker process and the job it is at."""

    def __init__(self, number: int, settings: dict[str, Any], log: Path) -> None:
        self.number = number
        self.job: Job | None = None
        self.begun = 0.0
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
        self.job, self.begun = job, time.monotonic()
        try:
            self.wire.send(job.message)
        except OSError:
            return

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
    """Runs jobs on `workers` processes and yields events as they come. Use as a context manager."""

    def __init__(self, *, workers: int, settings: dict[str, Any], logs: Path, job_timeout_s: float) -> None:
        self._count = workers
        self._settings = settings
        self._logs = logs
        self._timeout = job_timeout_s
        self._selector = selectors.DefaultSelector()
        self._workers: dict[int, WorkerProcess] = {}
        self._queue: deque[Job] = deque()
        self._stillborn = 0

    def retry(self, job: Job) -> None:
        """Put a job back, to be started again before new ones."""
        self._queue.appendleft(Job(job.message, job.attempt + 1))

    def run(self, jobs: Iterable[Message]) -> Iterator[Event | None]:
        """Events until all jobs are over; None about four times a second while nothing happens.

        A caller that gets a fault may call `retry` before it takes the next event.
        """
        self._queue.extend(Job(message) for message in jobs)
        for number in range(min(self._count, len(self._queue))):
            self._start(number)
        while self._queue or any(worker.job for worker in self._workers.values()):
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
        for worker in self._workers.values():
            if worker.ready and worker.job is None and self._queue:
                job = self._queue.popleft()
                yield Event("started", job, worker.number)
                worker.give(job)

    def _read(self, worker: WorkerProcess) -> Iterator[Event]:
        messages = worker.wire.receive()
        if messages is None:
            yield from self._lost(worker, "worker_killed", f"worker {worker.number} died{self._how(worker)}")
            return
        for message in messages:
            if message["type"] == "ready":
                worker.ready, self._stillborn = True, 0
            if message["type"] in {"done", "fault"} and worker.job:
                job, worker.job = worker.job, None
                yield Event(message["type"], job, worker.number, message)

    def _overdue(self) -> Iterator[Event]:
        for worker in list(self._workers.values()):
            if worker.job and time.monotonic() - worker.begun > self._timeout:
                worker.ask_where_it_is()
                message = f"nothing came of it within {self._timeout:.0f} s; {worker.log} says where it was"
                yield from self._lost(worker, "timed_out", message)

    def _lost(self, worker: WorkerProcess, cause: str, message: str) -> Iterator[Event]:
        job, worker.job = worker.job, None
        self._selector.unregister(worker.wire)
        worker.kill()
        if not worker.ready:
            self._count_stillborn(worker)
        self._start(worker.number)
        if job:
            yield Event("fault", job, worker.number, {"cause": cause, "message": message, "retry": True})

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
