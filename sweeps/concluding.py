"""The end of an episode: graded within its allowance, its evidence written, and what it came to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import EnvironmentFault
from ..sites import registry
from ..verifiers import Snapshot
from .budget import STEPS
from .evidence import evidence, fingerprint
from .permits import GRADING, Permit
from .plan import EpisodeSpec, site_of
from .record import Recorder, rounded
from .results import EpisodeResult, Status
from .seen import plain

if TYPE_CHECKING:
    from ..agents import Stop
    from ..envs.episode import Episode
    from ..sites.world.client import World
    from ..tasks import Task
    from .clock import Clock

T = TypeVar("T")


class Grading:
    """Does what grades an episode, with a permit that is kept to the end, and within its own time."""

    def __init__(self, permit: Permit, clock: Clock, allowance_s: float, stack: ExitStack) -> None:
        self._permit, self._clock, self._allowance, self._stack = permit, clock, allowance_s, stack
        self._held = False

    def run(self, episode: Episode, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work` on the episode's loop; raises `EnvironmentFault` where it takes too long."""
        try:
            self.wait()
        except BaseException:
            work.close()
            raise
        try:
            return episode.host.call(asyncio.wait_for(work, self._allowance))
        except TimeoutError as error:
            raise EnvironmentFault(
                f"grading took longer than its allowance of {self._allowance:g} s", cause="grading_timed_out"
            ) from error

    def wait(self) -> None:
        """Wait for the permit."""
        if not self._held:
            with self._clock.phase("waiting"):
                self._stack.enter_context(self._permit(GRADING))
            self._held = True


def conclude(
    spec: EpisodeSpec,
    episode: Episode,
    task: Task,
    world: World,
    recorder: Recorder,
    clock: Clock,
    begun: float,
    versions: Mapping[str, str],
    stop: Stop | None,
) -> EpisodeResult:
    """Write the evidence of an episode that is over, and give its result."""
    verdict, frozen = episode.verdict, episode.frozen
    if verdict is None or frozen is None:
        raise EnvironmentFault("the episode ended without a verdict", cause="no_verdict")
    with clock.phase("recording"):
        proof = left_behind(spec, frozen, world)
        with Snapshot(world.baseline.path, registry.get(site_of(spec.task)).metadata) as before:
            expectation = plain(task.expectation(before))
        outcome = stop.outcome if stop else episode.outcome
        if outcome is None and episode.truncated and episode.steps >= (spec.max_steps or task.max_steps):
            outcome = STEPS
        said = {"answer": episode.answer, "outcome": outcome}
        view = None if episode.view is None else episode.view.to_json()
        timings = rounded({**episode.timings, **clock.seconds})
        about = {"said": said, "truncated": episode.truncated, "view": view, "goal": task.goal}
        recorder.finish({**verdict.to_json(), **about, "expectation": expectation}, proof, {"seconds": timings})
    return EpisodeResult(
        id=spec.id,
        task=spec.task,
        task_seed=spec.task_seed,
        agent=spec.agent,
        status=Status.TRUNCATED if episode.truncated else Status.FINISHED,
        reward=verdict.reward,
        goal_met=verdict.goal_met,
        clean=verdict.clean,
        damage=len(verdict.damage),
        reason=f"{stop.reason}; {verdict.reason}" if stop else verdict.reason,
        refused=len(episode.refused),
        steps=recorder.steps,
        seconds=round(time.perf_counter() - begun, 3),
        timings=rounded({**episode.timings, **clock.seconds}),
        versions=dict(versions),
        hashes={"baseline": world.baseline.hash, "after": proof["after"], "expectation": fingerprint(expectation)},
        answer=episode.answer,
        outcome=outcome,
        usage=recorder.usage,
    )


def left_behind(spec: EpisodeSpec, frozen: Path, world: World) -> dict[str, Any]:
    """The row difference of a frozen database."""
    metadata = registry.get(site_of(spec.task)).metadata
    return evidence(world.baseline.path, world.baseline.hash, frozen, metadata)
