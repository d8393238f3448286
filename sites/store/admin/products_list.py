"""The list of products, and what can be done to many of them at once."""

from __future__ import annotations

from typing import Any

from flask import g
from markupsafe import Markup, escape
from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Page, Source
from ...kit.text import key
from .. import finding, labels
from ..models import Brand, Category, Product, ProductCategory, ProductTag, Stock, Tag, Variant
from ..totals import effective_price
from . import blueprint, grids, pictures, present, product_facts

bp = blueprint("products_list", __name__, url_prefix="/products")


def joins(statement: Select[Any]) -> Select[Any]:
    """A product and who made it."""
    return statement.select_from(Product).join(Brand, Brand.id == Product.brand_id)


SOURCE = Source(
    id=Product.id,
    joins=joins,
    search=finding.products,
    needs={"name": Product.name, "status": Product.status, "kind": Product.kind, "v": Product.v},
    whole=True,
)

OWN = Variant.product_id == Product.id
LOWEST = select(func.min(Variant.price)).where(OWN).correlate(Product).scalar_subquery()
AVAILABLE = (
    select(func.coalesce(func.sum(Stock.on_hand - Stock.reserved), 0))
    .join(Variant, Variant.id == Stock.variant_id)
    .where(OWN)
    .correlate(Product)
    .scalar_subquery()
)


def shape(db: Session) -> Shape:
    """The columns of the list; brands, categories and tags come from the database."""
    return Shape(
        path="/products",
        nouns=("product", "products"),
        sort=("name",),
        columns=(
            Column(name="picture", label="Picture", show=None, sortable=False, filterable=False),
            Column(
                name="name", label="Name", show=Product.name, sort=Product.name_key, match=Product.name_key, typed=key
            ),
            Column(name="sku", label="SKU", show=None, sortable=False, filterable=False),
            Column(
                name="brand",
                label="Brand",
                kind="enum",
                show=Brand.name,
                sort=Brand.name_key,
                options=tuple((str(id), name) for id, name in product_facts.brands(db)),
                where=lambda codes: Product.brand_id.in_([int(code) for code in codes]),
            ),
            Column(
                name="category",
                label="Category",
                kind="enum",
                show=None,
                options=category_options(db),
                where=lambda codes: listed(db, codes),
                sortable=False,
            ),
            _enum("status", "Status", Product.status, labels.PRODUCT_STATUS),
            Column(name="price", label="Price", kind="money", show=None, sort=LOWEST, match=LOWEST),
            Column(name="available", label="Available", kind="number", show=AVAILABLE),
            _enum("kind", "Kind", Product.kind, labels.PRODUCT_KIND, default=False),
            Column(
                name="tags",
                label="Tags",
                kind="enum",
                show=None,
                options=tag_options(db),
                where=tagged,
                sortable=False,
                default=False,
            ),
            _enum("tax_class", "Tax class", Product.tax_class, labels.TAX_CLASS, default=False),
            Column(name="rating", label="Reviews", kind="number", show=Product.rating_count, default=False),
            Column(name="created_at", label="Created", kind="time", show=Product.created_at, default=False),
            Column(name="updated_at", label="Updated", kind="time", show=Product.updated_at, default=False),
        ),
    )


def _enum(name: str, label: str, column: Any, names: dict[str, str], *, default: bool = True) -> Column:
    return Column(name=name, label=label, kind="enum", show=column, options=tuple(names.items()), default=default)


def category_options(db: Session) -> grids.Options:
    """Every category, named with those above it, in the order of the tree."""

    def walk(nodes: tuple[product_facts.Node, ...]) -> list[tuple[str, str]]:
        return [pair for node in nodes for pair in ((str(node.id), node.path), *walk(node.children))]

    return tuple(walk(product_facts.tree(db)))


