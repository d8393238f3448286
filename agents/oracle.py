"""The agent that knows the way: it drives the task's own oracle through the public actions."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from ..envs.actions import finish

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task
    from .base import Move


class OracleAgent:
    """Plays `task.oracle()`; an oracle that ends without `finish` has finished with DONE.

    Raises what the oracle raises (`ElementNotFound`, say): a page that is not as the oracle expects is the task's
    fault or the site's, never a reward of 0.
    """

    version = "1"

    def start(self, task: Task, episode: Episode) -> None:
        """Take the task's oracle; it is begun on the first observation."""
        self._oracle = task.oracle()
        self._moves: Generator[Move, Observation, None] | None = None

    def act(self, observation: Observation) -> Move:
        """The oracle's next action."""
        try:
            if self._moves is None:
                self._moves = self._oracle(observation)
                return next(self._moves)
            return self._moves.send(observation)
        except StopIteration:
            return finish(outcome="DONE")
