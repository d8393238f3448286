"""The index of a run, `index.sqlite`: what is planned and what became of it, so that nobody has to walk its folders.

The episodes' own folders are what counts: the index is written after them, and made anew from them where it is missing
or damaged. So it need not survive a power cut, and is written without waiting for the disk.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .plan import EpisodeSpec
from .results import EpisodeResult, Status

FILE = "index.sqlite"
FORMAT = 2
PLANNED, RUNNING, OVER = "planned", "running", "over"
_TABLE = """
CREATE TABLE episodes (
    place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, task_seed INTEGER NOT NULL,
    repeat INTEGER NOT NULL, agent TEXT NOT NULL, state TEXT NOT NULL, status TEXT, reward REAL, result TEXT,
    page INTEGER NOT NULL DEFAULT 0, changed REAL
)"""
"""`changed`: when the state last did, in Unix time; null where that is not known, as in an index that was made anew."""
_BY_CHANGE = "CREATE INDEX by_change ON episodes (changed)"


class RunIndex:
    """The index in a run's folder. Safe to use from several threads and processes; each call is one transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path / FILE

    @property
    def whole(self) -> bool:
        """Whether it is there, and of this format."""
        if not self.path.is_file():
            return False
        try:
            with self._open(to_read=True) as db:
                version: int = db.execute("PRAGMA user_version").fetchone()[0]
                db.execute("SELECT count(result), count(page), count(changed) FROM episodes").fetchone()
        except sqlite3.DatabaseError:
            return False
        return version == FORMAT

    def make(self, specs: Sequence[EpisodeSpec], results: Iterable[EpisodeResult] = ()) -> None:
        """Make it anew for a plan, with the results that there are."""
        self.path.unlink(missing_ok=True)
        rows = ((at, s.id, s.task, s.task_seed, s.repeat, s.agent, PLANNED) for at, s in enumerate(specs))
        with self._open() as db:
            db.execute(_TABLE)
            db.execute(_BY_CHANGE)
            db.executemany(
                "INSERT INTO episodes (place, id, task, task_seed, repeat, agent, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            db.execute(f"PRAGMA user_version = {FORMAT}")
            _put(db, results, None)

    def put(self, *results: EpisodeResult) -> None:
        """Episodes are over."""
        with self._open() as db:
            _put(db, results, time.time())

    def began(self, *ids: str) -> None:
        """Episodes are being played."""
        with self._open() as db:
            update = "UPDATE episodes SET state = ?, changed = ? WHERE id = ?"
            db.executemany(update, [(RUNNING, time.time(), id) for id in ids])

    def reopen(self, ids: Iterable[str]) -> None:
        """Episodes are to be played, whatever became of them before."""
        again = (
            "UPDATE episodes SET state = ?, status = NULL, reward = NULL, result = NULL, page = 0, changed = ? "
            "WHERE id = ?"
        )
        with self._open() as db:
            db.executemany(again, [(PLANNED, time.time(), id) for id in ids])

    def results(self) -> dict[str, EpisodeResult]:
        """Results of the episodes that are over, by id in plan order."""
        with self._open(to_read=True) as db:
            rows = db.execute("SELECT result FROM episodes WHERE state = ? ORDER BY place", (OVER,)).fetchall()
        found = (EpisodeResult.from_json(json.loads(text)) for (text,) in rows)
        return {result.id: result for result in found}

    def left(self) -> int:
        """How many episodes a resumed sweep would play: those that are not over, and those that ended in a fault."""
        with self._open(to_read=True) as db:
            asked = "SELECT COUNT(*) FROM episodes WHERE state != ? OR status = ?"
            found: tuple[int] = db.execute(asked, (OVER, Status.FAULT)).fetchone()
        return found[0]

    def running(self) -> list[str]:
        """Ids of the episodes that are being played, or were when the sweep was killed."""
        with self._open(to_read=True) as db:
            return [id for (id,) in db.execute("SELECT id FROM episodes WHERE state = ? ORDER BY place", (RUNNING,))]

    def unwritten(self) -> set[str]:
        """Ids of the episodes whose page of the report does not show what became of them."""
        with self._open(to_read=True) as db:
            return {id for (id,) in db.execute("SELECT id FROM episodes WHERE page = 0")}

    def wrote(self, ids: Iterable[str]) -> None:
        """The pages of these were written."""
        with self._open() as db:
            db.executemany("UPDATE episodes SET page = 1 WHERE id = ?", [(id,) for id in ids])

    @contextmanager
    def _open(self, *, to_read: bool = False) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={'ro' if to_read else 'rwc'}", timeout=60, uri=True)
        try:
            if not to_read:
                db.execute("PRAGMA synchronous = OFF")
            with db:
                yield db
        finally:
            db.close()


def _put(db: sqlite3.Connection, results: Iterable[EpisodeResult], now: float | None) -> None:
    db.executemany(
        "UPDATE episodes SET state = ?, status = ?, reward = ?, result = ?, page = 0, changed = ? WHERE id = ?",
        ((OVER, one.status, one.reward, json.dumps(one.to_json()), now, one.id) for one in results),
    )
