"""What is made for PostgreSQL changes nothing of a site's tables, which SQLite makes from the same models."""

from __future__ import annotations

from sitegym.sites.store.models import Base
from sitegym.sites.world.postgresql import template
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable


def on_sqlite() -> list[str]:
    return [str(CreateTable(table).compile(dialect=sqlite.dialect())) for table in Base.metadata.sorted_tables]


def test_tables_of_sqlite_keep_their_foreign_keys() -> None:
    before = on_sqlite()
    assert any("FOREIGN KEY" in text for text in before)
    assert any("ALTER TABLE" in text and "FOREIGN KEY" in text for text in template._tables(Base.metadata))
    assert on_sqlite() == before
