"""Constant policies earn nothing where nothing may be had for free, and a task that gives something away is found."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from sitegym.sites.world import World, WorldServer
from sitegym.sweeps import constants
from sitegym.sweeps.constants import ALL, SCOPES, Constants, policies, try_constants
from sitegym.sweeps.first_page import first_page
from sitegym.verifiers import OUTCOMES, Expectation
from sitegym.verifiers.answers import Int, Text

TASKS = [f"store.admin/{name}" for name in ("cancel-order", "order-field", "orders-by-status", "reviews-by-status")]
"""A change and a retrieval with twins, a navigation, a retrieval without."""


@pytest.fixture(scope="module")
def found() -> Constants:
    return try_constants(TASKS, data="tiny", most=12)


def test_nothing_is_earned_on_changes_views_and_pairs(found: Constants) -> None:
    assert found.failures() == []
    for policy in found.scores:
        assert found.total(policy).pairs_earned == 0
        assert found.scores[policy][ALL]["store.admin/orders-by-status"].earned == 0
        assert found.scores[policy][ALL]["store.admin/cancel-order"].pairs == 6


def test_the_best_constant_is_told_for_each_split(found: Constants) -> None:
    told = found.to_json()
    assert told["best"].keys() == set(SCOPES)
    for scope in SCOPES:
        name, score = found.best(scope)
        assert told["best"][scope]["policy"] == name
        assert score.rate == max(found.total(policy, scope).rate for policy in found.scores)
    assert found.best()[1].earned > 0, "the most common number of reviews is right at least once"


def test_policies_are_counted_from_the_instances() -> None:
    wanted = [Expectation(answer=Int(3)), Expectation(answer=Int(4)), Expectation(answer=Int(4))]
    wanted.append(Expectation(outcome="NOT_FOUND", blocker=Text("Ada")))
    made = list(policies(wanted))
    assert {one.outcome for one in made} == set(OUTCOMES)
    assert {(one.about, one.answer) for one in made if one.about} == {
        ("the most common Int", "4"),
        ("the most common Text", "Ada"),
    }
    assert {one.sees for one in made} == {"", "goal", "ids"}


def test_a_verifier_that_lets_everything_pass_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(want: Any, before: Any, after: Any, said: Any, *rest: Any, **more: Any) -> Any:
        return SimpleNamespace(reward=1.0)

    monkeypatch.setattr(constants, "grade", lenient)
    failures = try_constants(TASKS[:3], data="tiny", most=4).failures()
    for task in TASKS[:3]:
        assert any(sentence.startswith(task) for sentence in failures), task
    assert any("pairs right" in sentence for sentence in failures)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with WorldServer() as server:
        yield server.open("store", "tiny", 1)


def test_the_first_page_is_what_an_agent_sees(world: World) -> None:
    page = first_page(world, "manager", "http://admin.shop.localhost/orders?size=5")
    assert page.view.path == "/orders"
    with_ids = [word for word in page.ids.split('"') if word.isdigit() and len(word) == 6]
    assert len(with_ids) >= 5, "the numbers of the orders that it lists"
    assert "function" not in page.text
