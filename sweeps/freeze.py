"""Choose the instances of a task set and freeze them: balanced over kinds, difficulty, templates and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..errors import UsageError
from ..sites.world.baseline import baseline
from .files import read_json, write_json
from .plan import site_of
from .task_set import FOLDER, Befores, Instance, TaskSet, hashes

MOST = 10
"""Instances of one template, at most."""
SHORT, LONG = 7, 13
"""Steps of the oracle: up to 7 are short, from 13 on long."""


@dataclass
class _Source:
    """A template that instances are taken from: one a time, or a pair of twins."""

    task: str
    difficulty: str
    unit: int
    left: int

    @property
    def kind(self) -> str:
        return str(task_room.template(self.task).kind)

    @property
    def tags(self) -> tuple[str, ...]:
        return task_room.template(self.task).tags


def freeze(
    name: str,
    *,
    difficulty: Path,
    size: int = 200,
    tasks: Sequence[str] | None = None,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = "test",
    out: Path | None = None,
) -> Path:
    """Write a set of about `size` instances of the templates `tasks` (all without it), and give its path.

    `difficulty` is the file with the steps that oracles took. The same code and data give the same set. Raises
    `UsageError` where a template was not measured.
    """
    steps = mean_steps(read_json(difficulty))
    ids = list(task_room.templates() if tasks is None else tasks)
    if missing := [task for task in ids if task not in steps]:
        raise UsageError(f"{difficulty} does not say how long these are: {', '.join(missing)}")
    sources = [_source(task, steps[task], data, data_seed, split) for task in ids]
    taken = chosen(sources, size)
    with Befores(data, data_seed) as befores:
        instances = tuple(
            _instance(one, seed, befores, split) for one in sources for seed in range(taken.get(one.task, 0))
        )
    sites = sorted({site_of(one.task) for one in instances})
    frozen = TaskSet(
        name=name,
        data=data,
        data_seed=data_seed,
        split=split,
        baselines={site: baseline(site, data, data_seed).hash for site in sites},
        instances=instances,
    )
    path = out or FOLDER / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, frozen.to_json())
    return path


def mean_steps(measured: Mapping[str, Any]) -> dict[str, float]:
    """Steps of each template's oracle, the mean of what was measured."""
    return {task: sum(one["steps"] for one in m["played"]) / len(m["played"]) for task, m in measured.items()}


def band(steps: float) -> str:
    """`short`, `medium` or `long`."""
    return "short" if steps <= SHORT else "long" if steps >= LONG else "medium"


def chosen(sources: Sequence[_Source], size: int) -> Counter[str]:
    """How many of each template: again and again one of the kind that has fewest, then of the difficulty, the template
    and the tags that have fewest, until there are `size`."""
    kinds, bands, tags, taken = Counter[str](), Counter[tuple[str, str]](), Counter[str](), Counter[str]()

    def rank(one: _Source) -> tuple[Any, ...]:
        rarest = min((tags[tag] for tag in one.tags), default=0)
        return kinds[one.kind], bands[one.kind, one.difficulty], taken[one.task], rarest, one.task

    while taken.total() < size and (open_ := [s for s in sources if taken[s.task] + s.unit <= min(MOST, s.left)]):
        one = min(open_, key=rank)
        taken[one.task] += one.unit
        kinds[one.kind] += one.unit
        bands[one.kind, one.difficulty] += one.unit
        tags.update(dict.fromkeys(one.tags, one.unit))
    return taken


def _source(task: str, steps: float, data: str, data_seed: int, split: str | None) -> _Source:
    can, can_not = task_room.outcomes(task, data=data, data_seed=data_seed, split=split)
    both = bool(can and can_not)
    return _Source(task, band(steps), 2 if both else 1, 2 * min(can, can_not) if both else can + can_not)


def _instance(one: _Source, seed: int, befores: Befores, split: str | None) -> Instance:
    goal, expectation = hashes(one.task, seed, befores, split)
    task = task_room.task(one.task, seed, data=befores.data, data_seed=befores.data_seed, split=split)
    return Instance(
        task=one.task,
        seed=seed,
        kind=one.kind,
        tags=one.tags,
        difficulty=one.difficulty,
        feasible=task.instance.feasible,
        goal=goal,
        expectation=expectation,
    )
