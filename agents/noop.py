"""The agent that finishes at once without an answer: whatever it earns, the task gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..envs.actions import Action, finish

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task


class NoopAgent:
    """Says DONE on the first observation."""

    version = "1"

    def start(self, task: Task, episode: Episode) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> Action:
        """`finish` with outcome DONE and no answer."""
        return finish(outcome="DONE")
