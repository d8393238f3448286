"""Runs the jobs of a proof on worker processes, keeping each instance as soon as it is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .evaluate import terminate_like_interrupt
from .pool import Event, Pool
from .proof import InstanceProof
from .proof_folder import ProofFolder

INSTANCE_TIMEOUT_S = 900.0


def run_jobs(
    folder: ProofFolder, *, workers: int, settings: dict[str, Any], deadline: float | None, console: Console
) -> tuple[list[InstanceProof], bool]:
    """Every instance that is over, in the order of the jobs, and whether somebody interrupted.

    Nothing is tried that the folder already holds. `deadline` is a time of `time.monotonic` after which all stops.
    """
    found, interrupted = folder.done(), False
    jobs = [job for job in _messages(folder) if job["id"] not in found]
    try:
        with terminate_like_interrupt():
            _run(folder, jobs, found, workers=workers, settings=settings, deadline=deadline, console=console)
    except KeyboardInterrupt:
        interrupted = True
    every = (_id(task, seed) for task, seed in folder.jobs)
    return [found[id] for id in every if id in found], interrupted


def _messages(folder: ProofFolder) -> Iterator[dict[str, Any]]:
    about = {name: folder.settings[name] for name in ("data", "data_seed", "split", "ui")}
    about["only_mutations"] = folder.settings["mutations"]
    for task, seed in folder.jobs:
        yield {"kind": "proof", "id": _id(task, seed), "task": task, "task_seed": seed, **about}


def _id(task: str, seed: int) -> str:
    return f"{task}#{seed}"


def _run(
    folder: ProofFolder,
    jobs: list[dict[str, Any]],
    found: dict[str, InstanceProof],
    *,
    workers: int,
    settings: dict[str, Any],
    deadline: float | None,
    console: Console,
) -> None:
    tenth, total, begun = 0, len(jobs) + len(found), time.monotonic()
    with _bar(console) as bar:
        shown = bar.add_task("instances", total=total, completed=len(found), told="")
        with Pool(
            workers=workers, settings=settings, logs=folder.path / "logs", job_timeout_s=INSTANCE_TIMEOUT_S
        ) as pool:
            for event in pool.run(jobs):
                for proof in _over(event, pool):
                    found[proof.id] = proof
                    folder.add(proof, time.monotonic() - begun)
                failed = sum(bool(proof.failures()) for proof in found.values())
                told = f"{failed} with failures" if failed else ""
                bar.update(shown, completed=len(found), told=told)
                if not console.is_terminal and len(found) * 10 // total > tenth:
                    tenth = len(found) * 10 // total
                    console.print(f"{len(found)}/{total} instances {told}".rstrip(), highlight=False)
                if deadline is not None and time.monotonic() > deadline:
                    return


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
