"""One episode played and recorded: the loop between an agent and a page."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from ..agents import Agent, Decision, Stop, decision_of, load
from ..envs.actions import InvalidAction, parse
from ..envs.episode import Episode
from ..envs.kinds import check_kinds
from ..errors import EnvironmentFault, VerifierError
from ..sites import registry
from ..verifiers import Snapshot
from .evidence import evidence, fingerprint
from .plan import EpisodeSpec, site_of
from .record import Box, Call, Recorder, agent_card, plain, recorder_about, rounded
from .results import EpisodeResult, Status

if TYPE_CHECKING:
    from ..envs.ahead import Ahead
    from ..envs.host import BrowserHost
    from ..envs.observation import Observation
    from ..sites.world.client import World
    from ..tasks import Task


class AgentRaised(EnvironmentFault):
    """The agent's own code raised; nobody can tell what the agent would have done, so there is no reward."""


class Audience:
    """Who looks on while an episode is played. Each method may take its time: the world and its pages stand still.

    This one shows nothing to nobody; a subclass says what it wants to see.
    """

    def begins(self, observation: Observation) -> None:
        """The episode was reset; this is its first page."""

    def intends(self, call: Call, box: Box | None, observation: Observation) -> None:
        """The agent has chosen an action; `box` is where its target stands on the page that it saw."""

    def sees(self, observation: Observation) -> None:
        """The action was taken; this is the page after it."""


NOBODY = Audience()


