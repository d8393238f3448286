"""Instances are counted honestly: no two of a template ask for the same thing, in whatever split they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pytest
from sitegym import sites, tasks
from sitegym.sites.world.baseline import baseline
from sitegym.tasks.splits import split_of_all
from sitegym.tasks.task import every
from sitegym.tasks.template import Params
from sitegym.verifiers import DONE, Snapshot


@pytest.fixture(scope="module")
def before() -> Iterator[Snapshot]:
    with Snapshot(baseline("store", "tiny", 1).path, sites.get("store").metadata) as snapshot:
        yield snapshot


@pytest.mark.parametrize("task_id", sorted(tasks.templates()))
def test_no_two_instances_have_the_same_outcome(task_id: str, before: Snapshot) -> None:
    found = defaultdict(list)
    for p in every(task_id, data="tiny"):
        wanted = tasks.template(task_id).expected(before, p)
        assert (wanted.outcome == DONE) is p.feasible, p
        found[_said(wanted.answer), wanted.outcome, _said(wanted.blocker), str(wanted.view), repr(wanted.must)].append(
            p
        )
    assert [several for several in found.values() if len(several) > 1] == []


def test_missing_orders_are_named_by_orders_of_all_splits() -> None:
    missing = [p for p in every("store.admin/order-field", data="tiny") if not p.feasible]
    assert {split_of_all(p.entities()) for p in missing} == set(tasks.SPLITS)
    assert all(_customers(p) for p in missing)


def _customers(p: Params) -> bool:
    return all(name.startswith("customer:") and "@" in name for name in p.entities())


def _said(answer: object) -> str:
    return "" if answer is None else str(answer).casefold()
