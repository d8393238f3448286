"""The list of reviews."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from flask import request
from markupsafe import Markup
from sqlalchemy import ColumnElement, Select, case, or_
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Source
from ...kit.text import key
from .. import finding, labels
from ..models import Product, Review
from . import blueprint, grids, present

bp = blueprint("reviews", __name__, url_prefix="/reviews")


def joins(statement: Select[Any]) -> Select[Any]:
    """A review and what it is about."""
    return statement.select_from(Review).join(Product, Product.id == Review.product_id)


SOURCE = Source(
    id=Review.id,
    joins=joins,
    search=finding.reviews,
    needs={"v": Review.v, "nickname": Review.nickname, "product_id": Review.product_id, "status": Review.status},
    whole=True,
)

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


def _title(value: str, row: Any) -> Markup:
    """A link to the page, which lets one walk on through this very list."""
    asked = request.query_string.decode("ascii", "ignore")
    href = f"/reviews/{row.id}?list={quote(asked)}" if asked else f"/reviews/{row.id}"
    return Markup('<a href="{}">{}</a>').format(href, value or "(no title)")


def _status_is_not(status: str) -> Callable[[Any], bool]:
    """Whether there is anything to decide for a review."""
    return lambda row: row.status != status


ACTIONS = (
    grids.Action(
        name="approve",
        label="Approve",
        use_case="reviews.moderate",
        title="Approve {rows}?",
        done="approved",
        text="Approved reviews are shown in the shop and count for the average of their product.",
        icon="check-lg",
        into=lambda values: {"status": "approved"},
        when=_status_is_not("approved"),
    ),
    grids.Action(
        name="reject",
        label="Reject",
        use_case="reviews.moderate",
        title="Reject {rows}?",
        done="rejected",
        text="Rejected reviews are kept, but not shown in the shop.",
        icon="slash-circle",
        into=lambda values: {"status": "rejected"},
        when=_status_is_not("rejected"),
    ),
    grids.Action(
        name="delete",
        label="Delete",
        use_case="reviews.delete",
        title="Delete {rows}?",
        done="deleted",
        tone="danger",
        icon="trash",
        native_confirm="{question}\nThis cannot be undone. Delete for good?",
    ),
)

REVIEWS = grids.declare(
    grids.Grid(
        name="reviews",
        title="Reviews",
        shape=shape,
        source=SOURCE,
        search="Title, text or nickname",
        called=lambda row: f"review {row.id} by {row.nickname}",
        href="/reviews/{id}",
        cells={
            "product": grids.link("/products/{product_id}", css=""),
            "rating": grids.Cell(html=lambda value, row: present.stars(value), plain=lambda value, row: str(value)),
            "title": grids.Cell(html=_title, plain=lambda value, row: str(value), css="primary wrap"),
            "status": grids.BADGE,
            "verified": grids.YES_NO,
            "replied": grids.YES_NO,
            "body": grids.Cell(html=lambda value, row: value, css="wrap"),
        },
        actions=ACTIONS,
        items=(grids.Item(label="Open", href="/reviews/{id}"),),
        template="admin/reviews/index.html",
    )
)


@bp.get("")
def index() -> Answer:
    """Reviews, newest first."""
    return grids.show(REVIEWS)