@dataclass
class Clock:
    """Seconds by phase."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count what runs inside under `name`."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun


def play(
    spec: EpisodeSpec,
    host: BrowserHost,
    world: World,
    folder: Path,
    *,
    ahead: Ahead | None = None,
    screenshots: bool = True,
    observations: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    watch: Callable[[Recorder], None] = lambda recorder: None,
    agent: Agent | None = None,
    audience: Audience = NOBODY,
) -> EpisodeResult:
    """Play `spec` and leave its evidence in `folder`.

    The agent is given tree, picture and whatever else `observations` or its own attribute of this name asks for.
    `ahead` is kept from one episode in this world to the next.
    `watch` is given the recorder at the beginning, for heartbeats; `agent` is one that is not made by its name alone;
    `audience` looks on. Raises `EnvironmentFault` (also `AgentRaised`) and
    `VerifierError`; the folder then holds what was recorded up to there.
    """
    task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
    agent = agent or load(spec.agent)
    about = recorder_about(spec, baseline=world.baseline.hash, versions=dict(versions or {}))
    with Recorder(folder, spec, agent=agent_card(spec.agent, agent), about=about) as recorder:
        watch(recorder)
        begun, clock = time.perf_counter(), Clock()
        recorded = ("axtree", "screenshot") if screenshots else ("axtree",)
        kinds = check_kinds((*recorded, *observations, *getattr(agent, "observations", ())))
        episode = Episode(host, world, observations=kinds, max_steps=spec.max_steps, ahead=ahead)
        try:
            stop = _drive(episode, task, agent, recorder, clock, audience)
            return _conclude(spec, episode, task, world, recorder, clock, begun, dict(versions or {}), stop)
        except VerifierError:
            if episode.frozen is not None:
                with suppress(Exception):  # what is broken may be the very database; the first error is the one to tell
                    recorder.left(_evidence(spec, episode.frozen, world))
            raise
        finally:
            episode.close()
            _dismiss(agent)


def _dismiss(agent: Agent) -> None:
    """Let the agent close what it holds; what fails in that is of no account to the episode."""
    if close := getattr(agent, "close", None):
        try:
            close()
        except Exception as error:
            print(f"while closing the agent: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def _drive(
    episode: Episode, task: Task, agent: Agent, recorder: Recorder, clock: Clock, audience: Audience
) -> Stop | None:
    """Play to the end; why the agent ended it without finishing, where it did."""
    observation = episode.reset(task)
    with clock.phase("recording"):
        recorder.reset(observation)
    audience.begins(observation)
    with agent_at_work("start"):
        agent.start(task, episode)
    while not episode.done:
        before = {**clock.seconds, **episode.timings}
        with clock.phase("model"), agent_at_work("act"):
            decision = decision_of(agent.act(observation))
        if isinstance(decision.move, Stop):
            recorder.stopped(decision)
            episode.give_up()
            return decision.move
        if not episode.done:  # else given up: there is no further action
            thought = getattr(agent, "thought", None)
            observation = _step(episode, decision, recorder, clock, audience, observation, before, thought)
    return None


def _step(
    episode: Episode,
    decision: Decision,
    recorder: Recorder,
    clock: Clock,
    audience: Audience,
    observation: Observation,
    before: Mapping[str, float],
    thought: str | None,
) -> Observation:
    move: Any = decision.move
    call = read_move(move, decision.message)
    with clock.phase("recording"):
        box = target_box(episode, call.arguments)
    audience.intends(call, box, observation)
    known = len(episode.refused)
    observation = episode.act(dict(move) if isinstance(move, Mapping) else move)
    with clock.phase("recording"):
        after = {**clock.seconds, **episode.timings}
        spent = {name: after[name] - before.get(name, 0.0) for name in after}
        refused = episode.refused[known:]
        recorder.step(decision, call, observation, box=box, seconds=spent, thought=thought, refused=refused)
    audience.sees(observation)
    return observation


def _conclude(
    spec: EpisodeSpec,
    episode: Episode,
    task: Task,
    world: World,
    recorder: Recorder,
    clock: Clock,
    begun: float,
    versions: dict[str, str],
    stop: Stop | None,
) -> EpisodeResult:
    verdict, frozen = episode.verdict, episode.frozen
    if verdict is None or frozen is None:
        raise EnvironmentFault("the episode ended without a verdict", cause="no_verdict")
    with clock.phase("recording"):
        proof = _evidence(spec, frozen, world)
        with Snapshot(world.baseline.path, registry.get(site_of(spec.task)).metadata) as before:
            expectation = plain(task.expectation(before))
        outcome = stop.outcome if stop else episode.outcome
        said = {"answer": episode.answer, "outcome": outcome}
        timings = rounded({**episode.timings, **clock.seconds})
        recorder.finish({**verdict.to_json(), "said": said, "expectation": expectation}, proof, {"seconds": timings})
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
        versions=versions,
        hashes={"baseline": world.baseline.hash, "after": proof["after"], "expectation": fingerprint(expectation)},
        answer=episode.answer,
        outcome=outcome,
        usage=recorder.usage,
    )


def _evidence(spec: EpisodeSpec, frozen: Path, world: World) -> dict[str, Any]:
    metadata = registry.get(site_of(spec.task)).metadata
    return evidence(world.baseline.path, world.baseline.hash, frozen, metadata)


def read_move(move: Any, said: str = "") -> Call:
    """An action as given, read; `unreadable` with its text, or what was said instead of one, where it can't be."""
    try:
        action = parse(move)
    except InvalidAction as error:
        text = said if isinstance(move, InvalidAction) else str(move)
        return Call("unreadable", {"text": text, "error": str(error)}, text)
    return Call(action.name, dict(action.args), str(action))


def target_box(episode: Episode, arguments: Mapping[str, Any]) -> Box | None:
    """Where the element that the action names stands now."""
    ref = arguments.get("ref") or arguments.get("source")
    return episode.box(ref) if isinstance(ref, str) else None


@contextmanager
def agent_at_work(doing: str) -> Iterator[None]:
    """Tell the agent's own errors from the machinery's."""
    try:
        yield
    except EnvironmentFault:
        raise
    except Exception as error:
        raise AgentRaised(
            f"the agent's {doing} raised {type(error).__name__}: {error}", cause="agent_raised"
        ) from error
