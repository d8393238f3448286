"""Mutation testing of the verifier itself: every small wrong is refused, and a hole would be found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sitegym.errors import VerifierError
from sitegym.verifiers import ANYTHING, Deleted, Expectation, Finish, Given, Inserted, Ordered, Snapshot, Updated
from sitegym.verifiers import account as books
from sitegym.verifiers.mutate import mutate
from sitegym.verifiers.trials import ALLOWED, IMPOSSIBLE, REFUSED, SURVIVED

from .conftest import META, After, recompute

WANT = Expectation(
    must=(
        Updated("orders", 3, {"status": "held", "note": Given("By Phone")}),
        Inserted("events", {"order_id": 3, "kind": "status", "body": "held"}),
        Inserted("payments", {"order_id": 3, "amount": 7}),
        Ordered("pictures", {"product": 1}, (11, 6, 7, 8, 9, 10)),
    ),
    may=(Inserted("events", {"order_id": 3, "kind": "comment", "body": ANYTHING}),),
)
DONE = (
    "UPDATE orders SET status = 'held', note = 'by phone', paid = paid + 7, v = 2 WHERE id = 3",
    "INSERT INTO events VALUES (900, 3, 'status', 'held', 'now'), (901, 3, 'comment', 'we held it', 'now')",
    "INSERT INTO payments VALUES (900, 3, 7)",
    "UPDATE pictures SET position = 0 WHERE id = 11",
    "INSERT INTO audit VALUES (900, 'held')",
    "INSERT INTO sessions VALUES ('s2')",
)


@pytest.fixture
def mutated(before: Snapshot, after: After) -> Any:
    return mutate(WANT, before, after(*DONE), Finish(), None, recompute, rows=6, full_every=1)


def test_every_mutant_is_refused_or_allowed_by_a_named_rule(mutated: Any) -> None:
    assert "; ".join(str(trial.mutant) for trial in mutated.survivors) == ""
    assert mutated.kill_rate == 1.0
    assert mutated.counts()[REFUSED] > 200
    assert all(trial.why for trial in mutated.trials)


def test_every_table_kind_and_class_is_tried(mutated: Any) -> None:
    assert mutated.by_table().keys() == META.tables.keys()
    for table in ("orders", "payments", "links", "pictures", "events", "audit"):
        kinds = {trial.mutant.kind for trial in mutated.trials if trial.mutant.table == table}
        assert kinds == {"delete", "change", "insert", "swap"}, table
        assert mutated.by_table()[table][REFUSED] > 0, table
    classes = {trial.mutant.cls for trial in mutated.trials if trial.result == REFUSED}
    assert classes == {"data", "trail", "derived", "order", "generated"}


def test_what_may_be_is_allowed_with_its_rule(mutated: Any) -> None:
    reasons = {trial.why.split(":")[0] for trial in mutated.trials if trial.result == ALLOWED}
    assert {"volatile", "preference", "trail", "the expectation leaves it open"} <= reasons


def test_a_verifier_that_forgets_deletions_is_found_out(
    before: Snapshot, after: After, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = books.Account._rest

    def forgetful(self: books.Account, name: str, table: Any) -> Any:
        return [one for one in whole(self, name, table) if one.new is not None or one.column is not None]

    monkeypatch.setattr(books.Account, "_rest", forgetful)
    found = mutate(WANT, before, after(*DONE), Finish(), None, recompute)
    assert found.kill_rate < 1.0
    assert all(None in trial.mutant.rows.values() for trial in found.survivors), "a row went"
    assert "delete" in {trial.mutant.kind for trial in found.survivors}
    assert all(trial.result == SURVIVED for trial in found.survivors)


def test_only_a_right_episode_can_be_mutated(before: Snapshot, after: After) -> None:
    with pytest.raises(VerifierError, match="only a right episode"):
        mutate(WANT, before, after(), Finish(), None, recompute)


def test_the_same_seed_gives_the_same_mutants(before: Snapshot, after: After) -> None:
    one, other = (mutate(WANT, before, after(*DONE), Finish(), None, recompute, seed=4) for _ in range(2))
    assert [str(trial.mutant) for trial in one.trials] == [str(trial.mutant) for trial in other.trials]
    assert one.counts()[IMPOSSIBLE] < len(one.trials) / 10


def test_values_are_swapped_keys_moved_and_old_values_put_back(mutated: Any, before: Snapshot) -> None:
    tried = [trial.mutant for trial in mutated.trials]
    swapped = {(one.table, one.column) for one in tried if one.kind == "swap" and one.column}
    assert {("orders", "total"), ("payments", "amount"), ("pictures", "position"), ("links", "weight")} <= swapped
    moved = {(one.table, one.column) for one in tried if one.kind == "change" and None in one.rows.values()}
    assert {("links", "a"), ("links", "b"), ("keyed", "code"), ("orders", "id")} <= moved
    back = [one for one in tried if one.column == "status" and one.kind == "change" and 3 in one.rows]
    assert {"pending"} <= {row["status"] for one in back for row in one.rows.values() if row}
    assert {one.near for one in tried if one.table == "orders"} == {"touched", "beside", "other"}


def test_a_deleted_row_is_put_back(before: Snapshot, after: After) -> None:
    want = Expectation(must=(Deleted("named", "n5"), Deleted("keyed", "k7")))
    gone = after("DELETE FROM named WHERE name = 'n5'", "DELETE FROM keyed WHERE code = 'k7'")
    found = mutate(want, before, gone, Finish(), None, recompute)
    back = [trial for trial in found.trials if trial.mutant.kind == "insert" and trial.mutant.near == "touched"]
    assert {key for trial in back for key in trial.mutant.rows} == {"n5", "k7"}
    assert {trial.result for trial in back} == {REFUSED}
    assert all("it is still there" in trial.why for trial in back)


def test_every_refusal_names_the_table_the_row_and_the_column(mutated: Any) -> None:
    assert "; ".join(f"{trial.mutant}: {trial.why}" for trial in mutated.unnamed) == ""


def test_of_several_new_rows_the_wrong_one_is_named(before: Snapshot, after: After) -> None:
    want = Expectation(must=[Inserted("payments", {"order_id": order, "amount": order}) for order in (3, 4, 5)])
    paid = "INSERT INTO payments VALUES (901, 3, 3), (902, 4, 4), (903, 5, 5)"
    sums = "UPDATE orders SET paid = paid + id WHERE id IN (3, 4, 5)"
    found = mutate(want, before, after(paid, sums), Finish(), None, recompute)
    assert "; ".join(f"{trial.mutant}: {trial.why}" for trial in found.unnamed + found.survivors) == ""


def test_a_reason_that_names_another_row_is_found_out(
    before: Snapshot, after: After, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = books.Account._rest

    def misleading(self: books.Account, name: str, table: Any) -> Any:
        return [replace(one, key="another") for one in whole(self, name, table)]

    monkeypatch.setattr(books.Account, "_rest", misleading)
    found = mutate(WANT, before, after(*DONE), Finish(), None, recompute)
    assert not found.survivors
    assert len(found.unnamed) > 50


def test_derived_values_that_only_repeat_what_is_stored_are_found_out(before: Snapshot, after: After) -> None:
    def repeats(snapshot: Snapshot, changed: object) -> dict[str, dict[object, dict[str, object]]]:
        return {"orders": {row.id: {"paid": row.paid} for row in snapshot.rows("orders")}}

    found = mutate(WANT, before, after(*DONE), Finish(), None, repeats)
    assert {trial.mutant.column for trial in found.survivors} == {"paid"}
