"""Inventory: all variants in one grid of which only what is on screen exists; counts are edited in place."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify, request
from markupsafe import Markup, escape
from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Page, Source, run
from ...kit.rules import Refused, RuleError
from ...kit.text import key
from .. import labels
from ..models import Brand, Product, Stock, Variant
from ..services import stock
from . import blueprint, frame, grid_edit, grid_lines, grids, variant_search
from .present import badge
from .variant_facts import options_of

bp = blueprint("inventory", __name__, url_prefix="/inventory")

BLOCK = 50
"""Rows that are fetched at once."""

AVAILABLE: Any = Stock.on_hand - Stock.reserved
YES_NO = (("yes", "Yes"), ("no", "No"))
LEVELS = {"none": "None left", "low": "Low", "enough": "Enough"}
MARKS = {"none": ("red", "None"), "low": ("amber", "Low"), "enough": ("", "")}
"""Tone and text of the badge beside what is available."""
WIDTHS = {
    "sku": "162px", "product": "minmax(150px, 1.4fr)", "options": "minmax(96px, .8fr)", "on_hand": "88px",
    "reserved": "76px", "available": "104px", "low_at": "90px", "status": "108px", "level": "92px",
}  # fmt: skip
"""How wide columns are; others take what is usual."""
USUAL = "112px"
RECEIVE = "box-arrow-in-down"


def joins(statement: Select[Any]) -> Select[Any]:
    """A variant with its stock, its product and the brand."""
    return (
        statement.select_from(Variant)
        .join(Stock, Stock.variant_id == Variant.id)
        .join(Product, Product.id == Variant.product_id)
        .join(Brand, Brand.id == Product.brand_id)
    )


SOURCE = Source(
    id=Variant.id,
    joins=joins,
    search=variant_search.conditions,
    needs={"variant_id": Variant.id, "sku": Variant.sku, "v": Stock.v, "product_id": Product.id, "low": Stock.low_at},
)


def leveled(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Variants of which nothing is available, few, or more than the low level."""
    asked = {
        "none": AVAILABLE <= 0,
        "low": and_(AVAILABLE > 0, Stock.low_at >= AVAILABLE),
        "enough": and_(AVAILABLE > 0, Stock.low_at < AVAILABLE),
    }
    return or_(*(asked[code] for code in codes))


def _flag(column: Any) -> Any:
    """The SQL for a set of the codes `yes` and `no`."""
    return lambda codes: column.in_([code == "yes" for code in codes])


def shape(db: Session) -> Shape:
    """The columns of the list."""
    columns = (*_about(), *_counts(), *_more(db))
    return Shape(path="/inventory", nouns=("variant", "variants"), sort=("product",), size=BLOCK, columns=columns)


def _about() -> tuple[Column, ...]:
    product: dict[str, Any] = {"show": Product.name, "sort": Product.name_key, "match": Product.name_key}
    return (
        Column(name="sku", label="SKU", show=Variant.sku, typed=str.upper),
        Column(name="product", label="Product", typed=key, **product),
        Column(name="options", label="Options", show=None, sortable=False, filterable=False),
    )


def _counts() -> tuple[Column, ...]:
    return (
        Column(name="on_hand", label="On hand", kind="number", show=Stock.on_hand),
        Column(name="reserved", label="Reserved", kind="number", show=Stock.reserved),
        Column(name="available", label="Available", kind="number", show=AVAILABLE),
        Column(name="low_at", label="Low level", kind="number", show=Stock.low_at),
        _enum("status", "Status", Stock.status, tuple(labels.STOCK_STATUS.items()), default=True),
    )


def _more(db: Session) -> tuple[Column, ...]:
    """Columns that are shown on request."""
    brands = db.execute(select(Brand.id, Brand.name).order_by(Brand.name_key, Brand.id))
    named = tuple((str(id), name) for id, name in brands)
    return (
        _enum("level", "Level", None, tuple(LEVELS.items()), where=leveled, sortable=False),
        _enum("backorder", "Backorder", Stock.backorder, YES_NO, where=_flag(Stock.backorder)),
        _enum("active", "Active", Variant.active, YES_NO, where=_flag(Variant.active)),
        Column(name="price", label="Price", kind="money", show=Variant.price, default=False),
        _enum("brand", "Brand", Brand.name, named, sort=Brand.name_key, where=_brands),
        Column(name="barcode", label="Bar code", show=Variant.barcode, default=False),
    )


def _enum(name: str, label: str, show: Any, options: grids.Options, *, default: bool = False, **how: Any) -> Column:
    return Column(name=name, label=label, kind="enum", show=show, options=options, default=default, **how)


def _brands(codes: tuple[str, ...]) -> ColumnElement[bool]:
    return Brand.id.in_([int(code) for code in codes])


