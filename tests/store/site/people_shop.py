"""The small shop with more people in it: twins, addresses, reviews, wishes, and enough customers for two pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sitegym.sites.kit.ids import next_number
from sitegym.sites.store import keys, models
from small_shop import HOME, SITE, SmallShop
from sqlalchemy import Connection, select
from sqlalchemy.orm import Session
from werkzeug.security import generate_password_hash

PASSWORD = "three grey herons"
TWIN, BLOCKED, QUIET = 3, 4, 5
"""A second account of Mara Lindqvist with everything one can have; a blocked one in London; one without orders."""

CROWD = 24
LONG = "Wolfeschlegelsteinhausenbergerdorff-Fotheringay-Montgomery"


class PeopleShop(SmallShop):
    """The shop while it is being filled further."""

    def customer(self, first: str, last: str, email: str, **values: Any) -> Any:
        """A customer with usual values."""
        usual = {"group_id": 1, "password_hash": "", "created_at": "2025-06-01T08:00:00Z"}
        return self.add(models.Customer, first_name=first, last_name=last, email=email, **{**usual, **values})

    def people_more(self) -> None:
        """The named ones, then the crowd."""
        for code, name in (("wholesale", "Wholesale"), ("vip", "VIP")):
            self.add(models.CustomerGroup, code=code, name=name)
        self.customer("Mara", "Lindqvist", "mara.l@post.example", phone="+16145550134", group_id=3)
        self.customer("Ann", "O'Dell", "ann.odell@mail.example", phone="+442079460123", status="blocked", group_id=2)
        self.customer("Quiet", LONG, "quiet@mail.example", note="Never ordered.\nAsks <b>a lot</b>.")
        for n in range(CROWD):
            self.customer(f"Crowd{n:02d}", "Member", f"crowd{n:02d}@mail.example")
        for staff in self.db.scalars(select(models.Staff)):
            staff.password_hash = generate_password_hash(PASSWORD, method="pbkdf2:sha1:1", salt_length=4)

    def twin(self) -> None:
        """Two addresses, an order of each state that matters, reviews, a wish, credit and a newsletter entry."""
        twin = self.db.get_one(models.Customer, TWIN)
        home = {**HOME, "customer_id": TWIN, "city_key": ""}
        first = self.add(models.Address, label="Home", **home)
        columbus = {"city": "Columbus", "region": "OH", "postcode": "43004", "line2": None}
        self.add(models.Address, label="Office", **{**home, **columbus, "company": "Birch & Sons"})
        twin.default_shipping_id = twin.default_billing_id = first.id
        self.sold(status="complete", placed_at="2026-02-28T23:59:59Z", total=1000_00, refunded=100_00)
        self.sold(status="canceled", placed_at="2026-03-01T00:00:00Z", cancel_reason="unpaid")
        for product, owner, stars in ((1, 1, 5), (1, TWIN, 2), (2, TWIN, 4)):
            self.add(models.Review, product_id=product, customer_id=owner, nickname="M", title=f"Pack {product}",
                     body="Sturdy.", rating=stars, status="approved", created_at="2026-01-05T08:00:00Z")  # fmt: skip
        self.add(models.WishlistItem, customer_id=TWIN, product_id=3, variant_id=3, created_at="2026-01-05T08:00:00Z")
        self.add(models.StoreCreditEntry, customer_id=TWIN, delta=2500, reason="Goodwill",
                 created_at="2026-01-05T08:00:00Z")  # fmt: skip
        self.add(models.NewsletterEntry, email=twin.email, customer_id=TWIN, status="subscribed",
                 created_at="2026-01-05T08:00:00Z")  # fmt: skip

    def sold(self, **values: Any) -> None:
        """An order of the twin, with one shipped unit of variant 2 and an address in Columbus."""
        usual = {
            "number": next_number(self.db, models.Order), "customer_id": TWIN, "email": "mara.l@post.example",
            "customer_name": "Mara Lindqvist", "subtotal": 1999, "discount": 0, "shipping": 500, "tax": 201,
            "total": 2700, "shipping_code": "standard", "pay_method": "card", "assigned_to": 3, "search_key": "",
        }  # fmt: skip
        order = self.add(models.Order, **{**usual, **values})
        shipped = int(values["status"] == "complete")
        self.add(models.OrderItem, order_id=order.id, variant_id=2, sku="RDG-2", name="Ridge Pack 2", unit_price=1999,
                 qty_ordered=1, qty_invoiced=shipped, qty_shipped=shipped, row_total=1999, tax=201)  # fmt: skip
        place = {**HOME, "city": "Columbus", "region": "OH"}
        for kind in ("billing", "shipping"):
            self.add(models.OrderAddress, order_id=order.id, kind=kind, **place)
        self.add(models.OrderTag, order_id=order.id, tag_id=1)

    def find_words(self) -> None:
        """The search keys that are made of several rows."""
        for order in self.db.scalars(select(models.Order)):
            skus = [item.sku for item in order.items]
            order.search_key = keys.order_search_key(order.number, order.customer_name, order.email, skus)
        for product in self.db.scalars(select(models.Product)):
            product.search_key = keys.product_search_key(product.name, "Alder", ("Packs",), (f"RDG-{product.id}",), ())


def build(connection: Connection, data: str, seed: int) -> None:
    """The small shop, and then its people."""
    SITE.build(connection, data, seed)
    with Session(bind=connection) as db:
        shop = PeopleShop(db)
        shop.people_more()
        shop.twin()
        shop.find_words()
        db.commit()


PEOPLE_SITE = replace(SITE, name="people-shop", build=build, sources=("people_shop", *SITE.sources))
