"""Products, their variants, options, categories, pictures and tags."""

from __future__ import annotations

from sqlalchemy import LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, deferred, mapped_column

from .base import (
    VOLATILE,
    Base,
    column,
    derived,
    fk,
    generated,
    holds,
    index,
    one_of,
    pk,
    position,
    reads,
    table,
    version,
)
from .choices import OPTION_WIDGETS, PRODUCT_KINDS, PRODUCT_STATUSES, TAX_CLASSES

Blob = bytes


class Brand(Base):
    """A maker of products."""

    __tablename__ = "brands"
    __table_args__ = table()

    id: Mapped[int] = pk()
    name: Mapped[str] = mapped_column(unique=True)
    name_key: Mapped[str] = derived()
    slug: Mapped[str] = mapped_column(unique=True)


class Category(Base):
    """A node of the three-level tree of departments."""

    __tablename__ = "categories"
    __table_args__ = table(index("parent_id"))

    id: Mapped[int] = pk()
    parent_id: Mapped[int | None] = fk("categories.id")
    name: Mapped[str]
    name_key: Mapped[str] = derived()
    slug: Mapped[str] = mapped_column(unique=True)
    position: Mapped[int] = position("parent_id")
    active: Mapped[bool] = mapped_column(default=True)
    v: Mapped[int] = version()


class Product(Base):
    """What a customer sees as one thing; prices and stock live on its variants, of which a simple product has one."""

    __tablename__ = "products"
    __table_args__ = table(
        one_of("kind", PRODUCT_KINDS),
        one_of("status", PRODUCT_STATUSES),
        one_of("tax_class", TAX_CLASSES),
        index("name_key", "id"),
        index("brand_id"),
    )

    id: Mapped[int] = pk()
    name: Mapped[str]
    name_key: Mapped[str] = derived()
    slug: Mapped[str] = mapped_column(unique=True)
    brand_id: Mapped[int] = fk("brands.id")
    kind: Mapped[str]
    status: Mapped[str]
    short_desc: Mapped[str] = mapped_column(default="")
    description_html: Mapped[str] = mapped_column(default="")
    tax_class: Mapped[str] = mapped_column(default="standard")
    weight_g: Mapped[int | None]
    final_sale: Mapped[bool] = mapped_column(default=False)
    featured: Mapped[bool] = mapped_column(default=False)
    search_key: Mapped[str] = derived()
    rating_avg_x100: Mapped[int] = derived(default=0)
    rating_count: Mapped[int] = derived(default=0)
    view_count: Mapped[int] = column(cls=VOLATILE, default=0)
    v: Mapped[int] = version()
    created_at: Mapped[str] = generated()
    updated_at: Mapped[str | None] = column(cls=VOLATILE)

    brand: Mapped[Brand] = reads("Brand")
    variants: Mapped[list[Variant]] = reads("Variant", order_by="Variant.position, Variant.id")


class Variant(Base):
    """What is priced, stocked and sold. Cents; the sale price counts from `sale_from` to `sale_to` inclusive."""

    __tablename__ = "variants"
    __table_args__ = table(
        UniqueConstraint("product_id", "options_key"),
        holds("price", "price BETWEEN 0 AND 9999999"),
        holds("sale_price", "sale_price IS NULL OR (sale_price >= 0 AND sale_price < price)"),
    )

    id: Mapped[int] = pk()
    product_id: Mapped[int] = fk("products.id")
    sku: Mapped[str] = mapped_column(unique=True)
    barcode: Mapped[str | None] = mapped_column(unique=True)
    position: Mapped[int] = position("product_id")
    price: Mapped[int]
    sale_price: Mapped[int | None]
    sale_from: Mapped[str | None]
    sale_to: Mapped[str | None]
    cost: Mapped[int]
    active: Mapped[bool] = mapped_column(default=True)
    options_key: Mapped[str] = derived()
    v: Mapped[int] = version()

    product: Mapped[Product] = reads("Product")


class OptionType(Base):
    """A kind of choice, such as colour."""

    __tablename__ = "option_types"
    __table_args__ = table(one_of("widget", OPTION_WIDGETS))

    id: Mapped[int] = pk()
    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    widget: Mapped[str]


