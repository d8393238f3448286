"""What the shop is set up with: settings, shipping, taxes, promotions and coupons, pages, menus, banners, search terms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...kit.text import slug
from ..totals import Candidate, Rule, Shipping
from . import clock
from .goods import KINDS, SERIES
from .plan import DAY, START, Plan
from .sheet import Row, Sheet, stream

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
SUPPORT_PHONE = "614-555-0142"

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

_FIELDS = ("name", "status", "starts", "ends", "action", "amount", "minimum", "scope", "targets", "group", "total", "each",
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
    ("Boot season", "active", "2026-03-09", "2026-03-22", "percent", 2000, None, "categories", ("Footwear",), None, None,
     None, 10, False, ()),
    ("Five off mugs", "active", "2026-02-20", "2026-03-31", "fixed_item", 300, 0, "categories", ("Mugs & Tumblers",), None,
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
    ("Back to the hills", "active", "2025-09-01", "2025-09-30", "percent", 1500, 8000, "categories", ("Packs",), None, None,
     None, 15, False, ("HILLS15",)),
    ("Autumn layers", "active", "2025-10-01", "2025-10-31", "percent", 1000, None, "categories", ("Clothing",), None, None,
     None, 15, False, ("LAYERS10", "LAYER10")),
    ("Black Friday 2025", "inactive", "2025-11-28", "2025-12-01", "percent", 2000, None, "all", (), None, None, None, 1,
     True, ()),
    ("Advent", "active", "2025-12-01", "2025-12-24", "fixed_cart", 1500, 9000, "all", (), None, None, None, 20, False,
     ("ADVENT15", "NOEL15")),
    ("Winter clearance", "active", "2026-01-05", "2026-01-31", "percent", 2500, None, "categories", ("Insulated Jackets",),
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
    ("Podcast listeners", "active", "2025-05-01", "2026-06-30", "percent", 1000, 3000, "all", (), None, 120, 1, 20, False,
     ("PODCAST10", "TRAILTALK")),
    ("Scout groups", "active", None, None, "percent", 2000, 15000, "categories", ("Outdoor",), None, None, None, 20, False,
     ("SCOUTS20", "SCOUT20")),
    ("Press samples", "inactive", "2025-02-01", "2025-12-31", "percent", 5000, None, "all", (), None, 10, None, 20, False,
     ("PRESS50",)),
    ("Audio bundle", "active", "2026-03-16", "2026-03-20", "fixed_item", 1000, None, "categories", ("Audio",), None, None,
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
        spec = dict(zip(_FIELDS, values, strict=True))
        row = sheet.add(
            "promotions", name=spec["name"], description=_described(spec), status=spec["status"], starts_on=spec["starts"],
            ends_on=spec["ends"], priority=spec["priority"], stop_further=spec["stop"], action=spec["action"],
            amount=spec["amount"], min_subtotal=spec["minimum"], uses_total=spec["total"], uses_per_customer=spec["each"],
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


def _described(spec: dict[str, object]) -> str:
    """A line for colleagues."""
    code = " with a code" if spec["codes"] else ""
    until = f" until {spec['ends']}" if spec["ends"] else ""
    return f"{spec['name']}: applies{code}{until}."


def _rates() -> list[tuple[str, int, int]]:
    """Region, standard and reduced rate."""
    states = [(f"US-{state}", rate, rate // 2) for state, rate in _STATE_TAX.items()]
    provinces = [(f"CA-{province}", rate, 500) for province, rate in _PROVINCE_TAX.items()]
    return [*states, *provinces, ("GB", 2000, 500), ("DE", 1900, 700)]


PAGES: tuple[tuple[str, str, str, str, str], ...] = (
    ("about", "About us", "Who we are", "published",
     "Fernhill Supply began with a stall in Columbus and forty mugs. Today a team of fourteen sells what we use ourselves."),
    ("shipping", "Shipping", "Shipping and delivery", "published",
     "Standard takes four working days and is free from $75.00. Express takes one. Questions? Call {phone}."),
    ("returns", "Returns", "Sending things back", "published",
     "You have 30 days from delivery to return what you do not like. Final sale items stay with you. Call {phone} if a parcel "
     "arrived damaged."),
    ("privacy", "Privacy", "Your data", "published",
     "We keep what we need to send your parcels and nothing else. Write to us to have it erased."),
    ("terms", "Terms", "Terms of sale", "published",
     "Prices include no tax; tax is added at checkout by the place of delivery. An order is binding once it is invoiced."),
    ("contact", "Contact", "Talk to us", "published",
     "Our service desk answers {phone} on weekdays from 8 to 6. The repair workshop has its own line, 614-555-0177."),
    ("wholesale", "Wholesale", "For shops and clubs", "published",
     "Wholesale customers get 12 % off orders from $200.00. Call {phone} and ask for an account."),
    ("repairs", "Repairs", "We mend what we sell", "published",
     "Bring it to the workshop or send it in. The workshop answers 614-555-0177. For orders call {phone}."),
    ("size-guide", "Size guide", "Find your size", "published",
     "Measure over a thin layer. Between two sizes take the larger one for jackets and the smaller one for base layers."),
    ("gift-cards", "Gift cards", "Gift cards", "draft",
     "Gift cards are coming this summer. Until then call {phone} and we find a way."),
    ("sustainability", "Sustainability", "What we do about it", "published",
     "We repair before we replace, ship without plastic and publish where things are made."),
    ("careers", "Careers", "Work with us", "draft", "We are looking for a second pair of hands in the workshop."),
    ("store", "Our store", "Visit us", "published",
     "218 Birch St, Columbus, OH 43201. Pick up orders from 9 to 7. Call {phone} before you come for large parcels."),
    ("404", "Page not found", "Nothing here but trees", "published",
     "The page you are looking for has moved or never was. Try the search, or go back to the start."),
)  # fmt: skip


def make_content(sheet: Sheet, plan: Plan, seed: int) -> None:
    """Add pages, menus, banners and search terms."""
    for name, title, heading, status, text in PAGES:
        body = f"<p>{text.format(phone=SUPPORT_PHONE)}</p><p>Fernhill Supply, since 2024.</p>"
        sheet.add("pages", slug=name, title=title, heading=heading, body_html=body, meta_desc=text.split(".")[0],
                  status=status, updated_at=clock.text(START - 30 * DAY))  # fmt: skip
    _menus(sheet)
    _banners(sheet)
    _terms(sheet, plan, seed)


def _menus(sheet: Sheet) -> None:
    tops = [row for row in sheet.tables["categories"] if row["parent_id"] is None]
    for place, top in enumerate(tops, 1):
        parent = sheet.add("menu_items", menu="header", label=top["name"], url=f"/c/{top['slug']}", position=place)
        for at, group in enumerate(sheet.rows("categories", parent_id=top["id"]), 1):
            sheet.add("menu_items", menu="header", parent_id=parent["id"], label=group["name"], url=f"/c/{group['slug']}",
                      position=at)  # fmt: skip
    footer = [page for page in PAGES if page[3] == "published" and page[0] != "404"]
    for place, page in enumerate(footer, 1):
        sheet.add("menu_items", menu="footer", label=page[1], url=f"/pages/{page[0]}", position=place)


def _banners(sheet: Sheet) -> None:
    for place, (title, body, link, active, first, last) in enumerate((
        ("Spring is here", "15 % off with SPRING15", "/deals", True, "2026-03-01", "2026-04-15"),
        ("Tent days", "10 % off shelter this week", "/c/shelter", True, "2026-03-14", "2026-03-21"),
        ("We mend it", "Free repairs for two years", "/pages/repairs", True, None, None),
        ("New in: Layers", "Soft things for cold mornings", "/c/layers", True, "2026-02-01", None),
        ("Winter clearance", "Up to 25 % off", "/c/insulated-jackets", False, "2026-01-05", "2026-01-31"),
        ("Mother's Day", "Gifts that last", "/search?q=gift", False, "2026-05-01", "2026-05-10"),
    ), 1):  # fmt: skip
        sheet.add(
            "banners", title=title, body=body, link=link, active=active, starts_on=first, ends_on=last, position=place
        )


_NOWHERE = (
    "gift card", "kayak", "snowboard", "bike helmet", "drone", "yoga mat", "wetsuit", "hammok", "headlmap", "sleping bag",
    "ski goggles", "dog bed", "fishing rod", "crampons", "ice axe", "camera", "binoculars", "surfboard", "golf", "rain pants",
    "umbrella", "watch", "sunglasses", "water filter", "bear spray", "trekking poles", "gaiters", "rope 60m", "avalanche",
    "treking pack", "jaket", "tumblr", "powrbank", "lantren",
)  # fmt: skip


def _terms(sheet: Sheet, plan: Plan, seed: int) -> None:
    """Search terms: kinds, brands, colours with kinds, series; misspelt and unknown ones find nothing."""
    rng = stream(seed, "terms")
    nouns = [kind.noun.lower() for kind in KINDS]
    brands = [row["name"].lower() for row in sheet.tables["brands"]]
    names = [row["name"].lower() for row in sheet.tables["products"] if row["status"] == "active"]
    series = [word.lower() for word in SERIES if any(word.lower() in name for name in names)]
    brand_nouns = [f"{brand} {_noun(sheet, row)}" for brand in brands for row in _made_by(sheet, brand)]
    rng.shuffle(brand_nouns)
    short = [name for name in names if len(name) <= 24]
    rng.shuffle(short)
    found = list(dict.fromkeys([*nouns, *brands, *series, *brand_nouns[:60], *short]))
    good = plan.terms - plan.terms_without_results
    words: Sequence[str] = [*found[: min(good, len(found))], *_NOWHERE[: plan.terms_without_results]]
    order = list(words)
    rng.shuffle(order)
    weight = {word: int(1600 / (1 + rank) ** 0.72 + rng.randrange(9)) for rank, word in enumerate(order)}
    for word in words:
        target = f"/c/{slug('Sleeping Bags')}" if word == "sleping bag" else None
        sheet.add("search_terms", term=word, hits=weight[word], redirect_url=target)
    by_term = {row["term"]: row for row in sheet.tables["search_terms"]}
    for wrong, right in (("headlmap", "headlamp"), ("jaket", "rain jacket"), ("lantren", "lantern")):
        if wrong in by_term:
            by_term[wrong]["synonym_of"] = by_term[right]["id"]


def _made_by(sheet: Sheet, brand: str) -> list[Row]:
    """Active products of a brand."""
    ids = {row["id"] for row in sheet.tables["brands"] if row["name"].lower() == brand}
    return [row for row in sheet.tables["products"] if row["brand_id"] in ids and row["status"] == "active"]


def _noun(sheet: Sheet, product: Row) -> str:
    """The kind of a product in a searcher's words."""
    name = product["name"].lower()
    return next((kind.noun.lower() for kind in KINDS if kind.noun.lower() in name), name.split()[0])
