"""Every change of stock: as a list, and as the last few of one product."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, literal, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Source
from ...kit.text import key
from .. import finding, labels
from ..models import Order, Product, Refund, Return, Staff, StockMove, Variant
from . import blueprint, grids
from .orders_grid import staff_options

bp = blueprint("movements", __name__)

NOBODY = "none"
REFERENCE: Any = case(
    (StockMove.ref_kind == "order", literal("Order ") + Order.number),
    (StockMove.ref_kind == "refund", Refund.number),
    (StockMove.ref_kind == "return", Return.number),
    else_=None,
)


def joins(statement: Select[Any]) -> Select[Any]:
    """A move, its variant and product, who made it, and the document behind it."""

    def about(kind: str, document: Any) -> Any:
        return and_(StockMove.ref_kind == kind, document.id == StockMove.ref_id)

    return (
        statement.select_from(StockMove)
        .outerjoin(Variant, Variant.id == StockMove.variant_id)
        .outerjoin(Product, Product.id == Variant.product_id)
        .outerjoin(Staff, Staff.id == StockMove.actor_id)
        .outerjoin(Order, about("order", Order))
        .outerjoin(Refund, about("refund", Refund))
        .outerjoin(Return, about("return", Return))
    )


SOURCE = Source(
    id=StockMove.id,
    joins=joins,
    search=finding.products,
    needs={"product_id": Variant.product_id, "sku": Variant.sku},
    whole=True,
)


def made_by(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Moves by these members of staff; the code `none` stands for nobody: what customers caused."""
    people = StockMove.actor_id.in_([int(code) for code in codes if code != NOBODY])
    return people | StockMove.actor_id.is_(None) if NOBODY in codes else people


def shape(db: Session) -> Shape:
    """The columns of the list."""
    return Shape(
        path="/movements",
        nouns=("movement", "movements"),
        sort=("-created_at",),
        columns=(
            Column(name="created_at", label="When", kind="time", show=StockMove.created_at),
            Column(name="sku", label="SKU", show=Variant.sku, typed=str.upper),
            Column(
                name="product",
                label="Product",
                show=Product.name,
                sort=Product.name_key,
                match=Product.name_key,
                typed=key,
            ),
            Column(
                name="kind", label="Kind", kind="enum", show=StockMove.kind, options=tuple(labels.STOCK_MOVE.items())
            ),
            Column(name="on_hand", label="On hand", kind="number", show=StockMove.d_on_hand),
            Column(name="reserved", label="Reserved", kind="number", show=StockMove.d_reserved),
            Column(name="reference", label="Reference", show=REFERENCE, sortable=False),
            Column(name="note", label="Note", show=StockMove.note, sortable=False),
            Column(
                name="actor",
                label="By",
                kind="enum",
                show=Staff.name,
                sort=Staff.name_key,
                options=((NOBODY, "Nobody (customers)"), *staff_options(db)),
                where=made_by,
            ),
        ),
    )


def signed(value: Any, row: Any) -> str:
    """A change with its sign; nothing for none."""
    return f"{value:+,}".replace("-", "−") if value else "—"


MOVEMENTS = grids.declare(
    grids.Grid(
        name="movements",
        title="Stock movements",
        shape=shape,
        source=SOURCE,
        search="Product or SKU",
        copy=("SKUs", "sku"),
        called=lambda row: f"movement {row.id} of {row.sku}",
        cells={
            "product": grids.link("/products/{product_id}/stock"),
            "on_hand": grids.Cell(html=signed, css="num"),
            "reserved": grids.Cell(html=signed, css="num"),
            "actor": grids.Cell(html=lambda value, row: value or "—"),
        },
    )
)


@bp.get("/movements")
def index() -> Answer:
    """Movements, the newest first."""
    return grids.show(MOVEMENTS)


def latest(db: Session, product_id: int, most: int) -> list[Any]:
    """The newest movements of a product's variants."""
    columns = (
        StockMove.id, StockMove.created_at, Variant.sku, StockMove.kind, StockMove.d_on_hand, StockMove.d_reserved,
        REFERENCE.label("reference"), StockMove.note, Staff.name.label("actor"),
    )  # fmt: skip
    own = joins(select(*columns)).where(Variant.product_id == product_id)
    return list(db.execute(own.order_by(StockMove.created_at.desc(), StockMove.id.desc()).limit(most)))
