"""The list of reviews."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, case, or_
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Query, Shape
from ...kit.listing import Source
from ...kit.text import key
from .. import finding, labels
from ..models import Product, Review
from . import blueprint, frame, grids

bp = blueprint("reviews", __name__, url_prefix="/reviews")


def joins(statement: Select[Any]) -> Select[Any]:
    """A review and what it is about."""
    return statement.select_from(Review).join(Product, Product.id == Review.product_id)


SOURCE = Source(id=Review.id, joins=joins, search=finding.reviews)

YES_NO = (("yes", "Yes"), ("no", "No"))


def _yes_no(column: Any, codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Rows whose condition is among the codes."""
    return or_(*(column if code == "yes" else ~column for code in codes))


def shape(_db: Session) -> Shape:
    """The columns of the list."""
    replied = Review.reply_body.is_not(None)
    return Shape(
        path="/reviews",
        nouns=("review", "reviews"),
        sort=("-created_at",),
        columns=(
            Column(
                name="product",
                label="Product",
                show=Product.name,
                sort=Product.name_key,
                match=Product.name_key,
                typed=key,
            ),
            Column(name="rating", label="Stars", kind="number", show=Review.rating),
            Column(
                name="title", label="Title", show=Review.title, sort=Review.title_key, match=Review.title_key, typed=key
            ),
            Column(
                name="nickname",
                label="Nickname",
                show=Review.nickname,
                sort=Review.nickname_key,
                match=Review.nickname_key,
                typed=key,
            ),
            Column(
                name="status",
                label="Status",
                kind="enum",
                show=Review.status,
                options=tuple(labels.REVIEW_STATUS.items()),
            ),
            Column(
                name="verified",
                label="Verified",
                kind="enum",
                show=Review.verified,
                options=YES_NO,
                where=lambda codes: _yes_no(Review.verified.is_(True), codes),
            ),
            Column(name="created_at", label="Date", kind="time", show=Review.created_at),
            Column(
                name="replied",
                label="Replied",
                kind="enum",
                show=case((replied, 1), else_=0),
                options=YES_NO,
                where=lambda codes: _yes_no(replied, codes),
                default=False,
            ),
            Column(name="body", label="Text", show=Review.body, default=False, sortable=False, filterable=False),
            Column(name="product_id", label="Product number", kind="number", show=Review.product_id, default=False),
        ),
    )


def order_of(columns: Shape, query: Query) -> list[Any]:
    """The order of a query in SQL, the id last, as the list itself has it."""
    found: list[Any] = []
    for part in query.sort:
        column = columns.column(part.lstrip("-"))
        if column is not None:
            by = column.show if column.sort is None else column.sort
            found.append(by.desc().nulls_last() if part.startswith("-") else by.asc().nulls_first())
    down = query.sort[:1] and query.sort[0].startswith("-")
    return [*found, Review.id.desc() if down else Review.id]


@bp.get("")
def index() -> Answer:
    """Reviews, newest first."""
    return grids.show(shape(frame.db()), SOURCE, "admin/reviews/index.html")
