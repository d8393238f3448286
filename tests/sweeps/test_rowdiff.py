"""The database after an episode can be rebuilt, row for row, from its baseline and the recorded difference."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from sitegym.sweeps.rowdiff import difference, rebuild
from sitegym.verifiers import Snapshot, diff
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, create_engine

META = MetaData()
DATA = {"info": {"class": "data"}}
Table("parents", META, Column("id", Integer, primary_key=True), Column("name", String), **DATA)
Table(
    "children",
    META,
    Column("parent_id", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("code", String, unique=True),
    Column("data", LargeBinary),
    Column("seen", Integer, info={"class": "volatile"}),
    **DATA,
)
Table("log", META, Column("id", Integer, primary_key=True), Column("what", String), info={"class": "trail"})

CHANGES = {
    "nothing": "",
    "update": "UPDATE parents SET name = 'Zoë 漢字' WHERE id = 2; UPDATE children SET seen = NULL WHERE place = 1",
    "insert": "INSERT INTO parents VALUES (9, NULL); INSERT INTO log VALUES (77, 'x')",
    "delete": "DELETE FROM children WHERE parent_id = 1; DELETE FROM parents WHERE id = 1",
    "blob": "UPDATE children SET data = X'00FF10' WHERE place = 1; UPDATE children SET data = NULL WHERE place = 2",
    "unique-value-moves": "DELETE FROM children WHERE code = '1-1'; INSERT INTO children VALUES (9, 9, '1-1', NULL, 0)",
    "key-changes": "UPDATE children SET parent_id = 50 WHERE code = '3-1'",
    "number-becomes-text": "UPDATE parents SET name = 5 WHERE id = 1",
}


@pytest.fixture
def before(tmp_path: Path) -> Path:
    path = tmp_path / "before.db"
    engine = create_engine(f"sqlite:///{path}")
    META.create_all(engine)
    engine.dispose()
    with sqlite3.connect(path) as db:
        db.executemany("INSERT INTO parents VALUES (?, ?)", [(i, f"Parent {i}") for i in range(1, 5)])
        rows = [(i, j, f"{i}-{j}", bytes([i, j]), i * j) for i in range(1, 5) for j in (1, 2)]
        db.executemany("INSERT INTO children VALUES (?, ?, ?, ?, ?)", rows)
    db.close()
    return path


@pytest.mark.parametrize("sql", CHANGES.values(), ids=CHANGES.keys())
def test_the_database_after_is_rebuilt_row_for_row(before: Path, tmp_path: Path, sql: str) -> None:
    after = Path(shutil.copyfile(before, tmp_path / "after.db"))
    db = sqlite3.connect(after)
    db.executescript(sql)
    db.close()
    changes = json.loads(json.dumps(difference(before, after, META)))
    rebuilt = rebuild(before, changes, tmp_path / "rebuilt.db")
    with Snapshot(after, META) as wanted, Snapshot(rebuilt, META) as found:
        assert not diff(wanted, found).to_json()
        assert bool(changes) == bool(sql)


def test_a_difference_says_how_each_column_is_judged_and_what_a_row_is_called(before: Path, tmp_path: Path) -> None:
    after = Path(shutil.copyfile(before, tmp_path / "after.db"))
    db = sqlite3.connect(after)
    db.executescript("UPDATE children SET seen = 99 WHERE code = '2-1'; INSERT INTO log VALUES (1, 'did')")
    db.close()
    changes = difference(before, after, META)
    assert changes["children"]["updated"] == [[[2, 1], {"seen": [2, 99]}]]
    assert changes["children"]["labels"] == ["2-1"]
    assert changes["children"]["classes"]["seen"] == "volatile"
    assert changes["log"]["rows"] == "trail"
    assert changes["log"]["trail"] == [0]


def test_rebuilding_leaves_the_baseline_alone(before: Path, tmp_path: Path) -> None:
    bytes_before = before.read_bytes()
    before.chmod(0o444)
    after = Path(shutil.copyfile(before, tmp_path / "after.db"))
    after.chmod(0o644)
    db = sqlite3.connect(after)
    db.executescript("DELETE FROM parents")
    db.close()
    rebuild(before, difference(before, after, META), tmp_path / "rebuilt.db")
    assert before.read_bytes() == bytes_before
