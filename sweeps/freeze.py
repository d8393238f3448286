"""Choose the instances of a task set and freeze them: balanced, the longest, or sealed by a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import tasks as task_room
from ..errors import UsageError
from ..sites.world.baseline import baseline
from .behaviour import Grounds, asked, played
from .files import read_json
from .frozen import FOLDER, Instance, TaskSet
from .plan import site_of
from .sealing import Key, data_seed, first_seed
from .task_set import write_set

MOST = 10
"""Instances of one template, at most."""
MOST_OF_LONGEST = 5
"""The same in a set of the longest: a handful of templates would not be a sample of what is long."""
SHORT, LONG = 7, 13
"""Steps of the oracle: up to 7 are short, from 13 on long."""

_Chosen = Sequence[tuple[str, int, str]]
"""Template, seed and difficulty of each instance."""


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

    They are balanced over kinds, difficulty, templates and tags. `difficulty` is the file with the steps that oracles
    took. The same code and data give the same set. Raises `UsageError` where a template was not measured.
    """
    sources = [_source(task, steps, data, data_seed, split) for task, steps in _measured(difficulty, tasks)]
    taken = chosen(sources, size)
    listed = [(one.task, seed, one.difficulty) for one in sources for seed in range(taken[one.task])]
    return write_set(_frozen(name, listed, data, data_seed, split), out or FOLDER / f"{name}.json")


def freeze_longest(
    name: str,
    *,
    difficulty: Path,
    size: int = 40,
    tasks: Sequence[str] | None = None,
    data: str = "base",
    data_seed: int = 1,
    split: str | None = "test",
    out: Path | None = None,
) -> Path:
    """Write a set of about `size` instances of the templates whose oracles take longest: by steps, then by screens.

    At most `MOST_OF_LONGEST` of a template; `difficulty` is the file with what was measured.
    """
    sources = [_source(task, steps, data, data_seed, split) for task, steps in _measured(difficulty, tasks)]
    order = longest(read_json(difficulty))
    taken, room = Counter[str](), size
    for one in sorted(sources, key=lambda one: order.index(one.task)):
        taken[one.task] = min(MOST_OF_LONGEST, one.left, room) // one.unit * one.unit
        room -= taken[one.task]
    listed = [(one.task, seed, one.difficulty) for one in sources for seed in range(taken[one.task])]
    return write_set(_frozen(name, listed, data, data_seed, split), out or FOLDER / f"{name}.json")


def seal(
    name: str,
    key: Key,
    *,
    difficulty: Path,
    size: int = 100,
    tasks: Sequence[str] | None = None,
    data: str = "base",
    split: str | None = "test",
    out: Path | None = None,
) -> Path:
    """Write a sealed set: its data, templates and instances are drawn by the key, and told by keyed hashes alone.

    Templates that offer nothing on this data are left out.
    """
    seed = data_seed(key)
    sources = []
    for task, steps in _measured(difficulty, tasks):
        with suppress(UsageError):
            sources.append(_source(task, steps, data, seed, split))
    taken = chosen(sources, size, draw=lambda task: key.of(f"order of {task}"))
    listed = [
        (one.task, first_seed(key, one.task) + number, one.difficulty)
        for one in sources
        for number in range(taken[one.task])
    ]
    return write_set(_frozen(name, listed, data, seed, split, key), out or FOLDER / f"{name}.json")


def _measured(difficulty: Path, tasks: Sequence[str] | None) -> Iterator[tuple[str, float]]:
    steps = mean_steps(read_json(difficulty))
    ids = list(task_room.templates() if tasks is None else tasks)
    if missing := [task for task in ids if task not in steps]:
        raise UsageError(f"{difficulty} does not say how long these are: {', '.join(missing)}")
    yield from ((task, steps[task]) for task in ids)


def _frozen(
    name: str, listed: _Chosen, data: str, data_seed: int, split: str | None, key: Key | None = None
) -> TaskSet:
    """The set of these instances as they behave today."""
    about: dict[str, Any] = {"name": name, "data": data, "data_seed": data_seed, "split": split, "key": key}
    empty = TaskSet(**about, baselines={}, instances=())
    sites = sorted({site_of(task) for task, _, _ in listed})
    hashes = {site: empty.kept(f"baseline of {site}", baseline(site, data, data_seed).hash) for site in sites}
    with Grounds(data, data_seed) as grounds:
        instances = tuple(_instance(*one, grounds, empty) for one in listed)
    return TaskSet(**about, baselines=hashes, instances=instances)


def mean_steps(measured: Mapping[str, Any]) -> dict[str, float]:
    """Steps of each template's oracle, the mean of what was measured."""
    return {task: sum(one["steps"] for one in m["played"]) / len(m["played"]) for task, m in measured.items()}


def band(steps: float) -> str:
    """`short`, `medium` or `long`."""
    return "short" if steps <= SHORT else "long" if steps >= LONG else "medium"


def longest(measured: Mapping[str, Any]) -> list[str]:
    """Templates by the steps of their oracles, and then by the distinct screens that those saw; the longest first."""
    means = {
        task: tuple(sum(one[what] for one in m["played"]) / len(m["played"]) for what in ("steps", "screens"))
        for task, m in measured.items()
    }
    return sorted(means, key=lambda task: (*(-mean for mean in means[task]), task))


def chosen(sources: Sequence[_Source], size: int, draw: Callable[[str], str] = str) -> Counter[str]:
    """How many of each template: again and again one of the kind that has fewest, then of the difficulty, the template
    and the tags that have fewest, until there are `size`. Of templates that are even, `draw` says which comes first."""
    kinds, bands, tags, taken = Counter[str](), Counter[tuple[str, str]](), Counter[str](), Counter[str]()

    def rank(one: _Source) -> tuple[Any, ...]:
        rarest = min((tags[tag] for tag in one.tags), default=0)
        return kinds[one.kind], bands[one.kind, one.difficulty], taken[one.task], rarest, draw(one.task)

    while taken.total() < size and (open_ := [s for s in sources if taken[s.task] + s.unit <= min(MOST, s.left)]):
        one = min(open_, key=rank)
        taken[one.task] += one.unit
        kinds[one.kind] += one.unit
        bands[one.kind, one.difficulty] += one.unit
        tags.update(dict.fromkeys(one.tags, one.unit))
    return taken


def _source(task: str, steps: float, data: str, data_seed: int, split: str | None) -> _Source:
    can, can_not = _outcomes(task, data, data_seed, split)
    both = bool(can and can_not)
    return _Source(task, band(steps), 2 if both else 1, 2 * min(can, can_not) if both else can + can_not)


def _outcomes(task: str, data: str, data_seed: int, split: str | None) -> tuple[int, int]:
    return task_room.outcomes(task, data=data, data_seed=data_seed, split=split)


def _instance(task_id: str, seed: int, difficulty: str, grounds: Grounds, into: TaskSet) -> Instance:
    task = grounds.task(task_id, seed, into.split)
    hashes = {**asked(task, grounds), **played(task, grounds)}
    return Instance(
        task=task_id,
        seed=seed,
        kind=str(task.template.kind),
        tags=task.template.tags,
        difficulty=difficulty,
        feasible=task.instance.feasible,
        **{name: into.kept(f"{name} of {task_id}:{seed}", hash) for name, hash in hashes.items()},
    )
