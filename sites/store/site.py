"""The store as the rest of sitegym sees it: its tables, its data, its application and its use cases in one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from ..kit.site import Account, Site
from .admin import HOST
from .models import Base, Staff
from .recompute import recompute
from .services import USE_CASES, actor_for
from .services.sessions import sign_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from sqlalchemy import Connection


def build(connection: Connection, data: str, seed: int) -> None:
    """Make the tables and fill them with the data set; the generator is loaded only when a baseline is built."""
    from .generate import build as generate

    generate(connection, data, seed)


def create_app() -> Flask:
    """Make the application; loaded only in the process that serves it."""
    from .app import create_app as make

    return make()


def accounts(connection: Connection) -> Sequence[Account]:
    """The first active member of staff of each role."""
    from .generate.people import PASSWORD

    rows = connection.execute(select(Staff.role, Staff.name, Staff.email).where(Staff.active).order_by(Staff.id))
    first: dict[str, Account] = {}
    for role, name, email in rows:
        first.setdefault(role, Account(role=role, name=name, email=email, password=PASSWORD))
    return tuple(first.values())


_OURS = ("models", "generate", "data", "derived", "keys", "labels", "totals", "recompute")
_KIT = ("ids", "money", "phones", "schema", "text")
_STORE = __package__
_SITES = _STORE.rpartition(".")[0]

STORE = Site(
    name="store",
    metadata=Base.metadata,
    hosts={HOST: "admin"},
    start="2026-03-18T10:00:00Z",
    build=build,
    create_app=create_app,
    sign_in=sign_in,
    actor=actor_for,
    use_cases=USE_CASES,
    recompute=recompute,
    accounts=accounts,
    data_sets=("tiny", "base"),
    sources=(*(f"{_STORE}.{name}" for name in _OURS), *(f"{_SITES}.kit.{name}" for name in _KIT)),
)
"""Fernhill Supply. `sources` decide whether a cached baseline is still the one that this code would make."""
