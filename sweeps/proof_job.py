"""The proof of one instance, in a worker process: every promise of its task tried out against the real thing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from .proof import InstanceProof
from .prover import Prover

if TYPE_CHECKING:
    from ..envs.ahead import Ahead
    from ..sites.world.client import World


def prove_instance(job: dict[str, Any], ahead: Callable[[], Ahead], world: World) -> dict[str, Any]:
    """Everything that is promised of `job["task"]` with `job["task_seed"]`, as the JSON of an `InstanceProof`."""
    task = task_room.task(
        job["task"], job["task_seed"], data=job["data"], data_seed=job["data_seed"], split=job["split"]
    )
    begun = time.perf_counter()
    with TemporaryDirectory(prefix="sitegym-proof-") as folder:
        prover = Prover(task, world, ahead() if job["ui"] and not job["only_mutations"] else None, Path(folder))
        try:
            tried = tuple(prover.mutations() if job["only_mutations"] else prover.all())
        finally:
            prover.close()
    proof = InstanceProof(
        id=job["id"],
        task=job["task"],
        task_seed=job["task_seed"],
        tried=tried,
        seconds=round(time.perf_counter() - begun, 3),
        goal=task.goal,
    )
    return proof.to_json()
