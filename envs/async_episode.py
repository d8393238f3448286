"""One episode as coroutines: a task in a world of its own, played in a browser, graded from the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ..errors import EnvironmentFault, UsageError
from ..verifiers import Finish, Verdict
from . import actions, grading, pointing
from .actions import Action, InvalidAction
from .ahead import Ahead, Start
from .branch import Checkpoint, Look
from .branch_episode import Branching
from .kinds import check_kinds
from .observation import Observation
from .phases import Phases
from .rewards import Scores
from .turns import Turns
from .upload import files_of

if TYPE_CHECKING:
    from ..sites.world.baseline import Baseline
    from ..sites.world.client import World
    from ..tasks import Task
    from .host import BrowserHost
    from .pointing import About
    from .session import Session

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step as recorders see it."""

    given: object
    """What the agent sent, unread."""
    action: Action | None
    """The action read from it; None where it cannot be read."""
    observation: Observation
    seconds: Mapping[str, float]
    """Seconds of this step by phase."""
    refused: tuple[str, ...] = ()
    """Requests and addresses that world or browser refused during this step, a line each."""


class AsyncEpisode(Turns, Branching):
    """A task, played once, by `await`: from any event loop, the host's own included; no thread waits meanwhile.

    `await reset(task)` begins; `await act(action)` takes a step; after `finish`, or when the steps are used up, `done`
    is true and `verdict` holds. Truncation is graded too, with reward 0. What the page refuses is in
    `observation.error`; what fails on our side raises `EnvironmentFault` (`VerifierError` where grading fails), and the
    episode has no reward. `on_step` is called with a `Step` after each one.

    What the next reset begins with is opened while this episode is played, and closed with it; who makes an episode for
    each task keeps an `Ahead` of the world and gives it to each.

    One thing at a time is done, in the order of the calls. A call that is cancelled (`asyncio.timeout`, say) may have
    half happened: the episode is over, without a verdict, and `fault` says so; the next `reset` works. `async with`
    closes the episode at the end, `close()` also ends what is under way.
    """

    def __init__(
        self,
        host: BrowserHost,
        world: World,
        *,
        observations: Sequence[str] = ("axtree",),
        viewport: tuple[int, int] = (1280, 800),
        max_steps: int | None = None,
        rewards: str = "sparse",
        gamma: float = 1.0,
        on_step: Callable[[Step], None] | None = None,
        ahead: Ahead | None = None,
    ) -> None:
        if max_steps is not None and max_steps < 1:
            raise UsageError(f"max_steps is at least 1, not {max_steps}")
        super().__init__(host)
        self.world = world
        self.observations = check_kinds(observations)
        self.max_steps = max_steps
        self.on_step = on_step
        self.on_close: Callable[[], None] | None = None
        """What is still to be done after `close`, once (browser and world given back, see `open_episode`)."""
        self.task: Task | None = None
        self.steps = 0
        self.truncated = False
        self.answer: str | None = None
        self.outcome: str | None = None
        self.frozen: Path | None = None
        """The database as it was graded; kept until the next reset of the world."""
        self.view: Any = None
        """The server's record of the page that was open when the episode was graded; None where there was none."""
        self.refused: list[str] = []
        """What world and browser refused since the reset, a line each: requests to elsewhere, addresses of files …"""
        self.scores = Scores(world, rewards, gamma)
        """The reward of the last step, and what it is made of."""
        self._phases = Phases()
        self._viewport = viewport
        self._ahead = ahead or Ahead(host, world, viewport)
        self._ahead_is_ours = ahead is None
        self._session: Session | None = None
        self._last = Observation()
        self._time = ""
        self._rings = 0
        self._refused = self._strayed = 0
        self._first: int | None = None
        self._given: list[object] = []
        self._kinds = self.observations
        self._budget = 0

    @property
    def timings(self) -> dict[str, float]:
        """Seconds since the reset by phase: browser, site, observe, grading."""
        return self._phases.seconds

    @property
    def session(self) -> Session:
        """The browser session beneath; its coroutines belong on the host's loop."""
        if self._session is None:
            raise UsageError("reset the episode first")
        return self._session

    @property
    def open(self) -> bool:
        """Whether there is something in the browser that `close` would free."""
        waits = self._ahead_is_ours and not self._ahead.empty
        held = self._session is not None or self._doing is not None or waits
        return held and self.host.works  # with the browser went all that was in it

    async def reset(self, task: Task) -> Observation:
        """Begin `task`: the world at its baseline, a fresh context, signed in, the start page settled.

        Raises `UsageError` for what is no task, and for a task of other data than the world's.
        """
        _fits(task, self.world.baseline)
        return await self._do(f"reset of {task.id}", self._reset, task)

    async def _begin(self, task: Task) -> None:
        """Forget the episode before."""
        self.task, self.steps, self.done, self.truncated = task, 0, False, False
        self.verdict = self.answer = self.outcome = self.frozen = self.view = self.fault = self.restored = None
        self._given, self.refused = [], []
        self._refused = self._strayed = 0
        self._phases.clear()
        self._budget = self.max_steps or task.max_steps
        self._rings = 0
        with self._phases.spent("browser"):
            await self._leave()

    async def _reset(self, task: Task) -> Observation:
        await self._begin(task)
        start = Start(task.role, task.start_url, tuple(self.observations))
        with self._phases.spent("browser"):
            opened = await self._ahead.take(start)
            self._session = session = opened.session
            assert session is not None
            session.offer(files_of(task))
            self._time = opened.ready.now
        await self._advance(session.clock.now - opened.begun)
        observation = await self._observe(self.observations)
        self._first = self._view()
        self.scores.begin(task, self._first)
        self._ahead.begin(start, session.tabs.immutable)
        return observation

    async def act(self, action: str | Mapping[str, Any] | Action) -> Observation:
        """Take one step. An action that is unreadable or that the page refuses costs the step; `error` says why."""
        step = await self.take(action)
        if self.on_step is not None:
            self.on_step(step)
        return step.observation

    async def take(self, action: object) -> Step:
        """Take one step, and give it as recorders see it."""
        self._playing()
        return await self._do(f"step {self.steps + 1} of {self._name()}", self._take, action)

    async def _take(self, action: object) -> Step:
        self._playing()
        before, refused = dict(self.timings), len(self.refused)
        self._given.append(action)
        self.steps += 1
        read, error = _read(action)
        if read is not None and read.name == "finish":
            await self._finish(read)
        else:
            await self._step(read, error)
            if self.steps >= self._budget:
                await self._truncate()
        await self._score()
        spent = {phase: seconds - before[phase] for phase, seconds in self.timings.items()}
        told = tuple(self.refused[refused:])
        return Step(given=action, action=read, observation=self._last, seconds=spent, refused=told)

    async def _step(self, action: Action | None, error: str) -> None:
        session = self.session
        if action is not None:
            with self._phases.spent("browser"):
                begun = session.clock.now
                error = await self.host.guard(session.act(action))
            await self._advance(session.clock.now - begun)
            await self._release(session)
            await self._note_refused(self.world.refused)
        else:
            session.result = ""
        await self._observe(self.observations, error)

    async def _release(self, session: Session) -> None:
        """Server-sent events reach the pages at the end of the step in which they came up."""
        if self.world.rings != self._rings:
            with self._phases.spent("browser"):
                if await self.host.guard(session.release()):
                    self._rings = self.world.rings

    async def _note_refused(self, count: int | None = None) -> None:
        """Keep what was refused since the last time; `count` is how many requests the world has refused, if known."""
        strays = self.session.tabs.strays.found
        self.refused += strays[self._strayed :]
        self._strayed = len(strays)
        if count != self._refused:
            with self._phases.spent("site"):
                requests = await self._ask(self.world.refusals, self._refused)
            self.refused += map(str, requests)
            self._refused = count or self._refused + len(requests)

    async def finish(self, answer: str | None = None, outcome: str = "DONE") -> Verdict:
        """End the episode as the action `finish` does, and give the verdict."""
        await self.act(actions.finish(answer, outcome))
        assert self.verdict is not None
        return self.verdict

    async def _finish(self, action: Action) -> None:
        answer, outcome = action.args["answer"], str(action.args["outcome"])
        self.answer, self.outcome = None if answer is None else str(answer), outcome
        self.done = True
        self._last = replace(self._last, error="", steps_left=self._budget - self.steps)
        await self._grade(Finish(self.answer, outcome))

    async def give_up(self) -> Verdict:
        """End the episode without finishing, as if the steps were used up: graded, with reward 0."""
        self._playing()
        await self._do(f"giving up {self._name()}", self._give_up)
        assert self.verdict is not None
        return self.verdict

    async def _give_up(self) -> None:
        self._playing()
        await self._truncate()
        await self._score()

    async def _score(self) -> None:
        if self.scores.rewards == "sparse":
            self.scores.step(self.verdict, self.done, None)
            return
        with self._phases.spent("grading"):
            await self._ask(self.scores.step, self.verdict, self.done, self._view())

    def _view(self) -> int | None:
        """The number under which the server recorded the page that the active tab shows."""
        return self.session.tabs.views.get(self.session.tabs.active)

    async def _truncate(self) -> None:
        self.done = self.truncated = True
        await self._grade(None)

    async def _grade(self, finish: Finish | None) -> None:
        """Freeze the database and grade the copy; whatever happens later does not count."""
        assert self.task is not None
        with self._phases.spent("site"):
            self.frozen = await self._ask(self.world.freeze)
            under_way = await self._ask(self.world.requests)
            await self._note_refused()
            failures = await self._ask(self.world.errors)
            self.view = await self._ask(grading.shown, self.world, self._view())
        if under_way:
            told = "1 request was" if under_way == 1 else f"{under_way} requests were"
            self.refused.append(f"{told} under way as the database was frozen: what was written then does not count")
        grading.sound(failures)
        with self._phases.spent("grading"):
            self.verdict = await self._ask(grading.graded, self.task, self.world, self.frozen, finish, self.view)

    async def wait_ready(self) -> None:
        """Wait until the context of the next reset is open, which happens in the background anyway."""
        await self.host.visit(self._ahead.wait())

    async def observe(self, kinds: Sequence[str] | None = None) -> Observation:
        """Look again, at other kinds if asked for; costs no step and no world time."""
        return await self._do(f"look at {self._name()}", self._look, kinds)

    async def _look(self, kinds: Sequence[str] | None) -> Observation:
        looked = Look(self.observations if kinds is None else check_kinds(kinds))
        if not self._given or self._given[-1] != looked:
            self._given.append(looked)
        return await self._observe(looked.kinds, self._last.error)

    async def _observe(self, kinds: Sequence[str], error: str = "") -> Observation:
        assert self.task is not None
        with self._phases.spent("observe"):
            seen = await self.host.guard(self.session.observe(kinds))
        left, self._kinds = self._budget - self.steps, tuple(kinds)
        self._last = replace(seen, goal=self.task.goal, error=error, time=self._time, steps_left=left)
        return self._last

    async def box(self, ref: str) -> tuple[float, float, float, float] | None:
        """Where an element stands in the picture: x, y, width, height; None where it is gone or a dialog is open."""
        return await self._point(lambda session: session.box(ref))

    async def elements_at(self, x: float, y: float) -> list[str]:
        """References of the elements under a point of the picture, the innermost first."""
        return await self._point(lambda session: pointing.elements_at(session, x, y))

    async def about(self, ref: str) -> About | None:
        """What a person who points at an element must know of it; None where it is gone or a dialog is open."""
        return await self._point(lambda session: pointing.about(session, ref))

    async def _point(self, asked: Callable[[Session], Coroutine[Any, Any, T]]) -> T:
        async def ask() -> T:
            return await self.host.guard(asked(self.session))

        return await self._do(f"look at {self._name()}", ask)

    async def checkpoint(self) -> Checkpoint:
        """This moment as plain data, for `restore` here or anywhere; costs no step and changes nothing."""
        self._playing()
        return await self._do(f"checkpoint of {self._name()}", self._checkpoint)

    async def restore(self, checkpoint: Checkpoint) -> Observation:
        """Go back to a moment of this or of another episode; what follows is what would have followed there.

        Pages are loaded anew and filled; where that gives another state than was kept, the actions are taken again.
        `restored` says which it was. Raises `UsageError` for a checkpoint of other data, code or window, and
        `EnvironmentFault` (cause `restore_differs`) where the actions lead elsewhere, too.
        """
        if not isinstance(checkpoint, Checkpoint):
            raise UsageError(f"restore takes what checkpoint() gave, not {checkpoint!r}")
        return await self._do(f"restore of {checkpoint.task.id}", self._restore, checkpoint)

    async def close(self) -> None:
        """Free the browser context; the host and the world stay as they are. May be called twice.

        Ends what is under way, which then raises `EnvironmentFault` (cause `closed`).
        """
        await self.leave()
        if (on_close := self._closing()) is not None:
            await asyncio.to_thread(on_close)

    async def leave(self) -> None:
        """Free the browser context alone, without `on_close`."""
        self.done = True
        if self.open:
            await self.host.visit(self._close())

    def _closing(self) -> Callable[[], None] | None:
        on_close, self.on_close = self.on_close, None
        return on_close

    async def _close(self) -> None:
        self._end_turn()
        async with self._turn:
            with suppress(EnvironmentFault):  # the browser is gone, and the context with it
                await self._leave()
            if self._ahead_is_ours:
                await self._ahead.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await self.host.guard(session.close())

    async def _advance(self, ms: int) -> None:
        """Keep the world's clock in step with the browser's."""
        if ms > 0:
            with self._phases.spent("site"):
                self._time = await self._ask(self.world.advance, ms)

    def _playing(self) -> None:
        if self._session is None or self.done:
            raise UsageError("the episode is over: reset it" if self.done else "reset the episode first")

    def _name(self) -> str:
        return self.task.id if self.task is not None else "no task"


def _read(action: object) -> tuple[Action | None, str]:
    try:
        return actions.parse(action), ""
    except InvalidAction as error:
        return None, str(error)


def _fits(task: Task, here: Baseline) -> None:
    """Raise `UsageError` where a task can't be played on this baseline: its rows would not be there."""
    if not hasattr(task, "expectation"):
        raise UsageError(f"an episode begins with a task, such as sitegym.tasks.task(id, seed), not {task!r}")
    if (task.data, task.data_seed) != (here.data, here.seed):
        told, has = (f"data {d}, data_seed {s}" for d, s in ((task.data, task.data_seed), (here.data, here.seed)))
        raise UsageError(f"the task is one of {told}, and this world has {has}: make both with the same data")
