"""A finished run of 5,000 episodes: how long resuming it and making its table take; the table of 100,000 as well."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
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

EPISODES, MANY = 5_000, 100_000


def main(*, quick: bool = False) -> list[Row]:
    """Milliseconds, median of some runs."""
    count, many, runs = (500, 2_000, 2) if quick else (EPISODES, MANY, 7)
    with TemporaryDirectory(prefix="sitegym-bench-") as place:
        folder = finished(Path(place) / "run", count)
        evaluate(resume=folder.path, quiet=True)  # what is made once in a process, such as the baseline's check
        command = [sys.executable, "-m", "sitegym.cli", "eval", "--resume", str(folder.path)]
        typed = [_ms(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(runs)]
        resumed = [_ms(lambda: evaluate(resume=folder.path, quiet=True)) for _ in range(runs)]
        told = [_ms(lambda: _table(folder.path)) for _ in range(runs)]
        one = folder.results()[folder.plan.episodes[0].id]
        kept = [_ms(lambda: folder.index.put(one)) for _ in range(10 * runs)]
        large = indexed(Path(place) / "large", many)
        told_large = [_ms(lambda: _table(large.path)) for _ in range(runs)]
    return [
        measured(f"a finished run of {count:,} episodes resumed, as a command", "ms", typed),
        measured("the same in a process that runs already", "ms", resumed),
        measured("its table", "ms", told),
        measured("one more result in its index", "ms", kept),
        measured(f"the table of a run of {many:,} episodes", "ms", told_large),
    ]


def finished(path: Path, count: int) -> RunFolder:
    """A run with so many results, written as a sweep writes them, and the mark that its report is there."""
    folder = _begun(path, count)
    folder.write(*_ended(folder))
    (path / "report").mkdir()
    (path / "report" / "index.html").touch()
    folder.index.wrote(spec.id for spec in folder.plan.episodes)
    folder.note(state="over")
    return folder


def indexed(path: Path, count: int) -> RunFolder:
    """A run with so many results in its index; the folders of its episodes are elsewhere."""
    folder = _begun(path, count)
    folder.index.put(*_ended(folder))
    return folder


def _begun(path: Path, count: int) -> RunFolder:
    tasks = sorted(registry.templates())
    plan = make_plan(tasks=tasks, agents=("noop",), instances=-(-count // len(tasks)), data="tiny")
    return begin_run(plan, versions={}, out=path, screenshots=False)


def _ended(folder: RunFolder) -> Iterator[EpisodeResult]:
    return (
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
        for spec in folder.plan.episodes
    )


def _table(path: Path) -> None:
    folder = RunFolder.open(path)
    Console(quiet=True).print(results_table(folder.plan, folder.results()))


def _ms(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - begun)
