"""Staff, customers with their address books, and what hangs on an account."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from random import Random
from typing import NamedTuple

from . import clock
from .calendar import Slot
from .names import COMPANIES, UNICODE_PEOPLE, email, person, second_line, street
from .plan import DAY, OPENED, START, Plan
from .sheet import Row, Sheet, exact, stream

STAFF = (
    ("Ruth Alvestad", "owner"), ("Marcus Bell", "manager"), ("Ines Carvalho", "manager"), ("Tom Whitfield", "manager"),
    ("Abby Nakamura", "clerk"), ("Ben Osei", "clerk"), ("Chloe Durand", "clerk"), ("Dmitri Volkov", "clerk"),
    ("Elsa Lindqvist", "clerk"), ("Farid Haddad", "clerk"), ("Gwen Price", "clerk"), ("Hugo Santos", "analyst"),
    ("Iris Feldman", "analyst"), ("Jonas Weber", "clerk"),
)  # fmt: skip
"""One owner, three managers, seven clerks, two analysts, and a clerk who has left."""

PASSWORD = "fernhill"
"""Everybody's password; accounts are told apart by their address."""


class Place(NamedTuple):
    """A city with a post code that belongs to it."""

    country: str
    region: str
    city: str
    postcode: str
    area: str


@dataclass
class Someone:
    """A customer with what the history asks of them."""

    row: Row
    home: Place
    addresses: list[Row] = field(default_factory=list)
    group_id: int = 1
    completed: int = 0
    credit: int = 0


@lru_cache(maxsize=1)
def places() -> dict[str, list[Place]]:
    """Cities by country, from the lists beside the code."""
    found: dict[str, list[Place]] = {}
    for name in ("places_us.csv", "places_abroad.csv"):
        source = resources.files(__package__.rpartition(".")[0]) / "data" / name
        for row in csv.DictReader(source.read_text(encoding="utf-8").splitlines()):
            found.setdefault(row["country"], []).append(Place(**row))
    return found


def password_hash(seed: int) -> str:
    """One salted hash for all accounts of a data set, in werkzeug's form; hashing each alone would take a minute."""
    salt = hashlib.sha256(f"sitegym:{seed}".encode()).hexdigest()[:16]
    digest = hashlib.scrypt(PASSWORD.encode(), salt=salt.encode(), n=2**15, r=8, p=1, maxmem=132 * 2**15 * 8)
    return f"scrypt:32768:8:1${salt}${digest.hex()}"


def phone(rng: Random, place: Place, taken: set[str]) -> str:
    """A number that belongs to a place, in the ranges that are kept free for fiction."""
    while True:
        if place.country in ("US", "CA"):
            made = f"+1{place.area}5550{rng.randrange(100, 200)}"
        elif place.country == "GB":
            made = f"+44{_british(rng, place.area)}"
        else:
            made = f"+49{_german(rng, place.area)}"
        if made in taken:
            place = rng.choice(places()[place.country])
            continue
        taken.add(made)
        return made


def _british(rng: Random, area: str) -> str:
    """Drama numbers by area; mobiles half of the time."""
    number = rng.randrange(1000)
    if rng.random() < 0.5:
        return f"7700900{number:03d}"
    return {
        "20": f"2079460{number:03d}", "29": f"2920180{number:03d}", "28": f"2896496{number:03d}",
        "191": f"1914980{number:03d}", "1632": f"1632960{number:03d}",
    }.get(area, f"{area}4960{number:03d}")  # fmt: skip


def _german(rng: Random, area: str) -> str:
    """Numbers kept free by area, else a mobile one."""
    number = rng.randrange(1000)
    return {
        "30": f"3023125{number:03d}", "69": f"6990009{number:03d}", "40": f"4066969{number:03d}",
        "221": f"2214710{number:03d}", "89": f"8999998{number:03d}",
    }.get(area, f"17139200{number % 100:02d}")  # fmt: skip


