"""The proof of one instance, in a worker process: every promise of its task tried out against the real thing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from .. import tasks as task_room
from ..envs.actions import finish
from ..envs.episode import Episode
from ..errors import EnvironmentFault, SitegymError, VerifierError
from ..sites import registry
from ..verifiers import Finish, Snapshot, Verdict, diff, grade
from ..verifiers.mutate import mutate
from .plan import site_of
from .proof import InstanceProof, Tried

if TYPE_CHECKING:
    from ..envs.host import BrowserHost
    from ..sites.kit.views import View
    from ..sites.world.client import World
    from ..tasks import Task
    from ..tasks.proofs import Attempt


@dataclass
class End:
    """How an attempt ended: the frozen database, the view it ended on, and the verdict."""

    database: Path
    view: View | None
    verdict: Verdict


def prove_instance(job: dict[str, Any], host: Callable[[], BrowserHost], world: World) -> dict[str, Any]:
    """Everything that is promised of `job["task"]` with `job["task_seed"]`, as the JSON of an `InstanceProof`."""
    task = task_room.task(
        job["task"], job["task_seed"], data=job["data"], data_seed=job["data_seed"], split=job["split"]
    )
    begun = time.perf_counter()
    with TemporaryDirectory(prefix="sitegym-proof-") as folder:
        prover = Prover(task, world, host if job["ui"] else None, Path(folder))
        tried = tuple(prover.all())
    seconds = time.perf_counter() - begun
    proof = InstanceProof(
        id=job["id"],
        task=job["task"],
        task_seed=job["task_seed"],
        tried=tried,
        seconds=round(seconds, 3),
        goal=task.goal,
    )
    return proof.to_json()
