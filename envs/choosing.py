"""Which task an episode gets: drawn from what an environment was made for, or named at the reset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import tasks
from ..errors import UnknownName, UnknownSplit, UsageError
from ..sites.known import check_world
from .branch import Checkpoint

if TYPE_CHECKING:
    from ..tasks import Task

OPTIONS = ("task", "task_seed", "checkpoint")
"""What `reset(options=…)` may name."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Tasks to draw from: an id, a pattern such as `store.admin/*`, or None for all of the site."""

    task: str | None = None
    split: str | None = None
    data: str = "base"
    data_seed: int = 1
    site: str = "store"
    ids: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        check_world(self.site, self.data, self.data_seed)
        if self.task is not None and not isinstance(self.task, str):
            raise UsageError(f"task is an id, a pattern such as 'store.admin/*', or None, not {self.task!r}")
        if self.split is not None and self.split not in tasks.SPLITS:
            raise UnknownSplit(self.split, tasks.SPLITS)
        object.__setattr__(self, "ids", tasks.match(self.task if self.task is not None else f"{self.site}.*"))

    def draw(self, random: np.random.Generator, options: Mapping[str, Any] | None = None) -> Task | Checkpoint:
        """The task of the next episode: a function of the random numbers and of the options alone.

        A checkpoint that the options name is given back: the episode begins there.
        """
        options = options or {}
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise UsageError(f"no reset option {unknown[0]!r}: there are {', '.join(OPTIONS)}")
        name, task_seed = options.get("task"), options.get("task_seed")
        drawn, drawn_seed = (int(random.integers(2**31)) for _ in range(2))
        if (checkpoint := options.get("checkpoint")) is not None:
            return _begun(checkpoint, name, task_seed)
        if task_seed is not None and (isinstance(task_seed, bool) or not isinstance(task_seed, (int, np.integer))):
            raise UsageError(f"task_seed is a whole number, not {task_seed!r}")
        seed = drawn_seed if task_seed is None else int(task_seed)
        ids = self.ids if name is None else tasks.match(str(name))
        return self._first_of([*ids[drawn % len(ids) :], *ids[: drawn % len(ids)]], seed)

    def _first_of(self, ids: Sequence[str], seed: int) -> Task:
        """An instance of the first template that has one in this data and split."""
        none: UsageError | None = None
        for name in ids:
            try:
                return tasks.task(name, seed, data=self.data, data_seed=self.data_seed, split=self.split)
            except UnknownName:
                raise
            except UsageError as error:
                none = none or error
        assert none is not None
        raise none


def _begun(checkpoint: object, name: object, task_seed: object) -> Checkpoint:
    if not isinstance(checkpoint, Checkpoint):
        raise UsageError(f"checkpoint is what checkpoint() gave, not {type(checkpoint).__name__}")
    if name is not None or task_seed is not None:
        raise UsageError("a checkpoint has a task of its own: leave out task and task_seed")
    return checkpoint
