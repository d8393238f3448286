"""`prove`: every promise that a task makes, tried out on many instances; what `sitegym prove` calls.

For each instance: the oracle in the browser earns 1, the service oracle leaves the same difference, doing nothing earns
0, every near miss earns 0, other right ways earn 1, and every mutation of the final database is refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .. import tasks as task_room
from ..errors import UsageError
from ..sites import registry
from ..sites.world.baseline import baseline
from ..verifiers import Snapshot
from .evidence import fingerprint
from .files import write_json
from .plan import matching, site_of
from .pool import Event, Pool
from .progress import duration, make_console
from .proof import InstanceProof, proof_matrix
from .record import plain
from .run_folder import new_folder
from .versions import versions

INSTANCE_TIMEOUT_S = 900.0
TRIES_PER_OUTCOME = 30
"""Seeds looked at for each distinct outcome wanted, before it is said that there are no more."""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What `prove` found."""

    instances: tuple[InstanceProof, ...] = field(repr=False)
    path: Path
    """The folder with `proof.json` and the matrix as `proof.txt`."""

    @property
    def failures(self) -> list[str]:
        """A sentence for each promise that was broken, naming the instance and the cause."""
        return [sentence for instance in self.instances for sentence in instance.failures()]

    @property
    def holds(self) -> bool:
        """Whether every promise was kept, and there was one."""
        return bool(self.instances) and not self.failures

    @property
    def exit_code(self) -> int:
        """0 where all holds, else 1."""
        return 0 if self.holds else 1


def prove(
    *,
    tasks: str | Sequence[str] = "*",
    instances: int = 3,
    workers: int = 2,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    headless: bool = True,
    ui: bool = True,
    quiet: bool = False,
) -> Proof:
    """Prove `instances` distinct outcomes of every task that matches (all there are where there are fewer).

    Prints the matrix and a sentence for each failure, and stores both in the folder `out` (`runs/prove-<time>`).
    `ui=False` leaves out what needs a browser. Raises `UsageError` before anything runs where an argument is wrong.
    """
    if instances < 1 or workers < 1:
        raise UsageError(f"instances is {instances} and workers is {workers}; both must be at least 1")
    console, begun = make_console(quiet=quiet), time.monotonic()
    known = matching(tasks)
    about: dict[str, Any] = {"data": data, "data_seed": data_seed, "split": split}
    jobs = [
        {"kind": "proof", "id": f"{task}#{number}", "task": task, "task_seed": number, "ui": ui, **about}
        for task in known
        for number in distinct_seeds(task, instances, first=seed, **about)
    ]
    folder = new_folder(Path(out) if out else Path("runs") / f"prove-{datetime.now():%Y-%m-%d-%H%M%S}")
    settings: dict[str, Any] = {
        "headless": headless,
        "screenshots": False,
        "versions": versions(headless=headless) if ui else {},
    }
    found = _run(jobs, workers=workers, settings=settings, console=console)
    proof = Proof(instances=tuple(found), path=folder)
    seconds = time.monotonic() - begun
    _tell(console, proof, wanted=instances, seconds=seconds)
    _store(proof, settings["versions"], wanted=instances, seconds=seconds)
    console.print(f"Stored in {proof.path}", highlight=False, soft_wrap=True)
    return proof


def _store(proof: Proof, about: dict[str, str], *, wanted: int, seconds: float) -> None:
    write_json(proof.path / "proof.json", to_json(proof, about))
    with (proof.path / "proof.txt").open("w", encoding="utf-8") as file:
        _tell(Console(file=file, width=140), proof, wanted=wanted, seconds=seconds)


def distinct_seeds(
    task: str, count: int, *, first: int = 0, data: str = "base", data_seed: int = 1, split: str | None = None
) -> list[int]:
    """The first task seeds whose instances differ in what they demand of the database or as an answer.

    Another wording of the same demand does not count as another outcome; fewer than `count` where there are no more.
    """
    begin = baseline(site=site_of(task), data=data, seed=data_seed)
    seen: dict[str, int] = {}
    count = min(count, sum(task_room.outcomes(task, data=data, data_seed=data_seed, split=split)))
    with Snapshot(begin.path, registry.get(site_of(task)).metadata) as before:
        for seed in range(first, first + count * TRIES_PER_OUTCOME):
            instance = task_room.task(task, seed, data=data, data_seed=data_seed, split=split)
            seen.setdefault(fingerprint(plain(instance.expectation(before))), seed)
            if len(seen) == count:
                break
    return sorted(seen.values())


def to_json(proof: Proof, about: dict[str, str]) -> dict[str, Any]:
    """The proof as it is stored."""
    return {
        "format": "sitegym-proof",
        "version": 1,
        "versions": about,
        "holds": proof.holds,
        "failures": proof.failures,
        "instances": [instance.to_json() for instance in proof.instances],
    }


def _run(
    jobs: list[dict[str, Any]], *, workers: int, settings: dict[str, Any], console: Console
) -> list[InstanceProof]:
    found: dict[str, InstanceProof] = {}
    tenth = 0
    with TemporaryDirectory(prefix="sitegym-prove-") as logs, _bar(console) as bar:
        shown = bar.add_task("instances", total=len(jobs), told="")
        with Pool(workers=workers, settings=settings, logs=Path(logs), job_timeout_s=INSTANCE_TIMEOUT_S) as pool:
            for event in pool.run(jobs):
                for proof in _over(event, pool):
                    found[proof.id] = proof
                failed = sum(bool(proof.failures()) for proof in found.values())
                told = f"{failed} with failures" if failed else ""
                bar.update(shown, completed=len(found), told=told)
                if not console.is_terminal and len(found) * 10 // len(jobs) > tenth:
                    tenth = len(found) * 10 // len(jobs)
                    console.print(f"{len(found)}/{len(jobs)} instances {told}".rstrip(), highlight=False)
    return [found[job["id"]] for job in jobs]


def _over(event: Event | None, pool: Pool) -> Iterator[InstanceProof]:
    """The instance that an event ends, if it does."""
    if event is None or event.kind == "started":
        return
    if event.kind == "done":
        yield InstanceProof.from_json(event.content["result"])
    elif event.content["retry"] and event.job.attempt == 1:
        pool.retry(event.job)
    else:
        message = event.job.message
        fault = f"{event.content['cause']}: {event.content['message']}"
        yield InstanceProof(id=event.job.id, task=message["task"], task_seed=message["task_seed"], fault=fault)


def _bar(console: Console) -> Progress:
    columns = (BarColumn(bar_width=40), MofNCompleteColumn(), TextColumn("{task.fields[told]}"), TimeElapsedColumn())
    return Progress(
        TextColumn("{task.description}"), *columns, console=console, transient=True, disable=not console.is_terminal
    )


def _tell(console: Console, proof: Proof, *, wanted: int, seconds: float) -> None:
    console.print(proof_matrix(proof.instances, wanted=wanted))
    for sentence in proof.failures:
        console.print(f"✗ {sentence}", style="red", highlight=False, soft_wrap=True, markup=False)
    count = len(proof.instances)
    verdict = "All proofs hold" if proof.holds else f"{len(proof.failures)} proofs failed"
    console.print(f"{verdict}: {count} instances in {duration(seconds)}.", highlight=False)
