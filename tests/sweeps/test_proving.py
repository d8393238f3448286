"""`prove` holds for every template, and finds what is wrong with a task that breaks a promise."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from sitegym import sites, tasks
from sitegym.errors import UnknownTask, UsageError
from sitegym.sites.store.labels import CANCEL_REASON
from sitegym.sites.world import World, WorldServer
from sitegym.sweeps import prove
from sitegym.sweeps.attempts import counted, one_short
from sitegym.sweeps.proof import InstanceProof, Tried
from sitegym.sweeps.proof_summary import tallies
from sitegym.sweeps.prover import Prover
from sitegym.sweeps.proving import distinct_seeds
from sitegym.tasks import Call, NearMiss, Task
from sitegym.verifiers import Finish

from .conftest import TASKS

CANCEL = "store.admin/cancel-order"
STORE = sites.get("store")


KERNEL = [f"store.admin/{name}" for name in TASKS]
"""Templates of every kind; `sitegym prove` without options goes through all of them."""


def test_every_promise_is_kept(tmp_path: Path) -> None:
    proof = prove(tasks=KERNEL, instances=1, workers=2, data="tiny", out=tmp_path / "proof", quiet=True)
    assert proof.failures == []
    assert {instance.task for instance in proof.instances} == set(KERNEL)
    kinds = {one.kind for instance in proof.instances for one in instance.tried}
    assert {"oracle", "service", "noop", "near_miss", "mutation"} <= kinds
    assert all(one["kept"]["mutation"][1] > 1_000 for one in proof_summary(tmp_path)["templates"].values())
    short = [one for instance in proof.instances for one in instance.tried if one.name == "stops one action short"]
    assert len(short) >= 2, "where something is to be left"
    assert not any("goal is met" in one.found for one in short)
    stored = json.loads((tmp_path / "proof" / "proof.json").read_text())
    assert stored["holds"] is True
    assert len(stored["instances"]) == len(KERNEL)
    assert "All proofs hold" in (tmp_path / "proof" / "proof.txt").read_text()


def proof_summary(folder: Path) -> dict[str, Any]:
    """What is published of a proof."""
    summary: dict[str, Any] = json.loads((folder / "proof" / "proof.json").read_text())["summary"]
    return summary


def test_mutations_alone_are_tried_without_a_browser(tmp_path: Path) -> None:
    some = ["store.admin/orders-by-status", "store.admin/sell-out-product", "store.admin/reviews-by-status"]
    saved = tmp_path / "saved.json"
    proof = prove(tasks=some, instances=1, data="tiny", mutations=True, out=tmp_path / "proof", save=saved, quiet=True)
    assert proof.failures == []
    assert {one.kind for instance in proof.instances for one in instance.tried} == {"service", "mutation"}
    told = json.loads(saved.read_text())
    assert told == proof_summary(tmp_path)
    assert tallies(told, "kind").keys() == {
        "change value", "delete row", "insert row", "swap row", "swap value",
    }  # fmt: skip
    assert tallies(told, "table").keys() == STORE.metadata.tables.keys()
    assert set(tallies(told, "class")) >= {"data", "derived", "generated", "order", "trail", "preference", "volatile"}
    assert set(tallies(told, "near")) == {"touched", "beside", "other"}
    assert "versions" not in told, "the same for the same contents, whatever browser there is"


def test_constant_policies_alone_are_tried_without_instances(tmp_path: Path) -> None:
    proof = prove(tasks=CANCEL, instances=0, data="tiny", constants=True, out=tmp_path / "proof", quiet=True)
    assert proof.holds
    assert proof.instances == ()
    assert proof.constants["best"]["all"]["pairs"] > 0
    told = (tmp_path / "proof" / "proof.txt").read_text()
    assert "Best constant policy, all" in told
    assert f"All proofs hold: no constant policy of {len(proof.constants['policies'])} earns what none may" in told


RAISES = """
from sitegym.tasks.store.orders_by_status import OrdersByStatus

class Raises(OrdersByStatus):
    id = "store.admin/raises"

    def expected(self, before, p):
        raise KeyError("no such column")

TEMPLATES = (Raises,)
"""


def test_a_template_that_can_say_nothing_fails_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "raising.py").write_text(RAISES)
    some = ["--task", "store.admin/raises", "--task", "store.admin/orders-by-status", "--instances", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "sitegym.cli", "prove", *some, "--data", "tiny", "--mutations", "--out", "proof"],
        cwd=tmp_path, env={**os.environ, "SITEGYM_TASKS": "raising"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    (sentence,) = json.loads((tmp_path / "proof" / "proof.json").read_text())["failures"]
    assert sentence.startswith("store.admin/raises, seed 0: could not be proven: verifier_raised")
    assert "no such column" in sentence
    assert "1 proof failed: 2 instances" in done.stdout


def test_seeds_stand_for_outcomes_that_differ() -> None:
    seeds = distinct_seeds(CANCEL, 5, data="tiny")
    assert len(seeds) == 5
    can, can_not = tasks.outcomes(CANCEL, data="tiny")
    assert len(distinct_seeds(CANCEL, 5_000, data="tiny")) == can + can_not


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server:
        yield server.open("store", "tiny", 1)


def feasible() -> Task:
    """The first instance that can be done."""
    return next(one for seed in range(20) if (one := tasks.task(CANCEL, seed, data="tiny")).instance.feasible)


@dataclass
class Broken:
    """A task with one of its promises broken; everything else is the real one's."""

    task: Task
    service_oracle: Sequence[Call] = ()
    service_finish: Finish = field(default_factory=Finish)
    misses: Sequence[NearMiss] = ()
    others: Sequence[NearMiss] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)

    def near_misses(self, before: Any) -> Sequence[NearMiss]:
        """The given ones only."""
        return self.misses

    def still_right(self, before: Any) -> Sequence[NearMiss]:
        """The given ones only."""
        return self.others


