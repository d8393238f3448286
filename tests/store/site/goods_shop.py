"""The small shop with more to sell: a tree of categories, a tent in colours and sizes with pictures, a bare draft."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

from sitegym.sites.kit.world import WorldContext
from sitegym.sites.store import models
from sitegym.sites.store.derived import options_key
from sitegym.sites.store.recompute import recompute
from sitegym.sites.store.services.derived_values import StoredRows
from small_shop import PLACED, SITE, SmallShop
from sqlalchemy import Connection
from sqlalchemy.orm import Session

TENT, MUG = 5, 6
"""A product that nobody ordered, in four variants with three pictures; a draft without category and picture."""

OUTDOOR, PACKS, DAYPACKS, TENTS, HOME, MUGS = range(1, 7)
TEXT = "<p>Up in <strong>four</strong> minutes.</p><p>Made by <em>Birch &amp; Sons</em>.</p>"


class GoodsShop(SmallShop):
    """The shop while it is being filled further."""

    def tree(self) -> None:
        """Outdoor (Packs (Daypacks), Tents) and Home (Mugs)."""
        parents = {"Outdoor": None, "Packs": 1, "Daypacks": 2, "Tents": 1, "Home": None, "Mugs": 5}
        places: dict[int | None, int] = {}
        for name, parent in parents.items():
            places[parent] = places.get(parent, 0) + 1
            self.add(models.Category, name=name, slug=name.lower(), parent_id=parent, position=places[parent])
        for place, product in enumerate((1, 2, 3, TENT), 1):
            self.add(models.ProductCategory, product_id=product, category_id=DAYPACKS, position=place)

    def goods(self) -> None:
        """The tent and the mug."""
        self.add(models.Brand, name="Birch & Sons", slug="birch-sons")
        common = {"search_key": "", "created_at": PLACED}
        tent = {"kind": "configurable", "status": "active", "weight_g": 2400, "short_desc": "Dry for the night."}
        self.add(models.Product, name="Moor Tent 2P", slug="moor-tent-2p", brand_id=2, description_html=TEXT, **tent,
                 **common)  # fmt: skip
        self.add(models.Product, name="Fern Mug", slug="fern-mug", brand_id=1, kind="simple", status="draft", **common)
        self.sold(MUG, "AL-P006", 1500)

    def sold(self, product: int, sku: str, price: int, place: int = 1, pairs: Any = ()) -> Any:
        """A variant with seven units."""
        variant = self.add(models.Variant, product_id=product, sku=sku, position=place, price=price, cost=price // 2,
                           options_key=options_key(pairs))  # fmt: skip
        self.add(models.Stock, variant_id=variant.id, on_hand=7)
        self.add(models.StockMove, variant_id=variant.id, kind="receipt", d_on_hand=7, created_at=PLACED)
        for type_id, value_id in pairs:
            self.add(models.VariantOption, variant_id=variant.id, type_id=type_id, value_id=value_id)
        return variant

    def options(self) -> None:
        """Color and Size, and the four variants of the tent."""
        self.add(models.OptionType, code="color", name="Color", widget="swatch")
        self.add(models.OptionType, code="size", name="Size", widget="buttons")
        for place, (value, shade) in enumerate((("Moss", "#5b6b3a"), ("Rust", "#a4502a")), 1):
            self.add(models.OptionValue, type_id=1, value=value, swatch_hex=shade, position=place)
        for place, value in enumerate(("S", "M"), 1):
            self.add(models.OptionValue, type_id=2, value=value, position=place)
        for place, type_id in enumerate((1, 2), 1):
            self.add(models.ProductOptionType, product_id=TENT, type_id=type_id, position=place)
        for place, (color, size) in enumerate(((1, 3), (1, 4), (2, 3), (2, 4)), 1):
            sku = f"BI-TN005-{'MR'[color - 1]}{'SM'[size - 3]}"
            self.sold(TENT, sku, 20_000 + 500 * (size == 4), place, ((1, color), (2, size)))

    def extras(self) -> None:
        """Pictures, a tag, a spec, a review with a vote, a wish, search terms."""
        for place in (1, 2, 3):
            name = f"moor-tent-2p-{place}.png"
            file = self.add(models.File, name=name, mime="image/png", bytes=40_000 + place,
                            sha256=hashlib.sha256(name.encode()).hexdigest(), created_at=PLACED)  # fmt: skip
            self.add(models.ProductImage, product_id=TENT, file_id=file.id, alt=f"Tent {place}", position=place)
        self.add(models.ProductTag, product_id=TENT, tag_id=1)
        self.add(models.ProductSpec, product_id=TENT, name="Sleeps", value="2 people", value_num=2, unit="people",
                 position=1)  # fmt: skip
        review = self.add(models.Review, product_id=TENT, customer_id=1, nickname="Ann", title="Dry", body="All night.",
                          rating=4, status="approved", created_at=PLACED)  # fmt: skip
        self.add(models.ReviewVote, review_id=review.id, customer_id=2)
        self.add(models.WishlistItem, customer_id=1, product_id=TENT, variant_id=6, created_at=PLACED)
        for term in ("moor", "ridge pack", "mugs", "gift"):
            self.add(models.SearchTerm, term=term)


def settle(db: Session) -> None:
    """Set every derived column to what it must be."""
    db.flush()
    for table, rows in recompute(StoredRows(db)).items():
        model = next(mapper.class_ for mapper in models.Base.registry.mappers if mapper.local_table.name == table)
        for key, columns in rows.items():
            for name, value in columns.items():
                setattr(db.get_one(model, key), name, value)


def wrong(world: WorldContext) -> list[tuple[Any, ...]]:
    """Derived columns that are not what follows from the rows."""
    with world.read() as db:
        found = []
        for table, rows in recompute(StoredRows(db)).items():
            model = next(mapper.class_ for mapper in models.Base.registry.mappers if mapper.local_table.name == table)
            for key, columns in rows.items():
                row = db.get_one(model, key)
                found += [(table, key, name, getattr(row, name), value) for name, value in columns.items()
                          if getattr(row, name) != value]  # fmt: skip
        return found


def build(connection: Connection, data: str, seed: int) -> None:
    """The small shop, and then its goods."""
    SITE.build(connection, data, seed)
    with Session(bind=connection) as db:
        shop = GoodsShop(db)
        shop.goods()
        shop.tree()
        shop.options()
        shop.extras()
        settle(db)
        db.commit()


GOODS_SITE = replace(SITE, name="goods-shop", build=build, sources=("goods_shop", *SITE.sources))
