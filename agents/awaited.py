"""Agents whose methods are coroutines, for the loop that plays episodes."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..envs.episode import Episode
    from ..envs.observation import Observation
    from ..tasks import Task


class Awaited:
    """Runs an agent's coroutines, all of them on one event loop, which ends with the episode.

    So an asynchronous client that is made in `start` can be used in each `act` and closed in `close`. Other attributes
    are those of the agent.
    """

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._runner = asyncio.Runner()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def start(self, task: Task, episode: Episode) -> None:
        """The agent's `start`, awaited where it is a coroutine."""
        self._run(self._agent.start(task, episode))

    def act(self, observation: Observation) -> Any:
        """The agent's `act`, awaited where it is a coroutine."""
        return self._run(self._agent.act(observation))

    def close(self) -> None:
        """The agent's `close`, where it has one; then the end of the event loop."""
        with self._runner:
            if hasattr(self._agent, "close"):
                self._run(self._agent.close())

    def _run(self, answer: Any) -> Any:
        if not inspect.isawaitable(answer):
            return answer

        async def wait() -> Any:
            return await answer

        return self._runner.run(wait())


def awaited(agent: Any) -> Any:
    """The agent itself, or wrapped where one of its methods is a coroutine."""
    methods = (getattr(agent, name, None) for name in ("start", "act", "close"))
    return Awaited(agent) if any(inspect.iscoroutinefunction(method) for method in methods) else agent
