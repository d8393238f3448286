"""A small shop, made by hand, in which every case of the order rules occurs once; a site of its own for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sitegym.sites.kit.ids import next_id, next_number
from sitegym.sites.kit.site import Site
from sitegym.sites.kit.views import ViewLog
from sitegym.sites.kit.world import WorldContext, milliseconds
from sitegym.sites.store import keys, models
from sitegym.sites.store.app import create_app
from sitegym.sites.store.services import USE_CASES, Actor, actor_for
from sitegym.sites.store.services.sessions import sign_in
from sqlalchemy import Connection, select
from sqlalchemy.orm import Session

START = "2026-03-18T10:00:00Z"
PLACED = "2026-03-10T09:00:00Z"
NUMBERS = {
    case: str(100_123 + position)
    for position, case in enumerate(
        (
            "pending",
            "with coupon",
            "by credit",
            "fraud",
            "guest",
            "transfer",
            "on delivery",
            "held",
            "invoiced",
            "shipped",
            "two parcels",
            "long",
        )
    )
}
"""The number of the order of each case."""

HOME = {
    "full_name": "Mara Lindqvist",
    "company": None,
    "line1": "12 Juniper Lane",
    "line2": "Apt 4",
    "city": "Portland",
    "region": "OR",
    "postcode": "97205",
    "country": "US",
    "phone": "+15035550123",
}
LONG_NAME = "Maximiliane-Theodora Freifrau von und zu Hohenstein-Wallenberg-Schwarzenfels"
LONG_NOTE = "Please leave it with the neighbours at no. 14 <not no. 41>, they are always in.\nRing twice & wait."


class SmallShop:
    """The shop while it is being filled."""

    def __init__(self, db: Session) -> None:
        self.db = db

    def add(self, model: Any, **values: Any) -> Any:
        """A row with the next id and its keys."""
        if "id" in model.__table__.columns:
            values = {"id": next_id(self.db, model), **values}
        row = model(**values)
        keys.fill_keys(row)
        self.db.add(row)
        self.db.flush()
        return row

    def people(self) -> None:
        """One member of staff a role, a second manager, a clerk who left, two customers."""
        for name, role, active in (
            ("Olga Owner", "owner", True),
            ("Max Manager", "manager", True),
            ("Nina Manager", "manager", True),
            ("Carl Clerk", "clerk", True),
            ("Anna Analyst", "analyst", True),
            ("Left Long-Ago", "clerk", False),
        ):
            email = f"{name.split()[0].lower()}@fernhill.example"
            self.add(
                models.Staff, email=email, name=name, role=role, active=active, password_hash="", created_at=PLACED
            )
        group = self.add(models.CustomerGroup, code="general", name="General")
        for first, last in (("Mara", "Lindqvist"), ("Łukasz", "Żak")):
            email = f"{first[0]}.{last[-3:]}@mail.example".lower()
            self.add(models.Customer, email=email, first_name=first, last_name=last, group_id=group.id,
                     password_hash="", search_key="", created_at=PLACED)  # fmt: skip
        for name in ("gift", "rush", "vip"):
            self.add(models.Tag, name=name)

    def shelves(self) -> None:
        """Four variants with 20 units each, and the ways to send them."""
        self.add(
            models.ShippingMethod, code="standard", name="Standard", price=500, free_over=7500, eta_days=5, position=1
        )
        brand = self.add(models.Brand, name="Alder", slug="alder")
        for n in range(1, 5):
            product = self.add(models.Product, name=f"Ridge Pack {n}", slug=f"ridge-pack-{n}", brand_id=brand.id,
                               kind="simple", status="active", search_key="", created_at=PLACED)  # fmt: skip
            variant = self.add(models.Variant, product_id=product.id, sku=f"RDG-{n}", position=1, price=1999, cost=900,
                               options_key="")  # fmt: skip
            self.add(models.Stock, variant_id=variant.id, on_hand=20, reserved=0)
            self.add(models.StockMove, variant_id=variant.id, kind="receipt", d_on_hand=20, created_at=PLACED)
        promotion = self.add(models.Promotion, name="Spring", description="", status="active", priority=1,
                             action="percent", amount=1000, scope="all")  # fmt: skip
        self.add(models.Coupon, promotion_id=promotion.id, code="SPRING10", used_count=0)

    def order(self, case: str, *lines: tuple[int, int], **values: Any) -> Any:
        """An order of (variant id, units); 20 % of tax, a cent that does not divide, 5.00 of shipping."""
        subtotal = sum(1999 * units for _, units in lines)
        tax = sum(201 * units for _, units in lines)
        number = next_number(self.db, models.Order)
        fields = {
            "number": number, "customer_id": 1, "email": "m.ist@mail.example", "customer_name": "Mara Lindqvist",
            "status": "pending", "subtotal": subtotal, "discount": 0, "shipping": 500, "tax": tax,
            "total": subtotal + tax + 500, "shipping_code": "standard", "pay_method": "card", "card_last4": "4242",
            "search_key": "", "placed_at": PLACED, **values,
        }  # fmt: skip
        order = self.add(models.Order, **fields)
        assert number == NUMBERS[case]
        for variant_id, units in lines:
            self.line(order, variant_id, units)
        for kind in ("billing", "shipping"):
            self.add(models.OrderAddress, order_id=order.id, kind=kind, **HOME)
        self.add(models.OrderEvent, order_id=order.id, kind="system", body="Order placed", created_at=PLACED)
        return order

    def line(self, order: Any, variant_id: int, units: int) -> None:
        """One line, and the reservation behind it."""
        variant = self.db.get_one(models.Variant, variant_id)
        self.add(models.OrderItem, order_id=order.id, variant_id=variant_id, sku=variant.sku,
                 name=f"Ridge Pack {variant_id}", unit_price=1999, qty_ordered=units, row_total=1999 * units,
                 tax=201 * units)  # fmt: skip
        self.db.get_one(models.Stock, variant_id).reserved += units
        self.add(models.StockMove, variant_id=variant_id, kind="reserve", d_reserved=units, ref_kind="order",
                 ref_id=order.id, created_at=PLACED)  # fmt: skip

    def orders(self) -> None:
        """One order a case; those further on are brought there by the use cases themselves, in `finish`."""
        self.order("pending", (1, 2), (2, 1))
        coupon = self.order("with coupon", (1, 1), coupon_code="SPRING10")
        self.add(models.CouponUse, coupon_id=1, order_id=coupon.id, customer_id=1)
        self.db.get_one(models.Coupon, 1).used_count = 1
        credit = self.order("by credit", (1, 1), pay_method="store_credit", card_last4=None)
        self.add(models.StoreCreditEntry, customer_id=1, delta=5000, reason="Goodwill", created_at=PLACED)
        self.add(models.StoreCreditEntry, customer_id=1, delta=-credit.total, reason="Order", order_id=credit.id,
                 created_at=PLACED)  # fmt: skip
        self.order("fraud", (3, 2), status="fraud_review")
        self.order("guest", (2, 1), customer_id=None, customer_name="Søren Ång", email="soren@guest.example")
        self.order("transfer", (2, 3), pay_method="bank_transfer", card_last4=None)
        self.order("on delivery", (2, 1), pay_method="cod", card_last4=None)
        for case in ("held", "invoiced", "shipped", "two parcels"):
            self.order(case, (3, 2), (4, 1))
        self.order("long", *((n % 4 + 1, 1) for n in range(9)), customer_name=LONG_NAME, customer_note=LONG_NOTE,
                   coupon_code="SPRING10", channel="phone")  # fmt: skip


def _finish(world: WorldContext) -> None:
    """Bring the orders that are further on to where their case wants them."""
    boss = Actor("staff", 2, "manager", "Max Manager")
    USE_CASES["orders.hold"](world, boss, number=NUMBERS["held"], reason="payment_check")
    for case in ("invoiced", "shipped", "two parcels"):
        USE_CASES["invoices.create"](world, boss, number=NUMBERS[case])
    USE_CASES["shipments.create"](world, boss, number=NUMBERS["shipped"])
    with world.read() as db:
        order = db.scalars(select(models.Order).filter_by(number=NUMBERS["two parcels"])).one()
        first, second = (item.id for item in order.items)
    USE_CASES["shipments.create"](world, boss, number=NUMBERS["two parcels"], lines={first: 2})
    USE_CASES["shipments.create"](world, boss, number=NUMBERS["two parcels"], lines={second: 1})


class _Open:
    """The database while the site is built: one session for everything."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        yield self.session

    writing = reading

    @contextmanager
    def paused(self, session: Session) -> Iterator[None]:
        yield


class _Moment:
    """A world that does not run yet."""

    def __init__(self, session: Session) -> None:
        self.database = _Open(session)
        self.views = ViewLog()
        self.secret = b"small shop"
        self.now_ms = milliseconds(START)

    def record_error(self, text: str) -> None:
        raise AssertionError(text)


def build(connection: Connection, data: str, seed: int) -> None:
    """Make the tables and fill them."""
    models.Base.metadata.create_all(connection)
    with Session(bind=connection) as db:
        db.add(models.Sequence(name="orders.number", last=100_122))
        db.add(models.Setting(key="clerk_refund_limit", value_json=json.dumps(1000)))
        db.flush()
        shop = SmallShop(db)
        shop.people()
        shop.shelves()
        shop.orders()
        _finish(WorldContext(_Moment(db)))
        db.commit()


SITE = Site(
    name="small-shop",
    metadata=models.Base.metadata,
    hosts={"admin.shop.localhost": "admin"},
    start=START,
    build=build,
    create_app=create_app,
    sign_in=sign_in,
    actor=actor_for,
    use_cases=USE_CASES,
    data_sets=("tiny",),
    sources=("small_shop", "sitegym.sites.store.models", "sitegym.sites.store.services"),
)
