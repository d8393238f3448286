"""Splits share nothing, twins share their words, and nobody who always says the same earns a pair."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from sitegym import sites, tasks
from sitegym.errors import UnknownSplit, UsageError
from sitegym.sites.world.baseline import baseline
from sitegym.tasks.splits import split_of_all, split_of_data_seed, split_of_template
from sitegym.tasks.task import every
from sitegym.verifiers import OUTCOMES, Finish, Snapshot, grade

from .counts import TWINS

IDS = sorted(tasks.templates())


@pytest.fixture(scope="module")
def before() -> Iterator[Snapshot]:
    with Snapshot(baseline("store", "tiny", 1).path, sites.get("store").metadata) as snapshot:
        yield snapshot


def entities(split: str) -> set[str]:
    """Every customer, product … that some task of a split is about."""
    found: set[str] = set()
    for task_id in IDS:
        for p in every(task_id):
            if split_of_all(p.entities()) == split:
                found.update(p.entities())
    return found


def test_no_entity_is_in_two_splits() -> None:
    by_split = {split: entities(split) for split in tasks.SPLITS}
    assert all(by_split.values())
    for one, other in combinations(tasks.SPLITS, 2):
        assert by_split[one] & by_split[other] == set()


@pytest.mark.parametrize("split", tasks.SPLITS)
@pytest.mark.parametrize("task_id", IDS)
def test_every_split_of_base_has_every_template(task_id: str, split: str) -> None:
    can, can_not = tasks.outcomes(task_id, split=split)
    assert can > 0
    assert (can_not > 0) == (task_id in TWINS)
    assert tasks.task(task_id, 5, split=split).split == split


def test_templates_and_data_seeds_are_divided_too() -> None:
    assert {split_of_template(one) for one in IDS} == set(tasks.SPLITS)
    assert {split_of_data_seed(seed) for seed in range(1, 11)} == set(tasks.SPLITS)
    assert split_of_data_seed(1) == "train"


def test_an_unknown_split_and_a_split_of_one_twin_are_refused() -> None:
    with pytest.raises(UnknownSplit, match=r"did you mean 'train'"):
        tasks.task(IDS[0], 0, split="trian")
    with pytest.raises(UsageError, match=r"only one of two twins in the split test"):
        tasks.task("store.admin/message-customer", 0, data="tiny", split="test")


def test_the_small_world_has_the_same_twins_as_the_large_one() -> None:
    assert [one for one in IDS if all(tasks.outcomes(one, data="tiny"))] == TWINS


@pytest.mark.parametrize("task_id", TWINS)
def test_one_of_two_consecutive_seeds_can_be_done_and_their_words_do_not_tell_which(task_id: str) -> None:
    first_feasible = 0
    for pair in range(40):
        twins = [tasks.task(task_id, 2 * pair + n) for n in (0, 1)]
        assert sorted(twin.instance.feasible for twin in twins) == [False, True]
        assert {twin.pair for twin in twins} == {pair}
        first_feasible += twins[0].instance.feasible
    assert 8 <= first_feasible <= 32


@pytest.mark.parametrize("task_id", TWINS)
def test_no_constant_end_earns_a_pair(task_id: str, before: Snapshot) -> None:
    for outcome in OUTCOMES:
        for pair in range(5):
            twins = [tasks.task(task_id, 2 * pair + n, data="tiny") for n in (0, 1)]
            rewards = [grade(twin.expectation(before), before, before, Finish(None, outcome)).reward for twin in twins]
            assert min(rewards) == 0.0


@pytest.mark.parametrize("task_id", IDS)
def test_the_same_seed_is_the_same_task_and_the_goal_says_what_to_enter(task_id: str) -> None:
    one, again = tasks.task(task_id, 3), tasks.task(task_id, 3)
    assert (one.goal, one.params) == (again.goal, again.params)
    assert len({tasks.task(task_id, seed).goal for seed in range(8)}) > 4
    assert not re.search(r"\bNone\b|[{}]", re.split("JSON (object|array)", one.goal)[0])


@pytest.mark.parametrize("name", ["cancel-order", "change-shipping-address", "add-tracking"])
def test_the_number_of_an_order_does_not_tell_twins_apart(name: str) -> None:
    every_one = sorted((int(p.number), p.feasible) for p in every(f"store.admin/{name}"))
    kinds = [feasible for _, feasible in every_one]
    right = [sum(kinds[:cut]) + kinds[cut:].count(False) for cut in range(len(kinds))]
    assert 0.44 < min(right) / len(kinds) <= max(right) / len(kinds) < 0.56
    pairs = [[tasks.task(f"store.admin/{name}", 2 * k + n).instance for n in (0, 1)] for k in range(len(kinds) // 2)]
    newer = [max(pair, key=lambda p: int(p.number)).feasible for pair in pairs if pair[0].number != pair[1].number]
    assert 0.4 < sum(newer) / len(newer) < 0.6
