"""A world inside the server process: its present, what is made ready behind it, its checkpoints and frozen copies.

A world has two doors. The front one shows the present. Behind the other one the next stretch of the world's life may be
made ready (somebody signed in, a page open); turning makes it the present without touching what was opened there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from ...errors import UsageError
from ..kit.site import Site
from ..kit.views import View
from ..kit.world import WorldContext, milliseconds
from .errors import UnknownCheckpoint
from .files import copy
from .generations import Generation
from .keeper import Keeper
from .source import Files, Source, Stored


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A state to go back to: the rows, the time, what had been rendered, told to open pages, and failed."""

    path: Path
    now_ms: int
    views: tuple[View, ...]
    rings: int = 0
    errors: tuple[str, ...] = ()


class HostedWorld:
    """One world: its own files, its own clock; shares nothing that can be written with any other."""

    def __init__(
        self, site: Site, baseline: Path, secret: bytes, folder: Path, keeper: Keeper, source: Source | None = None
    ) -> None:
        self.site = site
        self.secret = secret
        self._start_ms = milliseconds(site.start)
        self._folder = folder
        self._keeper = keeper
        self._source: Source = source or Files(baseline, folder)
        self._numbers = itertools.count(1)
        self._control = Lock()
        self._spare: Generation | None = None
        self._spare_lock = Lock()
        self._closed = False
        self._checkpoints: dict[str, Checkpoint] = {}
        self._frozen: list[Path] = []
        self.front = 0
        """The number of the door that shows the present."""
        self._shown: list[Generation | None] = [self._fresh(), None]
        self._ready = 0
        """The ticket of what is ready behind the other door; 0 where nothing is."""
        keeper.ask(self._prepare)

    # ---- requests

    @contextmanager
    def pinned(self) -> Iterator[Generation]:
        """The current generation, kept alive inside the block even where the world is reset meanwhile."""
        with self.pin().held() as generation:
            yield generation

    def pin(self) -> Generation:
        """The current generation, pinned; the caller unpins it."""
        while True:
            if (generation := self.pin_at(self.front)) is not None:
                return generation

    def pin_at(self, door: int) -> Generation | None:
        """What a door shows, pinned; None where it shows nothing."""
        while (generation := self._shown[door]) is not None:
            if generation.pin():
                return generation
        return None

    @property
    def _current(self) -> Generation:
        generation = self._shown[self.front]
        assert generation is not None
        return generation

    @contextmanager
    def context(self, host: str = "", face: str = "") -> Iterator[WorldContext]:
        """A hold on the world for one service call."""
        with self.pinned() as generation:
            yield WorldContext(generation, host=host, face=face)

    # ---- going back and branching

    def reset(self) -> None:
        """Back to the baseline: rows, clock, view record and sessions; checkpoints stay."""
        with self._open():
            self._switch(self._next())
        self._keeper.ask(self._prepare)

    def make_ready(self) -> tuple[int, Generation]:
        """The baseline behind the other door, in place of what was there: a ticket for `turn`, and it, pinned."""
        with self._open():
            generation = self._next()
            generation.pin()
            self._show(1 - self.front, generation)
            self._ready = ticket = next(self._numbers)
        self._keeper.ask(self._prepare)
        return ticket, generation

    def turn(self, ticket: int) -> bool:
        """Make the present what is ready behind the other door; False, and no change, where that is something else."""
        with self._open():
            if not ticket or ticket != self._ready:
                return False
            self.front, self._ready = 1 - self.front, 0
            self._show(1 - self.front, None)
            self._thaw()
            return True

    def checkpoint(self) -> str:
        """Keep the present state under an id of this world."""
        with self._open():
            id = f"c{next(self._numbers)}"
            self._checkpoints[id] = self._capture(self._folder / f"{id}.sqlite")
            return id

    def restore(self, id: str) -> None:
        """Back to a checkpoint. Raises `UnknownCheckpoint`."""
        with self._open():
            state = self._known(id)
            self._switch(self._generation(self._source.revive(state.path, keep=True), state))

    def forget(self, id: str) -> None:
        """Drop a checkpoint and its copy of the rows. Raises `UnknownCheckpoint`."""
        with self._open():
            self._known(id).path.unlink(missing_ok=True)
            del self._checkpoints[id]

    def branch(self, target: Path, id: str | None) -> Checkpoint:
        """A copy of a checkpoint, or of the present state, at `target`: what a fork starts from."""
        with self._open():
            if id is None:
                return self._capture(target)
            kept = self._known(id)
            copy(kept.path, target)
            return replace(kept, path=target)

    def capture(self, target: Path) -> Checkpoint:
        """The present, with a copy of the rows at `target`, which is the caller's to keep."""
        with self._open():
            return self._capture(target)

    def adopt(self, state: Checkpoint) -> None:
        """Go on from a state captured elsewhere; takes its file over."""
        with self._open():
            self._switch(self._generation(self._source.revive(state.path, keep=False), state))

    def record(self, state: Checkpoint) -> None:
        """Put time and records of the present back to what they were; the rows stay."""
        with self.pinned() as generation:
            generation.rewind(state.now_ms, state.views, state.rings, state.errors)

    # ---- looking

    def freeze(self, target: Path | None) -> Path:
        """A consistent copy of the rows. Without a target it is ours and lives until the next reset or restore."""
        path = target or self._folder / f"frozen-{next(self._numbers)}.sqlite"
        with self.pinned() as generation:
            generation.database.copy_to(path)
        if target is None:
            self._frozen.append(path)
        return path

    @property
    def requests(self) -> int:
        """Requests and calls that are being answered from the current generation."""
        return self._current.pins

    def hush(self) -> None:
        """End the streams of events, which would keep threads of the ports busy."""
        for generation in filter(None, self._shown):
            generation.hush()

    def close(self) -> None:
        """Give everything up; requests under way still end on their generation."""
        with self._control:
            if self._closed:
                return
            self._closed = True
            for generation in filter(None, self._shown):  # stays in place: who asks late is answered from it
                generation.retire()
            self.drop_spare()
            for state in self._checkpoints.values():
                state.path.unlink(missing_ok=True)
            self._thaw()
            self._source.close()

    # ---- generations

    @contextmanager
    def _open(self) -> Iterator[None]:
        """One control operation at a time, and none on a world that another thread has closed."""
        with self._control:
            if self._closed:
                raise UsageError("this world is closed")
            yield

    def _switch(self, generation: Generation) -> None:
        self._show(self.front, generation)
        self._thaw()

    def _show(self, door: int, generation: Generation | None) -> None:
        old, self._shown[door] = self._shown[door], generation
        if old is not None:
            old.retire()

    def _fresh(self) -> Generation:
        return self._generation(self._source.fresh(), Checkpoint(path=Path(), now_ms=self._start_ms, views=()))

    def _generation(self, rows: Stored, state: Checkpoint) -> Generation:
        generation = Generation(rows, secret=self.secret, now_ms=state.now_ms, dispose=self._dispose)
        generation.rewind(state.now_ms, state.views, state.rings, state.errors)
        return generation

    def _capture(self, target: Path) -> Checkpoint:
        with self.pinned() as generation:
            generation.database.copy_to(target)
            return Checkpoint(
                path=target,
                now_ms=generation.now_ms,
                views=tuple(generation.views.all()),
                rings=generation.rings,
                errors=tuple(generation.errors),
            )

    def _prepare(self) -> None:
        """Make the next spare; runs in the background."""
        with self._spare_lock:
            if self._spare is None and not self._closed:
                self._spare = self._fresh()
                self._spare.database.warm()

    def _next(self) -> Generation:
        """The spare, where there is one that can be used, else a generation made now."""
        spare = self._take_spare()
        if spare is not None and not spare.database.usable():
            spare.retire()
            spare = None
        return spare or self._fresh()

    def _take_spare(self) -> Generation | None:
        """The spare; waits for one that is being made, for that is sooner than making another."""
        with self._spare_lock:
            spare, self._spare = self._spare, None
            return spare

    def drop_spare(self) -> None:
        """Do without the spare; the next reset makes its rows itself."""
        if spare := self._take_spare():
            spare.retire()

    def _dispose(self, generation: Generation) -> None:
        """Closing files takes longer than a reset may, so it is done behind it."""
        self._keeper.ask(generation.database.dispose)

    def _known(self, id: str) -> Checkpoint:
        if id not in self._checkpoints:
            raise UnknownCheckpoint(id, self._checkpoints)
        return self._checkpoints[id]

    def _thaw(self) -> None:
        """Delete our frozen copies; who has one open keeps reading it."""
        frozen, self._frozen = self._frozen, []
        for path in frozen:
            path.unlink(missing_ok=True)
