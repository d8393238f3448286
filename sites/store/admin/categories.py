"""The tree of categories, the form of one of them, and the order in which it lists its products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flask import abort, g, jsonify, render_template, request
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.rules import Refused, RuleError
from ..models import Category, Product, ProductCategory
from ..services import categories as service
from . import blueprint, frame, pictures

bp = blueprint("categories", __name__, url_prefix="/categories")

TOP = "top"
"""What a form sends for "no parent"."""


@dataclass
class Node:
    """A category in the tree."""

    row: Category
    level: int
    products: int
    below: list[Node] = field(default_factory=list)


def tree(db: Session) -> list[Node]:
    """All categories as a tree, in order, each with the number of products listed right in it; two queries."""
    counts = dict(
        db.execute(select(ProductCategory.category_id, func.count()).group_by(ProductCategory.category_id)).all()
    )
    rows = db.scalars(select(Category).order_by(Category.position, Category.id)).all()
    by_parent: dict[int | None, list[Category]] = {}
    for row in rows:
        by_parent.setdefault(row.parent_id, []).append(row)

    def below(parent_id: int | None, level: int) -> list[Node]:
        found = by_parent.get(parent_id, [])
        return [Node(row, level, counts.get(row.id, 0), below(row.id, level + 1)) for row in found]

    return below(None, 1)


def flat(nodes: list[Node]) -> Iterator[Node]:
    """The nodes of a tree from top to bottom."""
    for node in nodes:
        yield node
        yield from flat(node.below)


@bp.get("")
def index() -> Answer:
    """The tree, with nothing chosen."""
    return page()


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """The tree with one category chosen."""
    return page(id)


def page(id: int | None = None, *, status: int = 200, dialog: str = "", form: Form | None = None) -> Answer:
    """The page; `form` as it was sent, in the dialog that `dialog` names, else in the form of the category."""
    db = frame.db()
    nodes = tree(db)
    by_id = {node.row.id: node for node in flat(nodes)}
    if id is not None and id not in by_id:
        abort(404)
    chosen = by_id[id] if id is not None else None
    stored = {name: getattr(chosen.row, name) for name in ("name", "slug", "active")} if chosen else {}
    place = {"parent_id": (chosen.row.parent_id or TOP), "position": chosen.row.position} if chosen else {}
    if form is not None and not dialog:
        form.initial = stored
    return frame.page(
        "admin/structure/categories.html",
        status=status,
        nodes=nodes,
        chosen=chosen,
        trail=_trail(by_id, id),
        open_ids=_above(by_id, id),
        products=_products(db, id) if id is not None else [],
        parents=[
            (TOP, "Top level"),
            *((str(n.row.id), path_of(by_id, n.row.id)) for n in by_id.values() if n.level < 3),
        ],
        dialog=dialog,
        form=form if form is not None and not dialog else frame.blank(stored),
        new_form=form if dialog == "new" and form else frame.blank({"parent_id": id or TOP, "active": True}),
        move_form=form if dialog == "move" and form else frame.blank(place),
    )


@bp.get("/tree")
def tree_part() -> Answer:
    """The tree again, for the script that has moved something."""
    id = int(request.args["chosen"]) if is_whole(request.args.get("chosen", "")) else None
    nodes = tree(frame.db())
    by_id = {node.row.id: node for node in flat(nodes)}
    html = render_template(
        "admin/structure/tree.html", nodes=nodes, chosen=by_id.get(id or 0), open_ids=_above(by_id, id)
    )
    return jsonify(html=html)


@bp.post("")
def create() -> Answer:
    """Add a category."""
    form = frame.posted()
    values: dict[str, Any] = {"name": form.value("name"), "slug": form.value("slug"), "active": form.ticked("active")}
    try:
        parent_id = _parent(form)
        form.check()
        made = service.create(g.world, g.actor, parent_id=parent_id, **values)
    except Refused as refused:
        form.refuse(refused)
        return page(_from(), status=422, dialog="new", form=form)
    return frame.done("CATEGORY_CREATED", to=f"/categories/{made['id']}", name=values["name"].strip())


@bp.post("/<int:id>")
def edit(id: int) -> Answer:
    """Save name, URL name and whether the shop shows it."""
    form = frame.posted()
    values: dict[str, Any] = {"name": form.value("name"), "slug": form.value("slug"), "active": form.ticked("active")}
    try:
        saved = service.edit(g.world, g.actor, id=id, v=frame.form_version(form), **values)
    except Refused as refused:
        form.refuse(refused)
        return page(id, status=422, form=form)
    to = f"/categories/{id}"
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=to, tone="plain")
    return frame.done("CATEGORY_SAVED", to=to, name=values["name"].strip())


@bp.post("/<int:id>/delete")
def delete(id: int) -> Answer:
    """Delete an empty category."""
    row = frame.db().get(Category, id)
    name, parent_id = (row.name, row.parent_id) if row else ("", None)
    frame.close()
    try:
        service.delete(g.world, g.actor, id=id, v=frame.form_version(frame.posted()))
    except Refused as refused:
        return frame.refused(refused, to=f"/categories/{id}")
    return frame.done("CATEGORY_DELETED", to=f"/categories/{parent_id}" if parent_id else "/categories", name=name)


@bp.post("/<int:id>/move")
def move(id: int) -> Answer:
    """Put a category somewhere else: from the dialog, or as JSON from the tree."""
    form = frame.posted()
    script = "application/json" in request.headers.get("Accept", "")
    try:
        parent_id = _parent(form)
        position = form.whole("position", "Position", least=1, most=999, required=True)
        form.check()
        moved = service.move(
            g.world, g.actor, id=id, parent_id=parent_id, position=position or 1, v=frame.form_version(form)
        )
    except RuleError as error:
        if script:
            return _cannot(error)
        if not isinstance(error, Refused):
            raise
        form.refuse(error)
        return page(id, status=422, dialog="move", form=form)
    if script:
        return jsonify(moved)
    if not moved["changed"]:
        return frame.done("NOTHING_CHANGED", to=f"/categories/{id}", tone="plain")
    return frame.done("CATEGORY_MOVED", to=f"/categories/{id}")


@bp.post("/<int:id>/products")
def arrange(id: int) -> Answer:
    """Save the order of a category's products, or pin one to the top; answered as JSON."""
    form = frame.posted()
    v, pinned = frame.form_version(form), form.value("pin")
    try:
        if is_whole(pinned):
            done = service.pin(g.world, g.actor, id=id, product_id=int(pinned), v=v)
        else:
            ids = [int(text) for text in form.value("ids").split(",") if is_whole(text)]
            done = service.order_products(g.world, g.actor, id=id, product_ids=ids, v=v)
    except RuleError as error:
        return _cannot(error)
    return jsonify(done)


