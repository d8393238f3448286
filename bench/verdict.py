"""Verdict: the database frozen, compared and graded after a canceled order, beside comparing every row in Python."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sitegym.sites import registry
from sitegym.sites.world.client import World, WorldServer
from sitegym.tasks import Task
from sitegym.verifiers import Finish, Snapshot, grade
from sitegym.verifiers.diff import plain_diff

from ._shop import task, timed
from .table import Row, measured

_RUNS = 40


def main() -> Sequence[Row]:
    """Freeze alone, then freeze and verdict, each run followed by the same verdict the plain way."""
    frozen, graded, plainly = [], [], []
    with WorldServer() as server, server.open(data="base") as world, tempfile.TemporaryDirectory() as folder:
        canceled = task()
        for call in canceled.service_oracle:
            world.call(call.use_case, actor=call.actor, **call.fields)
        end = canceled.service_finish
        for run in range(_RUNS):
            path = Path(folder) / f"{run}.sqlite"
            frozen.append(timed(partial(world.freeze, path)))
            graded.append(frozen[-1] + timed(partial(_verdict, world, canceled, end, path)))
            plainly.append(frozen[-1] + timed(partial(_verdict, world, canceled, end, path, plain=True)))
            path.unlink()
    return [
        measured("database frozen", "ms", frozen),
        measured("verdict, freeze included", "ms", graded, plainly, "every row compared in Python"),
    ]


def _verdict(world: World, canceled: Task, end: Finish, path: Path, *, plain: bool = False) -> None:
    site = registry.get(world.baseline.site)
    with Snapshot(world.baseline.path, site.metadata) as before, Snapshot(path, site.metadata) as after:
        changes = plain_diff(before, after) if plain else None
        wanted = canceled.expectation(before)
        verdict = grade(wanted, before, after, end, None, site.recompute, changes=changes)
    if verdict.reward != 1.0:
        raise RuntimeError(f"the bench grades a right outcome, and got: {verdict.reason}")
