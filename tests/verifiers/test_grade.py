"""Grading: what counts as done, what counts as damage, and that neither can be had by accident."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from sitegym.errors import VerifierError
from sitegym.verifiers import (
    ANYTHING,
    PRESENT,
    Containing,
    Deleted,
    Expectation,
    Finish,
    Given,
    Inserted,
    New,
    OneOf,
    Ordered,
    Snapshot,
    Summed,
    Updated,
    Verdict,
    ViewExpectation,
    grade,
)
from sitegym.verifiers.answers import Int, OrderNo
from sitegym.verifiers.outcomes import UnknownOutcome

from .conftest import After, recompute

DONE = Finish()
HELD = Updated("orders", 3, {"status": "held"}, name="order 103")
COMMENT = Inserted("events", {"order_id": 3, "kind": "comment", "body": Given("Back  soon")})
HOLD = "UPDATE orders SET status = 'held', v = v + 1 WHERE id = 3"
SAY = "INSERT INTO events VALUES (900, 3, 'comment', 'back soon', 'now')"


@pytest.fixture
def judged(before: Snapshot, after: After) -> Any:
    def judge(want: Expectation, *statements: str, finish: Finish | None = DONE, view: Any = None) -> Verdict:
        return grade(want, before, after(*statements), finish, view, recompute)

    return judge


def must(*parts: Any) -> Expectation:
    return Expectation(must=parts)


# what is asked for ---------------------------------------------------------------------------------------------------


def test_the_asked_change_and_nothing_else_earns_one(judged: Any) -> None:
    verdict = judged(must(HELD), HOLD)
    assert verdict.reward == 1.0
    assert (verdict.goal_met, verdict.clean, verdict.damage) == (True, True, ())
    assert verdict.reason == "the goal is met and nothing else changed"


def test_doing_nothing_earns_nothing_but_is_clean(judged: Any) -> None:
    verdict = judged(must(HELD))
    assert (verdict.reward, verdict.goal_met, verdict.clean) == (0.0, False, True)
    assert verdict.reason == "order 103 updated: wanted status = 'held', found status = 'pending'"


def test_doing_nothing_is_right_where_nothing_is_asked(judged: Any) -> None:
    assert judged(Expectation()).reward == 1.0


@pytest.mark.parametrize(
    ("part", "right", "wrong"),
    [
        pytest.param(HELD, HOLD, "UPDATE orders SET status = 'held' WHERE id = 4", id="the-neighbour-row"),
        pytest.param(HELD, HOLD, "UPDATE orders SET status = 'Held' WHERE id = 3", id="another-value"),
        pytest.param(COMMENT, SAY, SAY.replace("3, 'comment'", "4, 'comment'"), id="new-row-of-a-neighbour"),
        pytest.param(COMMENT, SAY, SAY.replace("soon", "son"), id="text-one-letter-off"),
        pytest.param(COMMENT, SAY, SAY.replace("comment", "status"), id="trail-instead-of-data"),
        pytest.param(
            Inserted("payments", {"order_id": 2, "amount": 5}),
            "INSERT INTO payments VALUES (77, 2, 5); UPDATE orders SET paid = 25 WHERE id = 2",
            "INSERT INTO payments VALUES (77, 2, 6); UPDATE orders SET paid = 26 WHERE id = 2",
            id="value-one-unit-off",
        ),
        pytest.param(
            Deleted("links", (8, 1)),
            "DELETE FROM links WHERE a = 8",
            "DELETE FROM links WHERE a = 9",
            id="other-row-gone",
        ),
        pytest.param(
            Updated("orders", 3, {"note": Containing(("ABC-1", "7"))}),
            "UPDATE orders SET note = 'track abc-1 costs 7' WHERE id = 3",
            "UPDATE orders SET note = 'track abc-1' WHERE id = 3",
            id="a-token-missing",
        ),
        pytest.param(
            Updated("orders", 3, {"note": OneOf(("a", "b"))}),
            "UPDATE orders SET note = 'b' WHERE id = 3",
            "UPDATE orders SET note = 'c' WHERE id = 3",
            id="none-of-several",
        ),
        pytest.param(
            Updated("orders", 3, {"sent_at": PRESENT}),
            "UPDATE orders SET sent_at = 'now' WHERE id = 3",
            "UPDATE orders SET sent_at = 'now' WHERE id = 2",
            id="time-set-elsewhere",
        ),
    ],
)
def test_each_kind_of_part_accepts_the_right_change_and_refuses_the_wrong(
    judged: Any, part: Any, right: str, wrong: str
) -> None:
    assert judged(must(part), *right.split("; ")).reward == 1.0
    verdict = judged(must(part), *wrong.split("; "))
    assert verdict.reward == 0.0
    assert not verdict.goal_met


def test_done_then_undone_earns_nothing(judged: Any) -> None:
    undo = "UPDATE orders SET status = 'pending', v = v + 1 WHERE id = 3"
    assert judged(must(HELD), HOLD, undo).reward == 0.0


def test_one_of_two_missed_earns_nothing(judged: Any) -> None:
    both = must(HELD, Updated("orders", 4, {"status": "held"}))
    verdict = judged(both, HOLD)
    assert [check.ok for check in verdict.checks] == [True, False, True]


def test_two_parts_on_one_row_are_graded_together() -> None:
    both = must(HELD) + must(Updated("orders", 3, {"note": "x"}))
    assert both.must == (Updated("orders", 3, {"status": "held", "note": "x"}, name="order 103"),)
    with pytest.raises(VerifierError, match="two values in status"):
        must(HELD) + must(Updated("orders", 3, {"status": "gone"}))


def test_new_rows_may_refer_to_each_other(judged: Any) -> None:
    want = must(
        Inserted("events", {"order_id": New("order"), "kind": "comment", "body": "hi"}),
        Inserted("orders", {"status": "new", "total": 5, "note": None}, label="order"),
    )
    row = "INSERT INTO orders VALUES (91, '900', 'new', 5, NULL, 0, NULL, 1)"
    assert judged(want, row, "INSERT INTO events VALUES (99, 91, 'comment', 'hi', 't')").reward == 1.0
    assert judged(want, row, "INSERT INTO events VALUES (99, 3, 'comment', 'hi', 't')").reward == 0.0


def test_of_many_like_rows_each_wanted_one_takes_another(judged: Any) -> None:
    want = must(COMMENT, Inserted("events", {"order_id": 3, "kind": "comment", "body": ANYTHING}))
    other = "INSERT INTO events VALUES (901, 3, 'comment', 'else', 'now')"
    assert judged(want, other, SAY).reward == 1.0
    assert judged(want, SAY, other).reward == 1.0
    assert judged(want, SAY).reward == 0.0
    assert judged(want, SAY, other, SAY.replace("900", "902")).reward == 0.0


def test_generated_columns_of_new_rows_must_be_filled_unless_they_may_be_empty(judged: Any) -> None:
    want = must(Inserted("orders", {"status": "new", "total": 5, "note": None}))
    values = "INSERT INTO orders VALUES (91, '900', 'new', 5, NULL, 0, {}, 1)"
    assert judged(want, values.format("NULL")).reward == 1.0
    assert judged(want, values.format("'now'")).reward == 0.0


# damage --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("UPDATE orders SET total = 201 WHERE id = 2", "orders 2: total 200 → 201"),
        ("UPDATE orders SET number = 'x' WHERE id = 2", "orders 2: number '102' → 'x'"),
        ("UPDATE orders SET sent_at = 'now' WHERE id = 2", "orders 2: sent_at None → 'now'"),
        ("UPDATE orders SET note = '' WHERE id = 3", "orders 3: note None → ''"),
        ("DELETE FROM events WHERE id = 7", "events 7 deleted"),
        ("DELETE FROM audit WHERE id = 7", "audit 7 deleted"),
        ("UPDATE audit SET what = 'nothing' WHERE id = 7", "audit 7: what "),
        ("DELETE FROM events WHERE id = 8", "events 8 deleted"),
        ("UPDATE events SET body = 'x' WHERE id = 8", "events 8: body 'e8' → 'x'"),
        ("INSERT INTO events VALUES (99, 3, 'comment', 'hi', 't')", "events 99 inserted: "),
        ("INSERT INTO links VALUES (99, 3, 4)", "links 99/3 inserted: "),
        ("UPDATE orders SET paid = 31 WHERE id = 3", "orders 3: paid 30 → 31 (does not follow from the data)"),
        ("DELETE FROM payments WHERE id = 9", "payments 9 deleted"),
        ("UPDATE pictures SET position = 9 WHERE id = 7", "pictures (1,)"),
    ],
)
def test_every_other_change_is_damage_and_named(judged: Any, statement: str, shown: str) -> None:
    verdict = judged(must(HELD), HOLD, statement)
    assert (verdict.reward, verdict.goal_met, verdict.clean) == (0.0, True, False)
    assert str(verdict.damage[0]).startswith(shown.replace("(1,)", "1"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE orders SET v = 7",
        "INSERT INTO sessions VALUES ('s2')",
        "DELETE FROM sessions",
        "INSERT INTO views VALUES (9, 'x')",
        "UPDATE views SET name = 'x'",
        "DELETE FROM views",
        "INSERT INTO audit VALUES (99, 'looked')",
        "INSERT INTO events VALUES (99, 5, 'status', 'held and released', 't')",
        "UPDATE pictures SET position = position * 10 + 3",
    ],
)
def test_what_its_class_allows_is_no_damage(judged: Any, statement: str) -> None:
    assert judged(must(HELD), HOLD, statement).reward == 1.0


def test_damage_lists_deletions_first(judged: Any) -> None:
    verdict = judged(
        Expectation(),
        "INSERT INTO links VALUES (99, 3, 4)",
        "UPDATE orders SET total = 0 WHERE id = 1",
        "DELETE FROM payments WHERE id = 9",
        "UPDATE orders SET paid = 0 WHERE id = 9",
    )
    assert [str(one).split(":")[0] for one in verdict.damage] == [
        "payments 9 deleted",
        "orders 1",
        "links 99/3 inserted",
    ]


def test_a_wrong_value_in_an_asked_cell_fails_the_goal_and_is_no_damage(judged: Any) -> None:
    verdict = judged(must(HELD), "UPDATE orders SET status = 'lost' WHERE id = 3")
    assert (verdict.goal_met, verdict.clean) == (False, True)


def test_allowed_rows_are_allowed_once_and_only_as_declared(judged: Any) -> None:
    want = Expectation(must=(HELD,), may=(COMMENT,))
    assert judged(want, HOLD).reward == 1.0
    assert judged(want, HOLD, SAY).reward == 1.0
    assert judged(want, HOLD, SAY, SAY.replace("900", "901")).reward == 0.0
    assert judged(want, HOLD, SAY.replace("soon", "late")).reward == 0.0


def test_allowed_updates_and_deletions_stay_within_what_is_declared(judged: Any) -> None:
    want = Expectation(must=(HELD,), may=(Updated("orders", 5, {"note": "x"}), Deleted("links", (8, 1))))
    assert (
        judged(want, HOLD, "UPDATE orders SET note = 'x' WHERE id = 5", "DELETE FROM links WHERE a = 8").reward == 1.0
    )
    assert judged(want, HOLD, "UPDATE orders SET note = 'y' WHERE id = 5").reward == 0.0
    assert judged(want, HOLD, "UPDATE orders SET note = 'x', total = 1 WHERE id = 5").reward == 0.0


def test_a_preference_that_the_task_asks_for_is_judged(judged: Any) -> None:
    want = must(Inserted("views", {"id": PRESENT, "name": "new"}))
    assert judged(want, "INSERT INTO views VALUES (9, 'new')").reward == 1.0
    assert judged(want, "INSERT INTO views VALUES (9, 'old')").reward == 0.0
    assert judged(want, "INSERT INTO views VALUES (9, 'new')", "DELETE FROM views WHERE id = 1").reward == 0.0


def test_a_trail_row_that_the_task_asks_for_must_be_there_and_others_may(judged: Any) -> None:
    want = must(Inserted("events", {"order_id": 3, "kind": "status", "body": "held"}))
    row = "INSERT INTO events VALUES (99, 3, 'status', 'held', 't')"
    assert judged(want).reward == 0.0
    assert judged(want, row, row.replace("99", "98"), "INSERT INTO audit VALUES (99, 'x')").reward == 1.0


# order ---------------------------------------------------------------------------------------------------------------


def test_an_order_is_compared_as_a_sequence(judged: Any) -> None:
    want = must(Ordered("pictures", {"product": 1}, (11, 6, 7, 8, 9, 10)))
    assert judged(want, "UPDATE pictures SET position = 0 WHERE id = 11").reward == 1.0
    assert judged(want, "UPDATE pictures SET position = 7 WHERE id = 11").reward == 0.0
    assert judged(want, "UPDATE pictures SET position = 1 WHERE id = 11").reward == 0.0  # a tie has no order
    other = "UPDATE pictures SET position = 0 WHERE id = 14"
    assert judged(want, "UPDATE pictures SET position = 0 WHERE id = 11", other).reward == 0.0


def test_a_sequence_closing_up_after_a_deletion_is_no_damage(judged: Any) -> None:
    close = "UPDATE pictures SET position = position - 1 WHERE product = 1 AND position > 2"
    assert judged(must(Deleted("pictures", 7)), "DELETE FROM pictures WHERE id = 7", close).reward == 1.0


# finish, answer, outcome, view ---------------------------------------------------------------------------------------

NOT_ALLOWED = Expectation(outcome="NOT_ALLOWED", blocker=OrderNo("INV-000001"))


@pytest.mark.parametrize(
    ("want", "finish", "reward"),
    [
        (Expectation(answer=Int(4)), Finish("4"), 1.0),
        (Expectation(answer=Int(4)), Finish("5"), 0.0),
        (Expectation(answer=Int(4)), Finish(None), 0.0),
        (Expectation(answer=Int(4)), Finish("4", "NOT_FOUND"), 0.0),
        (Expectation(), Finish("whatever"), 1.0),
        (Expectation(), Finish(None, "NOT_FOUND"), 0.0),
        (NOT_ALLOWED, Finish("INV-000001", "NOT_ALLOWED"), 1.0),
        (NOT_ALLOWED, Finish("INV-000002", "NOT_ALLOWED"), 0.0),
        (NOT_ALLOWED, Finish(None, "NOT_ALLOWED"), 0.0),
        (NOT_ALLOWED, Finish("INV-000001", "NOT_FOUND"), 0.0),
        (NOT_ALLOWED, Finish("INV-000001", "DONE"), 0.0),
        (NOT_ALLOWED, None, 0.0),
    ],
)
def test_code_and_answer_must_both_be_right(judged: Any, want: Expectation, finish: Finish, reward: float) -> None:
    assert judged(want, finish=finish).reward == reward


def test_a_right_answer_with_a_write_beside_it_earns_nothing(judged: Any) -> None:
    verdict = judged(Expectation(answer=Int(4)), HOLD, finish=Finish("4"))
    assert (verdict.reward, verdict.goal_met, verdict.clean) == (0.0, True, False)


def test_an_episode_that_is_cut_off_is_graded_but_earns_nothing(judged: Any) -> None:
    verdict = judged(must(HELD), HOLD, finish=None)
    assert (verdict.reward, verdict.goal_met, verdict.clean) == (0.0, True, True)
    assert "before the agent finished" in verdict.reason


def test_an_unknown_outcome_names_the_nearest() -> None:
    with pytest.raises(UnknownOutcome, match="did you mean 'NOT_FOUND'"):
        Finish(None, "NOTFOUND")


@dataclass
class Page:
    path: str = "/orders"
    filters: dict[str, Any] = field(default_factory=lambda: {"status": [["in", ["pending"]]]})
    sort: tuple[str, ...] = ("-placed_at",)
    q: str | None = ""
    status: int = 200
    host: str = "admin.shop.localhost"


PENDING = ViewExpectation(path="/orders", filters={"status": [["in", ["pending"]]]})


@pytest.mark.parametrize(
    ("page", "reward"),
    [
        (Page(), 1.0),
        (Page(path="/orders/"), 1.0),
        (Page(q=None, sort=("total",)), 1.0),
        (Page(filters={"status": [["eq", "pending"]]}), 1.0),
        (Page(filters={"status": [["in", ["pending"]], ["eq", "pending"]]}), 1.0),
        (None, 0.0),
        (Page(path="/invoices"), 0.0),
        (Page(q="pending"), 0.0),
        (Page(filters={}), 0.0),
        (Page(filters={"status": [["in", ["pending", "complete"]]]}), 0.0),
        (Page(filters={"status": [["ne", "pending"]]}), 0.0),
        (Page(filters={"status": [["in", ["pending"]]], "total": [["gte", 1]]}), 0.0),
        (Page(status=404), 0.0),
    ],
)
def test_a_view_must_show_exactly_what_was_asked(judged: Any, page: Page | None, reward: float) -> None:
    verdict = judged(Expectation(view=PENDING), view=page)
    assert verdict.reward == reward
    assert verdict.goal_met == bool(reward)


def test_the_order_of_a_view_is_compared_where_it_was_asked_for(judged: Any) -> None:
    want = Expectation(view=ViewExpectation(path="/orders", host="admin.shop.localhost", sort=("-placed_at", "id")))
    assert judged(want, view=Page(filters={}, sort=("-placed_at", "id"))).reward == 1.0
    assert judged(want, view=Page(filters={}, sort=("id", "-placed_at"))).reward == 0.0
    assert judged(want, view=Page(filters={}, sort=("-placed_at",))).reward == 0.0


def test_further_columns_of_a_sort_settle_ties_only(judged: Any) -> None:
    want = Expectation(view=ViewExpectation(path="/orders", sort=("-total",)))
    assert judged(want, view=Page(filters={}, sort=("-total", "-placed_at"))).reward == 1.0
    assert judged(want, view=Page(filters={}, sort=("-placed_at", "-total"))).reward == 0.0
    plain = Expectation(view=ViewExpectation(path="/orders", sort=()))
    assert judged(plain, view=Page(filters={}, sort=("-total",))).reward == 0.0


def test_new_rows_together_have_to_come_to_enough(judged: Any) -> None:
    pay = "INSERT INTO payments VALUES ({}, {}, {})"
    follow = "UPDATE orders SET paid = (SELECT sum(amount) FROM payments WHERE order_id = 3) WHERE id = 3"
    paid = Inserted("payments", {"order_id": 3, "amount": ANYTHING})
    more = Expectation(must=(paid, Summed("payments", {"order_id": 3}, "amount", 50, "paid")), may=(paid,))
    assert judged(more, pay.format(901, 3, 50), follow).reward == 1.0
    assert judged(more, pay.format(901, 3, 20), pay.format(902, 3, 40), follow).reward == 1.0
    verdict = judged(more, pay.format(901, 3, 49), follow)
    assert (verdict.reward, verdict.reason) == (0.0, "paid in sum: wanted at least 50, found 49")
    assert judged(more, pay.format(901, 3, 20), pay.format(902, 4, 40)).reward == 0.0


# faults of ours ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("want", "match"),
    [
        (must(Updated("orders", 999, {"status": "x"})), "no such row before"),
        (must(Updated("orders", 3, {"stats": "x"})), "no column 'stats'"),
        (must(Summed("orders", {"id": 3}, "sum", 1)), "no column 'sum'"),
        (must(Updated("oders", 3, {})), "no table 'oders'"),
        (must(Updated("orders", 3, {"paid": 1})), "derived"),
        (must(Updated("pictures", 3, {"position": 1})), "Ordered"),
        (must(Inserted("payments", {"order_id": 2})), "leaves open amount"),
        (must(Inserted("events", {"order_id": New("o"), "kind": "", "body": ""})), "nobody declares"),
        (must(Deleted("links", 4)), "no key of table links"),
    ],
)
def test_an_expectation_that_can_not_be_graded_is_our_error(judged: Any, want: Expectation, match: str) -> None:
    with pytest.raises(VerifierError, match=match):
        judged(want)


@pytest.mark.parametrize(
    "wrong",
    [
        {"outcome": "NOT_FOUND", "must": (HELD,)},
        {"outcome": "NOTHING"},
        {"blocker": Int(1)},
        {"outcome": "NOT_FOUND", "answer": Int(1)},
    ],
)
def test_an_expectation_that_contradicts_itself_can_not_be_made(wrong: Any) -> None:
    with pytest.raises(VerifierError):
        Expectation(**wrong)


def test_a_recompute_that_raises_or_forgets_a_column_is_a_verifier_error(before: Snapshot, after: After) -> None:
    changed = after("UPDATE orders SET paid = 1 WHERE id = 1")
    with pytest.raises(VerifierError, match="ZeroDivisionError"):
        grade(Expectation(), before, changed, Finish(), None, lambda *_: 1 // 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(VerifierError, match="does not recompute paid"):
        grade(Expectation(), before, changed, Finish(), None, None)


def test_a_verdict_survives_json(judged: Any) -> None:
    verdict = judged(must(HELD), "INSERT INTO links VALUES (99, 3, 4)", "UPDATE pictures SET data = x'ff' WHERE id = 2")
    again = Verdict.from_json(verdict.to_json())
    assert again.to_json() == verdict.to_json()
    assert [str(check) for check in again.checks] == [str(check) for check in verdict.checks]


def test_an_unscored_verdict_is_not_a_zero() -> None:
    assert Verdict.unscored("browser died").to_json()["reward"] is None