def path_of(by_id: dict[int, Node], id: int | None) -> str:
    """The names from the top down to a category: `Outdoor / Packs`."""
    return " / ".join(by_id[each].row.name for each in _above(by_id, id))


def _above(by_id: dict[int, Node], id: int | None) -> list[int]:
    """The ids from the top down to a category."""
    found: list[int] = []
    while id is not None and id in by_id:
        found.insert(0, id)
        id = by_id[id].row.parent_id
    return found


def _trail(by_id: dict[int, Node], id: int | None) -> list[tuple[str, str | None]]:
    above = _above(by_id, id)
    parts = [(by_id[each].row.name, f"/categories/{each}" if each != id else None) for each in above]
    return [("Categories", "/categories" if above else None), *parts]


def _products(db: Session, id: int) -> list[dict[str, Any]]:
    """The products of a category in its order, with their pictures."""
    wanted = select(Product).join(ProductCategory, ProductCategory.product_id == Product.id)
    own = wanted.where(ProductCategory.category_id == id).order_by(ProductCategory.position, Product.id)
    rows = list(db.scalars(own))
    shown = pictures.main(db, [row.id for row in rows])
    return [{"row": row, "picture": shown.get(row.id)} for row in rows]


def _parent(form: Form) -> int | None:
    """The parent that a form names; None is the top."""
    text = form.value("parent_id")
    if text in ("", TOP):
        return None
    if not is_whole(text):
        form.wrong("NOT_A_CHOICE", "parent_id", label="a category")
        return None
    return int(text)


def _from() -> int | None:
    """The category that was open when a new one was asked for."""
    text = request.form.get("from", "")
    return int(text) if is_whole(text) else None


def _cannot(error: RuleError) -> Answer:
    answer = jsonify(code=error.code, message=error.message)
    answer.status_code = error.status
    return answer