def loaded(db: Session, page: Page) -> grids.Loaded:
    """Options in words, and how much is left, for the rows of a block."""
    ids = [row.id for row in page.rows]
    found: dict[str, dict[int, Any]] = {}
    if "options" in page.query.columns:
        options = options_of(db, ids)
        found["options"] = {id: ", ".join(option.value for option in options[id]) for id in ids}
    if "level" in page.query.columns:
        counts = db.execute(select(Stock.variant_id, AVAILABLE, Stock.low_at).where(Stock.variant_id.in_(ids)))
        found["level"] = {id: level(left, low_at) for id, left, low_at in counts}
    return found


def level(available: int, low_at: int) -> str:
    """Whether nothing is available, few, or enough: a code of `LEVELS`."""
    return "none" if available <= 0 else "low" if available <= low_at else "enough"


def _count(value: Any, row: Any) -> str:
    return f"{value:,}"


def _available(value: Any, row: Any) -> Markup:
    """How many are left, marked where that is few or none."""
    tone, text = MARKS[level(value, row.low)]
    mark = Markup(' <span class="badge-x tone-{}">{}</span>').format(tone, text) if text else ""
    return escape(f"{value:,}") + mark


INVENTORY = grids.declare(
    grids.Grid(
        name="inventory",
        title="Inventory",
        shape=shape,
        source=SOURCE,
        key="variant_id",
        called=lambda row: str(row.sku),
        href="/products/{product_id}/stock",
        search="SKU, product or option",
        cells={
            "product": grids.link("/products/{product_id}/stock"),
            "options": grids.Cell(html=lambda value, row: value or "—"),
            "on_hand": grids.Cell(html=_count),
            "reserved": grids.Cell(html=_count),
            "available": grids.Cell(html=_available),
            "level": grids.Cell(html=lambda value, row: LEVELS[value], plain=lambda value, row: LEVELS[value]),
            "status": grids.Cell(html=lambda value, row: badge(value)),
            "backorder": grids.YES_NO,
            "active": grids.YES_NO,
        },
        load=loaded,
        edits={
            "on_hand": grids.Edit(use_case="stock.set_on_hand"),
            "low_at": grids.Edit(use_case="stock.set_low_at"),
        },
        buttons=(
            grids.Button(label="Stock movements", href="/movements", icon="clock-history", tone="plain"),
            grids.Button(label="Receive goods", href="/inventory/receive", use_case="stock.receive", icon=RECEIVE),
        ),
        template="admin/inventory/index.html",
    )
)


@bp.get("")
def index() -> Answer:
    """The list, with its first block of rows inside the page."""
    return grids.show(INVENTORY, first=first, widths=widths, may_add=frame.look("stock.receive") == "shown")


def first(page: Page) -> dict[str, Any]:
    """The block of rows that the page begins with."""
    return block(page)


def widths(page: Page) -> str:
    """The widths of the columns shown, and of the box to add units where there is one."""
    found = [WIDTHS.get(column.name, USUAL) for column in page.columns]
    return " ".join([*found, *(["74px"] if frame.look("stock.receive") == "shown" else [])])


@bp.get("/rows")
def rows() -> Response:
    """One block of rows of the list that the rest of the address describes, for scripts."""
    db = frame.db()
    of, query = INVENTORY.asked(db, request.args.to_dict(flat=False))
    return jsonify(block(run(db, SOURCE, of, query)))


def block(page: Page) -> dict[str, Any]:
    """Rows as scripts get them: what each cell shows, and the number that an edit begins with."""
    edits = {name: edit for name, edit in INVENTORY.edits.items() if frame.look(edit.needs) == "shown"}
    cells = grid_lines.columns(INVENTORY, page, frame.db(), edits)
    return {
        "page": page.query.page,
        "total": page.total,
        "rows": [
            {
                "id": row.id,
                "v": row.v,
                "sku": row.sku,
                "cells": {
                    cell.name: {
                        "html": str(cell.html(cell.value(row), row)),
                        "value": cell.start(row) if cell.edit else "",
                    }
                    for cell in cells
                },
            }
            for row in page.rows
        ],
    }


@bp.post("/<int:variant_id>/add")
def add(variant_id: int) -> Answer:
    """Receive units of one variant from the box in its row; answered as an edit in place is."""
    form = frame.posted()
    qty = form.whole("value", "Add", least=1, most=stock.MOST_UNITS, required=True)
    try:
        form.check()
        lines = [{"variant_id": variant_id, "qty": qty or 0}]
        stock.receive(g.world, g.actor, lines=lines, set_in_stock=form.ticked("set_in_stock"))
    except (Refused, RuleError) as error:
        answer = jsonify(code=error.code, message=error.message, row=None)
        answer.status_code = error.status
        return answer
    return jsonify(row=grid_edit.answer(INVENTORY, variant_id, g.world))
