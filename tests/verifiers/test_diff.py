"""The difference of two snapshots: right, complete, and the same by both ways."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sitegym.errors import EnvironmentFault, VerifierError
from sitegym.verifiers import Snapshot, diff, plain_diff
from sitegym.verifiers.pages import touched

from .conftest import META, After


def test_equal_files_differ_in_nothing(before: Snapshot, after: After) -> None:
    assert diff(before, after()).tables == {}


def test_inserted_deleted_and_updated_rows_are_told_apart_by_column(before: Snapshot, after: After) -> None:
    changed = after(
        "UPDATE orders SET status = 'held', v = 2 WHERE id = 3",
        "DELETE FROM payments WHERE id = 4",
        "INSERT INTO links VALUES (90, 1, 5)",
    )
    found = diff(before, changed)
    assert set(found.tables) == {"orders", "payments", "links"}
    assert found.of("orders").updated == {3: {"status": ("pending", "held"), "v": (1, 2)}}
    assert found.of("payments").deleted == {4: {"id": 4, "order_id": 4, "amount": 40}}
    assert found.of("links").inserted == {(90, 1): {"a": 90, "b": 1, "weight": 5}}


def test_a_value_that_changes_only_its_type_is_a_change(before: Snapshot, after: After) -> None:
    found = diff(before, after("UPDATE pictures SET data = 'x' WHERE id = 2"))
    assert found.of("pictures").updated == {2: {"data": (b"x", "x")}}


def test_a_change_of_case_only_is_a_change(before: Snapshot, after: After) -> None:
    assert diff(before, after("UPDATE orders SET status = 'Pending' WHERE id = 1")).of("orders").updated


def test_null_and_the_empty_text_differ(before: Snapshot, after: After) -> None:
    found = diff(before, after("UPDATE orders SET note = '' WHERE id = 1"))
    assert found.of("orders").updated == {1: {"note": (None, "")}}


def test_a_row_replaced_under_its_key_is_an_update(before: Snapshot, after: After) -> None:
    changed = after("DELETE FROM payments WHERE id = 4", "INSERT INTO payments VALUES (4, 4, 41)")
    assert diff(before, changed).of("payments").updated == {4: {"amount": (40, 41)}}


def test_the_json_form_shows_binary_values_by_hash_and_joins_composite_keys(before: Snapshot, after: After) -> None:
    changed = after("UPDATE pictures SET data = x'00ff' WHERE id = 1", "UPDATE links SET weight = 0 WHERE a = 8")
    found = diff(before, changed).to_json()
    assert found["links"] == {"inserted": {}, "deleted": {}, "updated": {"8/1": {"weight": [8, 0]}}}
    assert "2 bytes" in str(found["pictures"])


def test_only_tables_with_changed_pages_are_looked_at(before: Snapshot, after: After) -> None:
    changed = after("UPDATE orders SET v = 9 WHERE id = 3")
    assert before.path is not None
    assert changed.path is not None
    found = touched(before.path, changed.path, changed.connection)
    assert found is not None
    assert found.keys() == {"sqlite_schema", "orders"}
    assert 3 in (found["orders"] or ())


def test_a_table_that_outgrows_its_pages_and_takes_those_of_another_is_found(before: Snapshot, after: After) -> None:
    changed = after(
        "DELETE FROM audit WHERE id > 5",
        "INSERT INTO payments SELECT id + 1000 * t.n, order_id, amount FROM payments, "
        "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60) SELECT n FROM c) t",
    )
    found = diff(before, changed)
    assert found.tables.keys() == {"audit", "payments"}
    assert len(found.of("payments").inserted) == 2400
    assert found == plain_diff(before, changed)


def test_a_vacuumed_file_is_compared_in_full(before: Snapshot, after: After) -> None:
    changed = after("DELETE FROM audit WHERE id = 7")
    assert changed.path is not None
    with closing(sqlite3.connect(changed.path)) as db:
        db.execute("VACUUM")
    with Snapshot(changed.path, META) as again:
        assert diff(before, again).of("audit").deleted.keys() == {7}


STATEMENTS = st.sampled_from(
    [
        "UPDATE orders SET status = 's{n}' WHERE id = {k}",
        "UPDATE orders SET note = '{n}', v = v + 1 WHERE id % 5 = {k} % 5",
        "DELETE FROM orders WHERE id = {k}",
        "INSERT OR IGNORE INTO orders VALUES ({k} + 90, 'x{k}', 'new', {n}, NULL, 0, NULL, 1)",
        "DELETE FROM audit WHERE id > {k}",
        "INSERT OR IGNORE INTO audit VALUES ({k} + {n}, printf('%.*c', {n} * 50, 'a'))",
        "UPDATE audit SET what = printf('%.*c', {n} * 200, 'b') WHERE id = {k}",
        "INSERT OR IGNORE INTO links VALUES ({k}, {n}, 0)",
        "DELETE FROM links WHERE a = {k}",
        "UPDATE links SET a = a + 100 WHERE a = {k}",
        "UPDATE pictures SET data = zeroblob({n} * 300) WHERE id = {k}",
        "UPDATE keyed SET value = value || '{n}' WHERE code = 'k{k}'",
        "DELETE FROM keyed WHERE code = 'k{k}'",
        "INSERT OR REPLACE INTO named VALUES ('n{k}', {n})",
        "UPDATE OR IGNORE named SET name = 'n{n}' WHERE name = 'n{k}'",
        "UPDATE OR IGNORE payments SET id = id + {n} WHERE id = {k}",
    ]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(STATEMENTS, st.integers(1, 40), st.integers(0, 60)), max_size=12))
def test_both_ways_agree_on_any_mutation(shop: Path, tmp_path: Path, statements: list[tuple[str, int, int]]) -> None:
    path = tmp_path / "after.db"
    shutil.copy(shop, path)
    with closing(sqlite3.connect(path)) as db:
        for text, k, n in statements:
            db.execute(text.format(k=k, n=n))
            db.commit()
    with Snapshot(shop, META) as old, Snapshot(path, META) as new:
        assert diff(old, new) == plain_diff(old, new)


def test_a_missing_or_foreign_file_is_the_machinerys_fault(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="can't read"):
        Snapshot(tmp_path / "none.db", META)
    (tmp_path / "text.db").write_text("no database, but some text that is long enough to be read as a header " * 9)
    with pytest.raises(EnvironmentFault, match="can't read"):
        Snapshot(tmp_path / "text.db", META)


def test_a_missing_table_is_a_verifier_error(before: Snapshot, after: After) -> None:
    changed = after("DROP TABLE payments")
    with pytest.raises(VerifierError, match="payments"):
        plain_diff(before, changed)


def test_a_snapshot_can_not_be_written(before: Snapshot) -> None:
    with pytest.raises(VerifierError, match="readonly"):
        before.query("DELETE FROM orders")


def test_a_snapshot_finds_rows_by_equality_nulls_and_lists(before: Snapshot) -> None:
    assert [row.id for row in before.rows("orders", id=[3, 2, 99])] == [2, 3]
    assert len(before.rows("orders", note=None)) == 40
    assert before.row("orders", number="101").total == 100
    assert before.get("links", (8, 1)) == {"a": 8, "b": 1, "weight": 8}
    assert before.get("orders", 999) is None
    assert before.value("SELECT count(*) FROM orders WHERE total > :t", t=3900) == 1


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda s: s.rows("oders"), "no table 'oders'"),
        (lambda s: s.rows("orders", stats=1), "no column 'stats'"),
        (lambda s: s.row("orders", status="pending"), "40 rows"),
        (lambda s: s.get("links", 4), "no key of table links"),
        (lambda s: s.query("SELECT missing"), "no such column: missing"),
    ],
)
def test_a_wrong_question_names_what_is_wrong(before: Snapshot, call: object, match: str) -> None:
    with pytest.raises(VerifierError, match=match):
        call(before)  # type: ignore[operator]
