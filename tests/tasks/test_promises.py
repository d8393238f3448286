"""The promises of every template, on the service layer of `tiny`: right ways earn 1, near misses 0, mutants nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sitegym import tasks
from sitegym.sites.world import World
from sitegym.verifiers import Finish, Snapshot, ViewExpectation, grade
from sitegym.verifiers.mutate import REFUSED, mutate

from . import counts
from .conftest import IDS, STORE, Played, twins


def of_each(task_id: str) -> list[tasks.Task]:
    """Both twins, or the first instance where all can be done; always two of a kernel template."""
    return twins(task_id)[: 2 if task_id in (*counts.TWINS, *counts.KERNEL) else 1]


TWINS = [pytest.param(task, id=f"{task.id}-{task.task_seed}") for task_id in IDS for task in of_each(task_id)]


@dataclass
class Shown:
    """The view that an expectation asks for."""

    want: ViewExpectation | None
    sort: tuple[str, ...] = ("-placed_at",)
    q: str = ""
    status: int = 200
    host: str = "admin.shop.localhost"
    path: str = ""
    filters: Any = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.want is not None:
            self.path, self.filters = self.want.path, self.want.filters
            self.sort = self.want.sort or self.sort


@pytest.mark.parametrize("task", TWINS)
def test_the_service_oracle_earns_one(task: tasks.Task, played: Played, tiny: Snapshot) -> None:
    want = task.expectation(tiny)
    verdict = played(want, task.service_oracle, task.service_finish, Shown(want.view))
    assert verdict.reward == 1.0, verdict.reason


@pytest.mark.parametrize("task", TWINS)
def test_doing_nothing_earns_nothing(task: tasks.Task, tiny: Snapshot) -> None:
    want = task.expectation(tiny)
    assert grade(want, tiny, tiny, Finish()).reward == 0.0
    if want.outcome != "DONE":
        assert grade(want, tiny, tiny, Finish(None, want.outcome)).reward == 0.0


@pytest.mark.parametrize("task", TWINS)
def test_every_near_miss_earns_nothing(task: tasks.Task, played: Played, tiny: Snapshot) -> None:
    want = task.expectation(tiny)
    misses = [miss for miss in task.near_misses(tiny) if miss.ui is None]
    assert len({miss.name for miss in misses}) == len(misses) >= 3
    for miss in misses:
        verdict = played(want, miss.calls, miss.finish, miss.view or Shown(want.view))
        assert verdict.reward == 0.0, miss.name


@pytest.mark.parametrize("task", TWINS)
def test_every_other_right_way_earns_one(task: tasks.Task, played: Played, tiny: Snapshot) -> None:
    want = task.expectation(tiny)
    others = [other for other in task.still_right(tiny) if other.ui is None]
    assert others
    for other in others:
        verdict = played(want, other.calls, other.finish, other.view or Shown(want.view))
        assert verdict.reward == 1.0, f"{other.name}: {verdict.reason}"


@pytest.mark.parametrize("task", TWINS)
def test_every_mutation_of_the_right_database_is_refused(
    task: tasks.Task, world: World, tiny: Snapshot, tmp_path: Path
) -> None:
    world.reset()
    for call in task.service_oracle:
        world.call(call.use_case, actor=call.actor, **call.fields)
    want = task.expectation(tiny)
    with Snapshot(world.freeze(tmp_path / "after.db"), STORE.metadata) as after:
        found = mutate(want, tiny, after, task.service_finish, Shown(want.view), STORE.recompute, rows=1)
    assert "; ".join(str(trial.mutant) for trial in found.survivors) == ""
    assert found.counts()[REFUSED] > 400
    assert len(found.by_table()) == len(STORE.metadata.tables)


@pytest.mark.parametrize("code", ["DONE", "NOT_FOUND", "NOT_ALLOWED", "PERMISSION_DENIED", "INVALID_INPUT"])
@pytest.mark.parametrize("said", [None, "0", "1", "DONE", "100123", "INV-000001", "yes", '{"name": "", "email": ""}'])
def test_no_constant_policy_earns_on_any_pair(code: str, said: str | None, tiny: Snapshot) -> None:
    for task_id in IDS:
        rewards = [grade(task.expectation(tiny), tiny, tiny, Finish(said, code)).reward for task in twins(task_id)]
        assert 0.0 in rewards


@pytest.mark.parametrize("task", TWINS)
def test_echoing_the_goal_earns_nothing(task: tasks.Task, tiny: Snapshot) -> None:
    for code in ("DONE", "NOT_FOUND", "NOT_ALLOWED", "INVALID_INPUT"):
        assert grade(task.expectation(tiny), tiny, tiny, Finish(task.goal, code)).reward == 0.0
