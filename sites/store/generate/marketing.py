"""What the shop is set up with: settings, shipping methods, taxes, promotions and coupons."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from ...kit.money import money, percent
from ..totals import Candidate, Rule, Shipping
from .sheet import Row, Sheet

SETTINGS: dict[str, object] = {
    "clerk_refund_limit": 10_000,
    "contact_email": "help@fernhill.example",
    "fraud_review_over": 150_000,
    "free_shipping_from": 7_500,
    "low_stock_default": 5,
    "return_days": 30,
    "store_name": "Fernhill Supply",
    "support_phone": "+1 614-555-0142",
}

SHIPPING = (
    ("standard", "Standard", 500, 7_500, 4),
    ("express", "Express", 1_500, None, 1),
    ("pickup", "Store pickup", 0, None, 0),
)

_STATE_TAX = {
    "AL": 400, "AZ": 560, "AR": 650, "CA": 725, "CO": 290, "CT": 635, "DC": 600, "FL": 600, "GA": 400, "HI": 400,
    "ID": 600, "IL": 625, "IN": 700, "IA": 600, "KS": 650, "KY": 600, "LA": 445, "ME": 550, "MD": 600, "MA": 625,
    "MI": 600, "MN": 688, "MS": 700, "MO": 423, "NE": 550, "NV": 685, "NJ": 663, "NM": 488, "NY": 400, "NC": 475,
    "ND": 500, "OH": 575, "OK": 450, "PA": 600, "RI": 700, "SC": 600, "SD": 420, "TN": 700, "TX": 625, "UT": 610,
    "VT": 600, "VA": 530, "WA": 650, "WV": 600, "WI": 500, "WY": 400, "AK": 0, "DE": 0, "MT": 0, "NH": 0, "OR": 0,
}  # fmt: skip
_PROVINCE_TAX = {"AB": 500, "BC": 1200, "MB": 1200, "NB": 1500, "NL": 1500, "NS": 1400, "ON": 1300, "QC": 1498,
                 "SK": 1100, "PE": 1500, "NT": 500, "NU": 500, "YT": 500}  # fmt: skip

_FIELDS = ("name", "status", "starts", "ends", "action", "amount", "minimum", "scope", "targets", "group", "total",
    "each",
           "priority", "stop", "codes")  # fmt: skip
_PROMOTIONS: tuple[tuple[object, ...], ...] = (
    ("Welcome 10", "active", None, None, "percent", 1000, None, "all", (), None, None, 1, 20, False, ("WELCOME10",)),
    ("Spring 2026", "active", "2026-03-01", "2026-04-15", "percent", 1500, 5000, "all", (), None, None, None, 20, False,
     ("SPRING15", "SPRINGS15")),
    ("Wholesale terms", "active", None, None, "percent", 1200, 20000, "all", (), 2, None, None, 5, False, ()),
    ("VIP thank-you", "active", None, None, "percent", 500, None, "all", (), 3, None, None, 6, False, ()),
    ("Free shipping weekend", "inactive", "2026-02-07", "2026-02-08", "free_shipping", 0, None, "all", (), None, None,
     None, 30, False, ()),
    ("Free shipping for friends", "active", None, "2026-12-31", "free_shipping", 0, 2500, "all", (), None, None, 2, 30,
     False, ("SHIPFREE", "FRIENDSHIP")),
    ("Boot season", "active", "2026-03-09", "2026-03-22", "percent", 2000, None, "categories", ("Footwear",), None,
        None,
     None, 10, False, ()),
    ("Five off mugs", "active", "2026-02-20", "2026-03-31", "fixed_item", 300, 0, "categories", ("Mugs & Tumblers",),
        None,
     None, None, 10, False, ("MUG3",)),
    ("Tent days", "active", "2026-03-14", "2026-03-21", "percent", 1000, 10000, "categories", ("Shelter",), None, None,
     None, 10, False, ()),
    ("Newsletter thanks", "active", "2025-06-01", None, "fixed_cart", 1000, 6000, "all", (), None, None, 1, 20, False,
     ("HELLO10", "HELL010")),
    ("Gift card replacement", "active", "2025-02-01", None, "percent", 10000, None, "all", (), None, 60, 1, 1, True,
     ("FULLCARE", "GOODWILL100")),
    ("Summer sale 2025", "active", "2025-06-20", "2025-07-20", "percent", 1000, None, "categories", ("Outdoor",), None,
     None, None, 10, False, ()),
    ("Summer code 2025", "active", "2025-06-01", "2025-08-31", "percent", 1200, 4000, "all", (), None, None, None, 20,
     False, ("SUMMER12", "SUNNY12")),
    ("Back to the hills", "active", "2025-09-01", "2025-09-30", "percent", 1500, 8000, "categories", ("Packs",), None,
        None,
     None, 15, False, ("HILLS15",)),
    ("Autumn layers", "active", "2025-10-01", "2025-10-31", "percent", 1000, None, "categories", ("Clothing",), None,
        None,
     None, 15, False, ("LAYERS10", "LAYER10")),
    ("Black Friday 2025", "inactive", "2025-11-28", "2025-12-01", "percent", 2000, None, "all", (), None, None, None, 1,
     True, ()),
    ("Advent", "active", "2025-12-01", "2025-12-24", "fixed_cart", 1500, 9000, "all", (), None, None, None, 20, False,
     ("ADVENT15", "NOEL15")),
    ("Winter clearance", "active", "2026-01-05", "2026-01-31", "percent", 2500, None, "categories",
        ("Insulated Jackets",),
     None, None, None, 10, False, ("WINTER25",)),
    ("Spring 2025", "active", "2025-03-01", "2025-04-30", "percent", 1500, 5000, "all", (), None, None, None, 20, False,
     ("SPRING25", "BLOOM15")),
    ("Lumen light week", "draft", "2026-04-01", "2026-04-07", "percent", 2000, None, "categories",
     ("Headlamps & Lanterns",), None, None, None, 10, False, ()),
    ("Easter boxes", "draft", "2026-04-02", "2026-04-06", "fixed_cart", 500, 0, "all", (), None, 200, None, 20, False,
     ("EGG5",)),
    ("Staff pick of the month", "active", "2026-03-01", "2026-03-31", "percent", 1000, None, "brands", (0,), None, None,
     None, 12, False, ()),
    ("Brand fortnight", "active", "2026-03-10", "2026-03-24", "percent", 1500, 0, "brands", (3,), None, None, None, 12,
     False, ("FORTNIGHT",)),
    ("Podcast listeners", "active", "2025-05-01", "2026-06-30", "percent", 1000, 3000, "all", (), None, 120, 1, 20,
        False,
     ("PODCAST10", "TRAILTALK")),
    ("Scout groups", "active", None, None, "percent", 2000, 15000, "categories", ("Outdoor",), None, None, None, 20,
        False,
     ("SCOUTS20", "SCOUT20")),
    ("Press samples", "inactive", "2025-02-01", "2025-12-31", "percent", 5000, None, "all", (), None, 10, None, 20,
        False,
     ("PRESS50",)),
    ("Audio bundle", "active", "2026-03-16", "2026-03-20", "fixed_item", 1000, None, "categories", ("Audio",), None,
        None,
     None, 12, False, ()),
    ("Sorry for the delay", "active", None, None, "fixed_cart", 700, None, "all", (), None, None, 1, 20, False,
     ("SORRY7", "S0RRY7", "THANKYOU7")),
)  # fmt: skip

_SPARE_CODES = ("MAGPIE12", "LANTERN8", "CAIRN10", "OTTER5", "TARN20", "MEADOW10", "BASECAMP", "FOXGLOVE", "HERON9",
                "RIDGE10")  # fmt: skip
"""More codes for old promotions, until there are as many as planned."""


@dataclass
class Offers:
    """Promotions as the history asks for them, with the uses so far."""

    rows: list[Row]
    groups: dict[int, frozenset[int]] = field(default_factory=dict)
    targets: dict[int, frozenset[int]] = field(default_factory=dict)
    codes: dict[int, list[Row]] = field(default_factory=dict)
    uses: dict[int, int] = field(default_factory=dict)
    uses_by: dict[tuple[int, int], int] = field(default_factory=dict)
    shipping: dict[str, Shipping] = field(default_factory=dict)
    rates: dict[tuple[str, str], int] = field(default_factory=dict)

    def candidates(self, day: str, customer_id: int | None) -> list[Candidate]:
        """All promotions open on a day, as `totals.applicable` wants them. What is off today was on in its dates."""
        return [
            self._candidate(row, customer_id)
            for row in self.rows
            if row["status"] != "draft" and (row["starts_on"] or "") <= day and day <= (row["ends_on"] or "9999")
        ]

    def coupons(self, day: str) -> list[Row]:
        """The coupons that could be used on a day."""
        return [code for each in self.candidates(day, None) for code in self.codes[each.rule.id] if code["active"]]

    def use(self, promotion_id: int, customer_id: int | None, by: int = 1) -> None:
        """Count a use, or with -1 take one back."""
        self.uses[promotion_id] = self.uses.get(promotion_id, 0) + by
        if customer_id is not None:
            pair = (promotion_id, customer_id)
            self.uses_by[pair] = self.uses_by.get(pair, 0) + by

    def _candidate(self, row: Row, customer_id: int | None) -> Candidate:
        used_by = self.uses_by.get((row["id"], customer_id or 0), 0)
        return Candidate(
            rule=Rule(
                id=row["id"],
                action=row["action"],
                amount=row["amount"],
                priority=row["priority"],
                stop_further=row["stop_further"],
                min_subtotal=row["min_subtotal"],
                scope=row["scope"],
                target_ids=self.targets[row["id"]],
            ),
            starts_on=row["starts_on"],
            ends_on=row["ends_on"],
            group_ids=self.groups[row["id"]],
            codes=frozenset(code["code"] for code in self.codes[row["id"]] if code["active"]),
            has_coupons=bool(self.codes[row["id"]]),
            uses_left=None if row["uses_total"] is None else row["uses_total"] - self.uses.get(row["id"], 0),
            uses_left_customer=None if row["uses_per_customer"] is None else row["uses_per_customer"] - used_by,
        )


def make_settings(sheet: Sheet) -> Offers:
    """Add settings, shipping methods and tax rates."""
    offers = Offers([])
    for key, value in SETTINGS.items():
        sheet.add("settings", key=key, value_json=json.dumps(value))
    for place, (code, name, price, free_over, days) in enumerate(SHIPPING, 1):
        sheet.add(
            "shipping_methods", code=code, name=name, price=price, free_over=free_over, eta_days=days, position=place
        )
        offers.shipping[code] = Shipping(code=code, price=price, free_over=free_over)
    for region, standard, reduced in _rates():
        for tax_class, rate in (("standard", standard), ("reduced", reduced), ("exempt", 0)):
            sheet.add("tax_rates", region=region, tax_class=tax_class, rate=rate)
            offers.rates[region, tax_class] = rate
    return offers


def make_offers(sheet: Sheet, offers: Offers) -> None:
    """Add promotions, their groups and targets, and coupons; `used_count` follows from the history."""
    categories = {row["name"]: row["id"] for row in sheet.tables["categories"]}
    brands = [row["id"] for row in sheet.tables["brands"]]
    spare = iter(_SPARE_CODES)
    for values in _PROMOTIONS:
        spec: dict[str, Any] = dict(zip(_FIELDS, values, strict=True))
        row = sheet.add(
            "promotions", name=spec["name"], description=_described(spec), status=spec["status"],
            starts_on=spec["starts"],
            ends_on=spec["ends"], priority=spec["priority"], stop_further=spec["stop"], action=spec["action"],
            amount=spec["amount"], min_subtotal=spec["minimum"], uses_total=spec["total"],
            uses_per_customer=spec["each"],
            scope=spec["scope"],
        )  # fmt: skip
        group, targets, codes = spec["group"], spec["targets"], spec["codes"]
        assert isinstance(targets, tuple)
        assert isinstance(codes, tuple)
        ids = {categories[t] if isinstance(t, str) else brands[t] for t in targets}
        for target in sorted(ids):
            sheet.add("promotion_targets", promotion_id=row["id"], target_id=target)
        if group:
            sheet.add("promotion_groups", promotion_id=row["id"], group_id=group)
        extra = [next(spare, None)] if codes and spec["action"] == "percent" and spec["amount"] != 10000 else []
        offers.codes[row["id"]] = [
            sheet.add("coupons", promotion_id=row["id"], code=code, active=code != "PRESS50")
            for code in (*codes, *(code for code in extra if code))
        ]
        offers.rows.append(row)
        offers.groups[row["id"]] = frozenset([group] if isinstance(group, int) else [])
        offers.targets[row["id"]] = frozenset(ids)


def _described(spec: dict[str, Any]) -> str:
    """What a promotion does, in a line for colleagues: `15% off Packs from $80.00, with a code, until 2025-09-30`."""
    amount = spec["amount"]
    off = {
        "percent": f"{percent(amount)} off",
        "fixed_item": f"{money(amount)} off each item in",
        "fixed_cart": f"{money(amount)} off",
        "free_shipping": "Free shipping on",
    }[spec["action"]]
    names = [target for target in spec["targets"] if isinstance(target, str)]
    what = " and ".join(names) if names else "a brand of ours" if spec["scope"] == "brands" else "everything"
    minimum = f" from {money(spec['minimum'])}" if spec["minimum"] else ""
    group = {2: ", for wholesale customers", 3: ", for VIP customers"}.get(spec["group"], "")
    code = ", with a code" if spec["codes"] else ""
    each = ", once per customer" if spec["each"] == 1 else ""
    until = f", until {spec['ends']}" if spec["ends"] else ""
    return f"{off} {what}{minimum}{group}{code}{each}{until}."


def _rates() -> list[tuple[str, int, int]]:
    """Region, standard and reduced rate."""
    states = [(f"US-{state}", rate, rate // 2) for state, rate in _STATE_TAX.items()]
    provinces = [(f"CA-{province}", rate, 500) for province, rate in _PROVINCE_TAX.items()]
    return [*states, *provinces, ("GB", 2000, 500), ("DE", 1900, 700)]
