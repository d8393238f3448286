"""Rewards: sparse, or shaped by milestones without changing what is best.

Sparse is 0 at each step and the verdict's 0 or 1 at the last. Milestones add, at each step from s to s',

    F(s, s') = gamma * phi(s') - phi(s),    phi(s) = met - min(1, 0.25 * damage),    phi(end of the episode) = 0

with the potential of `verifiers.progress`. Adding such a difference changes no optimal policy (Ng, Harada and Russell,
"Policy invariance under reward transformations", ICML 1999), as long as the potential is 0 at every end (Grzes, "Reward
shaping in episodic reinforcement learning", AAMAS 2017). Running out of steps is such an end: the steps that are left
are part of what an agent observes. With gamma = 1 the rewards of an episode add up to its sparse reward.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..sites import registry
from ..verifiers import Expectation, Snapshot, Verdict, progress
from . import grading

if TYPE_CHECKING:
    from ..sites.world.client import World
    from ..tasks import Task

REWARDS = ("sparse", "milestones")


def check_rewards(rewards: object, gamma: object) -> None:
    """Raise `UsageError` for rewards that there are not."""
    if rewards not in REWARDS:
        raise UsageError(f"no rewards {rewards!r}: there are {' and '.join(map(repr, REWARDS))}")
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 < gamma <= 1:
        raise UsageError(f"gamma is the discount of the learner, above 0 and at most 1, not {gamma!r}")


class Scores:
    """The reward of each step of one episode after another, in one world."""

    def __init__(self, world: World, rewards: str, gamma: float) -> None:
        check_rewards(rewards, gamma)
        self.rewards = rewards
        self.gamma = gamma
        self.sparse = 0.0
        """What the verdict gave for the last step; 0 before there is one."""
        self.shaping = 0.0
        """What milestones added to it; 0 where the rewards are sparse."""
        self.potential = 0.0
        """phi after the last step; 0 where the rewards are sparse."""
        self._milestones = Milestones(world) if rewards == "milestones" else None

    @property
    def reward(self) -> float:
        """The reward of the last step."""
        return self.sparse + self.shaping

    def begin(self, task: Task, view: int | None) -> None:
        """An episode begins, on the page with this number."""
        self.sparse = self.shaping = self.potential = 0.0
        if self._milestones is not None:
            self._milestones.begin(task, view)

    def resume(self, view: int | None) -> None:
        """The episode goes on from a moment that was gone back to. Blocks for the database."""
        if self._milestones is not None:
            self.potential = self._milestones.potential(view)

    def step(self, verdict: Verdict | None, done: bool, view: int | None) -> None:
        """A step was taken, and perhaps graded. Blocks for the database where milestones count."""
        self.sparse = 0.0 if verdict is None else verdict.reward or 0.0
        if self._milestones is not None:
            before, self.potential = self.potential, 0.0 if done else self._milestones.potential(view)
            self.shaping = self.gamma * self.potential - before


class Milestones:
    """The potential of one episode after another, in one world. Blocks for the database: call it in a thread.

    The rows are read from a copy, which the server makes between two writes, and only after steps that wrote.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._site = registry.get(world.baseline.site)
        self._task: Task | None = None
        self._expectation: Expectation | None = None
        self._start: int | None = None
        self._known: tuple[object, float] | None = None
        """The state that was measured last, and its potential."""

    def begin(self, task: Task, view: int | None) -> None:
        """Another episode begins, on the page with this number."""
        self._task, self._start, self._expectation, self._known = task, view, None, None

    def potential(self, view: int | None) -> float:
        """phi of the present, `view` being the number of the page that the active tab shows."""
        expectation = self._expected()
        state = (self._world.wrote, view if expectation.view is not None else None)
        if self._known is None or self._known[0] != state:
            self._known = state, self._measured(expectation, view)
        return self._known[1]

    def _expected(self) -> Expectation:
        if self._expectation is None:
            assert self._task is not None
            with Snapshot(self._world.baseline.path, self._site.metadata) as before:
                self._expectation = self._task.expectation(before)
        return self._expectation

    def _measured(self, expectation: Expectation, view: int | None) -> float:
        shown = start = None
        if expectation.view is not None:
            shown, start = (grading.shown(self._world, number) for number in (view, self._start))
        path = self._world.server.folder / f"rewards-{secrets.token_hex(8)}.sqlite"
        metadata = self._site.metadata
        try:
            frozen = self._world.freeze(path)
            with Snapshot(self._world.baseline.path, metadata) as before, Snapshot(frozen, metadata) as now:
                return progress(expectation, before, now, shown, start).potential
        finally:
            path.unlink(missing_ok=True)
