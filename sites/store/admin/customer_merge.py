"""Merging two accounts (choose, compare, confirm) and erasing one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import g, request, url_for
from sqlalchemy import select
from werkzeug.wrappers import Response as Answer

from ...kit.rules import Refused
from .. import finding
from ..models import Customer
from ..services import accounts, customers
from . import blueprint, customer_facts, frame
from .customer_forms import name_of
from .customers import load, profile_page

bp = blueprint("customer_merge", __name__, url_prefix="/customers")

FOUND = 20


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of the two accounts of a merge, with what its page says in short."""

    customer: Customer
    name: str
    facts: dict[str, Any]


@bp.get("/<int:id>/merge")
def choose(id: int) -> Answer:
    """Find the account that `id` is merged into: likely twins, or a search."""
    frame.require("customers.merge")
    customer = load(id)
    text = " ".join(request.args.get("q", "").split())[:100]
    db = frame.db()
    alive = (Customer.status.in_(("active", "blocked")), Customer.id != id)
    wanted = select(Customer).where(*finding.customers(text), *alive).order_by(Customer.last_name_key, Customer.id)
    found = list(db.scalars(wanted.limit(FOUND))) if text else customer_facts.likely_twins(db, customer)
    return frame.page(
        "admin/customers/merge.html",
        customer=customer,
        name=customers.full_name(customer),
        found=[_side(each) for each in found],
        q=text,
        extra={"q": text},
    )


@bp.get("/<int:id>/merge/<int:into>")
def compare(id: int, into: int) -> Answer:
    """Both accounts side by side: which one goes, which one stays, and what moves."""
    frame.require("customers.merge")
    gone, stays = load(id), load(into)
    try:
        accounts.refuse_merge(gone, stays)
    except Refused as refused:
        return frame.refused(refused, to=url_for("admin.customers.show", id=id))
    moves = {name: len(rows) for name, rows in accounts.movable(frame.db(), gone, stays).items()}
    return frame.page("admin/customers/compare.html", gone=_side(gone), stays=_side(stays), moves=moves)


@bp.post("/<int:id>/merge/<int:into>")
def merge(id: int, into: int) -> Answer:
    """Merge account `id` into the other one."""
    gone = name_of(id)
    try:
        accounts.merge(g.world, g.actor, id=id, into=into, v=frame.form_version(frame.posted()))
    except Refused as refused:
        return frame.refused(refused, to=url_for("admin.customers.show", id=id))
    to = url_for("admin.customers.show", id=into)
    return frame.done("CUSTOMER_MERGED", to=to, name=f"{gone} (customer {id})", other=f"customer {into}")


@bp.post("/<int:id>/erase")
def erase(id: int) -> Answer:
    """Erase the account; a wrong confirmation comes back with the dialog open."""
    form = frame.posted()
    try:
        accounts.erase(g.world, g.actor, id=id, confirm=form.value("confirm"), v=frame.form_version(form))
    except Refused as refused:
        form.refuse(refused)
        return profile_page(id, form, 422, dialog="erase")
    return frame.done("CUSTOMER_ERASED", to=url_for("admin.customers.show", id=id))


def _side(customer: Customer) -> Side:
    return Side(
        customer=customer,
        name=customers.full_name(customer),
        facts=customer_facts.summary(frame.db(), customer),
    )