def listed(db: Session, codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Products in any of these categories, or in one below them."""
    parents = dict(db.execute(select(Category.id, Category.parent_id)).all())
    wanted = {int(code) for code in codes}
    for _ in range(2):  # the tree has three levels
        wanted |= {id for id, parent in parents.items() if parent in wanted}
    return exists().where(ProductCategory.product_id == Product.id, ProductCategory.category_id.in_(sorted(wanted)))


def tag_options(db: Session) -> grids.Options:
    """All tags by name."""
    names = select(Tag.id, Tag.name).order_by(Tag.name_key, Tag.id)
    return grids.once(db, "product tags", lambda: tuple((str(id), name) for id, name in db.execute(names)))


def tag_names(db: Session) -> grids.Options:
    """All tags, named by themselves."""
    return tuple((name, name) for _, name in tag_options(db))


def tagged(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Products with any of these tags."""
    ids = [int(code) for code in codes]
    return exists().where(ProductTag.product_id == Product.id, ProductTag.tag_id.in_(ids))


IDS: Any = bindparam("ids", expanding=True)
VARIANTS = (
    select(
        Variant.product_id,
        Variant.sku,
        Variant.price,
        Variant.sale_price,
        Variant.sale_from,
        Variant.sale_to,
        Variant.active,
    )
    .where(Variant.product_id.in_(IDS))
    .order_by(Variant.product_id, Variant.position, Variant.id)
)


def _linked(model: Any, link: Any, column: Any) -> Select[Any]:
    wanted = select(link.product_id, model.name).join(model, model.id == column).where(link.product_id.in_(IDS))
    return wanted.order_by(link.product_id, model.name_key, model.id)


CATEGORY_NAMES = _linked(Category, ProductCategory, ProductCategory.category_id)
TAG_NAMES = _linked(Tag, ProductTag, ProductTag.tag_id)


def load(db: Session, page: Page) -> grids.Loaded:
    """Pictures, SKUs, categories, prices and tags of the products on a page, each in a query or two for all."""
    ids = [row.id for row in page.rows]
    shown = set(page.query.columns)
    found: dict[str, dict[int, Any]] = {}
    if "picture" in shown:
        found["picture"] = dict(pictures.main(db, ids))
    if shown & {"sku", "price"}:
        found["sku"], found["price"] = _variants(db, ids)
    if "category" in shown:
        found["category"] = _names(db, CATEGORY_NAMES, ids)
    if "tags" in shown:
        found["tags"] = _names(db, TAG_NAMES, ids)
    return found


def _variants(db: Session, ids: list[int]) -> tuple[dict[int, Any], dict[int, Any]]:
    """SKUs, and (lowest, highest, reduced) of what is paid today, per product."""
    rows: dict[int, list[Any]] = {}
    for row in db.execute(VARIANTS, {"ids": ids}):
        rows.setdefault(row.product_id, []).append(row)
    today = g.world.today()
    skus = {id: [row.sku for row in variants] for id, variants in rows.items()}
    return skus, {id: _paid(variants, today) for id, variants in rows.items()}


def _paid(variants: list[Any], today: str) -> tuple[int, int, bool]:
    sold = [row for row in variants if row.active] or variants
    paid = [effective_price(row.price, row.sale_price, row.sale_from, row.sale_to, today) for row in sold]
    return min(paid), max(paid), any(price < row.price for price, row in zip(paid, sold, strict=True))


def _names(db: Session, linked: Select[Any], ids: list[int]) -> dict[int, list[str]]:
    """Product to the names of what it is linked to."""
    found: dict[int, list[str]] = {}
    for product_id, name in db.execute(linked, {"ids": ids}):
        found.setdefault(product_id, []).append(name)
    return found


def _picture(value: pictures.Picture | None, row: Any) -> Markup:
    """The picture as the link to the product: the name itself is edited in place, by a double click."""
    shown = '<span class="thumb none small"></span>'
    if value is not None:
        source = escape(value.src(96))
        shown = f'<img class="thumb" src="{source}" alt="" width="40" height="40" loading="lazy">'
    return Markup(f'<a href="/products/{row.id}" aria-label="Open {escape(called(row))}">{shown}</a>')


def _sku(value: list[str] | None, row: Any) -> Markup:
    if not value:
        return Markup('<span class="muted">No variants</span>')
    if row.kind == "simple":
        return Markup(f'<a class="nowrap" href="/products/{row.id}">{escape(value[0])}</a>')
    shown = present.count(len(value), "variant")
    name = escape(called(row))
    return Markup(f'<a href="/products/{row.id}/variants" aria-label="{shown} of {name}">{shown}</a>')


def _price(value: tuple[int, int, bool] | None, row: Any) -> Markup:
    if value is None:
        return present.NOTHING
    low, high, reduced = value
    sale = ' <span class="badge-x tone-amber">Sale</span>' if reduced else ""
    return Markup(f'<span class="nowrap">{escape(product_facts.price_range(low, high))}</span>{sale}')


def _price_text(value: tuple[int, int, bool] | None, row: Any) -> str:
    if value is None:
        return ""
    low, high = (present.plain_money(each) for each in value[:2])
    return low if low == high else f"{low}-{high}"


def _not(status: str) -> Any:
    return lambda row: row.status != status


def called(row: Any) -> str:
    """The name; with the status unless it is active, because archived products have active twins."""
    return row.name if row.status == "active" else f"{row.name} ({labels.PRODUCT_STATUS[row.status].lower()})"


def _to(status: str, label: str, done: str, text: str, icon: str) -> grids.Action:
    """The action that gives products a status."""
    return grids.Action(
        name=label.lower(),
        label=label,
        use_case="products.set_status",
        title=f"{label} {{rows}}?",
        done=done,
        text=text,
        icon=icon,
        into=lambda values: {"status": status, **values},
        when=_not(status),
        fields=(NO_IMAGE,) if status == "active" else (),
    )


NO_IMAGE = grids.Field(name="no_image", label="Publish without a picture", kind="tick", required=False)
TAGS = grids.Field(name="tags", label="Tags", kind="choices", options=tag_names)
CATEGORIES = grids.Field(name="categories", label="Categories", kind="choices", options=category_options)

ACTIONS = (
    _to("active", "Enable", "enabled", "Customers see enabled products. Each needs a price and a category.", "eye"),
    _to("disabled", "Disable", "disabled", "Disabled products are not in the shop.", "eye-slash"),
    _to("archived", "Archive", "archived", "Archived products leave the shop and the daily lists.", "archive"),
    grids.Action(
        name="sale",
        label="Put on sale",
        use_case="products.put_on_sale",
        permission="variants.change_prices",
        title="Put {rows} on sale?",
        done="put on sale",
        text="Every variant gets a sale price so much below its price. Sales that it has already are replaced.",
        icon="percent",
        fields=(
            grids.Field(name="percent", label="Percent off", kind="whole", hint="A whole number such as 15."),
            grids.Field(name="sale_from", label="Sale from", kind="day", required=False),
            grids.Field(name="sale_to", label="Sale to", kind="day", required=False),
        ),
        into=lambda values: {**values, "percent": None if values["percent"] is None else values["percent"] * 100},
    ),
    grids.Action(
        name="end-sale",
        label="End sale",
        use_case="products.end_sale",
        permission="variants.change_prices",
        title="End the sale of {rows}?",
        done="taken off sale",
        icon="x-circle",
    ),
    grids.Action(
        name="tag",
        label="Add tags",
        use_case="products.tag",
        title="Add tags to {rows}?",
        done="tagged",
        icon="tag",
        fields=(TAGS,),
        into=lambda values: {"add": values["tags"]},
    ),
    grids.Action(
        name="untag",
        label="Remove tags",
        use_case="products.tag",
        title="Remove tags from {rows}?",
        done="freed of tags",
        icon="tag",
        fields=(TAGS,),
        into=lambda values: {"remove": values["tags"]},
    ),
    grids.Action(
        name="list",
        label="Add to categories",
        use_case="products.set_categories",
        title="Add {rows} to categories?",
        done="added",
        text="The categories that a product is in already stay.",
        icon="diagram-3",
        fields=(CATEGORIES,),
        into=lambda values: {"add": values["categories"]},
    ),
)

PRODUCTS = grids.declare(
    grids.Grid(
        name="products",
        title="Products",
        shape=shape,
        source=SOURCE,
        called=called,
        href="/products/{id}",
        search="Name, brand, category, SKU or tag",
        cells={
            "picture": grids.Cell(html=_picture, plain=lambda value, row: "", css="pic"),
            "name": grids.Cell(html=lambda value, row: value, css="primary"),
            "sku": grids.Cell(html=_sku, plain=lambda value, row: "; ".join(value or ())),
            "category": grids.TAGS,
            "status": grids.BADGE,
            "price": grids.Cell(html=_price, plain=_price_text),
            "tags": grids.TAGS,
        },
        load=load,
        actions=ACTIONS,
        edits={
            "name": grids.Edit(use_case="products.edit", permission="products.text", most=160),
            "status": grids.Edit(use_case="products.set_status"),
        },
        items=(
            grids.Item(label="Open", href="/products/{id}"),
            grids.Item(label="Images", href="/products/{id}/images"),
            grids.Item(label="Variants", href="/products/{id}/variants"),
        ),
        buttons=(grids.Button(label="New product", href="/products/new", use_case="products.create"),),
        copy=("product names", "name"),
        template="admin/products/index.html",
    )
)


@bp.get("")
def index() -> Answer:
    """Products by name."""
    return grids.show(PRODUCTS)
