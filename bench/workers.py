"""Episodes a minute of a sweep with two workers beside one with a single worker, played in turn; target: 1.6 times.

Both are sweeps as people run them, by the oracle, which takes no time to think. Their rates are those from the first
episodes that were over to the last, so that starting processes and browsers does not count.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from sitegym.sweeps import evaluate
from sitegym.sweeps.index import FILE

from .table import Row, measured

TASKS = ("store.admin/cancel-order", "store.admin/add-tracking", "store.admin/order-field")
INSTANCES, ROUNDS = 12, 3


def main(quick: bool = False) -> list[Row]:
    """The rate of two workers; its ratio to that of one is the speed-up."""
    rates: dict[int, list[float]] = {1: [], 2: []}
    with TemporaryDirectory(prefix="sitegym-bench-") as folder:
        for number in range(1 if quick else ROUNDS):
            for workers in (1, 2) if number % 2 else (2, 1):
                run = Path(folder) / f"{number}-{workers}"
                _sweep(run, workers, 2 if quick else INSTANCES)
                rates[workers].append(_rate(run, workers))
    return [measured("a sweep with two workers", "episodes/min", rates[2], rates[1], "with one worker")]


def _sweep(run: Path, workers: int, instances: int) -> None:
    evaluate(agents=("oracle",), tasks=TASKS, instances=instances, workers=workers, data="tiny", out=run, quiet=True)


def _rate(run: Path, workers: int) -> float:
    """Episodes a minute after the first that each worker was through with."""
    with closing(sqlite3.connect(run / FILE)) as db:
        times = [at for (at,) in db.execute("SELECT changed FROM episodes WHERE state = 'over' ORDER BY changed")]
    counted = times[workers - 1 :]
    seconds: float = counted[-1] - counted[0]
    return 60 * (len(counted) - 1) / seconds
