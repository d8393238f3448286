"""What an instance does, as hashes: what it asks for, how it is graded, and what the right way leaves behind.

They tell whether two versions of the code mean the same by an instance. Source text is in none of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..sites import registry
from ..sites.world import World, WorldServer
from ..sites.world.baseline import baseline
from ..tasks import Task
from ..tasks.common import wrong_answers
from ..verifiers import OUTCOMES, Diff, Expectation, Finish, Snapshot, Verdict, ViewExpectation, diff, grade
from ..verifiers.mutants import TOUCHED, Mutant
from ..verifiers.mutate import mutate
from .evidence import fingerprint, hash_after
from .plan import site_of
from .rowdiff import difference
from .seen import plain

ASKED = ("goal", "expectation")
"""Hashes of what is asked for and of what it is graded by; need a baseline only."""
PLAYED = ("verdicts", "outcome")
"""Hashes of how it is graded and of what the right way leaves; need a world."""


class Grounds:
    """The baselines of a data set, and worlds on them, opened when first asked for. A context manager."""

    def __init__(self, data: str, data_seed: int) -> None:
        self.data, self.data_seed = data, data_seed
        self._stack = ExitStack()
        self._befores, self._worlds = dict[str, Snapshot](), dict[str, World]()
        self._server: WorldServer | None = None

    def before(self, site: str) -> Snapshot:
        """The database before, of a site."""
        if site not in self._befores:
            path = baseline(site, self.data, self.data_seed).path
            self._befores[site] = self._stack.enter_context(Snapshot(path, registry.get(site).metadata))
        return self._befores[site]

    def task(self, task_id: str, seed: int, split: str | None) -> Task:
        """An instance on this data."""
        return task_room.task(task_id, seed, data=self.data, data_seed=self.data_seed, split=split)

    @contextmanager
    def after(self, task: Task) -> Iterator[Snapshot]:
        """The database after the service oracle of an instance: the one before, where it calls nothing."""
        site, calls = site_of(task.id), task.service_oracle
        if not calls:
            yield self.before(site)
            return
        world = self._world(site)
        world.reset()
        for call in calls:
            world.call(call.use_case, actor=call.actor, **call.fields)
        with (
            tempfile.TemporaryDirectory() as folder,
            Snapshot(world.freeze(Path(folder) / "after.db"), registry.get(site).metadata) as after,
        ):
            yield after

    def _world(self, site: str) -> World:
        if site not in self._worlds:
            if self._server is None:
                self._server = self._stack.enter_context(WorldServer())
            self._worlds[site] = self._stack.enter_context(self._server.open(site, self.data, self.data_seed))
        return self._worlds[site]

    def __enter__(self) -> Grounds:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def asked(task: Task, grounds: Grounds) -> dict[str, str]:
    """The hashes `ASKED`."""
    want = task.expectation(grounds.before(site_of(task.id)))
    return {"goal": fingerprint(task.goal), "expectation": fingerprint(plain(want))}


def played(task: Task, grounds: Grounds) -> dict[str, str]:
    """The hashes `PLAYED`.

    `outcome` is of the rows that the service oracle leaves. `verdicts` is of what the verifier says of that, with the
    right end and others, of nothing done, and of small wrongs in rows that it touched.
    """
    site = site_of(task.id)
    start, before = baseline(site, grounds.data, grounds.data_seed), grounds.before(site)
    with grounds.after(task) as after:
        assert before.path is not None
        assert after.path is not None
        tables = {} if after is before else difference(before.path, after.path, before.metadata)
        said = list(_verdicts(task, before, after))
    return {"verdicts": fingerprint(said), "outcome": hash_after(start.hash, tables)}


@dataclass(frozen=True)
class _Shown:
    """The page that an expectation asks for, as if the server had recorded it."""

    host: str
    path: str
    filters: Mapping[str, Sequence[Sequence[object]]]
    sort: Sequence[str]
    q: str | None
    status: int = 200

    @classmethod
    def of(cls, want: ViewExpectation | None, host: str) -> _Shown | None:
        return None if want is None else cls(want.host or host, want.path, want.filters, want.sort or (), want.q)


@dataclass(frozen=True)
class _Judge:
    want: Expectation
    before: Snapshot
    site: str
    view: _Shown | None = field(repr=False)

    def __call__(self, after: Snapshot, changes: Diff, finish: Finish | None, *, shown: bool = True) -> list[Any]:
        recompute = registry.get(self.site).recompute
        view = self.view if shown else None
        return _brief(grade(self.want, self.before, after, finish, view, recompute, changes=changes))


def _verdicts(task: Task, before: Snapshot, after: Snapshot) -> Iterator[list[Any]]:
    """What is tried, and what the verifier makes of it."""
    site, want, right = site_of(task.id), task.expectation(before), task.service_finish
    judge = _Judge(want, before, site, _Shown.of(want.view, next(iter(registry.get(site).hosts))))
    changes = Diff() if after is before else diff(before, after)
    yield ["right", judge(after, changes, right)]
    yield ["never finished", judge(after, changes, None)]
    yield ["another page", judge(after, changes, right, shown=False)]
    yield ["nothing done", judge(before, Diff(), Finish(), shown=False)]
    for code in OUTCOMES:
        yield [f"ends with {code}", judge(after, changes, Finish(right.answer, code))]
    if (answer := want.answer or want.blocker) is not None:
        for how, said in wrong_answers(answer):
            yield [f"says {how}", judge(after, changes, Finish(said, want.outcome))]
    touched = sorted(changes.tables)
    if touched:
        recompute = registry.get(site).recompute
        run = mutate(
            want, before, after, right, judge.view, recompute,
            rows=1, full_every=_NEVER, tables=touched, chosen=_tried,
        )  # fmt: skip
        yield ["small wrongs", [[str(trial.mutant), trial.result] for trial in run.trials]]


def _tried(mutant: Mutant) -> bool:
    """One in eight of those in rows that the right way touched, drawn by hash."""
    return mutant.near == TOUCHED and sha256(str(mutant).encode()).digest()[0] < 32


_NEVER = 2**40
"""No mutant takes the full path, which is a check of the verifier against itself."""


def _brief(verdict: Verdict) -> list[Any]:
    """What of a verdict counts: wording may change."""
    checks = [check.ok for check in verdict.checks]
    damage = [[one.table, str(one.key), one.column] for one in verdict.damage]
    return [verdict.reward, verdict.goal_met, verdict.clean, checks, damage]
