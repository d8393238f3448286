"""What a run's index says, taken in as it changes: each look reads only the rows that changed since the last one."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections import Counter, deque
from collections.abc import Hashable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..index import FILE, OVER, RUNNING
from ..plan import Plan
from ..report.groups import instance_of
from ..results import EpisodeResult, Status
from ..run_folder import RunFolder
from .aside import Mark, made_aside, mark

LATEST = 40
"""How many results are kept as the latest."""
_BACK_S = 5.0
"""The wall's clock may be put back a little; rows from so long before the last look are looked at again."""
_ROWS = "SELECT place, id, task, state, result, changed FROM episodes"


class IndexReader:
    """Figures over the episodes of one run. Only reads: an index that does not hold is made anew beside the run."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._instances = {spec.id: instance_of(spec) for spec in folder.plan.episodes}
        self._aside: tempfile.TemporaryDirectory[str] | None = None
        self._aside_of: Mark | None = None
        self._trusted: int | None = None
        """The file, by its number, whose format was found right."""
        self._file: int | None = None
        self._forget()

    def _forget(self) -> None:
        self._counted: dict[str, float | None] = {}
        self._last = 0.0
        self.running: dict[str, float] = {}
        """Ids of the episodes that are being played, and since when (Unix time)."""
        self.outcomes: dict[str, list[tuple[str, Hashable, float]]] = {}
        """By agent, each graded episode: its template, its instance, and 1 for a success."""
        self.ended: Counter[str] = Counter()
        """Episodes that are over, by agent."""
        self.damaged: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        """Episodes that ended in a fault, by agent."""
        self.attempts: Counter[str] = Counter()
        """Attempts that ended in a fault, by cause, those that a retry made good included."""
        self.without: Counter[str] = Counter()
        """Episodes that ended in a fault, by cause."""
        self.cost_usd = 0.0
        self.tokens = 0
        self.latest: deque[tuple[EpisodeResult, float | None]] = deque(maxlen=LATEST)
        """Results as they came, the newest last, and when (Unix time; None where that is not known)."""
        self.times: deque[float] = deque(maxlen=10_000)
        """When episodes were over, in order."""

    @property
    def over(self) -> int:
        """How many episodes are over."""
        return len(self._counted)

    def look(self) -> None:
        """Take in what is new. Raises `sqlite3.Error` where the index can't be read just now."""
        with self._open() as db:
            if not self._take(db, "WHERE changed >= ? ORDER BY changed", (self._last - _BACK_S,)):
                self._forget()  # what was over is to be played again: count anew
                self._take(db, "ORDER BY changed, place", ())

    def result(self, id: str) -> EpisodeResult | None:
        """What became of an episode; None while it is not over. Raises `sqlite3.Error`."""
        with self._open() as db:
            found = db.execute("SELECT result FROM episodes WHERE id = ? AND state = ?", (id, OVER)).fetchone()
        return None if found is None else EpisodeResult.from_json(json.loads(found[0]))

    def results(self, *instance: str | int) -> dict[str, EpisodeResult]:
        """All results, or those of an instance (task and seed), by id in the plan's order. Raises `sqlite3.Error`."""
        which = "state = ? AND task = ? AND task_seed = ?" if instance else "state = ?"
        with self._open() as db:
            asked = f"SELECT result FROM episodes WHERE {which} ORDER BY place"
            rows = db.execute(asked, (OVER, *instance)).fetchall()
        found = (EpisodeResult.from_json(json.loads(text)) for (text,) in rows)
        return {result.id: result for result in found}

    def close(self) -> None:
        """Remove what was made aside."""
        if self._aside is not None:
            self._aside.cleanup()
            self._aside = None

    def _take(self, db: sqlite3.Connection, which: str, values: tuple[float, ...]) -> bool:
        """Count what changed; False where something that was counted is no longer so."""
        for _, id, task, state, text, changed in db.execute(f"{_ROWS} {which}", values):
            self._last = max(self._last, changed or 0.0)
            if state != RUNNING:
                self.running.pop(id, None)
            if id in self._counted:
                if state != OVER or changed != self._counted[id]:
                    return False
            elif state == OVER:
                self._counted[id] = changed
                self._count(EpisodeResult.from_json(json.loads(text)), task, changed)
            elif state == RUNNING:
                self.running[id] = changed or 0.0
        return True

    def _count(self, result: EpisodeResult, task: str, changed: float | None) -> None:
        agent = result.agent
        self.ended[agent] += 1
        if result.graded:
            self.outcomes.setdefault(agent, []).append((task, self._instances[result.id], float(result.success)))
            self.damaged[agent] += result.clean is False
        self.lost[agent] += result.status == Status.FAULT
        self.attempts.update(fault.cause for fault in result.faults)
        if result.status == Status.FAULT:
            self.without[cause_name(result)] += 1
        spent = result.spent
        self.cost_usd += spent.get("cost_usd", 0.0)
        self.tokens += int(spent.get("prompt_tokens", 0) + spent.get("completion_tokens", 0))
        self.latest.append((result, changed))
        if changed is not None:
            self.times.append(changed)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """The index, to read; another file than at the last look is counted from the beginning."""
        path = self._path()
        number = path.stat().st_ino
        if number != self._file:
            self._forget()
            self._file = number
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=5, uri=True)) as db:
                yield db
        except sqlite3.Error:
            self._trusted = None  # it held before: have it looked at more closely the next time
            raise

    def _path(self) -> Path:
        """The run's own index where it holds, else one that is made aside."""
        now = mark(self._folder)
        if self._aside is not None and now == self._aside_of:
            return Path(self._aside.name) / FILE
        self.close()
        if now is None or now[0] != self._trusted:
            if not self._folder.index.whole:
                self._aside, self._aside_of = made_aside(self._folder), now
                return Path(self._aside.name) / FILE
            self._trusted = now[0] if now else None
        return self._folder.path / FILE


def cause_name(result: EpisodeResult) -> str:
    """What an episode without a verdict ended by."""
    return result.faults[-1].cause if result.faults else result.reason.partition(":")[0] or "unknown"


def planned_by_agent(plan: Plan) -> dict[str, int]:
    """How many episodes each agent is to play, in the plan's order."""
    return dict(Counter(spec.agent for spec in plan.episodes))
