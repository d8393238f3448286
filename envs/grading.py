"""What an episode earned: its frozen database compared with where it began, by what its task expects."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EnvironmentFault, VerifierError, boundary
from ..sites import registry
from ..sites.world.baseline import check_unchanged
from ..verifiers import Finish, Snapshot, Verdict, grade

if TYPE_CHECKING:
    from ..sites.world.client import World, WorldServer
    from ..tasks import Task


def graded(task: Task, world: World, frozen: Path, finish: Finish | None, view: Any) -> Verdict:
    """The verdict on a frozen database; `finish` is None where the episode ended without one.

    Raises `EnvironmentFault` where the baseline or the frozen database can't be relied on, `VerifierError` where
    grading itself fails: then there is no verdict, which is not a reward of 0.
    """
    check_unchanged(world.baseline)
    if (grader := world.server.grader) is not None:
        return _elsewhere(grader, task, world, frozen, finish, view)
    site = registry.get(world.baseline.site)
    with (
        boundary(VerifierError, f"grading {task.id} with seed {task.task_seed}"),
        Snapshot(world.baseline.path, site.metadata) as before,
        Snapshot(frozen, site.metadata) as after,
    ):
        return grade(task.expectation(before), before, after, finish, view, site.recompute)


def _elsewhere(
    grader: WorldServer, task: Task, world: World, frozen: Path, finish: Finish | None, view: Any
) -> Verdict:
    """The verdict of a grader that runs apart from this process; see `envs.grader`."""
    told = grader.ask(
        "grade",
        task=task.id,
        task_seed=task.task_seed,
        data=task.data,
        data_seed=task.data_seed,
        told=[task.goal, task.params],
        hash=world.baseline.hash,
        finish=None if finish is None else asdict(finish),
        view=None if view is None else view.to_json(),
        blob=frozen.read_bytes(),
    )
    return Verdict.from_json(told)


def sound(failures: list[str]) -> None:
    """Raise `EnvironmentFault` where the site failed to answer a request: the episode can't be graded."""
    if failures:
        *_, last = failures[0].strip().splitlines()
        cause = last.removeprefix("cause: ") if last.startswith("cause: ") else "site_error"
        said = failures[0].strip().splitlines()[-2] if cause != "site_error" else last
        raise EnvironmentFault(f"the site failed: {said}", cause=cause)


def shown(world: World, view: int | None) -> Any:
    """The server's record of the page with this number; None where there is none. Fault: the world forgot it."""
    if view is None:
        return None
    try:
        return world.view(view)
    except LookupError as error:
        raise EnvironmentFault(f"the world forgot a page: {error}", cause="lost_view") from None
