"""What staff did besides orders: price changes, imports, saved views, carts left open, alerts, and the bell."""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import itemgetter
from random import Random
from typing import Any

from . import clock
from .catalogue import Catalogue
from .desk import CLERKS, MANAGERS
from .people import Someone
from .plan import AUDIT_KEPT, DAY, START
from .sheet import Sheet, stream


def make_office(sheet: Sheet, seed: int, catalogue: Catalogue, people: Sequence[Someone]) -> None:
    """Add the trails of other work, in order of time with those of the orders."""
    rng = stream(seed, "office")
    _price_changes(sheet, rng, catalogue)
    _customer_edits(sheet, rng, people)
    _review_decisions(sheet, rng)
    _imports(sheet, rng)
    _views(sheet)
    _carts(sheet, rng, catalogue, people, seed)
    _alerts(sheet, rng, people)
    _order_tags(sheet, rng)
    _bell(sheet, rng)
    _in_order_of_time(sheet)


def _audit(sheet: Sheet, at: int, staff: int, action: str, entity: str, entity_id: int,
           changes: Sequence[tuple[str, Any, Any]]) -> None:  # fmt: skip
    if at >= AUDIT_KEPT:
        told = [{"field": name, "new": new, "old": old} for name, old, new in changes]
        sheet.add("audit_log", at=clock.text(at), actor_kind="staff", actor_id=staff, action=action, entity=entity,
                  entity_id=entity_id, changes_json=json.dumps(told, sort_keys=True, ensure_ascii=False))  # fmt: skip


def _price_changes(sheet: Sheet, rng: Random, catalogue: Catalogue) -> None:
    """The audit rows of prices that changed; all variants of a product at one instant by one person."""
    for thing in catalogue.things:
        staff = rng.choice(MANAGERS)
        for variant in thing.variants:
            if variant["id"] in catalogue.changes:
                at, old = catalogue.changes[variant["id"]]
                change = ("price", old, variant["price"])
                _audit(sheet, clock.seconds(at), staff, "variants.change_prices", "variant", variant["id"], [change])


