"""Progress: 0 where an episode begins, 1 where all is done, less for damage, and a function of the state alone."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from sitegym.errors import VerifierError
from sitegym.verifiers import (
    Deleted,
    Expectation,
    Given,
    Inserted,
    New,
    Ordered,
    Progress,
    Snapshot,
    Summed,
    Updated,
    ViewExpectation,
    grade,
    progress,
)
from sitegym.verifiers.answers import Int, OrderNo
from sitegym.verifiers.outcomes import NOT_ALLOWED
from sitegym.verifiers.progress import DAMAGE_COST, MOST_COST

from .conftest import After
from .test_grade import Page

HELD = Updated("orders", 3, {"status": "held", "note": Given("call back")})
COMMENT = Inserted("events", {"order_id": 3, "kind": "comment", "body": Given("Back soon")})
STATUS = "UPDATE orders SET status = 'held' WHERE id = 3"
NOTE = "UPDATE orders SET note = 'Call back' WHERE id = 3"
SAY = "INSERT INTO events VALUES (900, 3, 'comment', 'back soon', 'now')"
HARM = "UPDATE orders SET status = 'held' WHERE id = {}"
FEASIBLE = Expectation(must=(HELD, COMMENT))
INFEASIBLE = Expectation(outcome=NOT_ALLOWED, blocker=OrderNo("103"))


@pytest.fixture
def measured(before: Snapshot, after: After) -> Any:
    def measure(want: Expectation, *statements: str, view: Any = None, start: Any = None) -> Progress:
        return progress(want, before, after(*statements), view, start)

    return measure


@pytest.mark.parametrize(
    "want",
    [
        pytest.param(FEASIBLE, id="change"),
        pytest.param(Expectation(must=(Updated("orders", 3, {"status": "pending", "note": "x"}),)), id="half-there"),
        pytest.param(Expectation(must=(Updated("orders", 3, {"status": "pending"}),)), id="there-already"),
        pytest.param(Expectation(answer=Int(7)), id="retrieve"),
        pytest.param(Expectation(view=ViewExpectation(path="/orders")), id="navigate"),
        pytest.param(INFEASIBLE, id="infeasible"),
        pytest.param(Expectation(), id="nothing"),
    ],
)
def test_every_task_begins_at_nothing(measured: Any, want: Expectation) -> None:
    start = Page(filters={})
    assert measured(want, view=start, start=start).potential == 0.0


def test_a_start_tells_nothing_of_whether_the_task_can_be_done(measured: Any) -> None:
    assert measured(FEASIBLE) == measured(INFEASIBLE)


def test_parts_count_alike_and_a_row_by_its_values(measured: Any) -> None:
    assert measured(FEASIBLE, STATUS).met == pytest.approx(1 / 4)
    assert measured(FEASIBLE, SAY).met == pytest.approx(1 / 2)
    assert measured(FEASIBLE, STATUS, NOTE, SAY).met == 1.0


@pytest.mark.parametrize(
    ("part", "done"),
    [
        pytest.param(Deleted("pictures", 6), "DELETE FROM pictures WHERE id = 6", id="deleted"),
        pytest.param(
            Summed("payments", {"order_id": 3}, "amount", 50), "INSERT INTO payments VALUES (900, 3, 50)", id="summed"
        ),
        pytest.param(
            Ordered("pictures", {"product": 1}, (7, 6, 8, 9, 10, 11)),
            "UPDATE pictures SET position = CASE id WHEN 6 THEN 2 WHEN 7 THEN 1 ELSE position END",
            id="ordered",
        ),
    ],
)
def test_every_kind_of_part_is_met_when_it_is_done(
    measured: Any, before: Snapshot, after: After, part: Any, done: str
) -> None:
    want = Expectation(must=(part,))
    assert grade(want, before, after(done), None).goal_met
    assert (measured(want).met, measured(want, done).met) == (0.0, 1.0)


def test_new_rows_are_paired_and_none_counts_twice(measured: Any) -> None:
    order = Inserted("orders", {"status": "new", "total": 5, "note": None}, label="order")
    paid = Inserted("payments", {"order_id": New("order"), "amount": 5})
    want = Expectation(must=(order, paid, paid))
    made = "INSERT INTO orders VALUES (900, '900', 'new', 5, NULL, 5, NULL, 1)"
    pay = "INSERT INTO payments VALUES ({}, 900, 5)"
    steps = [measured(want, made, *(pay.format(n) for n in range(901, 901 + count))).met for count in range(3)]
    assert steps == pytest.approx([1 / 3, 2 / 3, 1.0])


def test_whatever_order_a_task_is_done_in_each_step_rises(measured: Any) -> None:
    for order in itertools.permutations((STATUS, NOTE, SAY)):
        found = [measured(FEASIBLE, *order[:count]).potential for count in range(len(order) + 1)]
        assert found == sorted(found)
        assert (found[0], found[-1]) == (0.0, 1.0)
        assert len(set(found)) == len(found)


def test_each_damage_lowers_until_it_has_cost_all(measured: Any) -> None:
    counts = range(int(MOST_COST / DAMAGE_COST) + 3)
    found = [measured(FEASIBLE, *(HARM.format(10 + n) for n in range(count))) for count in counts]
    assert [one.damage for one in found] == list(counts)
    assert [one.potential for one in found] == [-min(MOST_COST, DAMAGE_COST * count) for count in counts]


def test_damage_that_is_undone_costs_nothing(measured: Any) -> None:
    undo = HARM.format(10).replace("held", "pending")
    assert measured(FEASIBLE, HARM.format(10), undo) == measured(FEASIBLE)


def test_what_held_at_the_start_is_missed_when_it_goes(measured: Any) -> None:
    want = Expectation(must=(Updated("orders", 3, {"status": "pending"}), COMMENT))
    assert measured(want, STATUS).damage == 1


def test_answers_and_outcomes_count_with_the_finish_only(measured: Any) -> None:
    asked = Expectation(must=(HELD,), answer=Int(3))
    assert measured(asked, STATUS, NOTE).met == pytest.approx(1 / 2)
    for want in (Expectation(answer=Int(3)), INFEASIBLE):
        assert measured(want).potential == 0.0
        assert measured(want, HARM.format(10)).potential == -DAMAGE_COST


def test_a_page_counts_by_what_of_it_is_right(measured: Any) -> None:
    wanted = ViewExpectation(path="/orders", filters={"status": [["eq", "held"]]}, sort=("-total",))
    want = Expectation(view=wanted)
    views = [
        None,
        Page(path="/customers", filters={}),
        Page(filters={}),
        Page(filters={"status": [["in", ["held"]]]}),
        Page(filters={"status": [["in", ["held"]]]}, sort=("-total", "id")),
    ]
    found = [measured(want, view=view).met for view in views]
    assert found == sorted(found)
    assert (found[0], found[1], found[-1]) == (0.0, 0.0, 1.0)
    assert [measured(want, view=view, start=views[2]).met for view in views[:3]] == [0.0, 0.0, 0.0]
    assert measured(want, view=views[-1], start=views[2]).met == 1.0


def test_a_fault_in_measuring_is_the_verifiers(before: Snapshot, after: After) -> None:
    with pytest.raises(VerifierError, match="no table 'nowhere'"):
        progress(Expectation(must=(Updated("nowhere", 1, {"x": 1}),)), before, after())
