"""The shop's books: the instant, who is at work, units on the shelf, and the trails that every write leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from . import clock
from .catalogue import Catalogue
from .marketing import Offers
from .people import Someone
from .plan import AUDIT_KEPT, MAILS_KEPT
from .sheet import Row, Sheet

_SIGNED = "Fernhill Supply\nwww.shop.localhost"


@dataclass
class Buyer:
    """Who places an order and where it goes."""

    name: str
    email: str
    billing: Row
    shipping: Row
    someone: Someone | None = None

    @property
    def region(self) -> str:
        """The tax region of the goods' way."""
        country = self.shipping["country"]
        return f"{country}-{self.shipping['region']}" if country in ("US", "CA") else str(country)


@dataclass
class Case:
    """An order with its papers."""

    order: Row
    items: list[Row]
    buyer: Buyer
    invoices: list[Row] = field(default_factory=list)
    shipments: list[Row] = field(default_factory=list)

    def open_units(self, item: Row) -> int:
        """Units neither shipped nor canceled."""
        return int(item["qty_ordered"] - item["qty_shipped"] - item["qty_canceled"])


class Books:
    """The state of the shop at an instant."""

    def __init__(self, sheet: Sheet, catalogue: Catalogue, offers: Offers, rng: Random) -> None:
        self.sheet, self.catalogue, self.offers, self.rng = sheet, catalogue, offers, rng
        self.now = 0
        self.staff: int | None = None
        self.stock: dict[int, Row] = {}
        self.refilling = True
        self.cases: list[Case] = []

    @property
    def at(self) -> str:
        """The instant as text."""
        return clock.text(self.now)

    def available(self, variant_id: int) -> int:
        """Units that can be sold."""
        stock = self.stock[variant_id]
        return int(stock["on_hand"] - stock["reserved"])

    # stock

    def move(self, variant_id: int, kind: str, *, on_hand: int = 0, reserved: int = 0, note: str | None = None,
             ref: tuple[str, int] | None = None) -> None:  # fmt: skip
        """Change units on the shelf or reserved, with the move that explains it."""
        stock = self.stock[variant_id]
        stock["on_hand"] += on_hand
        stock["reserved"] += reserved
        self.sheet.add(
            "stock_moves", variant_id=variant_id, kind=kind, d_on_hand=on_hand, d_reserved=reserved, note=note,
            ref_kind=ref[0] if ref else None, ref_id=ref[1] if ref else None, actor_id=self.staff, created_at=self.at,
        )  # fmt: skip

    def receive(self, variant_id: int, units: int) -> None:
        """Goods in."""
        brand = self.catalogue.by_variant[variant_id].row["brand_id"]
        name = self.sheet.tables["brands"][brand - 1]["name"]
        self.move(variant_id, "receipt", on_hand=units, note=f"Delivery from {name}")

    # trails

    def event(self, case: Case, kind: str, body: str, *, notify: bool = False,
              moved: tuple[str | None, str | None] = (None, None)) -> None:  # fmt: skip
        """A line of the order's history."""
        case.order["updated_at"] = self.at
        self.sheet.add(
            "order_events", order_id=case.order["id"], kind=kind, from_status=moved[0], to_status=moved[1], body=body,
            notify_customer=notify, staff_id=self.staff, created_at=self.at,
        )  # fmt: skip

    def audit(self, action: str, entity: str, entity_id: int, changes: Sequence[tuple[str, Any, Any]]) -> None:
        """An audit row, if the log reaches back so far."""
        if self.now < AUDIT_KEPT:
            return
        kind = "staff" if self.staff else "customer" if action in ("orders.cancel", "returns.cancel") else "system"
        told = [{"field": name, "new": new, "old": old} for name, old, new in changes]
        self.sheet.add("audit_log", at=self.at, actor_kind=kind, actor_id=self.staff, action=action, entity=entity,
                       entity_id=entity_id, changes_json=json.dumps(told, sort_keys=True,
                           ensure_ascii=False))  # fmt: skip

    def mail(self, case: Case, template: str, subject: str, text: str) -> None:
        """A mail, if it is young enough to be kept."""
        if self.now < MAILS_KEPT:
            return
        order = case.order
        self.sheet.add(
            "outbox_emails", to_email=order["email"], subject=subject, template=template, entity="order",
            body=f"Hello {order['customer_name']},\n\n{text}\n\n{_SIGNED}", entity_id=order["id"], created_at=self.at,
        )  # fmt: skip

    def notify(self, kind: str, entity: str, entity_id: int, text: str) -> None:
        """A line behind everybody's bell, for the last weeks."""
        if self.now >= MAILS_KEPT:
            self.sheet.add(
                "notifications", kind=kind, entity=entity, entity_id=entity_id, text=text, created_at=self.at
            )
