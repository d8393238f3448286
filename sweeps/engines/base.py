"""What the pool needs of an engine: beginning workers, talking to them, noticing that one is gone, ending them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ..wire import Message

if TYPE_CHECKING:
    from ..pool import Job

GRACE_S = 5.0
"""How long a worker may take to close its browser before it is killed."""
STACKS_S = 5.0
"""How long a hanging worker is given at most to write down where it hangs."""
SETTLE_S = 0.2
"""It has done so once its log grew, and stayed as it was for so long."""


@dataclass(frozen=True)
class Loss:
    """Why a worker is gone: the cause of the faults of what it was at, and a sentence."""

    cause: str
    message: str


class EngineWorker(ABC):
    """One worker and the jobs it is at. `log` is a file on this machine with what it printed."""

    def __init__(self, number: int, log: Path) -> None:
        self.number = number
        self.log = log
        self.jobs: dict[str, Job] = {}
        self.begun: dict[str, float] = {}
        """When each of them was handed to it, or last got any further (`time.monotonic`)."""
        self._at: dict[str, object] = {}
        self.ready = False

    def give(self, job: Job) -> None:
        """Hand it a job; a worker that is already gone is noticed when it is read from."""
        self.jobs[job.id], self.begun[job.id] = job, time.monotonic()
        self.tell(job.message)

    def took(self, id: str) -> Job:
        """A job of it is over."""
        del self.begun[id]
        self._at.pop(id, None)
        return self.jobs.pop(id)

    def moved(self, at: Mapping[str, object]) -> None:
        """The worker tells where its jobs are; one that got any further does not hang."""
        for id, where in at.items():
            if id in self.begun and self._at.get(id) != where:
                self._at[id], self.begun[id] = where, time.monotonic()

    @abstractmethod
    def tell(self, message: Message) -> None:
        """Send it something; nothing happens where it is gone."""

    @abstractmethod
    def receive(self) -> list[Message] | None:
        """What it has said, for a worker that `Engine.wait` named; None where it is gone."""

    @abstractmethod
    def loss(self) -> Loss:
        """Why it is gone, after `receive` has returned None."""

    @abstractmethod
    def ask_where_it_is(self) -> None:
        """Have the stacks of its threads in its log, for whoever wants to know why it hangs."""


W = TypeVar("W", bound=EngineWorker)


class Engine(Protocol, Generic[W]):
    """Makes workers. Between `open` and `close` only."""

    def open(self) -> None:
        """Start what all workers need; raises `EnvironmentFault` where that can't be."""

    def begin(self, number: int) -> W:
        """A new worker, which says `ready` once it is."""

    def wait(self, timeout_s: float) -> Sequence[W]:
        """Workers that have said something or are gone; none after `timeout_s`."""

    def end(self, worker: W) -> None:
        """End a worker and all that it started, at once."""

    def close(self, workers: Iterable[W]) -> None:
        """Let these close their browsers, then end them and all that was started."""
