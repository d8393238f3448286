"""Drawing tasks at random, reproducibly."""

from __future__ import annotations

from random import Random

from .registry import match
from .task import Task, task

_SEEDS = 2**31


def sample(
    split: str | None = None, seed: int = 0, *, pattern: str = "*", data: str = "base", data_seed: int = 1
) -> Task:
    """A task drawn by `seed`: first a template that matches `pattern`, each equally likely, then an instance of it."""
    rng = Random(f"sample:{seed}")
    task_id = rng.choice(match(pattern))
    return task(task_id, rng.randrange(_SEEDS), data=data, data_seed=data_seed, split=split)
