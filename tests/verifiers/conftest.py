"""A little shop of our own, with a column of every class: what the verifiers are tested on, whatever the sites do."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sitegym.verifiers import Snapshot
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, UniqueConstraint, create_engine, insert

DATA = {"class": "data"}
META = MetaData()


def col(name: str, kind: Any = String, cls: str = "data", **more: Any) -> Column[Any]:
    info: dict[str, Any] = {"class": cls}
    if "within" in more:
        info["within"] = more.pop("within")
    return Column(name, kind, info=info, **more)


ORDERS = Table(
    "orders",
    META,
    col("id", Integer, "generated", primary_key=True),
    col("number", cls="generated", nullable=False, unique=True),
    col("status", nullable=False),
    col("total", Integer, nullable=False),
    col("note"),
    col("paid", Integer, "derived", nullable=False),
    col("sent_at", cls="generated"),
    col("v", Integer, "volatile", nullable=False),
)
PAYMENTS = Table(
    "payments",
    META,
    col("id", Integer, "generated", primary_key=True),
    col("order_id", Integer, nullable=False),
    col("amount", Integer, nullable=False),
    info=DATA,
)
EVENTS = Table(
    "events",
    META,
    col("id", Integer, "generated", primary_key=True),
    col("order_id", Integer, nullable=False),
    col("kind", nullable=False),
    col("body", nullable=False),
    col("at", cls="generated", nullable=False),
    info={"class": "data", "trail_when": {"kind": ("status",)}},
)
AUDIT = Table(
    "audit",
    META,
    Column("id", Integer, primary_key=True),
    Column("what", String, nullable=False),
    info={"class": "trail"},
)
VIEWS = Table(
    "views", META, Column("id", Integer, primary_key=True), Column("name", String), info={"class": "preference"}
)
SESSIONS = Table("sessions", META, Column("token", String, primary_key=True), info={"class": "volatile"})
PICTURES = Table(
    "pictures",
    META,
    col("id", Integer, "generated", primary_key=True),
    col("product", Integer, nullable=False),
    col("position", Integer, "order", nullable=False, within=("product",)),
    col("data", LargeBinary),
)
LINKS = Table(
    "links",
    META,
    col("a", Integer, primary_key=True),
    col("b", Integer, primary_key=True),
    col("weight", Integer, nullable=False),
    UniqueConstraint("b", "a"),
)
KEYED = Table(
    "keyed",
    META,
    col("code", primary_key=True),
    col("value", nullable=False),
    sqlite_with_rowid=False,
)
NAMED = Table("named", META, col("name", primary_key=True), col("value", Integer, nullable=False))


def fill(path: Path, orders: int = 40) -> None:
    engine = create_engine(f"sqlite:///{path}")
    META.create_all(engine)
    number = range(1, orders + 1)
    with engine.begin() as db:
        db.execute(
            insert(ORDERS),
            [
                {
                    "id": i,
                    "number": f"{100 + i}",
                    "status": "pending",
                    "total": i * 100,
                    "note": None,
                    "paid": i * 10,
                    "v": 1,
                }
                for i in number
            ],
        )
        db.execute(insert(PAYMENTS), [{"id": i, "order_id": i, "amount": i * 10} for i in number])
        db.execute(
            insert(EVENTS),
            [
                {"id": i, "order_id": i, "kind": ("status", "comment")[i % 2], "body": f"e{i}", "at": "t"}
                for i in number
            ],
        )
        db.execute(insert(AUDIT), [{"id": i, "what": f"made {i}" * 30} for i in number])
        db.execute(insert(VIEWS), [{"id": 1, "name": "mine"}])
        db.execute(insert(SESSIONS), [{"token": "s1"}])
        db.execute(
            insert(PICTURES), [{"id": i, "product": i // 6, "position": i % 6 + 1, "data": b"x"} for i in number]
        )
        db.execute(insert(KEYED), [{"code": f"k{i}", "value": "v" * i} for i in number])
        db.execute(insert(NAMED), [{"name": f"n{i}", "value": i} for i in number])
        db.execute(insert(LINKS), [{"a": i, "b": i % 7, "weight": i} for i in number])
    engine.dispose()


def recompute(snapshot: Snapshot, changed: object) -> dict[str, dict[object, dict[str, object]]]:
    paid: dict[int, int] = {row.id: 0 for row in snapshot.rows("orders")}
    for payment in snapshot.rows("payments"):
        if payment.order_id in paid:
            paid[payment.order_id] += payment.amount
    return {"orders": {key: {"paid": value} for key, value in paid.items()}}


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "before.db"
    fill(path)
    return path


@pytest.fixture
def before(shop: Path) -> Iterator[Snapshot]:
    with Snapshot(shop, META) as snapshot:
        yield snapshot


After = Callable[..., Snapshot]


@pytest.fixture
def after(shop: Path, tmp_path: Path) -> Iterator[After]:
    """The shop after some SQL statements."""
    made: list[Snapshot] = []

    def change(*statements: str) -> Snapshot:
        path = tmp_path / f"after{len(made)}.db"
        shutil.copy(shop, path)
        with sqlite3.connect(path) as db:
            for statement in statements:
                db.execute(statement)
        db.close()
        made.append(Snapshot(path, META))
        return made[-1]

    yield change
    for snapshot in made:
        snapshot.close()
