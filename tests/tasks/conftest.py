"""What the tests of tasks share: the baselines, a world to call use cases in, and a way to play calls and be graded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sitegym import sites, tasks
from sitegym.sites.world import World, WorldServer, baseline
from sitegym.verifiers import Expectation, Finish, Snapshot, Verdict, grade

STORE = sites.get("store")
IDS = sorted(tasks.templates())


def opened(data: str) -> Snapshot:
    return Snapshot(baseline("store", data, 1).path, STORE.metadata)


@pytest.fixture(scope="session")
def tiny() -> Iterator[Snapshot]:
    with opened("tiny") as snapshot:
        yield snapshot


@pytest.fixture(scope="session")
def base() -> Iterator[Snapshot]:
    with opened("base") as snapshot:
        yield snapshot


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    with WorldServer() as server, server.open("store", "tiny", 1) as one:
        yield one


DONE = Finish()
Played = Callable[..., Verdict]


@pytest.fixture
def played(world: World, tiny: Snapshot, tmp_path: Path) -> Played:
    """Play calls on the service layer of `tiny`, and give the verdict on what they leave."""

    def play(want: Expectation, calls: Sequence[tasks.Call], finish: Finish = DONE, view: Any = None) -> Verdict:
        world.reset()
        for call in calls:
            world.call(call.use_case, actor=call.actor, **call.fields)
        with Snapshot(world.freeze(tmp_path / "after.db"), STORE.metadata) as after:
            return grade(want, tiny, after, finish, view, STORE.recompute)

    return play


def twins(task_id: str, data: str = "tiny") -> list[tasks.Task]:
    """The first pair, or the first two instances where all can be done."""
    return [tasks.task(task_id, seed, data=data) for seed in (0, 1)]
