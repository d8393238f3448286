"""Mutation testing of a verifier: after a right episode every small wrong in the database must be refused.

Each mutant lives inside a savepoint of a copy in memory; only its rows are compared again, the rest of the difference
is reused. A sample, chosen by hash, takes the full path (a file, compared whole) and must get the same verdict.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from inspect import signature
from pathlib import Path
from random import Random

from ..errors import VerifierError
from .account import gravity
from .diff import Diff, TableDiff, diff, row_changes
from .excuses import excuse
from .expectation import Expectation
from .grade import Recompute, Recomputed, grade, judge, stale
from .mutants import Mutant, mutants
from .naming import names
from .outcomes import Finish
from .shape import DERIVED, ORDER, PREFERENCE, TRAIL, VOLATILE, Key, shape_of, shapes
from .snapshot import Row, Snapshot
from .trials import ALLOWED, IMPOSSIBLE, REFUSED, SURVIVED, Mutation, Trial
from .verdict import Verdict
from .views import RecordedView


def mutate(
    expectation: Expectation,
    before: Snapshot,
    after: Snapshot,
    finish: Finish,
    view: RecordedView | None = None,
    recompute: Recompute | None = None,
    *,
    seed: int = 0,
    rows: int = 3,
    full_every: int = 400,
    tables: Collection[str] | None = None,
    chosen: Callable[[Mutant], bool] | None = None,
) -> Mutation:
    """Try mutants of every table of an episode that earned 1, or only of those `tables`, and those `chosen`.

    `rows` is how many rows of each sort (touched, beside, other) are mutated in a table; about one mutant in
    `full_every` takes the full path. Raises `VerifierError` where the episode itself earns no 1, or where both paths
    disagree.
    """
    changes = diff(before, after)
    start = grade(expectation, before, after, finish, view, recompute, changes=changes)
    if start.reward != 1.0:
        raise VerifierError(f"only a right episode can be mutated: {start.reason}")
    run = Mutation()
    with closing(_copy(after)) as connection:
        live = Snapshot.over(connection, after.metadata)
        bench = _Bench(expectation, before, after, live, finish, view, recompute, changes)
        for table in shapes(before.metadata):
            if tables is not None and table not in tables:
                continue
            rng = Random(f"{seed}:{table}")
            made = list(mutants(live, table, changes.of(table), rng, rows=rows))
            for mutant in made if chosen is None else filter(chosen, made):
                run.trials.append(bench.trial(mutant, full=_sampled(mutant, seed, full_every)))
    return run


@dataclass
class _Bench:
    expectation: Expectation
    before: Snapshot
    after: Snapshot
    live: Snapshot
    """A copy of `after` in memory, in which mutants come and go."""
    finish: Finish
    view: RecordedView | None
    recompute: Recompute | None
    changes: Diff
    _rights: dict[tuple[str, Key], Row | None] = field(default_factory=dict)
    _beginnings: dict[tuple[str, Key], Row | None] = field(default_factory=dict)

    def trial(self, mutant: Mutant, *, full: bool) -> Trial:
        with _savepoint(self.live.connection):
            old = {key: self._right(mutant.table, key) for key in mutant.rows}
            try:
                _write(self.live, mutant)
            except sqlite3.IntegrityError as error:
                return Trial(mutant, IMPOSSIBLE, str(error))
            new = {key: self.live.get(mutant.table, key) for key in mutant.rows}
            changes = self._changes(mutant.table, new)
            verdict = self._verdict(mutant, new, changes)
            if full:
                self._compare(mutant, verdict)
            if verdict.reward != 1.0:
                return Trial(mutant, REFUSED, verdict.reason, names(verdict, mutant, self.expectation))
            why = excuse(mutant, old, self.expectation, self.before, self.live, changes)
            return Trial(mutant, ALLOWED if why else SURVIVED, why or "nobody noticed")

    def _right(self, table: str, key: Key) -> Row | None:
        """A row as the right episode left it; most are looked at once for each of their columns."""
        if (table, key) not in self._rights:
            self._rights[table, key] = self.after.get(table, key)
        return self._rights[table, key]

    def _was(self, table: str, key: Key) -> Row | None:
        """A row as it was before the episode."""
        if (table, key) not in self._beginnings:
            self._beginnings[table, key] = self.before.get(table, key)
        return self._beginnings[table, key]

    def _changes(self, name: str, rows: Mapping[Key, Row | None]) -> Diff:
        """The known difference, with the mutant's rows compared again."""
        shape = shape_of(self.live.metadata, name)
        known = self.changes.of(name)
        table = TableDiff(dict(known.inserted), dict(known.deleted), dict(known.updated))
        for key, row in rows.items():
            part = row_changes(shape, self._was(name, key), row)
            for mine, theirs in ((table.inserted, part.inserted), (table.deleted, part.deleted)):
                mine.pop(key, None)
                mine.update(theirs)
            table.updated.pop(key, None)
            table.updated.update(part.updated)
        tables = {**self.changes.tables, name: table}
        return Diff({name: one for name, one in tables.items() if one})

    def _verdict(self, mutant: Mutant, new: Mapping[Key, Row | None], changes: Diff) -> Verdict:
        """The verdict; derived values are computed only where they can matter, and only those that can have moved."""
        checks, damage = judge(self.expectation, self.before, self.live, self.finish, self.view, changes=changes)
        early = Verdict.of(tuple(checks), tuple(damage))
        if early.reward != 1.0 or self._is_idle(mutant, new):
            return early
        if mutant.column is None or mutant.cls != DERIVED:
            return self._grade(self.live, changes)
        shape, moved = shape_of(self.live.metadata, mutant.table), TableDiff()
        for key, row in new.items():
            moved.updated.update(row_changes(shape, self._right(mutant.table, key), row).updated)
        # only derived values are altered, and all others were right before: what follows from these rows is enough; and
        # what follows in other tables matters only where the rows themselves show nothing
        found = Diff({mutant.table: moved})
        damage = stale(self.live, found, self._of(mutant.table)) or stale(self.live, found, self.recompute)
        return Verdict.of(tuple(checks), tuple(sorted(damage, key=gravity)))

    def _of(self, table: str) -> Recompute | None:
        """The site's function for the derived values of one table, where the site can leave out the others."""
        if self.recompute is None or "without" not in signature(self.recompute).parameters:
            return self.recompute
        whole: Callable[..., Recomputed] = self.recompute
        return partial(whole, without=self.live.metadata.tables.keys() - {table})

    def _is_idle(self, mutant: Mutant, new: Mapping[Key, Row | None]) -> bool:
        """Whether no derived value follows from the mutant's rows, neither as they were nor as they are."""
        if mutant.cls == VOLATILE:
            return True
        if self.recompute is None or mutant.cls not in (TRAIL, PREFERENCE, ORDER):
            return False  # few of the others get here, so that this is not worth asking
        there = {key for key in new if self._right(mutant.table, key) is not None}
        return not (
            self.recompute(self.live, {mutant.table: set(new)}) or self.recompute(self.after, {mutant.table: there})
        )

    def _grade(self, after: Snapshot, changes: Diff | None) -> Verdict:
        return grade(self.expectation, self.before, after, self.finish, self.view, self.recompute, changes=changes)

    def _compare(self, mutant: Mutant, verdict: Verdict) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mutant.db"
            path.write_bytes(self.live.connection.serialize())  # `backup` waits for ever on our own savepoint
            with Snapshot(path, self.live.metadata) as after:
                full = self._grade(after, None)
        if full.reward != verdict.reward:
            raise VerifierError(f"{mutant}: {verdict.reward} by its rows, {full.reward} in full ({full.reason})")


def _copy(after: Snapshot) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    after.connection.backup(connection)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("SAVEPOINT mutant")
    try:
        yield
    finally:
        connection.execute("ROLLBACK TO mutant")
        connection.execute("RELEASE mutant")


def _write(live: Snapshot, mutant: Mutant) -> None:
    """Bring the mutant's rows into the database: all go first, so that swapped unique values don't collide."""
    shape = shape_of(live.metadata, mutant.table)
    for key in mutant.rows:
        where = " AND ".join(f'"{name}" = :{name}' for name in shape.key)
        live.connection.execute(f'DELETE FROM "{mutant.table}" WHERE {where}', shape.key_values(key))
    for row in mutant.rows.values():
        if row is not None:
            _insert(live.connection, mutant.table, row)


def _insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    names = ", ".join(f'"{name}"' for name in row)
    connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({", ".join("?" * len(row))})', tuple(row.values()))


def _sampled(mutant: Mutant, seed: int, every: int) -> bool:
    return int.from_bytes(sha256(f"{seed}:{mutant}".encode()).digest()[:4], "big") % every == 0
