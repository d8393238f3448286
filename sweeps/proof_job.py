"""The proof of one instance, in a worker process: every promise of its task tried out against the real thing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from ..sites import registry
from ..verifiers import Finish, Snapshot, Verdict
from .proof import InstanceProof, Tried

if TYPE_CHECKING:
    from ..envs.host import BrowserHost
    from ..sites.world.client import World
    from ..tasks import Task


def prove_instance(job: dict[str, Any], host: Callable[[], BrowserHost], world: World) -> dict[str, Any]:
    """Everything that is promised of `job["task"]` with `job["task_seed"]`, as the JSON of an `InstanceProof`."""
    task = task_room.task(
        job["task"], job["task_seed"], data=job["data"], data_seed=job["data_seed"], split=job["split"]
    )
    begun = time.perf_counter()
    with TemporaryDirectory(prefix="sitegym-proof-") as folder:
        prover = Prover(task, world, host if job["ui"] else None, Path(folder))
        tried = tuple(prover.all())
    seconds = round(time.perf_counter() - begun, 3)
    return InstanceProof(
        id=job["id"], task=job["task"], task_seed=job["task_seed"], tried=tried, seconds=seconds, goal=task.goal
    ).to_json()


@dataclass
class End:
    """How an attempt ended: a copy of the database, the view that was open, what was said, and the verdict."""

    database: Path
    view: Any
    finish: Finish | None
    verdict: Verdict


class Prover:
    """Tries out one instance. `host` is None where nothing may need a browser."""

    def __init__(self, task: Task, world: World, host: Callable[[], BrowserHost] | None, folder: Path) -> None:
        self.task = task
        self.world = world
        self.site = registry.get(world.baseline.site)
        self._host = host
        self._folder = folder
        self._count = 0
        self.before = Snapshot(world.baseline.path, self.site.metadata)
        self.expectation = task.expectation(self.before)

    def all(self) -> Iterator[Tried]:
        """Every promise, cheapest reason to stop first."""
        raise NotImplementedError