class OptionValue(Base):
    """One of the choices of a type, such as Moss."""

    __tablename__ = "option_values"
    __table_args__ = table(UniqueConstraint("type_id", "value"))

    id: Mapped[int] = pk()
    type_id: Mapped[int] = fk("option_types.id")
    value: Mapped[str]
    value_key: Mapped[str] = derived()
    swatch_hex: Mapped[str | None]
    position: Mapped[int] = position("type_id")


class ProductOptionType(Base):
    """That a product is sold in choices of this type."""

    __tablename__ = "product_option_types"
    __table_args__ = table()

    product_id: Mapped[int] = fk("products.id", primary_key=True)
    type_id: Mapped[int] = fk("option_types.id", primary_key=True)
    position: Mapped[int] = position("product_id")


class VariantOption(Base):
    """The choice that a variant is, one row per type."""

    __tablename__ = "variant_options"
    __table_args__ = table(index("value_id"))

    variant_id: Mapped[int] = fk("variants.id", primary_key=True)
    type_id: Mapped[int] = fk("option_types.id", primary_key=True)
    value_id: Mapped[int] = fk("option_values.id")


class ProductSpec(Base):
    """A line of the specification table; `value_num` and `unit` where it is a measure."""

    __tablename__ = "product_specs"
    __table_args__ = table(index("product_id"))

    id: Mapped[int] = pk()
    product_id: Mapped[int] = fk("products.id")
    name: Mapped[str]
    value: Mapped[str]
    value_num: Mapped[float | None]
    unit: Mapped[str | None]
    position: Mapped[int] = position("product_id")


class ProductCategory(Base):
    """That a product is listed in a category, and where in the list."""

    __tablename__ = "product_categories"
    __table_args__ = table(index("category_id"))

    product_id: Mapped[int] = fk("products.id", primary_key=True)
    category_id: Mapped[int] = fk("categories.id", primary_key=True)
    position: Mapped[int] = position("category_id")


class File(Base):
    """A file; `data` is null where the picture is drawn from the seed on request, set for uploads."""

    __tablename__ = "files"
    __table_args__ = table()

    id: Mapped[int] = pk()
    name: Mapped[str]
    mime: Mapped[str]
    bytes: Mapped[int]
    sha256: Mapped[str]
    data: Mapped[Blob | None] = deferred(mapped_column(LargeBinary))
    uploaded_by: Mapped[int | None] = fk("staff.id")
    created_at: Mapped[str] = generated()


class ProductImage(Base):
    """A picture of a product, or of one of its variants."""

    __tablename__ = "product_images"
    __table_args__ = table(index("product_id"))

    id: Mapped[int] = pk()
    product_id: Mapped[int] = fk("products.id")
    variant_id: Mapped[int | None] = fk("variants.id")
    file_id: Mapped[int] = fk("files.id")
    alt: Mapped[str]
    position: Mapped[int] = position("product_id")


class Tag(Base):
    """A word that staff put on products, customers and orders."""

    __tablename__ = "tags"
    __table_args__ = table()

    id: Mapped[int] = pk()
    name: Mapped[str] = mapped_column(unique=True)
    name_key: Mapped[str] = derived()


class ProductTag(Base):
    """A tag on a product."""

    __tablename__ = "product_tags"
    __table_args__ = table()

    product_id: Mapped[int] = fk("products.id", primary_key=True)
    tag_id: Mapped[int] = fk("tags.id", primary_key=True)


class CustomerTag(Base):
    """A tag on a customer."""

    __tablename__ = "customer_tags"
    __table_args__ = table()

    customer_id: Mapped[int] = fk("customers.id", primary_key=True)
    tag_id: Mapped[int] = fk("tags.id", primary_key=True)


class OrderTag(Base):
    """A tag on an order."""

    __tablename__ = "order_tags"
    __table_args__ = table()

    order_id: Mapped[int] = fk("orders.id", primary_key=True)
    tag_id: Mapped[int] = fk("tags.id", primary_key=True)
