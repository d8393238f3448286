"""The accounts of staff: the list, the page of one account, and inviting somebody; the owner's business."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import abort, g
from sqlalchemy import Select, case, func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.grid import Column, Shape
from ...kit.listing import Source
from ...kit.phones import digits_of, written
from ...kit.rules import Refused
from ...kit.text import key, query_tokens
from .. import labels
from ..models import AuditRow, Order, Staff
from ..services import staff as service
from . import blueprint, frame, grids, trail

bp = blueprint("staff", __name__, url_prefix="/staff")

OPEN = ("pending", "processing", "on_hold", "fraud_review")
STATE = case((Staff.active, "active"), else_="inactive")
OPEN_ORDERS = (
    select(func.count(Order.id))
    .where(Order.assigned_to == Staff.id, Order.status.in_(OPEN))
    .correlate(Staff)
    .scalar_subquery()
)
MOST_EVENTS = 12


def _found(text: str) -> list[Any]:
    """Staff by the words of name and e-mail."""
    words = " " + Staff.name_key + " " + Staff.email
    return [words.contains(f" {token}", autoescape=True) for token in query_tokens(text)]


def joins(statement: Select[Any]) -> Select[Any]:
    """Accounts alone."""
    return statement.select_from(Staff)


SOURCE = Source(id=Staff.id, joins=joins, search=_found, needs={"v": Staff.v, "name": Staff.name, "state": STATE})


def shape(_db: Session) -> Shape:
    """The columns of the list."""
    name = Column(name="name", label="Name", show=Staff.name, sort=Staff.name_key, match=Staff.name_key, typed=key)
    return Shape(
        path="/staff",
        nouns=("account", "accounts"),
        sort=("name",),
        columns=(
            name,
            Column(name="email", label="E-mail", show=Staff.email, typed=str.lower),
            Column(name="role", label="Role", kind="enum", show=Staff.role, options=tuple(labels.ROLE.items())),
            Column(name="state", label="Status", kind="enum", show=STATE, options=tuple(labels.STAFF_STATUS.items())),
            Column(name="phone", label="Phone", show=Staff.phone, typed=digits_of),
            Column(name="open_orders", label="Open orders", kind="number", show=OPEN_ORDERS),
            Column(name="created_at", label="Since", kind="time", show=Staff.created_at),
        ),
    )


def _is(state: str) -> Callable[[Any], bool]:
    """Whether an account is in this state."""
    return lambda row: row.state == state


STAFF = grids.declare(
    grids.Grid(
        name="staff",
        title="Staff",
        shape=shape,
        source=SOURCE,
        search="Name or e-mail",
        called=lambda row: row.name,
        href="/staff/{id}",
        cells={
            "name": grids.link("/staff/{id}"),
            "state": grids.BADGE,
            "phone": grids.PHONE,
            "created_at": grids.DAY,
        },
        actions=(
            grids.Action(
                name="deactivate",
                label="Deactivate",
                use_case="staff.deactivate",
                title="Deactivate {rows}?",
                done="deactivated",
                text="They are signed out everywhere and can no longer sign in. Their orders stay assigned to them.",
                tone="danger",
                icon="person-slash",
                when=_is("active"),
            ),
            grids.Action(
                name="activate",
                label="Activate",
                use_case="staff.activate",
                title="Activate {rows}?",
                done="activated",
                icon="person-check",
                when=_is("inactive"),
            ),
        ),
        items=(grids.Item(label="Open", href="/staff/{id}"),),
        buttons=(grids.Button(label="Invite", href="/staff/new", use_case="staff.invite", icon="person-plus"),),
        export="staff.view",
        template="admin/staff/index.html",
    )
)


@bp.before_request
def managers_only() -> None:
    """Accounts are no business of clerks and analysts."""
    if frame.signed_in():
        frame.require("staff.view")


@bp.get("")
def index() -> Answer:
    """Everybody by name."""
    return grids.show(STAFF)


@bp.get("/new")
def new() -> Answer:
    """The form for an invitation."""
    frame.require("staff.invite")
    return new_page(frame.blank({"role": "clerk"}))


def new_page(form: Form, status: int = 200) -> Answer:
    """The form as it is, or as somebody sent it wrongly."""
    return frame.page("admin/staff/new.html", status=status, form=form, roles=list(labels.ROLE.items()))


@bp.post("/new")
def invite() -> Answer:
    """Add the account and mail the first password."""
    form = frame.posted()
    name, email, phone, role = (form.value(field) for field in service.FIELDS)
    try:
        made = service.invite(g.world, g.actor, name=name, email=email, phone=phone, role=role)
    except Refused as refused:
        form.refuse(refused)
        return new_page(form, 422)
    account = _read(made["id"])
    return frame.done("STAFF_INVITED", to=f"/staff/{made['id']}", name=account.name, email=account.email)


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """One account."""
    return page(id)


def page(id: int, form: Form | None = None, status: int = 200) -> Answer:
    """One account as it is stored, or as somebody sent it wrongly."""
    db = frame.db()
    account = db.get(Staff, id)
    if account is None:
        abort(404)
    stored = {name: getattr(account, name) for name in service.FIELDS}
    stored["phone"] = written(account.phone) if account.phone else ""
    if form is not None:
        form.initial = stored
    own = select(AuditRow).where(AuditRow.actor_kind == "staff", AuditRow.actor_id == id)
    rows = db.scalars(own.order_by(AuditRow.id.desc()).limit(MOST_EVENTS)).all()
    return frame.page(
        "admin/staff/show.html",
        status=status,
        account=account,
        form=form or frame.blank(stored),
        roles=list(labels.ROLE.items()),
        own=account.id == g.actor.id,
        open_orders=db.scalar(select(func.count(Order.id)).where(Order.assigned_to == id, Order.status.in_(OPEN))),
        orders_href=f"/orders?f=assigned_to:in:{id}&f=status:in:{'|'.join(sorted(OPEN))}",
        did=trail.events(db, rows),
    )


@bp.post("/<int:id>")
def save(id: int) -> Answer:
    """Save the account; what is not on the form stays as it is."""
    form = frame.posted()
    fields = {name: form.value(name) for name in service.FIELDS if form.typed is not None and name in form.typed}
    try:
        saved = service.edit(g.world, g.actor, id=id, v=frame.form_version(form), **fields)
    except Refused as refused:
        form.refuse(refused)
        return page(id, form, 422)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=f"/staff/{id}", tone="plain")
    return frame.done("STAFF_SAVED", to=f"/staff/{id}", name=_read(id).name)


@bp.post("/<int:id>/deactivate")
def deactivate(id: int) -> Answer:
    """Keep somebody out."""
    return _switch(id, service.deactivate, "STAFF_DEACTIVATED")


@bp.post("/<int:id>/activate")
def activate(id: int) -> Answer:
    """Let somebody in again."""
    return _switch(id, service.activate, "STAFF_ACTIVATED")


def _switch(id: int, change: Callable[..., dict[str, Any]], code: str) -> Answer:
    try:
        change(g.world, g.actor, id=id, v=frame.form_version(frame.posted()))
    except Refused as refused:
        return frame.refused(refused, to=f"/staff/{id}")
    return frame.done(code, to=f"/staff/{id}", name=_read(id).name)


def _read(id: int) -> Staff:
    """An account after a change."""
    with g.world.read() as db:
        account: Staff = db.get_one(Staff, id)
        db.expunge(account)
        return account
