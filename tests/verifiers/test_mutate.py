"""Mutation testing of the verifier itself: every small wrong is refused, and a hole would be found."""

from __future__ import annotations

from typing import Any

import pytest
from sitegym.errors import VerifierError
from sitegym.verifiers import ANYTHING, Expectation, Finish, Given, Inserted, Ordered, Snapshot, Updated
from sitegym.verifiers import account as books
from sitegym.verifiers.mutate import ALLOWED, IMPOSSIBLE, REFUSED, SURVIVED, mutate

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
    return mutate(WANT, before, after(*DONE), Finish(), None, recompute, rows=6, full_every=10)


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
    assert {trial.mutant.kind for trial in found.survivors} == {"delete"}
    assert all(trial.result == SURVIVED for trial in found.survivors)


def test_only_a_right_episode_can_be_mutated(before: Snapshot, after: After) -> None:
    with pytest.raises(VerifierError, match="only a right episode"):
        mutate(WANT, before, after(), Finish(), None, recompute)


def test_the_same_seed_gives_the_same_mutants(before: Snapshot, after: After) -> None:
    one, other = (mutate(WANT, before, after(*DONE), Finish(), None, recompute, seed=4) for _ in range(2))
    assert [str(trial.mutant) for trial in one.trials] == [str(trial.mutant) for trial in other.trials]
    assert one.counts()[IMPOSSIBLE] < len(one.trials) / 10
