"""Going back to a moment of an episode: the fast way where it leads there to the byte, else its actions once more."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EnvironmentFault
from . import branch, branch_rows, branch_state
from .branch import Checkpoint, Look, Restored
from .branch_restore import Rebuild, Unreachable
from .upload import files_of

if TYPE_CHECKING:
    from ..sites.world.client import World
    from ..tasks import Task
    from .ahead import Ahead
    from .host import BrowserHost
    from .observation import Observation
    from .phases import Phases
    from .rewards import Scores
    from .session import Session


class Branching:
    """What `checkpoint` and `restore` add to an episode; `AsyncEpisode` is one."""

    host: BrowserHost
    world: World
    task: Task | None
    steps: int
    observations: tuple[str, ...]
    restored: Restored | None = None
    """How the last `restore` went; None after a `reset`."""
    scores: Scores
    _viewport: tuple[int, int]
    _given: list[object]
    _budget: int
    _first: int | None
    _rings: int
    _time: str
    _last: Observation
    _kinds: tuple[str, ...]
    _session: Session | None
    _ahead: Ahead
    _phases: Phases

    async def _checkpoint(self) -> Checkpoint:
        self._playing()
        assert self.task is not None
        with self._phases.spent("browser"):
            browser = await self.host.guard(branch_state.capture(self.session))
        with self._phases.spent("site"):
            world, rows = await self._ask(_captured, self.world)
        return Checkpoint(
            task=self.task,
            steps=self.steps,
            budget=self._budget,
            kinds=self.observations,
            looked=self._kinds,
            viewport=self._viewport,
            taken=tuple(self._given),
            first=self._first,
            rings=self._rings,
            error=self._last.error,
            time=self._time,
            seen=branch.told(self._last),
            changes=self._last.axtree_changes,
            world=world,
            rows=rows,
            browser=browser,
            baseline=branch.origin(self.world.baseline),
            code=branch.code(),
        )

    async def _restore(self, checkpoint: Checkpoint) -> Observation:
        checkpoint.check(self.world.baseline, self._viewport)
        begun = time.perf_counter()
        kinds, self.observations = self.observations, checkpoint.kinds
        try:
            why = checkpoint.browser.slow or await self._rebuild(checkpoint)
            if why:
                await self._replay(checkpoint)
        finally:
            self.observations = kinds
        self._last = replace(self._last, axtree_changes=checkpoint.changes)
        self._first = checkpoint.first
        self.scores.begin(checkpoint.task, self._first)
        await self._ask(self.scores.resume, self._view())
        if kinds != checkpoint.looked:
            await self._observe(kinds, checkpoint.error)
        self.restored = Restored(way="replayed" if why else "fast", why=why, seconds=time.perf_counter() - begun)
        return self._last

    # ---- the fast way

    async def _rebuild(self, checkpoint: Checkpoint) -> str:
        """Load and fill the pages; why that did not lead there, or "" where it did."""
        browser, world = checkpoint.browser, self.world
        begins = int(min(tab.page["origin"] for tab in browser.tabs))
        await self._begin(checkpoint.task)
        with self._phases.spent("browser"):
            opened = await self._ahead.take(None)
            self._session = session = self._ahead.session(opened, begins)
            session.offer(files_of(checkpoint.task))
        with self._phases.spent("site"):
            await self._ask(_adopted, world, checkpoint, begins)
        with self._phases.spent("browser"):
            try:
                await self.host.guard(Rebuild(session, browser, self._teller(begins)).run())
            except Unreachable as reason:
                return str(reason)
            finally:
                self._ahead.begin(None, session.tabs.immutable)
            differing = branch_state.differences(browser, await self.host.guard(branch_state.capture(session)))
        if differing:
            return f"{', '.join(differing)} came out differently"
        with self._phases.spent("site"):
            if await self._ask(world.writes) and not await self._ask(_holds, world, checkpoint):
                return "loading the pages changed the database"
            await self._ask(world.adopt, checkpoint.world)
        self.steps, self._given, self._budget = checkpoint.steps, list(checkpoint.taken), checkpoint.budget
        self._rings, self._time = checkpoint.rings, checkpoint.time
        await self._observe(checkpoint.looked, checkpoint.error)
        if branch.told(self._last) != checkpoint.seen:
            return "the observation came out differently"
        return ""

    def _teller(self, begins: int) -> Callable[[int], Any]:
        """Moves the world's clock, which stands at `begins`, to a time."""
        now = begins

        async def tell(ms: int) -> None:
            nonlocal now
            if ms > now:
                await self._ask(self.world.advance, ms - now)
                now = ms

        return tell

    # ---- the other way

    async def _replay(self, checkpoint: Checkpoint) -> None:
        """Take the actions again. Raises `EnvironmentFault` (cause `restore_differs`) where they lead elsewhere."""
        await self._reset(checkpoint.task)
        self._budget = checkpoint.budget
        for taken in checkpoint.taken:
            if isinstance(taken, Look):
                await self._look(taken.kinds)
            else:
                await self._take(taken)
        self._last = replace(self._last, steps_left=self._budget - self.steps)
        if branch.told(self._last) != checkpoint.seen:
            raise _differs("the page is not the one of the checkpoint")
        with self._phases.spent("site"):
            if not await self._ask(_holds, self.world, checkpoint):
                raise _differs("the database is not the one of the checkpoint")

    # ---- what an episode is for this

    if TYPE_CHECKING:

        @property
        def session(self) -> Session: ...

        def _playing(self) -> None: ...

        def _view(self) -> int | None: ...

        async def _begin(self, task: Task) -> None: ...

        async def _reset(self, task: Task) -> Observation: ...

        async def _take(self, action: object) -> Any: ...

        async def _look(self, kinds: Sequence[str] | None) -> Observation: ...

        async def _observe(self, kinds: Sequence[str], error: str = "") -> Observation: ...

        async def _ask(self, call: Callable[..., Any], *args: Any) -> Any: ...


def _differs(message: str) -> EnvironmentFault:
    return EnvironmentFault(message, cause="restore_differs", retry=False)


@contextmanager
def _file(world: World) -> Iterator[Path]:
    """A name for a file beside the world's; what is there at the end goes."""
    path = world.server.folder / f"branch-{secrets.token_hex(8)}.sqlite"
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _captured(world: World) -> tuple[dict[str, Any], branch_rows.Rows]:
    """The world as data."""
    with _file(world) as path:
        state = world.capture(path)
        return state, branch_rows.read(world.baseline.path, path)


def _adopted(world: World, checkpoint: Checkpoint, now: int) -> None:
    """Put the checkpoint's rows in place, at an earlier time."""
    path = world.server.folder / f"branch-{secrets.token_hex(8)}.sqlite"
    checkpoint.rows.write(world.baseline.path, path)
    world.adopt({**checkpoint.world, "now_ms": now}, path)


def _holds(world: World, checkpoint: Checkpoint) -> bool:
    """Whether the world's rows are the checkpoint's."""
    with _file(world) as path:
        return branch.same_rows(world.baseline, checkpoint.rows, world.freeze(path))
