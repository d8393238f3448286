"""Builds a data set into an empty database: tables first, then every row, then the values that follow from them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from ....errors import UsageError
from ..models import Base
from ..recompute import recompute
from .calendar import skeleton
from .catalogue import make_catalogue
from .content import make_content
from .history import live
from .marketing import make_offers, make_settings
from .office import make_office
from .people import add_on_accounts, make_people
from .plan import PLANS
from .sheet import Row, Sheet
from .voice import make_messages, make_reviews


def build(connection: Connection, data: str = "base", seed: int = 1) -> None:
    """Create the tables and write the data set `data` (`tiny` or `base`) of a seed; the caller commits.

    The same data set and seed always give the same rows. Raises `UsageError` for a data set that does not exist.
    """
    sheet = compose(data, seed)
    Base.metadata.create_all(connection)
    sheet.insert(connection)


def compose(data: str, seed: int) -> Sheet:
    """All rows of a data set, not yet in a database."""
    if data not in PLANS:
        raise UsageError(f"no data set {data!r} of the store; there are {', '.join(PLANS)}")
    plan = PLANS[data]
    sheet = Sheet(Base.metadata)
    slots = skeleton(plan, seed)
    offers = make_settings(sheet)
    people = make_people(sheet, plan, seed, slots)
    catalogue = make_catalogue(sheet, plan, seed)
    make_offers(sheet, offers)
    cases = live(sheet, plan, seed, catalogue, people, offers, slots)
    add_on_accounts(sheet, plan, seed, people, sheet.tables["products"])
    make_reviews(sheet, plan, seed, catalogue, cases, people)
    make_messages(sheet, plan, seed, catalogue, cases)
    make_content(sheet, plan, seed)
    make_office(sheet, seed, catalogue, people)
    derive(sheet)
    return sheet


def derive(sheet: Sheet) -> None:
    """Set every derived column from the rows it follows from; stock is kept by the history itself."""
    keys = {"stock": "variant_id"}
    for table, values in recompute(sheet).items():
        rows: Mapping[object, Row] = {row[keys.get(table, "id")]: row for row in sheet.tables[table]}
        for key, columns in values.items():
            rows[key].update(columns)
