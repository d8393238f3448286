"""One episode: a task given to an agent in a world of its own, played in a browser, graded from the database."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EnvironmentFault, SitegymError, UsageError, VerifierError
from ..sites import registry
from ..sites.kit.world import milliseconds
from ..verifiers import Finish, Snapshot, Verdict, grade
from . import actions, pointing
from .actions import Action, InvalidAction
from .ahead import Ahead
from .observation import KINDS, Observation
from .session import Session

if TYPE_CHECKING:
    from ..sites.world.client import World
    from ..tasks import Task
    from .host import BrowserHost
    from .pointing import About


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


@dataclass(frozen=True)
class Checkpoint:
    """A moment of an episode that `restore` can go back to."""

    task: Task
    actions: tuple[object, ...]
    tree: str


class Episode:
    """A task, played once. Framework-free and synchronous; safe to use from any one thread at a time.

    `reset(task)` begins; `act(action)` takes a step; after `finish`, or when the steps are used up, `done` is true and
    `verdict` holds. Truncation is graded too, with reward 0. What the page refuses is in `observation.error`; what
    fails on our side raises `EnvironmentFault` (`VerifierError` where grading fails), and the episode has no reward.
    `on_step` is called with a `Step` after each one.
    """

    def __init__(
        self,
        host: BrowserHost,
        world: World,
        *,
        observations: Sequence[str] = ("axtree",),
        viewport: tuple[int, int] = (1280, 800),
        max_steps: int | None = None,
        on_step: Callable[[Step], None] | None = None,
    ) -> None:
        unknown = [kind for kind in observations if kind not in KINDS]
        if unknown:
            raise UsageError(f"no observation {unknown[0]!r}: there are {', '.join(KINDS)}")
        if max_steps is not None and max_steps < 1:
            raise UsageError(f"max_steps is at least 1, not {max_steps}")
        self.host = host
        self.world = world
        self.observations = tuple(observations)
        self.max_steps = max_steps
        self.on_step = on_step
        self.task: Task | None = None
        self.steps = 0
        self.done = False
        self.truncated = False
        self.verdict: Verdict | None = None
        self.answer: str | None = None
        self.outcome: str | None = None
        self.frozen: Path | None = None
        """The database as it was graded; kept until the next reset of the world."""
        self.view: Any = None
        """The server's record of the page that was open when the episode was graded; None where there was none."""
        self.timings: dict[str, float] = {}
        """Seconds since the reset by phase: browser, site, observe, grading."""
        site = f"http://{next(iter(registry.get(world.baseline.site).hosts))}/"
        self._within = 0.0
        self._ahead = Ahead(host, world.address, viewport, site)
        self._session: Session | None = None
        self._last = Observation()
        self._time = ""
        self._rings = 0
        self._given: list[object] = []
        self._budget = 0

    def reset(self, task: Task) -> Observation:
        """Begin `task`: the world at its baseline, a fresh context, signed in, the start page settled."""
        self.task, self.steps, self.done, self.truncated = task, 0, False, False
        self.verdict = self.answer = self.outcome = self.frozen = self.view = None
        self.timings, self._given = dict.fromkeys(("browser", "site", "observe", "grading"), 0.0), []
        self._budget = self.max_steps or task.max_steps
        self._rings = 0
        with self._faults(f"reset of {task.id}"):
            with self._phase("browser"):
                self._leave()
            with self._phase("site"):
                self.world.reset()
                cookie = self.world.sign_in(task.role).for_browser()
                self._time = self.world.now()
            with self._phase("browser"):
                self._enter(task, cookie)
            observation = self._observe(self.observations)
            self._ahead.start(self._now().tabs.immutable)
            return observation

    def _enter(self, task: Task, cookie: Any) -> None:
        prepared = self._ahead.take()
        files: Mapping[str, Any] = getattr(task, "files", None) or {}
        seed = f"{task.id}/{task.task_seed}/{task.data_seed}"
        session = Session(prepared, now=milliseconds(self._time), seed=seed, files=files)
        self._session = session
        started = session.clock.now

        async def enter() -> None:
            await asyncio.gather(session.context.add_cookies([cookie]), session.clock.publish())
            await session.open(task.start_url)

        self.host.run(enter())
        self._advance(session.clock.now - started)

    def act(self, action: str | Mapping[str, Any] | Action) -> Observation:
        """Take one step. An action that is unreadable or that the page refuses costs the step; `error` says why."""
        if self._session is None or self.done:
            raise UsageError("the episode is over: reset it" if self.done else "reset the episode first")
        before = dict(self.timings)
        self._given.append(action)
        self.steps += 1
        read, error = _read(action)
        with self._faults(f"step {self.steps} of {self._name()}"):
            if read is not None and read.name == "finish":
                self._finish(read)
            else:
                self._step(read, error)
                if self.steps >= self._budget:
                    self._truncate()
        if self.on_step is not None:
            spent = {phase: seconds - before[phase] for phase, seconds in self.timings.items()}
            self.on_step(Step(given=action, action=read, observation=self._last, seconds=spent))
        return self._last

    def _step(self, action: Action | None, error: str) -> None:
        session = self._now()
        if action is not None:
            with self._phase("browser"):
                begun = session.clock.now
                error = self.host.run(session.act(action))
            self._advance(session.clock.now - begun)
            self._release(session)
        self._observe(self.observations, error)

    def _release(self, session: Session) -> None:
        """Server-sent events reach the pages at the end of the step in which they came up."""
        if self.world.rings != self._rings:
            with self._phase("browser"):
                if self.host.run(session.release()):
                    self._rings = self.world.rings

    def finish(self, answer: str | None = None, outcome: str = "DONE") -> Verdict:
        """End the episode as the action `finish` does, and give the verdict."""
        self.act(actions.finish(answer, outcome))
        assert self.verdict is not None
        return self.verdict

    def _finish(self, action: Action) -> None:
        answer, outcome = action.args["answer"], str(action.args["outcome"])
        self.answer, self.outcome = None if answer is None else str(answer), outcome
        self.done = True
        self._last = replace(self._last, error="", steps_left=self._budget - self.steps)
        self._grade(Finish(self.answer, outcome))

    def _truncate(self) -> None:
        self.done = self.truncated = True
        self._grade(None)

    def _grade(self, finish: Finish | None) -> None:
        """Freeze the database and grade the copy; whatever happens later does not count."""
        assert self.task is not None
        with self._phase("site"):
            self.frozen = self.world.freeze()
            failed = self.world.errors()
            view = self.view = self._view()
        if failed:
            raise EnvironmentFault(f"the site failed: {failed[0].strip().splitlines()[-1]}", cause="site_error")
        site = registry.get(self.world.baseline.site)
        with (
            self._phase("grading"),
            Snapshot(self.world.baseline.path, site.metadata) as before,
            Snapshot(self.frozen, site.metadata) as after,
        ):
            expectation = self.task.expectation(before)
            self.verdict = grade(expectation, before, after, finish, view, site.recompute)

    def _view(self) -> Any:
        """The server's record of what the active tab shows; None where that is no page of the site."""
        session = self._now()
        view = session.tabs.views.get(session.tabs.active)
        if view is None:
            return None
        try:
            return self.world.view(view)
        except LookupError as error:
            raise EnvironmentFault(f"the world forgot a page: {error}", cause="lost_view") from None

    def wait_ready(self) -> None:
        """Wait until the context of the next reset is open, which happens in the background anyway."""
        with self._faults("preparing the next episode"):
            self._ahead.wait()

    def observe(self, kinds: Sequence[str] | None = None) -> Observation:
        """Look again, at other kinds if asked for; costs no step and no world time."""
        with self._faults(f"look at {self._name()}"):
            return self._observe(self.observations if kinds is None else kinds, self._last.error)

    def _observe(self, kinds: Sequence[str], error: str = "") -> Observation:
        assert self.task is not None
        with self._phase("observe"):
            seen = self.host.run(self._now().observe(kinds))
        left = self._budget - self.steps
        self._last = replace(seen, goal=self.task.goal, error=error, time=self._time, steps_left=left)
        return self._last

    def box(self, ref: str) -> tuple[float, float, float, float] | None:
        """Where an element stands in the picture: x, y, width, height; None where it is gone or a dialog is open."""
        with self._faults(f"look at {self._name()}"):
            return self.host.run(self._now().box(ref))

    def elements_at(self, x: float, y: float) -> list[str]:
        """References of the elements under a point of the picture, the innermost first."""
        with self._faults(f"look at {self._name()}"):
            return self.host.run(pointing.elements_at(self._now(), x, y))

    def about(self, ref: str) -> About | None:
        """What a person who points at an element must know of it; None where it is gone or a dialog is open."""
        with self._faults(f"look at {self._name()}"):
            return self.host.run(pointing.about(self._now(), ref))

    def give_up(self) -> Verdict:
        """End the episode without finishing, as if the steps were used up: graded, with reward 0."""
        if self._session is None or self.done:
            raise UsageError("the episode is over: reset it" if self.done else "reset the episode first")
        with self._faults(f"giving up {self._name()}"):
            self._truncate()
        assert self.verdict is not None
        return self.verdict

    def checkpoint(self) -> Checkpoint:
        """This moment, for `restore`."""
        if self.task is None or self.done:
            raise UsageError("only an episode under way can be kept")
        return Checkpoint(self.task, tuple(self._given), self._digest())

    def restore(self, checkpoint: Checkpoint) -> Observation:
        """Go back to a moment of this or another episode by taking its steps again, which gives the same pages.

        Raises `EnvironmentFault` (cause `restore_differs`) where it does not.
        """
        observation = self.reset(checkpoint.task)
        recorder, self.on_step = self.on_step, None
        try:
            for action in checkpoint.actions:
                observation = self.act(action)  # type: ignore[arg-type]
        finally:
            self.on_step = recorder
        if self._digest() != checkpoint.tree:
            raise EnvironmentFault("the page is not the one of the checkpoint", cause="restore_differs", retry=False)
        return observation

    def _digest(self) -> str:
        text = f"{self._last.url}\n{self._last.time}\n{self._last.axtree}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def close(self) -> None:
        """Free the browser context; the host and the world stay as they are. May be called twice."""
        self.done = True
        with suppress(EnvironmentFault):  # the browser is gone, and the context with it
            self._leave()
        self._ahead.close()

    def _leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            self.host.run(session.close())

    def _advance(self, ms: int) -> None:
        """Keep the world's clock in step with the browser's."""
        if ms > 0:
            with self._phase("site"):
                self._time = self.world.advance(ms)

    def _now(self) -> Session:
        if self._session is None:
            raise UsageError("reset the episode first")
        return self._session

    def _name(self) -> str:
        return self.task.id if self.task is not None else "no task"

    @contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        """Book the time inside as `name`; a phase within a phase is its own, so that no time counts twice."""
        begun, outside, self._within = time.perf_counter(), self._within, 0.0
        try:
            yield
        finally:
            took = time.perf_counter() - begun
            self.timings[name] = self.timings.get(name, 0.0) + took - self._within
            self._within = outside + took

    @contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """After a fault the episode is over and has no verdict; where grading itself failed, one without a reward."""
        try:
            yield
        except EnvironmentFault:
            self.done, self.verdict = True, None
            raise
        except VerifierError as error:
            self.done, self.verdict = True, Verdict.unscored(str(error))
            raise
        except SitegymError:
            raise
        except Exception as error:
            self.done, self.verdict = True, None
            raise EnvironmentFault(f"{doing}: {type(error).__name__}: {error}", cause="harness_raised") from error


def _read(action: object) -> tuple[Action | None, str]:
    try:
        return actions.parse(action), ""
    except InvalidAction as error:
        return None, str(error)
