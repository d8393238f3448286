"""Instances: as many distinct outcomes as the data offers, reproducible, fairly split, asked for without ambiguity."""

from __future__ import annotations

import re
from random import Random

import pytest
from sitegym import tasks
from sitegym.errors import UnknownSplit, UnknownTask, UsageError
from sitegym.tasks.splits import split_of_all
from sitegym.tasks.task import every
from sitegym.verifiers import Snapshot

from .conftest import IDS
from .counts import COUNTS, KERNEL, TWINS


def test_every_template_has_its_number_of_outcomes_written_down() -> None:
    assert set(IDS) == set(COUNTS)
    assert set(IDS) >= set(KERNEL)


@pytest.mark.parametrize("task_id", IDS)
def test_base_offers_many_instances_and_all_can_be_graded(task_id: str, base: Snapshot) -> None:
    found = tasks.outcomes(task_id)
    assert all(have >= want for have, want in zip(found, COUNTS[task_id], strict=True)), found
    template = tasks.template(task_id)
    for params in every(task_id):
        want = template.expected(base, params)
        want.check(base)
        assert (want.outcome == "DONE") == params.feasible, params


@pytest.mark.parametrize("task_id", IDS)
def test_no_two_instances_demand_the_same(task_id: str, base: Snapshot) -> None:
    template = tasks.template(task_id)
    demands = [str(template.expected(base, params)) for params in every(task_id)]
    assert len(set(demands)) == len(demands)


@pytest.mark.parametrize("task_id", IDS)
def test_consecutive_seeds_give_distinct_outcomes_and_twins_come_in_pairs(task_id: str) -> None:
    drawn = [tasks.task(task_id, seed) for seed in range(20)]
    can_not = tasks.outcomes(task_id)[1]
    for one, other in zip(drawn[::2], drawn[1::2], strict=True):
        assert one.pair == other.pair
        assert not can_not or one.instance.feasible != other.instance.feasible
    distinct = min(20, sum(tasks.outcomes(task_id)))
    assert len({str(task.instance) for task in drawn}) == distinct


@pytest.mark.parametrize("task_id", TWINS)
def test_twins_of_a_pair_share_their_wording(task_id: str) -> None:
    for pair in range(12):
        one, other = (tasks.task(task_id, 2 * pair + place) for place in (0, 1))
        template = tasks.template(task_id)
        places = [list(template.intents(task.instance)).index(task.goal) for task in (one, other)]
        assert places[0] == places[1]


@pytest.mark.parametrize("task_id", TWINS)
def test_which_twin_comes_first_is_drawn(task_id: str) -> None:
    first = [tasks.task(task_id, 2 * pair).instance.feasible for pair in range(60)]
    assert 15 < sum(first) < 45


@pytest.mark.parametrize("task_id", IDS)
def test_the_same_seed_gives_the_same_task_and_another_process_would_too(task_id: str) -> None:
    one = tasks.task(task_id, 5, data="tiny")
    tasks.task.__globals__["_offered"].cache_clear()
    other = tasks.task(task_id, 5, data="tiny")
    assert one == other
    assert one.goal == other.goal


@pytest.mark.parametrize("task_id", IDS)
def test_every_wording_tells_instances_apart(task_id: str) -> None:
    template = tasks.template(task_id)
    goals: dict[str, str] = {}
    for params in every(task_id):
        for goal in template.intents(params):
            assert goals.setdefault(goal, str(params)) == str(params)
    wordings = {len(template.intents(params)) for params in every(task_id, data="tiny")}
    assert min(wordings) >= 3


@pytest.mark.parametrize("task_id", IDS)
def test_no_wording_gives_away_what_has_to_be_found(task_id: str, base: Snapshot) -> None:
    template = tasks.template(task_id)
    for params in list(every(task_id))[:200]:
        want = template.expected(base, params)
        secret = want.answer or want.blocker
        if secret is None:
            continue
        spelled = secret.spelled()
        texts = spelled.values() if isinstance(spelled, dict) else [spelled]
        for goal in template.intents(params):
            for text in texts:
                found = re.search(rf"(?<!\w){re.escape(str(text))}(?!\w)", goal)
                assert not found, (goal, text)


@pytest.mark.parametrize("task_id", IDS)
def test_splits_share_no_entity_and_leave_none_empty(task_id: str) -> None:
    seen: dict[str, str] = {}
    for split in tasks.SPLITS:
        assert all(tasks.outcomes(task_id, split=split)) or not all(tasks.outcomes(task_id))
        drawn = [tasks.task(task_id, seed, split=split) for seed in range(30)]
        assert {task.split for task in drawn} == {split}
        for task in drawn:
            for entity in task.instance.entities():
                assert seen.setdefault(entity, split) == split


def test_an_entity_has_one_split_whatever_the_template() -> None:
    homes: dict[str, set[str]] = {}
    for task_id in IDS:
        for params in every(task_id):
            split = split_of_all(params.entities())
            for entity in params.entities():
                homes.setdefault(entity, set()).update([split] if split else [])
    assert max(map(len, homes.values())) == 1
    names = {entity.split(":")[0] for entity in homes}
    assert {"customer", "product", "status"} <= names


def test_templates_and_data_seeds_are_split_as_well() -> None:
    assert {tasks.split_of_template(task_id) for task_id in IDS} == set(tasks.SPLITS)
    seeds = [tasks.split_of_data_seed(seed) for seed in range(1, 1001)]
    assert {split: seeds.count(split) for split in tasks.SPLITS} == {"train": 700, "validation": 100, "test": 200}
    assert tasks.split_of_data_seed(1) == "train"


def test_splits_have_the_sizes_they_promise() -> None:
    drawn = [tasks.split_of(f"customer:{number}@example.com") for number in range(10_000)]
    shares = {split: drawn.count(split) / len(drawn) for split in tasks.SPLITS}
    assert shares == pytest.approx({"train": 0.7, "validation": 0.1, "test": 0.2}, abs=0.02)


def test_sampling_is_reproducible_and_reaches_every_template() -> None:
    drawn = [tasks.sample("train", seed, data="base") for seed in range(400)]
    assert {task.id for task in drawn} == set(IDS)
    assert all(task.split == "train" for task in drawn)
    assert tasks.sample("train", 7) == drawn[7]


def test_other_data_gives_other_instances() -> None:
    one, other = (tasks.task("store.admin/cancel-order", 0, data=data) for data in ("tiny", "base"))
    assert one.params != other.params


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: tasks.task("store.admin/cancel", 0), UnknownTask, "did you mean 'store.admin/cancel-order'"),
        (lambda: tasks.match("shop.*"), UnknownTask, "no task 'shop"),
        (lambda: tasks.task(IDS[0], 0, split="dev"), UnknownSplit, "no split 'dev'"),
        (lambda: tasks.task(IDS[0], -1), UsageError, "0 or more"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(call: object, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call()  # type: ignore[operator]


def test_patterns_find_templates() -> None:
    assert tasks.match("*") == IDS
    assert tasks.match("*/cancel-order") == ["store.admin/cancel-order"]


def test_instances_are_drawn_from_the_given_generator_only(base: Snapshot) -> None:
    for task_id in IDS:
        template = tasks.template(task_id)
        one, other = (list(template.instances(base, Random(3))) for _ in range(2))
        assert one == other
        assert one != list(template.instances(base, Random(4)))
