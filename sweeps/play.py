"""One episode played and recorded: the loop between an agent and a page."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from ..agents import Agent, Decision, ModelCall, Stop, decision_of, load
from ..envs.actions import InvalidAction, parse
from ..envs.episode import Episode
from ..envs.kinds import check_kinds
from ..errors import EnvironmentFault, VerifierError
from .budget import GRADING_S, Aside, Budget, OutOfTime
from .clock import Clock
from .concluding import Grading, conclude, left_behind
from .permits import MODEL, Permit, free
from .plan import EpisodeSpec
from .record import Box, Call, Recorder, agent_card, recorder_about
from .results import EpisodeResult

if TYPE_CHECKING:
    from ..envs.ahead import Ahead
    from ..envs.host import BrowserHost
    from ..envs.observation import Observation
    from ..sites.world.client import World
    from ..tasks import Task

CLOSE_S = 10.0
"""How long an agent with a budget of time may take to close what it holds."""


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
    permit: Permit = free,
    grading_s: float = GRADING_S,
) -> EpisodeResult:
    """Play `spec` and leave its evidence in `folder`.

    The agent is given tree, picture and whatever else `observations` or its own attribute of this name asks for.
    `ahead` is kept from one episode in this world to the next; `watch` is given the recorder at the beginning;
    `agent` is one that is not made by its name alone; `audience` looks on; `permit` is asked before the agent thinks
    and before grading, which may take `grading_s`. Raises `EnvironmentFault` (also `AgentRaised`) and `VerifierError`;
    the folder then holds what was recorded so far.
    """
    task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed, split=spec.split)
    agent = agent or load(spec.agent)
    recorded = ("axtree", "screenshot") if screenshots else ("axtree",)
    kinds = check_kinds((*recorded, *observations, *getattr(agent, "observations", ())))
    about = recorder_about(spec, baseline=world.baseline.hash, versions=dict(versions or {}), observations=kinds)
    with ExitStack() as stack:
        recorder = stack.enter_context(Recorder(folder, spec, agent=agent_card(spec.agent, agent), about=about))
        watch(recorder)
        begun, clock = time.perf_counter(), Clock()
        episode = Episode(host, world, observations=kinds, max_steps=spec.max_steps, ahead=ahead)
        grading = Grading(permit, clock, grading_s, stack)
        playing = _Play(spec, task, agent, episode, recorder, clock, audience, permit, grading)
        try:
            stop = playing.drive()
            return conclude(spec, episode, task, world, recorder, clock, begun, versions or {}, stop)
        except Exception as error:
            with suppress(Exception):  # the fault itself is the one to tell
                playing.keep_calls()
            if isinstance(error, VerifierError) and episode.frozen is not None:
                with suppress(Exception):  # what is broken may be the very database
                    recorder.left(left_behind(spec, episode.frozen, world))
            raise
        finally:
            episode.close()
            playing.close()


class _Play:
    """The loop between one agent and one episode."""

    def __init__(
        self,
        spec: EpisodeSpec,
        task: Task,
        agent: Agent,
        episode: Episode,
        recorder: Recorder,
        clock: Clock,
        audience: Audience,
        permit: Permit,
        grading: Grading,
    ) -> None:
        self.task, self.agent, self.episode, self.recorder = task, agent, episode, recorder
        self.clock, self.audience, self.permit, self.grading = clock, audience, permit, grading
        self.budget = Budget.of(spec)
        self._models = ":" in spec.agent or bool(getattr(agent, "model_name", None))
        self._aside = Aside() if self.budget.seconds is not None else None
        self._begun = 0.0
        self._open: Sequence[ModelCall] = ()
        """The calls behind the decision whose step is not recorded yet."""
        self._asked = False

    def drive(self) -> Stop | None:
        """Play to the end; why the agent ended it, or was ended, without finishing, where that is so."""
        observation = self.episode.reset(self.task)
        with self.clock.phase("recording"):
            self.recorder.reset(observation)
        self.audience.begins(observation)
        self._begun = time.perf_counter()
        try:
            self._ask("start", partial(self.agent.start, self.task, self.episode))
            while not self.episode.done:
                if stop := self.budget.over(self._spent(), self.recorder.usage):
                    return self._stop(Decision(move=stop), stop)
                before = {**self.clock.seconds, **self.episode.timings}
                decision = decision_of(self._ask("act", partial(self.agent.act, observation)))
                self._open = decision.calls
                if isinstance(decision.move, Stop):
                    return self._stop(decision, decision.move)
                if not self.episode.done:  # else given up: there is no further action
                    observation = self._step(decision, observation, before)
        except OutOfTime:
            over = self.budget.over(self.budget.seconds or 0.0, {})
            assert over is not None
            return self._stop(Decision(move=over, calls=self._made()), over)
        return None

    def _stop(self, decision: Decision, stop: Stop) -> Stop:
        self._open = ()
        self.recorder.stopped(decision.calls)
        self.grading.run(self.episode, self.episode.core.give_up())
        return stop

    def keep_calls(self) -> None:
        """Record the calls of models that a fault left without a step."""
        calls, self._open = [*self._open, *self._made()], ()
        self.recorder.stopped(calls)

    def _made(self) -> Sequence[ModelCall]:
        """Calls that the agent has made since its last decision, where it tells; once, as no decision follows."""
        made, self._asked = () if self._asked else tuple(getattr(self.agent, "pending", None) or ()), True
        return made

    def _spent(self) -> float:
        """Seconds of the agent's budget: all since the first observation but what it had to wait for its turn."""
        return time.perf_counter() - self._begun - self.clock.seconds.get("waiting", 0.0)

    def _ask(self, doing: str, work: Callable[[], Any]) -> Any:
        """What the agent answers, with a permit where it calls a model, and within its time."""
        with ExitStack() as stack:
            if self._models:
                with self.clock.phase("waiting"):
                    stack.enter_context(self.permit(MODEL))
            with self.clock.phase("model"), agent_at_work(doing):
                if self._aside is None or self.budget.seconds is None:
                    return work()
                return self._aside.call(work, max(0.0, self.budget.seconds - self._spent()))

    def _step(self, decision: Decision, seen: Observation, before: Mapping[str, float]) -> Observation:
        move: Any = decision.move
        call = read_move(move, decision.message)
        with self.clock.phase("recording"):
            box = target_box(self.episode, call.arguments)
        self.audience.intends(call, box, seen)
        known = len(self.episode.refused)
        action = dict(move) if isinstance(move, Mapping) else move
        if call.name == "finish" or seen.steps_left <= 1:
            observation = self.grading.run(self.episode, self.episode.core.take(action)).observation
        else:
            observation = self.episode.act(action)
        with self.clock.phase("recording"):
            after = {**self.clock.seconds, **self.episode.timings}
            spent = {name: after[name] - before.get(name, 0.0) for name in after}
            refused = self.episode.refused[known:]
            thought = getattr(self.agent, "thought", None)
            self.recorder.step(decision, call, observation, box=box, seconds=spent, thought=thought, refused=refused)
            self._open = ()
        self.audience.sees(observation)
        return observation

    def close(self) -> None:
        """Let the agent close what it holds; what fails in that is of no account to the episode."""
        try:
            if close := getattr(self.agent, "close", None):
                close() if self._aside is None else self._aside.call(close, CLOSE_S)
        except Exception as error:
            print(f"while closing the agent: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            if self._aside is not None:
                self._aside.close()


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
    except (EnvironmentFault, OutOfTime):
        raise
    except Exception as error:
        raise AgentRaised(
            f"the agent's {doing} raised {type(error).__name__}: {error}", cause="agent_raised"
        ) from error