def failures(task: Any, world: World, folder: Path) -> list[str]:
    """What a proof without a browser finds."""
    prover = Prover(task, world, None, folder)
    try:
        tried = tuple(prover.all())
    finally:
        prover.close()
    return InstanceProof(id="x", task=task.id, task_seed=task.task_seed, tried=tried).failures()


def test_a_sound_task_passes_without_a_browser_too(world: World, tmp_path: Path) -> None:
    task = feasible()
    sound = Broken(task, task.service_oracle, task.service_finish)
    assert failures(sound, world, tmp_path) == []


def test_a_near_miss_that_earns_1_is_found(world: World, tmp_path: Path) -> None:
    task = feasible()
    calls, finish = tuple(task.service_oracle), task.service_finish
    broken = Broken(task, calls, finish, misses=(NearMiss("no miss at all", calls, finish=finish),))
    (sentence,) = failures(broken, world, tmp_path)
    assert sentence.startswith(f"{CANCEL}, seed {task.task_seed}: near misses, no miss at all: wanted 0, found 1")


def test_an_oracle_that_does_something_else_is_found(world: World, tmp_path: Path) -> None:
    task = feasible()
    reason = next(one for one in CANCEL_REASON if one != task.params["reason"])
    wrong = [replace(call, fields={**call.fields, "reason": reason}) for call in task.service_oracle]
    (sentence,) = failures(Broken(task, wrong, task.service_finish), world, tmp_path)
    assert "service oracle, earns its reward: wanted 1, found 0" in sentence


def test_a_call_that_the_service_refuses_is_found(world: World, tmp_path: Path) -> None:
    task = feasible()
    calls, finish = tuple(task.service_oracle), task.service_finish
    twice = NearMiss("canceled twice", calls * 2, finish=finish)
    (sentence,) = failures(Broken(task, calls, finish, misses=(twice,)), world, tmp_path)
    assert "near misses, canceled twice: wanted 0, found Refused" in sentence


def test_another_right_way_that_is_refused_is_found(world: World, tmp_path: Path) -> None:
    task = feasible()
    nothing = NearMiss("by doing nothing")
    (sentence,) = failures(Broken(task, task.service_oracle, task.service_finish, others=(nothing,)), world, tmp_path)
    assert "other right ways, by doing nothing: wanted 1, found 0" in sentence


def test_an_attempt_that_is_stopped_short_lacks_its_last_move() -> None:
    def oracle(page: Any) -> Any:
        page = yield {"action": "click", "ref": page}
        yield {"action": "click", "ref": page}
        yield {"action": "finish"}

    def played(attempt: Any) -> list[dict[str, Any]]:
        moves = [next(playing := attempt("first"))]
        with contextlib.suppress(StopIteration):
            while True:
                moves.append(playing.send("next"))
        return moves

    seen: list[Any] = []
    whole = played(counted(oracle, seen))
    assert whole == played(oracle)
    assert seen == whole[:2]
    assert played(one_short(oracle, len(seen))) == whole[:1]


def test_a_proof_that_tried_nothing_of_a_kind_does_not_hold() -> None:
    empty = Tried(
        kind="mutation", name="of the right database", wanted="all refused", found="none made", count=0, kept=0
    )
    assert not empty.ok
    assert InstanceProof(id="x", task=CANCEL, task_seed=0, tried=(empty,)).failures() != []


def test_what_could_not_be_tried_is_a_failure_with_its_cause() -> None:
    proof = InstanceProof(id="x", task=CANCEL, task_seed=3, fault="browser_died: the browser went away")
    assert proof.failures() == [f"{CANCEL}, seed 3: could not be proven: browser_died: the browser went away"]


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"tasks": "store.admin/cancel-ordr"}, UnknownTask, "did you mean"),
        ({"instances": 0}, UsageError, "must be at least 1"),
        ({"workers": 0}, UsageError, "must be at least 1"),
    ],
)
def test_bad_arguments_are_refused_before_anything_runs(
    tmp_path: Path, arguments: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        prove(out=tmp_path / "proof", quiet=True, **arguments)
    assert not (tmp_path / "proof").exists()
