"""Episodes a minute of a sweep with two workers beside one with a single worker, played in turn; target: 1.6 times.

Both are sweeps as people run them: by the oracle, which takes no time to think, and by one that takes as long as a fast
model. Rates are those from the first episodes that were over to the last, so that starting processes and browsers does
not count. One worker with an instant agent keeps more than one core busy (a browser's processes, the site, the next
context that is made ready meanwhile), so on two cores two of them can never be twice as fast.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sitegym.agents.oracle import OracleAgent
from sitegym.sweeps import evaluate
from sitegym.sweeps.index import FILE

from .table import Row, measured

if TYPE_CHECKING:
    from sitegym.agents.base import Move
    from sitegym.envs.observation import Observation

TASKS = ("store.admin/cancel-order", "store.admin/add-tracking", "store.admin/order-field")
AGENTS = {"an instant agent": "oracle", "an agent that thinks 0.5 s a step": "sitegym.bench.workers:Thinks"}
INSTANCES, ROUNDS = 12, 3
THINKS_S = 0.5


class Thinks(OracleAgent):
    """The oracle, at the pace of a fast model."""

    def act(self, observation: Observation) -> Move:
        """The oracle's next action, after a while."""
        time.sleep(THINKS_S)
        return super().act(observation)


def main(quick: bool = False) -> list[Row]:
    """The rate of two workers, by agent; its ratio to that of one is the speed-up."""
    return [_compared(name, agent, quick) for name, agent in AGENTS.items()]


def _compared(name: str, agent: str, quick: bool) -> Row:
    rates: dict[int, list[float]] = {1: [], 2: []}
    with TemporaryDirectory(prefix="sitegym-bench-") as folder:
        for number in range(1 if quick else ROUNDS):
            for workers in (1, 2) if number % 2 else (2, 1):
                run = Path(folder) / f"{number}-{workers}"
                _sweep(run, agent, workers, 2 if quick else INSTANCES)
                rates[workers].append(_rate(run, workers))
    return measured(f"a sweep with two workers, {name}", "episodes/min", rates[2], rates[1], "with one worker")


def _sweep(run: Path, agent: str, workers: int, instances: int) -> None:
    evaluate(agents=agent, tasks=TASKS, instances=instances, workers=workers, data="tiny", out=run, quiet=True)


def _rate(run: Path, workers: int) -> float:
    """Episodes a minute after the first that each worker was through with."""
    with closing(sqlite3.connect(run / FILE)) as db:
        times = [at for (at,) in db.execute("SELECT changed FROM episodes WHERE state = 'over' ORDER BY changed")]
    counted = times[workers - 1 :]
    seconds: float = counted[-1] - counted[0]
    return 60 * (len(counted) - 1) / seconds
