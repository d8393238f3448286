"""Addresses that an order is to be sent to instead: drawn, put in words, typed into the dialog, missed by a little."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.labels import COUNTRY
from ...sites.store.regions import REGIONS
from ...verifiers import Row, Snapshot
from ..page import Moves, select, type_
from ..template import Params
from . import effects
from .admin import customer

STREETS = ("Alder Way", "Birch Hill Rd", "Canal St", "Dovecote Ln", "Elmwood Ave", "Foundry St", "Garnet Ct",
           "Heron Dr", "Ivy Pl", "Juniper Ter", "Kiln Ln", "Larkspur Rd", "Meadow View Dr", "Orchard St",
           "Quarry Rd")  # fmt: skip
SECOND_LINES = ("Apt {}", "Unit {}", "Suite {}", "Floor {}", "Apt {}B")
FIELDS = (
    ("line1", "address line 1"),
    ("line2", "address line 2"),
    ("city", "city"),
    ("region", "state or region"),
    ("postcode", "postcode"),
    ("country", "country"),
)


@dataclass(frozen=True, kw_only=True)
class Move(Params):
    """Which order, and where it goes now."""

    number: str
    email: str
    line1: str
    line2: str | None
    city: str
    region: str
    postcode: str
    country: str
    shipment: str | None = None
    """The one shipment that forbids it."""

    def entities(self) -> tuple[str, ...]:
        """The order's customer."""
        return (customer(self.email),)

    @property
    def fields(self) -> dict[str, str | None]:
        """The columns of the address that change."""
        return {name: getattr(self, name) for name, _ in FIELDS}


def drawn(rng: Random, row: Row, places: Sequence[Row], twice: set[str], *, feasible: bool) -> Move:
    """An address that differs from the order's in each of its parts but, mostly, the country."""
    away = [one for one in places if one.city != row.city and one.region != row.region]
    near = [one for one in away if one.country == row.country and rng.random() < 0.9] or away
    apart = [one for one in near if one.city in twice]
    place = rng.choice(apart if apart and rng.random() < 0.4 else near)
    second = rng.choice(SECOND_LINES).format(rng.randrange(2, 60)) if rng.random() < 0.6 else None
    return Move(
        feasible=feasible,
        number=row.number,
        email=row.email,
        line1=f"{rng.randrange(2, 980)} {rng.choice(STREETS)}",
        line2=second if second != row.line2 else None,
        city=place.city,
        region=place.region,
        postcode=place.postcode,
        country=place.country,
        shipment=row.get("shipment"),
    )


def word(p: Move, name: str) -> str:
    """A field as the dialog calls its value."""
    if name == "region":
        return REGIONS[p.country][p.region]
    if name == "country":
        return COUNTRY[p.country]
    return str(p.fields[name] or "none (leave it empty)")


def slips(before: Snapshot, p: Move) -> dict[str, str | None]:
    """Values that come close, by field: one digit off, the line lost or added, the other region with such a city."""
    digit = max(place for place, one in enumerate(p.postcode) if one.isdigit())
    other = str((int(p.postcode[digit]) + 1) % 10)
    old = before.row("order_addresses", order_id=effects.order_of(before, p.number).id, kind="shipping")
    return {
        "line1": re.sub(r"^\d+", lambda found: str(int(found[0]) + 1), p.line1),
        "line2": None if p.line2 else "Apt 1",
        "city": old.city,
        "region": next(code for code in REGIONS[p.country] if code != p.region),
        "postcode": p.postcode[:digit] + other + p.postcode[digit + 1 :],
        "full_name": "J. Doe",
    }


def typed(page: Any, fields: Mapping[str, str | None]) -> Moves:
    """The dialog filled in, not saved; returns the page."""
    names = {"line1": "Address line 1", "line2": "Address line 2", "city": "City", "postcode": "Postcode"}
    for name, label in names.items():
        page = yield type_(page.find("textbox", label), fields[name] or "")
    country = str(fields["country"])
    page = yield select(page.find("combobox", "Country"), COUNTRY[country])
    return (yield select(page.find("combobox", "State or region"), REGIONS[country][str(fields["region"])]))
