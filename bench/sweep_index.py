"""A finished run of 5,000 episodes: how long it takes to resume it, and to make its table, from the index alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from sitegym.sweeps import evaluate
from sitegym.sweeps.beginning import begin_run
from sitegym.sweeps.plan import make_plan
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.table import results_table
from sitegym.tasks import registry

from .table import Row, measured

EPISODES = 5_000


def main(*, quick: bool = False) -> list[Row]:
    """Milliseconds, median of some runs."""
    count, runs = (500, 2) if quick else (EPISODES, 7)
    with TemporaryDirectory(prefix="sitegym-bench-") as place:
        folder = finished(Path(place) / "run", count)
        evaluate(resume=folder.path, quiet=True)  # what is made once in a process, such as the baseline's check
        resumed = [_ms(lambda: evaluate(resume=folder.path, quiet=True)) for _ in range(runs)]
        told = [_ms(lambda: _table(folder.path)) for _ in range(runs)]
        one = folder.results()[folder.plan.episodes[0].id]
        kept = [_ms(lambda: folder.index.put(one)) for _ in range(10 * runs)]
    return [
        measured(f"a finished run of {count:,} episodes resumed", "ms", resumed),
        measured("its table", "ms", told),
        measured("one more result in its index", "ms", kept),
    ]


def finished(path: Path, count: int) -> RunFolder:
    """A run with so many results, written as a sweep writes them, and the mark that its report is there."""
    tasks = sorted(registry.templates())
    plan = make_plan(tasks=tasks, agents=("noop",), instances=-(-count // len(tasks)), data="tiny")
    folder = begin_run(plan, versions={}, out=path, screenshots=False)
    ended = (
        EpisodeResult(
            id=spec.id,
            task=spec.task,
            task_seed=spec.task_seed,
            agent=spec.agent,
            status=Status.FINISHED,
            reward=0.0,
            goal_met=False,
            clean=True,
            timings={"browser": 1.5, "model": 0.25, "grading": 0.02},
        )
        for spec in plan.episodes
    )
    folder.write(*ended)
    (path / "report").mkdir()
    (path / "report" / "index.html").touch()
    folder.index.wrote(spec.id for spec in plan.episodes)
    folder.note(state="over")
    return folder


def _table(path: Path) -> None:
    folder = RunFolder.open(path)
    Console(quiet=True).print(results_table(folder.plan, folder.results()))


def _ms(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - begun)
