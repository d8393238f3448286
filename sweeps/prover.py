"""The promises of a task, tried out one by one on one instance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..errors import EnvironmentFault, SitegymError, VerifierError
from ..sites.kit.views import View
from ..verifiers import Diff, Finish, ViewExpectation, diff
from ..verifiers.mutants import Mutant
from ..verifiers.mutate import mutate
from ..verifiers.shape import Shape, shape_of
from ..verifiers.trials import REFUSED, SURVIVED
from .attempts import Bench, End, counted, one_short
from .proof import Tried

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from ..agents.base import Move
    from ..envs.ahead import Ahead
    from ..envs.observation import Observation
    from ..sites.world.client import World
    from ..tasks import NearMiss, Task

_SHOWN = 3
"""How many survivors a failure names."""


class Prover:
    """Tries out one instance. `ahead` opens pages of the world; None where nothing may need a browser."""

    def __init__(self, task: Task, world: World, ahead: Ahead | None, folder: Path) -> None:
        self.task = task
        self.ahead = ahead
        self.bench = Bench(task, world, folder)
        self._right: End | None = None
        self._moves: list[Move] = []
        """What the oracle did."""

    def close(self) -> None:
        """Let go of the baseline."""
        self.bench.close()

    def all(self) -> Iterator[Tried]:
        """Every promise; what goes wrong in one does not keep the others from being tried."""
        if self.ahead is not None:
            yield self._earns("oracle", "in the browser", 1.0, self._oracle)
        yield from self._service()
        yield self._earns("noop", "DONE without an answer", 0.0, self._noop)
        if self._right is not None and len(self._moves) > 1 and self._leaves_something():
            yield self._earns("near_miss", "stops one action short", 0.0, self._short)
        for miss in self.task.near_misses(self.bench.before):
            if self._can_play(miss):
                yield self._earns("near_miss", miss.name, 0.0, partial(self._variant, miss))
        for other in self.task.still_right(self.bench.before):
            if self._can_play(other):
                yield self._earns("still_right", other.name, 1.0, partial(self._variant, other))
        if self._right is not None:
            yield self._mutations(self._right)

    def mutations(self) -> Iterator[Tried]:
        """Only the mutations, of what the service oracle leaves; a view is taken to be the one that is asked for."""
        left: list[End] = []

        def play() -> End:
            view = asked_view(self.bench.expectation.view, self.task.start_url)
            left.append(self.bench.by_calls(self.task.service_oracle, self.task.service_finish, view))
            return left[0]

        yield self._earns("service", "earns its reward", 1.0, play)
        if left and left[0].verdict.reward == 1.0:
            yield self._mutations(left[0])

    def _can_play(self, variant: NearMiss) -> bool:
        if variant.ui is not None:
            return self.ahead is not None
        return variant.view is not None or self._right is not None or self.bench.expectation.view is None

    def _oracle(self) -> End:
        assert self.ahead is not None
        end = self.bench.in_browser(self.ahead, counted(self.task.oracle(), self._moves))
        if end.verdict.reward == 1.0:
            self._right = end
        return end

    def _leaves_something(self) -> bool:
        """Whether the last action counts by what it leaves, not by what it says."""
        want = self.bench.expectation
        return bool(want.must or want.view)

    def _short(self) -> End:
        """The oracle without its last action; where that only looked (the same was left without it), without the next.

        Raises `VerifierError` where nothing is ever missing.
        """
        assert self.ahead is not None
        assert self._right is not None
        for count in range(len(self._moves), 0, -1):
            end = self.bench.in_browser(self.ahead, one_short(self.task.oracle(), count))
            if self.bench.expectation.view or self._changes(end) != self._changes(self._right):
                return end
        raise VerifierError("the oracle leaves the same without any of its actions")

    def _service(self) -> Iterator[Tried]:
        """The service oracle changes the same, and earns 1 as well (where a view is asked for: with the browser's)."""
        wanted = 1.0 if self._right or self.bench.expectation.view is None else 0.0
        left: list[End] = []

        def play() -> End:
            view = self._right.view if self._right else None
            left.append(self.bench.by_calls(self.task.service_oracle, self.task.service_finish, view))
            return left[0]

        yield self._earns("service", "earns its reward", wanted, play)
        if left and self._right:
            yield self._same(self._right, left[0])
        elif left and left[0].verdict.reward == 1.0:
            self._right = left[0]

    def _same(self, one: End, other: End) -> Tried:
        here, there = (self._changes(end) for end in (one, other))
        apart = sorted(here ^ there)
        found = "the same" if not apart else "; ".join(f"{'browser' if a in here else 'service'}: {a}" for a in apart)
        return Tried(
            kind="service",
            name="difference",
            wanted="the browser's",
            found=found[:600],
            kept=int(not apart),
        )

    def _changes(self, end: End) -> set[str]:
        with self.bench.after(end.database) as after:
            return judged(diff(self.bench.before, after), after.metadata)

    def _noop(self) -> End:
        if self.ahead is None:
            return self.bench.by_calls((), Finish(None, "DONE"))
        return self.bench.in_browser(self.ahead, nothing)

    def _variant(self, variant: NearMiss) -> End:
        if variant.ui is not None:
            assert self.ahead is not None
            return self.bench.in_browser(self.ahead, variant.ui)
        view = variant.view if variant.view is not None else self._right.view if self._right else None
        return self.bench.by_calls(variant.calls, variant.finish, view)

    def _earns(self, kind: str, name: str, wanted: float, play: Callable[[], End]) -> Tried:
        try:
            verdict = play().verdict
        except EnvironmentFault as error:
            raise EnvironmentFault(f"{kind}, {name}: {error}", cause=error.cause, retry=error.retry) from error
        except VerifierError as error:
            raise VerifierError(f"{kind}, {name}: {error}") from error
        except SitegymError as error:
            found = f"{type(error).__name__}: {error}"
            return Tried(kind=kind, name=name, wanted=f"{wanted:g}", found=found, kept=0)
        found = f"{verdict.reward:g}, since {verdict.reason}" if verdict.reward is not None else verdict.reason
        return Tried(kind=kind, name=name, wanted=f"{wanted:g}", found=found, kept=int(verdict.reward == wanted))

    def _mutations(self, right: End) -> Tried:
        bench = self.bench
        with bench.after(right.database) as after:
            found = mutate(
                bench.expectation,
                bench.before,
                after,
                right.finish,
                right.view,
                bench.site.recompute,
                seed=self.task.task_seed,
            )
        counts = found.counts()
        wrong = [f"{trial.mutant}: {trial.why}" for trial in (*found.survivors, *found.unnamed)]
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        told = f"{len(found.survivors)} survived, {len(found.unnamed)} refused without being named"
        return Tried(
            kind="mutation",
            name="of the right database",
            wanted="all refused by name",
            found=f"{told}: {'; '.join(wrong[:_SHOWN])}{more}" if wrong else "all refused by name",
            count=counts[REFUSED] + counts[SURVIVED],
            kept=counts[REFUSED] - len(found.unnamed),
            detail={sort: _plain(found.by(told_by)) for sort, told_by in _SORTS.items()},
        )


_SORTS: dict[str, Callable[[Mutant], str]] = {
    "table": lambda mutant: mutant.table,
    "kind": lambda mutant: f"{mutant.kind} {'value' if mutant.column else 'row'}",
    "class": lambda mutant: mutant.cls,
    "near": lambda mutant: mutant.near,
}


def _plain(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Counters as dicts, which `dataclasses.asdict` can copy."""
    return {name: dict(count) for name, count in counts.items()}


def asked_view(want: ViewExpectation | None, start_url: str) -> View | None:
    """The record of a page such as is asked for."""
    if want is None:
        return None
    host = want.host or urlsplit(start_url).hostname or ""
    return View(id=0, host=host, path=want.path, filters=want.filters, sort=want.sort or (), q=want.q)


def nothing(observation: Observation) -> Generator[Move, Observation, None]:
    """An attempt that finishes at once."""
    yield from ()


def judged(changes: Diff, metadata: MetaData) -> set[str]:
    """What a verdict looks at in a difference, as text: data rows without volatile, derived and generated columns."""
    found = set()
    for name, table in changes.tables.items():
        shape = shape_of(metadata, name)
        for key, cells in table.updated.items():
            kept = {column: new for column, (_, new) in cells.items() if _is_judged(shape, column)}
            if kept and shape.rows == "data":
                found.add(f"{name} {key} becomes {kept}")
        for word, rows in (("gains", table.inserted), ("loses", table.deleted)):
            for row in rows.values():
                if shape.row_class(row) == "data":
                    found.add(f"{name} {word} {_kept(shape, row)}")
    return found


def _is_judged(shape: Shape, column: str) -> bool:
    return shape.classes[column] in {"data", "order"}


def _kept(shape: Shape, row: dict[str, Any]) -> dict[str, Any]:
    return {column: value for column, value in row.items() if _is_judged(shape, column)}
