"""Brands, the tree of categories, and products with variants, options, pictures and stock rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ...kit.money import half_up
from ...kit.text import slug, tokens, unique_slug
from ..derived import options_key
from ..totals import Line, effective_price
from . import clock
from .goods import BRANDS, COLORS, KINDS, OPTION_TYPES, SERIES, TAGS, TREE, VALUES, Kind
from .plan import DAY, OPENED, START, TODAY, Plan
from .sheet import Row, Sheet, exact, stream

LOOK_ALIKES = (
    ("Daypack", ("Ridge Pack 20L", "Ridge Pack 20 L", "Ridge Pack II")),
    ("Camp Stove", ("Tarn Stove S1", "Tarn Stove S-1", "Tarn Stove SI")),
    ("Beanie", ("Larch Beanie", "Larch Beany", "Larch Beanie II")),
    ("Lantern", ("Moor Lantern 250", "Moor Lantern 250+", "Moor Lantern 205")),
)
"""Kinds with names that are easily taken for one another."""

AWKWARD = (
    ("Paring Knife", "Hiker's Friend Paring Knife"),
    ("Repair Guide", 'Guy-Line Repair Guide: The 10" Edition'),
    ("Skillet", "Salt & Smoke Skillet"),
    ("Repair Guide", "I <3 Trails Repair Guide"),
    (
        "Repair Guide",
        "The Complete Field Guide to Mending Zips, Seams, Poles, Stoves and Tempers on Long Wet Walks, "
        "Second and Revised Edition",
    ),
)
"""Names with marks that break careless pages; the last has 120 characters."""

BRAND_WORDS = (("Tent", "Summit Tent 2P"), ("Speaker", "Harbor Speaker"), ("Table Lamp", "Ember Table Lamp"))
"""Names that hold the name of a brand that did not make them."""

BOTH_GREYS = (("Fleece", "Heather Fleece"), ("Rain Jacket", "Moraine Rain Jacket"), ("Tumbler", "Pebble Tumbler"))
"""Products that come in Grey and in Gray."""

_MADE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "cloth": (
        ("recycled nylon", "waxed cotton", "merino wool", "ripstop polyester"),
        ("Wash cold.", "Air before storing.", "Keep away from open fire.", "Wipe with a damp cloth."),
    ),
    "metal": (
        ("anodised aluminium", "stainless steel", "carbon steel", "beech and brass"),
        ("Wipe dry after use.", "Wash by hand.", "Oil the moving parts once a year."),
    ),
    "device": (
        ("recycled plastic", "anodised aluminium", "rubber and aluminium"),
        ("Wipe with a damp cloth.", "Charge once in three months when not in use."),
    ),
    "other": ((), ("Keep dry.", "Store in a cool place.")),
}
"""Materials and care by what a product is."""

_PROMISES = (
    "Spare parts are available for ten years.",
    "Repairs are free for two years.",
    "Designed in small batches.",
    "Tested in the worst weather we could find.",
)


@dataclass
class Thing:
    """A product with what the rest of the generator asks of it."""

    row: Row
    kind: Kind
    variants: list[Row] = field(default_factory=list)
    categories: frozenset[int] = frozenset()
    weight: float = 1.0
    """How often it is bought, against the others."""
    since: int = OPENED
    labels: dict[int, str] = field(default_factory=dict)
    """Variant id to its options in words."""


@dataclass
class Catalogue:
    """All products, and prices on any day."""

    things: list[Thing]
    by_variant: dict[int, Thing]
    changes: dict[int, tuple[str, int]]
    """Variant id to the instant of its last price change and the price before."""

    def price(self, variant: Row, at: str) -> int:
        """What a variant cost at an instant (R2)."""
        changed_at, old = self.changes.get(variant["id"], ("", 0))
        price = old if at < changed_at else variant["price"]
        return effective_price(price, variant["sale_price"], variant["sale_from"], variant["sale_to"], at[:10])

    def line(self, variant: Row, qty: int, at: str) -> Line:
        """A line for `totals`."""
        thing = self.by_variant[variant["id"]]
        return Line(
            unit_price=self.price(variant, at),
            qty=qty,
            tax_class=thing.row["tax_class"],
            product_id=thing.row["id"],
            brand_id=thing.row["brand_id"],
            category_ids=thing.categories,
        )


class _Maker:
    """Makes the catalogue; one instance, one data set."""

    def __init__(self, sheet: Sheet, plan: Plan, seed: int) -> None:
        self.sheet, self.plan, self.seed = sheet, plan, seed
        self.rng = stream(seed, "catalogue")
        self.slugs: set[str] = set()
        self.skus: set[str] = set()
        self.types: dict[str, int] = {}
        self.values: dict[tuple[str, str], int] = {}
        self.categories: dict[str, list[int]] = {}
        self.places: dict[int, int] = {}
        self.count = 0
        self.planted = 0
        self.makers: dict[str, Row] = {}

    def make(self) -> Catalogue:
        self._brands()
        self._categories()
        self._options()
        designs = self._designs()
        statuses = self._statuses(len(designs))
        self._twins(designs, statuses)
        things = [self._product(kind, name, status) for (kind, name), status in zip(designs, statuses, strict=True)]
        self._sales(things)
        catalogue = Catalogue(things, {v["id"]: t for t in things for v in t.variants}, {})
        self._price_changes(catalogue)
        return catalogue

    def _brands(self) -> None:
        names = list(BRANDS[:3]) + self.rng.sample(BRANDS[3:], self.plan.brands - 3)
        for name in names:
            self.sheet.add("brands", name=name, slug=slug(name))

    def _categories(self) -> None:
        for place, (top, groups) in enumerate(TREE.items(), 1):
            first = self._category(top, None, place, [])
            for at, (group, leaves) in enumerate(groups.items(), 1):
                second = self._category(group, first, at, [first])
                for spot, leaf in enumerate(leaves, 1):
                    self._category(leaf, second, spot, [first, second])

    def _category(self, name: str, parent: int | None, position: int, above: list[int]) -> int:
        row = self.sheet.add("categories", parent_id=parent, name=name, slug=slug(name), position=position)
        self.categories[name] = [*above, row["id"]]
        return int(row["id"])

    def _options(self) -> None:
        for code, (name, widget) in OPTION_TYPES.items():
            self.types[code] = self.sheet.add("option_types", code=code, name=name, widget=widget)["id"]
            for place, value in enumerate(VALUES[code], 1):
                shade = COLORS[value][1] if code == "color" else None
                row = self.sheet.add(
                    "option_values", type_id=self.types[code], value=value, swatch_hex=shade, position=place
                )
                self.values[code, value] = row["id"]

    def _designs(self) -> list[tuple[Kind, str]]:
        """Which products there are: the planted names, then others until the counts are met."""
        kinds = {kind.noun: kind for kind in KINDS}
        planted = [(kinds[noun], name) for noun, names in LOOK_ALIKES for name in names]
        planted += [(kinds[noun], name) for noun, name in (*AWKWARD, *BRAND_WORDS, *BOTH_GREYS)]
        left = {
            False: self.plan.simple - sum(not kind.options for kind, _ in planted),
            True: self.plan.configurable - sum(bool(kind.options) for kind, _ in planted),
        }
        taken = {slug(name) for _, name in planted}
        more: list[tuple[Kind, str]] = []
        for with_options, count in left.items():
            some = [kind for kind in KINDS if bool(kind.options) == with_options]
            for index in range(count):
                kind = some[index % len(some)]
                more.append((kind, self._name(kind, taken)))
        self.rng.shuffle(more)
        designs = planted + more
        self.planted = len(planted)
        return designs

    def _name(self, kind: Kind, taken: set[str]) -> str:
        while True:
            name = f"{self.rng.choice(SERIES)} {kind.noun}{self.rng.choice(kind.suffix)}"
            if slug(name) not in taken:
                taken.add(slug(name))
                return name

    def _statuses(self, count: int) -> list[str]:
        """Planted products are active, so that their traps bite."""
        plan, free = self.plan, count - self.planted
        hidden = {"disabled": plan.disabled, "draft": plan.draft, "archived": plan.archived}
        return ["active"] * self.planted + exact(self.rng, {**hidden, "active": free - sum(hidden.values())})

    def _product(self, kind: Kind, name: str, status: str) -> Thing:
        rng, sheet = self.rng, self.sheet
        self.count += 1
        since = OPENED - rng.randrange(5, 200) * DAY if rng.random() < 0.85 else OPENED + rng.randrange(350) * DAY
        brands = [row for row in sheet.tables["brands"] if row["name"] not in name]
        brand = self.makers.setdefault(name, rng.choice(brands))
        own_slug = unique_slug(name, self.slugs)
        self.slugs.add(own_slug)
        row = sheet.add(
            "products",
            name=name,
            slug=own_slug,
            brand_id=brand["id"],
            kind="configurable" if kind.options else "simple",
            status=status,
            short_desc=rng.choice(kind.blurbs),
            description_html=self._description(kind, name, brand["name"]),
            tax_class=kind.tax,
            weight_g=int(kind.weight_g * rng.uniform(0.85, 1.2)) // 10 * 10 or 10,
            final_sale=kind.final_sale or rng.random() < 0.04,
            featured=status == "active" and rng.random() < 0.06,
            view_count=rng.randrange(20, 4000),
            created_at=clock.text(since + rng.randrange(28_800, 61_200)),
            updated_at=clock.text(START - rng.randrange(1, 200) * DAY),
        )
        thing = Thing(row, kind, weight=rng.paretovariate(1.3), since=since)
        self._listing(thing)
        self._specs(thing)
        self._variants(thing, brand["name"])
        self._pictures(thing)
        self._tags(thing)
        return thing

    def _description(self, kind: Kind, name: str, brand: str) -> str:
        rng = self.rng
        materials, care = _MADE[_made_of(kind)]
        plural = kind.noun.endswith("s")
        parts = [
            rng.choice(kind.blurbs),
            f"The {_html(name)} by {_html(brand)} {'are' if plural else 'is'} made to be used, not looked after.",
            *(
                [rng.choice(("Made from {}.", "The main material is {}.")).format(rng.choice(materials))]
                if materials
                else []
            ),
            rng.choice(_PROMISES),
        ]
        return f"<p>{' '.join(parts)}</p><p><strong>Care:</strong> {rng.choice(care)}</p>"

    def _listing(self, thing: Thing) -> None:
        chain = self.categories[thing.kind.category]
        listed = [chain[-1]]
        if self.rng.random() < 0.12 and chain[0] != self.categories["Travel"][0]:
            listed.append(self.categories["Travel"][0])
        for category in listed:
            self.places[category] = self.places.get(category, 0) + 1
            self.sheet.add(
                "product_categories",
                product_id=thing.row["id"],
                category_id=category,
                position=self.places[category],
            )
        thing.categories = frozenset({*chain, *listed})

    def _specs(self, thing: Thing) -> None:
        lines: list[tuple[str, str, float | None, str | None]] = []
        for name, values, unit in thing.kind.specs:
            value = self.rng.choice(values)
            lines.append((name, f"{value:g} {unit}".strip(), float(value), unit or None))
        lines.append(("Weight", f"{thing.row['weight_g']} g", float(thing.row["weight_g"]), "g"))
        lines.append(
            ("Warranty", years := self.rng.choice(("2 years", "3 years", "5 years")), float(years[0]), "years")
        )
        for place, (name, written, number, measure) in enumerate(lines, 1):
            self.sheet.add(
                "product_specs",
                product_id=thing.row["id"],
                name=name,
                value=written,
                value_num=number,
                unit=measure,
                position=place,
            )

    def _variants(self, thing: Thing, brand: str) -> None:
        base = self._price(thing.kind)
        letters = "".join(word[0] for word in tokens(brand))[:2].upper().ljust(2, tokens(brand)[0][1].upper())
        stem = f"{letters}-{thing.kind.code}{self.count:03d}"
        for place, code in enumerate(thing.kind.options, 1):
            self.sheet.add("product_option_types", product_id=thing.row["id"], type_id=self.types[code], position=place)
        for place, choice in enumerate(self._choices(thing.kind, thing.row["name"]), 1):
            marks = [_mark(code, value) for code, value in choice]
            row = self.sheet.add(
                "variants",
                product_id=thing.row["id"],
                sku="-".join([stem, *marks]),
                barcode=_ean(self.rng) if self.rng.random() < 0.85 else None,
                position=place,
                price=(price := _dearer(base, choice)),
                cost=half_up(price * self.rng.randrange(42, 63), 100),
                active=self.rng.random() > 0.02 or place == 1,
            )
            pairs = [(self.types[code], self.values[code, value]) for code, value in choice]
            row["options_key"] = options_key(pairs)
            for type_id, value_id in pairs:
                self.sheet.add("variant_options", variant_id=row["id"], type_id=type_id, value_id=value_id)
            thing.variants.append(row)
            thing.labels[row["id"]] = ", ".join(f"{OPTION_TYPES[code][0]}: {value}" for code, value in choice)

    def _price(self, kind: Kind) -> int:
        """Log-normal around what such things cost, with an ending that shops use."""
        dollars = min(889, max(2, kind.price * self.rng.lognormvariate(0, 0.34)))
        return int(dollars) * 100 + self.rng.choice((0, 50, 90, 95, 95, 99))

    def _choices(self, kind: Kind, name: str) -> Iterator[list[tuple[str, str]]]:
        """Every combination of the option values that a product comes in."""
        picked = [[(code, value) for value in self._values_of(kind, name, code)] for code in kind.options]
        combined: list[list[tuple[str, str]]] = [[]]
        for values in picked:
            combined = [[*before, value] for before in combined for value in values]
        return iter(combined)

    def _values_of(self, kind: Kind, name: str, code: str) -> list[str]:
        rng, values = self.rng, VALUES[code]
        if code == "color":
            both = (kind.noun, name) in BOTH_GREYS
            few = 3 if "size" in kind.options else 4
            others = rng.sample(
                [value for value in values if value not in ("Grey", "Gray", "Black", "Navy")], rng.randint(1, few)
            )
            plain = ("Grey", "Gray") if both else (rng.choice(("Grey", "Gray", "Black", "Navy")),)
            return [*plain, *others]
        if code in ("size", "shoe"):
            length = rng.randint(4, 6) if code == "size" else rng.randint(6, 10)
            first = rng.randrange(len(values) - length + 1)
            return list(values[first : first + length])
        return list(values[: rng.randint(2, len(values))])

    def _pictures(self, thing: Thing) -> None:
        if thing.row["status"] == "draft":
            return
        name, own = thing.row["name"], thing.row["slug"]
        for place in range(1, self.rng.choice((1, 1, 2, 3)) + 1):
            file = self.sheet.add(
                "files",
                name=f"{own[:48]}-{place}.png",
                mime="image/png",
                bytes=self.rng.randrange(18_000, 96_000),
                sha256=hashlib.sha256(f"{self.seed}:{own}:{place}".encode()).hexdigest(),
                created_at=thing.row["created_at"],
            )
            what = ("", ", seen from the side", ", in use")[place - 1]
            self.sheet.add(
                "product_images", product_id=thing.row["id"], file_id=file["id"], alt=f"{name}{what}", position=place
            )

    def _tags(self, thing: Thing) -> None:
        if not self.sheet.tables["tags"]:
            for name in TAGS:
                self.sheet.add("tags", name=name)
        if self.rng.random() < 0.3:
            for tag in sorted(self.rng.sample(range(1, 13), self.rng.choice((1, 1, 2)))):
                self.sheet.add("product_tags", product_id=thing.row["id"], tag_id=tag)

    def _twins(self, designs: list[tuple[Kind, str]], statuses: list[str]) -> None:
        """Make most archived products older namesakes of active ones."""
        archived = [i for i, status in enumerate(statuses) if status == "archived"]
        active = [i for i, status in enumerate(statuses) if status == "active" and i >= self.planted]
        self.rng.shuffle(active)
        active += range(self.planted)
        for twin in archived[: max(3, len(archived) * 5 // 8)]:
            like = bool(designs[twin][0].options)
            chosen = next(i for i in active if bool(designs[i][0].options) == like)
            active.remove(chosen)
            designs[twin] = designs[chosen]

    def _sales(self, things: list[Thing]) -> None:
        running, expired, future = self.plan.sales
        active = [thing for thing in things if thing.row["status"] == "active"]
        chosen = self.rng.sample(active, running + expired + future)
        for index, thing in enumerate(chosen):
            if index < running:
                first, last = -self.rng.randrange(1, 30), self.rng.choice((None, *range(40)))
            elif index < running + expired:
                last = -self.rng.randrange(1, 120)
                first = last - self.rng.randrange(7, 30)
            else:
                first = self.rng.randrange(2, 20)
                last = first + self.rng.randrange(7, 30)
            self._on_sale(thing, first, last)

    def _on_sale(self, thing: Thing, first: int, last: int | None) -> None:
        off = self.rng.choice((10, 15, 15, 20, 20, 25, 30, 40))
        some = self.rng.random() < 0.3 and len(thing.variants) > 2
        for variant in thing.variants[: max(1, len(thing.variants) // 2)] if some else thing.variants:
            variant["sale_price"] = half_up(variant["price"] * (100 - off), 1000) * 10
            variant["sale_from"] = clock.date(START + first * DAY)
            variant["sale_to"] = clock.date(START + last * DAY) if last is not None else None

    def _price_changes(self, catalogue: Catalogue) -> None:
        """A quarter of the products cost something else before; on half of those only some variants changed."""
        plain = [t for t in catalogue.things if not any(v["sale_price"] for v in t.variants) and t.since <= OPENED]
        for thing in self.rng.sample(plain, len(plain) // 3):
            recent = self.rng.random() < 0.5
            ago = self.rng.randrange(2, 58) if recent else self.rng.randrange(60, 380)
            percent = self.rng.choice((85, 90, 92, 95, 108, 110))
            at = clock.text(clock.later(self.rng, START - ago * DAY, 0, 8))
            few = self.rng.random() < 0.4 and len(thing.variants) > 2
            for variant in thing.variants[: max(1, len(thing.variants) // 3)] if few else thing.variants:
                old = half_up(variant["price"] * percent, 1000) * 10
                if old != variant["price"]:
                    catalogue.changes[variant["id"]] = (at, old)


def make_catalogue(sheet: Sheet, plan: Plan, seed: int) -> Catalogue:
    """Add everything that is sold; stock rows come with the history that fills the shelves."""
    return _Maker(sheet, plan, seed).make()


def on_sale(variant: Row, day: str = TODAY) -> bool:
    """Whether a variant's sale price counts on a day."""
    return (
        variant["sale_price"] is not None
        and effective_price(variant["price"], variant["sale_price"], variant["sale_from"], variant["sale_to"], day)
        == variant["sale_price"]
    )


