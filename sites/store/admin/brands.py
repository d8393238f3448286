"""The list of brands, where they are added, renamed in place and deleted."""

from __future__ import annotations

from typing import Any

from flask import g
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.grid import Column, Shape
from ...kit.listing import Source
from ...kit.rules import Refused
from ...kit.text import key, query_tokens
from ..models import Brand, Product
from ..services import brands as service
from . import blueprint, frame, grids

bp = blueprint("brands", __name__, url_prefix="/brands")

OWN = Product.brand_id == Brand.id
PRODUCTS = select(func.count(Product.id)).where(OWN).correlate(Brand).scalar_subquery()
ACTIVE = select(func.count(Product.id)).where(OWN, Product.status == "active").correlate(Brand).scalar_subquery()


def joins(statement: Select[Any]) -> Select[Any]:
    """A brand alone."""
    return statement.select_from(Brand)


def search(text: str) -> list[Any]:
    """Every word must begin a word of the name."""
    words: Any = " " + Brand.name_key
    return [words.contains(f" {token}", autoescape=True) for token in query_tokens(text)]


def shape(db: Session) -> Shape:
    """The columns of the list."""
    name: dict[str, Any] = {"show": Brand.name, "sort": Brand.name_key, "match": Brand.name_key}
    return Shape(
        path="/brands",
        nouns=("brand", "brands"),
        sort=("name",),
        columns=(
            Column(name="name", label="Name", typed=key, **name),
            Column(name="slug", label="URL name", show=Brand.slug),
            Column(name="products", label="Products", kind="number", show=PRODUCTS),
            Column(name="active", label="In the shop", kind="number", show=ACTIVE),
        ),
    )


BRANDS = grids.declare(
    grids.Grid(
        name="brands",
        title="Brands",
        shape=shape,
        source=Source(id=Brand.id, joins=joins, search=search, needs={"called": Brand.name}),
        called=lambda row: str(row.called),
        search="Name",
        cells={"products": grids.link("/products?f=brand:in:{id}", css="num")},
        edits={"name": grids.Edit(use_case="brands.edit"), "slug": grids.Edit(use_case="brands.edit")},
        actions=(
            grids.Action(
                name="delete",
                label="Delete",
                use_case="brands.delete",
                title="Delete {rows}?",
                submit="Delete brands",
                done="deleted",
                text="Only brands without products are deleted.",
                tone="danger",
                icon="trash",
            ),
        ),
        items=(grids.Item(label="Show products", href="/products?f=brand:in:{id}"),),
        template="admin/structure/brands.html",
    )
)


@bp.get("")
def index() -> Answer:
    """Brands by name."""
    return page()


def page(form: Form | None = None, status: int = 200) -> Answer:
    """The list; with the dialog for a new brand open where it was refused."""
    answer = grids.show(BRANDS, new_form=form or frame.blank(), dialog="new" if form else "")
    if status != 200:
        answer.status_code = status
    return answer


@bp.post("")
def create() -> Answer:
    """Add a brand."""
    form = frame.posted()
    try:
        service.create(g.world, g.actor, name=form.value("name"), slug=form.value("slug"))
    except Refused as refused:
        form.refuse(refused)
        return page(form, 422)
    return frame.done("BRAND_CREATED", to="/brands", name=form.value("name").strip())
