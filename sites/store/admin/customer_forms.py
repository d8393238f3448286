"""What is sent from a customer's pages: new account, profile, block, address book."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import g, request, url_for
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from .. import labels
from ..models import Customer
from ..regions import LABELS as ADDRESS_FIELDS
from ..services import address_book, customers
from . import blueprint, frame
from .customers import addresses_page, profile_page

bp = blueprint("customer_forms", __name__, url_prefix="/customers")


@bp.get("/new")
def new() -> Answer:
    """The form for a new account."""
    frame.require("customers.create")
    return new_page(frame.blank({"group": "general"}))


def new_page(form: Form, status: int = 200) -> Answer:
    """The form as it is, or as somebody sent it wrongly."""
    return frame.page("admin/customers/new.html", status=status, form=form, groups=list(labels.GROUP.items()))


@bp.post("/new")
def create() -> Answer:
    """Add the account."""
    form = frame.posted()
    fields = {name: form.value(name) for name in customers.NEEDS}
    try:
        made = customers.create(g.world, g.actor, **fields)
    except Refused as refused:
        form.refuse(refused)
        return new_page(form, 422)
    name = f"{fields['first_name'].strip()} {fields['last_name'].strip()}"
    return frame.done("CUSTOMER_CREATED", to=_page(made["id"]), name=name)


@bp.post("/<int:id>")
def save(id: int) -> Answer:
    """Save the profile; only fields that were on the form count, so that a clerk's form says nothing of names."""
    form = frame.posted()
    fields = {name: form.value(name) for name in customers.NEEDS if name in request.form}
    try:
        saved = customers.edit(g.world, g.actor, id=id, v=frame.form_version(form), **fields)
    except Refused as refused:
        form.refuse(refused)
        return profile_page(id, form, 422)
    return _said(saved, "CUSTOMER_SAVED", to=_page(id), id=id)


@bp.post("/<int:id>/block")
def block(id: int) -> Answer:
    """Block the account."""
    return _switch(id, customers.block, "CUSTOMER_BLOCKED")


@bp.post("/<int:id>/unblock")
def unblock(id: int) -> Answer:
    """Let the account in again."""
    return _switch(id, customers.unblock, "CUSTOMER_UNBLOCKED")


def _switch(id: int, service: Callable[..., dict[str, Any]], code: str) -> Answer:
    try:
        service(g.world, g.actor, id=id, v=frame.form_version(frame.posted()))
    except Refused as refused:
        return frame.refused(refused, to=_page(id))
    return frame.done(code, to=_page(id), name=name_of(id))


@bp.post("/<int:id>/addresses")
def add_address(id: int) -> Answer:
    """Add an entry to the address book."""
    form = frame.posted()
    try:
        address_book.add_address(g.world, g.actor, id=id, **_address(form))
    except Refused as refused:
        form.refuse(refused)
        return addresses_page(id, form, 422, editing="add")
    return frame.done("ADDRESS_ADDED", to=_book(id))


@bp.post("/<int:id>/addresses/<int:address_id>")
def edit_address(id: int, address_id: int) -> Answer:
    """Change an entry."""
    form = frame.posted()
    version = frame.form_version(form)
    try:
        saved = address_book.edit_address(g.world, g.actor, id=id, address_id=address_id, v=version, **_address(form))
    except Refused as refused:
        form.refuse(refused)
        return addresses_page(id, form, 422, editing=str(address_id))
    return _said(saved, "ADDRESS_SAVED", to=_book(id), id=id)


@bp.post("/<int:id>/addresses/<int:address_id>/delete")
def delete_address(id: int, address_id: int) -> Answer:
    """Delete an entry."""
    version = frame.form_version(frame.posted())
    try:
        address_book.delete_address(g.world, g.actor, id=id, address_id=address_id, v=version)
    except Refused as refused:
        return frame.refused(refused, to=_book(id))
    return frame.done("ADDRESS_DELETED", to=_book(id))


@bp.post("/<int:id>/addresses/<int:address_id>/default")
def default_address(id: int, address_id: int) -> Answer:
    """Make an entry the default for shipping or billing."""
    kind = request.form.get("kind", "")
    try:
        made = address_book.default_address(g.world, g.actor, id=id, address_id=address_id, kind=kind)  # type: ignore[arg-type]  # checked by the service
    except Refused as refused:
        return frame.refused(refused, to=_book(id))
    return frame.done("DEFAULT_SET", to=_book(id), label=made["label"], kind=kind)


def _address(form: Form) -> dict[str, Any]:
    """The fields of an address form; a tick means default."""
    typed = {name: form.value(name) for name in ("label", *ADDRESS_FIELDS)}
    return {**typed, "shipping": form.ticked("shipping"), "billing": form.ticked("billing")}


def _said(saved: dict[str, Any], code: str, *, to: str, id: int) -> Answer:
    """The toast after saving: an unchanged form says that nothing was saved."""
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=to, tone="plain")
    return frame.done(code, to=to, name=name_of(id))


def name_of(id: int) -> str:
    """A customer's name after a change."""
    with g.world.read() as db:
        return customers.full_name(db.get_one(Customer, id))


def _page(id: int) -> str:
    return url_for("admin.customers.show", id=id)


def _book(id: int) -> str:
    return url_for("admin.customers.addresses", id=id)