class Crowd:
    """Makes the accounts, in the order of the calendar's owners."""

    def __init__(self, sheet: Sheet, plan: Plan, seed: int, slots: list[Slot]) -> None:
        self.sheet, self.plan, self.rng = sheet, plan, stream(seed, "people")
        self.hash = password_hash(seed)
        self.emails: set[str] = set()
        self.phones: set[str] = set()
        self.people: list[Someone] = []
        self.first_order = _firsts(slots)
        self.pending_newest, self.without_pending = _by_newest(slots)

    def make(self) -> list[Someone]:
        """Add staff, groups and all accounts; returns the accounts by owner index, those without orders last."""
        self._staff()
        for code, name in (("general", "General"), ("wholesale", "Wholesale"), ("vip", "VIP")):
            self.sheet.add("customer_groups", code=code, name=name)
        groups = exact(self.rng, dict(zip(("1", "2", "3"), self.plan.groups, strict=True)))
        drafts = [self._draft(index, int(group)) for index, group in enumerate(groups)]
        self._namesakes(drafts)
        self._doubles(drafts)
        for draft in sorted(drafts, key=lambda each: each.since):
            self._account(draft)
        self._ends(drafts)
        return [draft.someone for draft in drafts if draft.someone]

    def _staff(self) -> None:
        for index, (name, role) in enumerate(STAFF):
            first, _, last = name.partition(" ")
            self.sheet.add(
                "staff",
                email=f"{first}.{last}@fernhill.example".lower(),
                name=name,
                role=role,
                active=index != len(STAFF) - 1,
                phone=f"+1614555{100 + index:04d}" if role != "analyst" else None,
                password_hash=self.hash,
                created_at=clock.text(OPENED - (60 - index * 4) * DAY + 32_400 + index * 1260),
                last_seen_at=clock.text(START - self.rng.randrange(600, 3 * DAY)),
            )

    def _draft(self, index: int, group: int) -> _Draft:
        rng = self.rng
        country = rng.choices(("US", "CA", "GB", "DE"), (76, 9, 8, 7))[0]
        found = places()[country]
        home = rng.choice([p for p in found if p.region == "OH"] if country == "US" and rng.random() < 0.1 else found)
        first, last = person(rng, country)
        if index % 5 == 2 and index // 5 < len(UNICODE_PEOPLE) and index < self.plan.customers // 2:
            first, last = UNICODE_PEOPLE[index // 5]
        before = self.first_order.get(index, START - rng.randrange(3 * DAY, 420 * DAY))
        since = before - (rng.randrange(90, 1500) if rng.random() < 0.5 else rng.randrange(DAY, 50 * DAY))
        return _Draft(index, group, home, first, last, since)

    def _namesakes(self, drafts: list[_Draft]) -> None:
        """Pairs with one name in two cities; one has a pending order as the newest, the other has none pending."""
        waiting = [drafts[i] for i in self.pending_newest if not _planted(drafts[i])]
        idle = [drafts[i] for i in self.without_pending if not _planted(drafts[i])]
        self.rng.shuffle(waiting)
        self.rng.shuffle(idle)
        for one, other in list(zip(waiting, idle, strict=False))[: self.plan.namesakes]:
            other.first, other.last = one.first, one.last
            one.named = other.named = True
            while other.home.city == one.home.city:
                other.home = self.rng.choice(places()[other.home.country])

    def _doubles(self, drafts: list[_Draft]) -> None:
        """People with two accounts: one name, one home, two addresses of mail."""
        free = [d for d in drafts if not d.named and not _planted(d)]
        chosen = self.rng.sample(free, 2 * self.plan.double_accounts)
        for one, other in zip(chosen[::2], chosen[1::2], strict=True):
            other.first, other.last, other.home, other.twin = one.first, one.last, one.home, one
            one.named = other.named = True

    def _account(self, draft: _Draft) -> None:
        rng = self.rng
        row = self.sheet.add(
            "customers",
            email=email(rng, draft.first, draft.last, self.emails),
            first_name=draft.first,
            last_name=draft.last,
            phone=phone(rng, draft.home, self.phones) if rng.random() < 0.86 else None,
            group_id=draft.group,
            status="active",
            note=rng.choice(_NOTES) if rng.random() < 0.07 else "",
            password_hash=self.hash,
            created_at=clock.text(draft.since),
            last_seen_at=clock.text(min(START - rng.randrange(300, 9 * DAY), START - 60)),
        )
        someone = draft.someone = Someone(row, draft.home, group_id=draft.group)
        twin = draft.twin.someone if draft.twin else None
        if twin is not None:
            book = {k: v for k, v in twin.addresses[0].items() if k not in ("id", "customer_id", "v")}
            someone.addresses.append(self.sheet.add("addresses", customer_id=row["id"], **book))
        else:
            someone.addresses.append(self._address(someone, "Home", draft.home))
        self._more_addresses(someone)

    def _address(self, someone: Someone, label: str, place: Place, *, name: str | None = None) -> Row:
        rng, row = self.rng, someone.row
        company = rng.choice(COMPANIES) if label == "Work" else None
        return self.sheet.add(
            "addresses",
            customer_id=row["id"],
            label=label,
            full_name=name or f"{row['first_name']} {row['last_name']}",
            company=company,
            line1=street(rng, place.country),
            line2=second_line(rng, place.country),
            city=place.city,
            region=place.region,
            postcode=place.postcode,
            country=place.country,
            phone=row["phone"] if rng.random() < 0.6 else None,
        )

    def _more_addresses(self, someone: Someone) -> None:
        rng, home = self.rng, someone.home
        near = [p for p in places()[home.country] if p.region == home.region]
        if rng.random() < (0.7 if someone.group_id == 2 else 0.3):
            someone.addresses.append(self._address(someone, "Work", rng.choice(near)))
        if rng.random() < 0.16:
            first, last = person(rng, home.country)
            last = someone.row["last_name"] if rng.random() < 0.5 else last
            place = rng.choice(places()[home.country])
            label = rng.choice(("Parents", "Gift", "Cabin", "Sister"))
            someone.addresses.append(self._address(someone, label, place, name=f"{first} {last}"))
        shipping = someone.addresses[0] if rng.random() < 0.8 else rng.choice(someone.addresses)
        if len(someone.addresses) > 1 or rng.random() < 0.93:
            someone.row["default_shipping_id"] = shipping["id"]
            someone.row["default_billing_id"] = someone.addresses[0]["id"]

    def _ends(self, drafts: list[_Draft]) -> None:
        """Blocked accounts, and merged ones, which have no orders left."""
        idle = [d for d in drafts if d.index not in self.first_order and not d.named]
        for draft in self.rng.sample(idle, min(self.plan.merged, len(idle))):
            into = self.rng.choice([d for d in drafts if d.index in self.first_order])
            assert draft.someone is not None
            assert into.someone is not None
            draft.someone.row.update(status="merged", merged_into=into.someone.row["id"])
        active = [d for d in drafts if d.someone and d.someone.row["status"] == "active" and not d.named]
        for draft in self.rng.sample(active, self.plan.blocked):
            assert draft.someone is not None
            draft.someone.row["status"] = "blocked"


@dataclass
class _Draft:
    """An account before it is written: accounts are numbered by the time of their making."""

    index: int
    group: int
    home: Place
    first: str
    last: str
    since: int
    named: bool = False
    twin: _Draft | None = None
    someone: Someone | None = None


_NOTES = (
    "Prefers to be called in the afternoon.", "Asks for paper invoices.", "Leaves parcels with the neighbor, no. 14.",
    "Buys for a scout group every spring.", "Gave us a lovely interview in 2025.",
    "Allergic to wool, ask before swapping items.",
    "Pays late, but pays.", "Met at the Columbus fair.", "Wants no plastic in parcels.",
    "Speaks only French on the phone.",
)  # fmt: skip


def _planted(draft: _Draft) -> bool:
    return (draft.first, draft.last) in UNICODE_PEOPLE


def _firsts(slots: list[Slot]) -> dict[int, int]:
    """The instant of each owner's first order."""
    first: dict[int, int] = {}
    for slot in slots:
        if slot.owner is not None:
            first.setdefault(slot.owner, slot.at)
    return first


def _by_newest(slots: list[Slot]) -> tuple[list[int], list[int]]:
    """Owners whose newest order is pending, and owners without any pending one."""
    newest: dict[int, str] = {}
    pending: set[int] = set()
    for slot in slots:
        if slot.owner is not None:
            newest[slot.owner] = slot.status
            if slot.status == "pending":
                pending.add(slot.owner)
    return [o for o, status in newest.items() if status == "pending"], [o for o in newest if o not in pending]


def add_on_accounts(sheet: Sheet, plan: Plan, seed: int, people: list[Someone], products: list[Row]) -> None:
    """Newsletter, wish lists and tags of customers."""
    rng = stream(seed, "accounts")
    active = [someone for someone in people if someone.row["status"] == "active"]
    for someone in active:
        if rng.random() < 0.45:
            status = rng.choices(("subscribed", "unsubscribed", "pending"), (75, 17, 8))[0]
            at = min(START - 600, clock.seconds(someone.row["created_at"]) + rng.randrange(60, 30 * DAY))
            sheet.add("newsletter", email=someone.row["email"], customer_id=someone.row["id"], status=status,
                      created_at=clock.text(at))  # fmt: skip
        if rng.random() < 0.08:
            sheet.add("customer_tags", customer_id=someone.row["id"], tag_id=rng.choice((12, 13, 14, 15, 18, 20)))
    wanted = [row for row in products if row["status"] == "active"]
    taken: set[tuple[int, int]] = set()
    while len(taken) < plan.wishes:
        someone = active[int(rng.random() ** 2 * len(active))]
        product = rng.choice(wanted)
        pair = (someone.row["id"], product["id"])
        if pair not in taken:
            taken.add(pair)
            at = clock.seconds(someone.row["created_at"])
            sheet.add("wishlist_items", customer_id=pair[0], product_id=pair[1],
                      created_at=clock.text(rng.randrange(at, START - 30)))  # fmt: skip


def make_people(sheet: Sheet, plan: Plan, seed: int, slots: list[Slot]) -> list[Someone]:
    """Add staff and customers; the result is indexed by `Slot.owner`."""
    return Crowd(sheet, plan, seed, slots).make()
