"""City and region of a customer's default shipping address."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...sites.store.regions import REGIONS
from ...verifiers import Expectation, Finish, Row, Snapshot
from ...verifiers.answers import Record, Text
from ..page import Moves, click, finish, navigate, type_
from ..template import Kind, NearMiss, Params, interleaved
from .admin import HOST, AdminTemplate, customer


@dataclass(frozen=True, kw_only=True)
class Whose(Params):
    """Which customer, by name and, where others have that name, by e-mail address."""

    customer_id: int
    name: str
    email: str
    shared: bool
    """Whether another account has this name."""

    def entities(self) -> tuple[str, ...]:
        """The customer."""
        return (customer(self.email),)

    @property
    def called(self) -> str:
        """How the task calls the customer."""
        return f"{self.name} ({self.email})" if self.shared else self.name


class DefaultAddress(AdminTemplate[Whose]):
    """City and region of the default shipping address in a customer's account, as a record.

    Traps: another billing address, several addresses, customers of one name (T2). Also fails: the default billing
    address, another address of the book, the one of the last order, a namesake's.
    """

    id = "store.admin/default-address"
    kind = Kind.RETRIEVE
    tags = ("P16", "P50", "T2")
    max_steps = 25
    detour = "/orders"

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Whose]:
        """Every active account with a default shipping address, each pair of city and region once."""
        names = Counter(row.name_key for row in db.rows("customers"))
        books: dict[int, set[str]] = {}
        for row in db.rows("addresses"):
            books.setdefault(row.customer_id, set()).add(str(_place(row)))
        rows = db.query("SELECT c.*, a.id AS address_id FROM customers c JOIN addresses a"
                        " ON a.id = c.default_shipping_id WHERE c.status = 'active' ORDER BY c.id")  # fmt: skip
        hard = [row for row in rows if len(books[row.id]) > 1 or names[row.name_key] > 1]
        seen: set[str] = set()
        billed: list[Whose] = []
        found: dict[bool, list[Whose]] = {True: [], False: []}
        namesakes: list[Whose] = []
        hardest = [row for row in hard if row.default_billing_id != row.default_shipping_id or names[row.name_key] > 1]
        for row in (*rng.sample(hardest, len(hardest)), *rng.sample(hard, len(hard)), *rng.sample(rows, len(rows))):
            place = str(_place(db.row("addresses", id=row.address_id)))
            name = f"{row.first_name} {row.last_name}".strip()
            if place not in seen and not _told(place, name):
                seen.add(place)
                shared = names[row.name_key] > 1
                p = Whose(customer_id=row.id, name=name, email=row.email, shared=shared)
                if row.default_billing_id != row.default_shipping_id:
                    billed.append(p)
                else:
                    (namesakes if shared else found[row in hard]).append(p)
        yield from interleaved(rng, billed, namesakes, found[True], found[False])

    def intents(self, p: Whose) -> Sequence[str]:
        """The form of the answer is the shop's own words."""
        how = (
            'Answer with a JSON object: {"city": city, "region": name of the state or region in full, as the account'
            " shows it}."
        )
        return [
            f"In which city and state or region is the default shipping address of the customer {p.called}? {how}",
            f"Look up the account of {p.called}. I need city and state or region of the default shipping address."
            f" {how}",
            f"Where do we ship to by default for the customer {p.called}? City and state or region will do. {how}",
            f"Default shipping address in the account of {p.called}: which city, which state or region? {how}",
            f"I am planning a tour past our customers. In which city and region does {p.called} have their default"
            f" shipping address, according to their account? {how}",
        ]

    def expected(self, before: Snapshot, p: Whose) -> Expectation:
        """The two fields of the default shipping address."""
        row = before.row("customers", id=p.customer_id)
        return Expectation(answer=_place(before.row("addresses", id=row.default_shipping_id)))

    def oracle(self, page: Any, p: Whose) -> Moves:
        """Search the customers, open the account, read the address."""
        page = yield click(page.find("link", "Customers", within=("navigation", "Main")))
        page = yield type_(page.find("searchbox", "Search customers"), p.email if p.shared else p.name, submit=True)
        page = yield click(page.find("link", p.name, within=("main", None)))
        yield finish(str(_read(page)))

    def near_misses(self, before: Snapshot, p: Whose) -> Iterator[NearMiss]:
        """Other addresses: billing, others of the book, of the last order, of a namesake; a code for the name."""
        row = before.row("customers", id=p.customer_id)
        right = before.row("addresses", id=row.default_shipping_id)
        others = [("the default billing address", before.row("addresses", id=row.default_billing_id))]
        others += [("another address", one) for one in before.rows("addresses", customer_id=row.id)]
        others += [("where the last order went", one) for one in before.query(_LAST, c=row.id)]
        others += [("a namesake's address", one) for one in before.query(_NAMESAKES, c=row.id)]
        said = {name: str(_place(one)) for name, one in others if str(_place(one)) != str(_place(right))}
        for name, answer in said.items():
            yield NearMiss(name, finish=Finish(answer))
        city, region = right.city, REGIONS[right.country][right.region]
        if city != region:
            yield NearMiss("region and city swapped", finish=_said(region, city))
        yield NearMiss("the city only", finish=_said(city, ""))
        yield NearMiss("the postcode as well", finish=_said(f"{city} {right.postcode}", region))
        elsewhere = next(name for name in REGIONS[right.country].values() if name != region)
        yield NearMiss("another region", finish=_said(city, elsewhere))

    def still_right(self, before: Snapshot, p: Whose) -> Iterator[NearMiss]:
        """By the account's address; written line by line."""
        yield NearMiss("by the account's address", ui=lambda page: self._by_address(page, p))
        row = before.row("customers", id=p.customer_id)
        place = before.row("addresses", id=row.default_shipping_id)
        lines = f"City: {place.city.upper()}\nRegion: {REGIONS[place.country][place.region]}"
        yield NearMiss("answered line by line", finish=Finish(lines))

    def _by_address(self, page: Any, p: Whose) -> Moves:
        page = yield navigate(f"{HOST}/customers/{p.customer_id}")
        yield finish(str(_read(page)))


_LAST = """
SELECT a.* FROM orders o JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping'
WHERE o.customer_id = :c ORDER BY o.placed_at DESC, o.id DESC LIMIT 1
"""
_NAMESAKES = """
SELECT a.* FROM customers c JOIN customers n ON n.name_key = c.name_key AND n.id <> c.id
JOIN addresses a ON a.id = n.default_shipping_id WHERE c.id = :c ORDER BY n.id
"""


def _place(address: Row) -> Record:
    return Record({"city": Text(address.city), "region": Text(REGIONS[address.country][address.region])})


def _said(city: str, region: str) -> Finish:
    return Finish(json.dumps({"city": city, "region": region}, ensure_ascii=False))


def _told(place: str, name: str) -> bool:
    """Whether the name of the customer holds the city or the region."""
    return any(re.search(rf"\b{re.escape(word)}\b", name) for word in re.findall(r'": "([^"]+)"', place))


def _read(page: Any) -> Record:
    """City and region in the line of the default shipping address that holds both."""
    names = sorted({name for regions in REGIONS.values() for name in regions.values()}, key=len, reverse=True)
    line = re.compile(rf"^(?P<city>.+), (?P<region>{'|'.join(map(re.escape, names))}) \S")
    region = page.elements("region", "Default shipping address")[0]
    found = next(found for one in region.walk() if not one.children and (found := line.match(one.text)))
    return Record({"city": Text(found["city"]), "region": Text(found["region"])})
