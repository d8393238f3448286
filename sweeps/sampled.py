"""Instances chosen by a hash: the same for the same commit, others for the next, all of them in the long run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from .. import tasks as task_room


def sampled(
    tasks: Sequence[str], count: int, by: str, *, data: str = "base", data_seed: int = 1, split: str | None = None
) -> list[tuple[str, int]]:
    """`count` instances as template and seed, templates in turn; fewer where there are no more. `by` is the hash."""
    order = sorted(tasks, key=lambda task: _number(by, task))
    seeds = {task: _seeds(task, by, data, data_seed, split) for task in order}
    found: list[tuple[str, int]] = []
    while seeds and len(found) < count:
        for task in list(seeds):
            seed = next(seeds[task], None)
            if seed is None:
                del seeds[task]
            elif len(found) < count:
                found.append((task, seed))
    return found


def _seeds(task: str, by: str, data: str, data_seed: int, split: str | None) -> Iterator[int]:
    """The seeds of one template, each once, in an order that the hash decides."""
    can, can_not = task_room.outcomes(task, data=data, data_seed=data_seed, split=split)
    total = 2 * max(can, can_not) if can and can_not else can + can_not
    yield from sorted(range(total), key=lambda seed: _number(by, task, seed))


def _number(*parts: object) -> str:
    return sha256(":".join(map(str, parts)).encode()).hexdigest()
