"""What an episode may use beside its steps: wall-clock time, tokens, money; and what grading may take."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..agents import Stop

if TYPE_CHECKING:
    from .plan import EpisodeSpec

T = TypeVar("T")

GRADING_S = 120.0
"""How long grading may take unless something else is said."""
STEPS, TIME, TOKENS, COST = "budget_steps", "budget_time", "budget_tokens", "budget_cost"


class OutOfTime(Exception):
    """The agent's time is up while it thinks."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits of one episode; None where there is none. An episode goes over one by one step at most.

    Time begins with the first observation and stands still while the episode waits for a permit (`permits.py`).
    Tokens are those read and written by the model, as the agent's calls tell.
    """

    seconds: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None

    @classmethod
    def of(cls, spec: EpisodeSpec) -> Budget:
        """The budget that is planned."""
        return cls(seconds=spec.max_seconds, tokens=spec.max_tokens, cost_usd=spec.max_cost_usd)

    def over(self, seconds: float, usage: Mapping[str, float]) -> Stop | None:
        """The end of the episode, where a limit is reached."""
        tokens = int(usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0))
        cost = usage.get("cost_usd", 0.0)
        if self.seconds is not None and seconds >= self.seconds:
            return Stop(outcome=TIME, reason=f"{seconds:.0f} s were used of a budget of {self.seconds:g} s")
        if self.tokens is not None and tokens >= self.tokens:
            return Stop(outcome=TOKENS, reason=f"{tokens:,} tokens were used of a budget of {self.tokens:,}")
        if self.cost_usd is not None and cost >= self.cost_usd:
            return Stop(outcome=COST, reason=f"${cost:.4f} were spent of a budget of ${self.cost_usd:g}")
        return None


class Aside:
    """Calls an agent in one thread of its own, so that whoever waits for it can stop waiting."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="agent", daemon=True).start()

    def call(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """What `work` returns; raises `OutOfTime` after so long, and what it raises."""
        answer: Future[T] = Future()
        self._asked.put((work, answer))
        done = threading.Event()
        answer.add_done_callback(lambda _: done.set())
        if not done.wait(seconds):
            raise OutOfTime
        return answer.result()

    def close(self) -> None:
        """End the thread as soon as it is through with what it does."""
        self._asked.put(None)

    def _serve(self) -> None:
        while (asked := self._asked.get()) is not None:
            work, answer = asked
            try:
                answer.set_result(work())
            except BaseException as error:
                answer.set_exception(error)
