"""One episode for plain code: a task given to an agent in a world of its own; `AsyncEpisode` without the `await`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import SitegymError
from ..verifiers import Verdict
from . import actions
from .actions import Action
from .async_episode import AsyncEpisode, Step
from .branch import Checkpoint, Restored
from .observation import Observation
from .rewards import Scores
from .session import Session

if TYPE_CHECKING:
    from ..sites.world.client import World
    from ..tasks import Task
    from .ahead import Ahead
    from .host import BrowserHost
    from .pointing import About

__all__ = ["Checkpoint", "Episode", "Step"]


class Episode:
    """A task, played once. Framework-free and synchronous; safe to use from any one thread at a time.

    `reset(task)` begins; `act(action)` takes a step; after `finish`, or when the steps are used up, `done` is true and
    `verdict` holds. Truncation is graded too, with reward 0. What the page refuses is in `observation.error`; what
    fails on our side raises `EnvironmentFault` (`VerifierError` where grading fails), and the episode has no reward.
    `on_step` is called with a `Step` after each one, in the thread that called `act`.
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
        self.core = AsyncEpisode(
            host,
            world,
            observations=observations,
            viewport=viewport,
            max_steps=max_steps,
            rewards=rewards,
            gamma=gamma,
            ahead=ahead,
        )
        """The same episode for coroutines on the host's loop."""
        self.host = host
        self.world = world
        self.on_step = on_step
        self.on_close: Callable[[], None] | None = None
        """What is still to be done after `close`, once (browser and world given back, see `open_episode`)."""

    def reset(self, task: Task) -> Observation:
        """Begin `task`: the world at its baseline, a fresh context, signed in, the start page settled."""
        return self.host.call(self.core.reset(task))

    def act(self, action: str | Mapping[str, Any] | Action) -> Observation:
        """Take one step. An action that is unreadable or that the page refuses costs the step; `error` says why."""
        step = self.host.call(self.core.take(action))
        if self.on_step is not None:
            self.on_step(step)
        return step.observation

    def finish(self, answer: str | None = None, outcome: str = "DONE") -> Verdict:
        """End the episode as the action `finish` does, and give the verdict."""
        self.act(actions.finish(answer, outcome))
        assert self.verdict is not None
        return self.verdict

    def give_up(self) -> Verdict:
        """End the episode without finishing, as if the steps were used up: graded, with reward 0."""
        return self.host.call(self.core.give_up())

    def wait_ready(self) -> None:
        """Wait until the context of the next reset is open, which happens in the background anyway."""
        self.host.call(self.core.wait_ready())

    def observe(self, kinds: Sequence[str] | None = None) -> Observation:
        """Look again, at other kinds if asked for; costs no step and no world time."""
        return self.host.call(self.core.observe(kinds))

    def box(self, ref: str) -> tuple[float, float, float, float] | None:
        """Where an element stands in the picture: x, y, width, height; None where it is gone or a dialog is open."""
        return self.host.call(self.core.box(ref))

    def elements_at(self, x: float, y: float) -> list[str]:
        """References of the elements under a point of the picture, the innermost first."""
        return self.host.call(self.core.elements_at(x, y))

    def about(self, ref: str) -> About | None:
        """What a person who points at an element must know of it; None where it is gone or a dialog is open."""
        return self.host.call(self.core.about(ref))

    def checkpoint(self) -> Checkpoint:
        """This moment as plain data, for `restore` here or anywhere; costs no step and changes nothing."""
        return self.host.call(self.core.checkpoint())

    def restore(self, checkpoint: Checkpoint) -> Observation:
        """Go back to a moment of this or of another episode; what follows is what would have followed there.

        Pages are loaded anew and filled; where that gives another state than was kept, the actions are taken again.
        `restored` says which it was. Raises `UsageError` for a checkpoint of other data, code or window, and
        `EnvironmentFault` (cause `restore_differs`) where the actions lead elsewhere, too.
        """
        return self.host.call(self.core.restore(checkpoint))

    @property
    def restored(self) -> Restored | None:
        """How the last `restore` went (which way, why, seconds); None after a `reset`."""
        return self.core.restored

    def close(self) -> None:
        """Free the browser context; the host and the world stay as they are. May be called twice."""
        if self.core.open:
            self.host.call(self.core.leave())
        self.core.done = True
        on_close, self.on_close = self.on_close, None
        if on_close is not None:
            on_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def observations(self) -> tuple[str, ...]:
        """The kinds that every step observes."""
        return self.core.observations

    @property
    def max_steps(self) -> int | None:
        """How many steps an episode has; None: as many as its task says."""
        return self.core.max_steps

    @property
    def task(self) -> Task | None:
        """The task of the last reset."""
        return self.core.task

    @property
    def steps(self) -> int:
        """Steps taken since the reset."""
        return self.core.steps

    @property
    def done(self) -> bool:
        """Whether the episode is over, for whatever reason."""
        return self.core.done

    @property
    def truncated(self) -> bool:
        """Whether it ended without a finish, by running out of steps or by giving up."""
        return self.core.truncated

    @property
    def verdict(self) -> Verdict | None:
        """What was graded; None while the episode runs and after a fault."""
        return self.core.verdict

    @property
    def refused(self) -> list[str]:
        """What world and browser refused since the reset, a line each: requests to elsewhere, addresses of files …"""
        return self.core.refused

    @property
    def scores(self) -> Scores:
        """The reward of the last step, and what it is made of."""
        return self.core.scores

    @property
    def fault(self) -> SitegymError | None:
        """What ended the episode where that was no fault of the agent's; None where nothing did."""
        return self.core.fault

    @property
    def answer(self) -> str | None:
        """The answer that the agent finished with."""
        return self.core.answer

    @property
    def outcome(self) -> str | None:
        """The outcome that the agent finished with: DONE, NOT_FOUND …; None without a finish."""
        return self.core.outcome

    @property
    def frozen(self) -> Path | None:
        """The database as it was graded; kept until the next reset of the world."""
        return self.core.frozen

    @property
    def view(self) -> Any:
        """The server's record of the page that was open when the episode was graded; None where there was none."""
        return self.core.view

    @property
    def timings(self) -> dict[str, float]:
        """Seconds since the reset by phase: browser, site, observe, grading."""
        return self.core.timings

    @property
    def session(self) -> Session:
        """The browser session beneath; its coroutines are for `host.run`."""
        return self.core.session