def _dearer(base: int, choice: list[tuple[str, str]]) -> int:
    """The price of a variant: packs cost by their size, long and large ones a little more."""
    factor = {"2-pack": 185, "4-pack": 350, "6-pack": 500, "Long": 108, "Short": 95, "XXL": 106, "50 L": 115,
              "70 L": 130}  # fmt: skip
    price = base
    for _, value in choice:
        price = half_up(price * factor.get(value, 100), 100)
    if price != base:
        price = price // 100 * 100 + base % 100
    return min(price, 90_000)


def _mark(code: str, value: str) -> str:
    """What an option value is called inside a SKU."""
    if code == "color":
        return COLORS[value][0]
    return {"S/M": "SM", "L/XL": "LXL", "Single": "1PK", "Short": "SHT", "Regular": "REG", "Long": "LNG"}.get(
        value, value.upper().replace("-PACK", "PK").replace(" ", "")
    )


def _ean(rng: Random) -> str:
    """A thirteen-digit bar code with a right check digit, in the range for use inside a shop."""
    digits = f"200{rng.randrange(10**9):09d}"
    odd_even = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(digits))
    return f"{digits}{-odd_even % 10}"


def _html(text: Any) -> str:
    """Text inside HTML."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _made_of(kind: Kind) -> str:
    """What sort of thing a kind is, told by what its reviews talk about."""
    aspects = kind.aspects.split()
    if kind.tax != "standard" or kind.code == "PA":
        return "other"
    if {"battery", "brightness", "charging"} & set(aspects):
        return "device"
    return (
        "metal"
        if ({"sharpness", "cleaning"} & set(aspects) and "comfort" not in aspects) or kind.code == "ST"
        else "cloth"
    )