def _customer_edits(sheet: Sheet, rng: Random, people: Sequence[Someone]) -> None:
    """Phones corrected and notes written."""
    for someone in rng.sample(people, max(6, len(people) // 14)):
        row, at = someone.row, clock.later(rng, START - rng.randrange(2, 58) * DAY, 0, 5)
        if row["phone"] and rng.random() < 0.6:
            change = ("phone", row["phone"][:-1] + str((int(row["phone"][-1]) + 3) % 10), row["phone"])
        elif row["note"]:
            change = ("note", "", row["note"])
        else:
            continue
        if clock.text(at) > row["created_at"]:
            _audit(sheet, at, rng.choice(CLERKS), "customers.edit", "customer", row["id"], [change])


def _review_decisions(sheet: Sheet, rng: Random) -> None:
    """Who approved or rejected the newer reviews."""
    for row in sheet.tables["reviews"]:
        if row["status"] != "pending":
            at, change = clock.later(rng, clock.seconds(row["created_at"]), 1, 40), ("status", "pending", row["status"])
            _audit(sheet, at, rng.choice(CLERKS), "reviews.moderate", "review", row["id"], [change])


def _imports(sheet: Sheet, rng: Random) -> None:
    """Lists that were read in."""
    for kind, name, days, total, failed, status in (
        ("prices", "prices_spring.csv", 41, 48, 0, "applied"),
        ("stock", "count_2026-01.csv", 58, 120, 3, "applied"),
        ("stock", "count_2026-02.csv", 30, 96, 1, "applied"),
        ("products", "new_layers.csv", 33, 12, 2, "cancelled"),
        ("prices", "prices_tents.csv", 9, 14, 1, "applied"),
        ("stock", "returns_shelf.csv", 5, 22, 0, "applied"),
        ("prices", "supplier_march.csv", 1, 30, 6, "checked"),
    ):
        at = clock.later(rng, START - days * DAY, 0, 4)
        errors = [
            {"row": 2 + 7 * i, "error": ("unknown SKU", "bad number", "duplicate row")[i % 3]} for i in range(failed)
        ]
        job = sheet.add(
            "import_jobs", kind=kind, filename=name, status=status, total=total, ok=total - failed, failed=failed,
            errors_json=json.dumps(errors, sort_keys=True), actor_id=rng.choice(MANAGERS), created_at=clock.text(at),
            applied_at=clock.text(at + rng.randrange(40, 900)) if status == "applied" else None,
        )  # fmt: skip
        if status == "applied" and days < 45:
            sheet.add("notifications", kind="import_finished", entity="import_jobs", entity_id=job["id"],
                      text=f"Import {name}: {total - failed} of {total} rows applied.",
                      created_at=job["applied_at"])  # fmt: skip


def _views(sheet: Sheet) -> None:
    """Saved views of the managers; the one default is not of a person whom tasks sign in."""
    for staff, grid, name, query, columns, default in (
        (
            2,
            "orders",
            "To pack",
            {"f": ["status:eq:processing"], "sort": "placed_at"},
            ["number", "placed_at", "ship_city"],
            False,
        ),
        (
            2,
            "orders",
            "Big pending",
            {"f": ["status:eq:pending", "total:gte:200"], "sort": "-total"},
            ["number", "total"],
            False,
        ),
        (3, "customers", "Wholesale", {"f": ["group:eq:wholesale"], "sort": "name"}, ["name", "email", "phone"], False),
        (
            4,
            "orders",
            "Transfers",
            {"f": ["pay_method:eq:bank_transfer"], "sort": "-placed_at"},
            ["number", "total"],
            True,
        ),
    ):
        sheet.add("saved_views", staff_id=staff, grid=grid, name=name, query_json=json.dumps(query, sort_keys=True),
                  columns_json=json.dumps(columns), is_default=default)  # fmt: skip


def _carts(sheet: Sheet, rng: Random, catalogue: Catalogue, people: Sequence[Someone], seed: int) -> None:
    """Baskets that nobody has paid for yet."""
    tokens = stream(seed, "carts")
    active = [v for t in catalogue.things if t.row["status"] == "active" for v in t.variants if v["active"]]
    for someone in rng.sample(people, max(6, len(people) // 12)):
        if someone.row["status"] != "active":
            continue
        cart = sheet.add(
            "carts", token=f"{tokens.getrandbits(128):032x}", customer_id=someone.row["id"], status="open",
            coupon_code="SPRING15" if rng.random() < 0.1 else None,
            updated_at=clock.text(START - rng.randrange(200, 20 * DAY)),
        )  # fmt: skip
        for variant in rng.sample(active, rng.choice((1, 1, 2, 3))):
            sheet.add("cart_items", cart_id=cart["id"], variant_id=variant["id"], qty=rng.choice((1, 1, 1, 2, 3)))


def _alerts(sheet: Sheet, rng: Random, people: Sequence[Someone]) -> None:
    """People who wait for things that are out of stock."""
    out = [row["variant_id"] for row in sheet.tables["stock"] if row["status"] == "out_of_stock"]
    for variant_id in rng.sample(out, len(out) // 2):
        for someone in rng.sample(people, rng.choice((1, 1, 2))):
            since = max(START - 20 * DAY, clock.seconds(someone.row["created_at"]))
            sheet.add("stock_alerts", variant_id=variant_id, email=someone.row["email"], customer_id=someone.row["id"],
                      created_at=clock.text(rng.randrange(since, START - 30)))  # fmt: skip


def _order_tags(sheet: Sheet, rng: Random) -> None:
    """Words on some open orders."""
    for row in sheet.tables["orders"][-len(sheet.tables["orders"]) // 4 :]:
        if rng.random() < 0.12:
            sheet.add("order_tags", order_id=row["id"], tag_id=rng.choice((8, 9, 10, 15, 17, 18)))


def _bell(sheet: Sheet, rng: Random) -> None:
    """Low stock, waiting reviews and new orders of the last days; half of it read by somebody."""
    skus = {row["id"]: row["sku"] for row in sheet.tables["variants"]}
    low = [r for r in sheet.tables["stock"] if 0 < r["on_hand"] - r["reserved"] <= r["low_at"]]
    for row in low[:12]:
        sheet.add("notifications", kind="stock_low", entity="variant", entity_id=row["variant_id"],
                  text=f"{skus[row['variant_id']]} is low: {row['on_hand'] - row['reserved']} left.",
                  created_at=clock.text(START - rng.randrange(3600, 2 * DAY)))  # fmt: skip
    for order in sheet.tables["orders"][-8:]:
        sheet.add("notifications", kind="order_placed", entity="order", entity_id=order["id"],
                  text=f"New order {order['number']} from {order['customer_name']}.",
                  created_at=order["placed_at"])  # fmt: skip


def _in_order_of_time(sheet: Sheet) -> None:
    """Number the trails by time: rows of different work were added one work after the other."""
    for table, column in (("audit_log", "at"), ("notifications", "created_at")):
        rows = sorted(sheet.tables[table], key=itemgetter(column, "id"))
        for number, row in enumerate(rows, 1):
            row["id"] = number
        sheet.tables[table] = rows
    for row in sheet.tables["notifications"]:
        for staff in (2, 3, 5):
            if (row["id"] * 7 + staff) % 5 < 2 and row["created_at"] < clock.text(START - DAY):
                sheet.add("notification_reads", notification_id=row["id"], staff_id=staff)
