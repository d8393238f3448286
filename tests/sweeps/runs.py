"""Runs made up for tests of the report: the real classes, results as they are told, no episode played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sitegym.sweeps.plan import EpisodeSpec, about_templates, make_plan
from sitegym.sweeps.results import EpisodeResult, Fault, Status
from sitegym.sweeps.run_folder import RunFolder

TASKS = ("store.admin/cancel-order", "store.admin/add-tracking", "store.admin/order-field")


def made_up(
    path: Path,
    result: Callable[[EpisodeSpec], dict[str, Any] | None],
    *,
    agents: Sequence[str] = ("oracle", "noop"),
    instances: int = 4,
    repeats: int = 1,
    hashes: dict[str, str] | None = None,
    tasks: Sequence[str] = TASKS,
    split: str | None = None,
    **about: Any,
) -> RunFolder:
    """A run of which each episode has come to what `result` says; None is not played yet."""
    plan = make_plan(tasks=tasks, agents=agents, instances=instances, repeats=repeats, data="tiny", split=split)
    known = {"versions": {}, "settings": {}, "templates": about_templates(plan.tasks), "state": "over"}
    folder = RunFolder.create(path, plan, hashes=hashes or {"store": "a" * 64}, **{**known, **about})
    told = [(spec, result(spec)) for spec in plan.episodes]
    folder.write(*(_result(spec, one) for spec, one in told if one is not None))
    return folder


def graded(success: bool, **more: Any) -> dict[str, Any]:
    """A graded episode."""
    told = {"status": Status.FINISHED, "reward": float(success), "goal_met": success, "clean": True, "reason": "so"}
    return {**told, "steps": 4, "seconds": 2.5, "timings": {"browser": 1.5, "model": 0.5}, **more}


def fault(cause: str, message: str = "it broke") -> dict[str, Any]:
    """An episode that ended in a fault."""
    return {
        "status": Status.FAULT,
        "reason": f"{cause}: {message}",
        "faults": (Fault(cause=cause, message=message, attempt=2),),
    }


def _result(spec: EpisodeSpec, told: dict[str, Any]) -> EpisodeResult:
    return EpisodeResult(id=spec.id, task=spec.task, task_seed=spec.task_seed, agent=spec.agent, **told)
