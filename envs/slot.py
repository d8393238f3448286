"""One environment among several in a browser: a world and an episode, and what a fault does to it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gymnasium.utils import seeding

from ..errors import EnvironmentFault, SitegymError, VerifierError
from .branch import Checkpoint
from .dictionary import ending
from .episode import Episode
from .observation import Observation

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from ..sites.world.client import WorldServer
    from ..tasks import Task
    from .host import BrowserHost

FAULTS = (EnvironmentFault, VerifierError)
"""What masks a slot; any other error is the caller's and is raised."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a step or a reset gave in one slot."""

    observation: Observation
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    info: dict[str, Any] = field(default_factory=dict)
    ended: tuple[Observation, dict[str, Any]] | None = None
    """The last observation and `info` of the episode that ended, where the next began in the same step."""

    @property
    def over(self) -> bool:
        """Whether an episode ended."""
        return self.terminated or self.truncated


class Slot:
    """Plays one episode after the other. Its coroutines belong on the host's loop and raise no faults.

    After a fault the slot is `masked`: it takes no actions until a reset works. Its turn is then truncated with reward
    0.0, which says nothing about the agent: `info` has `fault` (what happened) and `fault_cause`.
    """

    def __init__(self, draw: Callable[[np.random.Generator], Task | Checkpoint], make: Callable[..., Episode]) -> None:
        self.random, _ = seeding.np_random()
        self.episode: Episode | None = None
        self.masked = False
        self.last = Turn(observation=Observation())
        self._draw = draw
        self._make = make
        self._server: WorldServer | None = None

    def seed(self, seed: int) -> None:
        """Draw tasks by this seed from now on, as an environment of its own would."""
        self.random, _ = seeding.np_random(seed)

    async def begin(self, host: BrowserHost, server: WorldServer, task: Task | Checkpoint | None = None) -> Turn:
        """Begin an episode: of `task` (or at a checkpoint), else of one that is drawn."""
        self.masked = True
        try:
            if task is None:
                task = await host.threaded(self._draw, self.random)
            episode = await self._opened(host, server)
            if isinstance(task, Checkpoint):
                observation, task = await episode.core.restore(task), task.task
            else:
                observation = await episode.core.reset(task)
        except FAULTS as fault:
            blank = Observation(error=f"the environment failed, and begins anew at the next step: {fault}")
            return self._kept(_failed(blank, fault))
        self.masked = False
        return self._kept(Turn(observation=observation, info={"task": task.id, "task_seed": task.task_seed}))

    async def _opened(self, host: BrowserHost, server: WorldServer) -> Episode:
        if self.episode is not None and not (self.episode.host is host and self._server is server):
            await self.leave(host)
        if self.episode is None:
            self.episode, self._server = await host.threaded(self._make, host, server), server
        return self.episode

    async def act(self, host: BrowserHost, server: WorldServer, action: Any) -> Turn:
        """Take one step."""
        before, self.masked = self.last.observation, True  # a cancelled step leaves it so
        try:
            if self.episode is None or not (self.episode.host is host and self._server is server):
                raise EnvironmentFault("the browser or the world server died between two steps", cause="died_between")
            observation = await self.episode.core.act(action)
            reward, info = ending(self.episode.verdict, self.episode.scores)
        except FAULTS as fault:
            return self._kept(_failed(before, fault))
        self.masked = False
        truncated = self.episode.truncated
        terminated = self.episode.done and not truncated
        return self._kept(
            Turn(observation=observation, reward=reward, terminated=terminated, truncated=truncated, info=info)
        )

    def _kept(self, turn: Turn) -> Turn:
        self.last = turn
        return turn

    async def leave(self, host: BrowserHost) -> None:
        """Close the episode and its world."""
        episode, self.episode = self.episode, None
        if episode is not None:
            with suppress(SitegymError):  # dead already, which is as well
                await episode.core.close()
            with suppress(SitegymError):
                await host.threaded(episode.world.close)


def _failed(seen: Observation, fault: SitegymError) -> Turn:
    cause = fault.cause if isinstance(fault, EnvironmentFault) else "verifier"
    return Turn(observation=seen, truncated=True, info={"fault": str(fault), "fault_cause": cause})
