"""The lists of an order's papers: invoices, shipments, refunds and returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, or_, select
from sqlalchemy.orm import Session, aliased
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Page, Source
from ...kit.text import key
from .. import finding, labels
from ..models import Invoice, Order, Refund, Return, Shipment, ShipmentTrack, Staff
from . import blueprint, grids

bp = blueprint("document_lists", __name__)

Maker = aliased(Staff)
NONE = "none"


def _with_order(model: Any) -> Callable[[Select[Any]], Select[Any]]:
    """A paper and its order."""
    return lambda statement: statement.select_from(model).join(Order, Order.id == model.order_id)


def _source(model: Any, joins: Callable[[Select[Any]], Select[Any]] | None = None) -> Source:
    # no version: one change of an order's papers must not keep the next one in the same selection from happening
    needs = {"number": model.number, "order_number": Order.number, "status": model.status}
    return Source(
        id=model.id, joins=joins or _with_order(model), search=finding.documents(model), needs=needs, whole=True
    )


def _first(model: Any, when: str) -> tuple[Column, ...]:
    """The columns that all four lists begin with."""
    return (
        Column(name="number", label="Number", show=model.number),
        Column(name="created_at", label=when, kind="time", show=model.created_at),
        Column(name="order", label="Order", show=Order.number),
        Column(
            name="customer",
            label="Customer",
            show=Order.customer_name,
            sort=Order.customer_name_key,
            match=Order.customer_name_key,
            typed=key,
        ),
    )


def _enum(name: str, label: str, column: Any, names: dict[str, str], *, default: bool = True) -> Column:
    return Column(name=name, label=label, kind="enum", show=column, options=tuple(names.items()), default=default)


def _cells(path: str) -> dict[str, grids.Cell]:
    return {
        "number": grids.link(f"/{path}/{{number}}"),
        "order": grids.link("/orders/{order_number}", css=""),
        "status": grids.BADGE,
    }


def invoices(_db: Session) -> Shape:
    """The columns of the list of invoices."""
    return Shape(
        path="/invoices",
        nouns=("invoice", "invoices"),
        sort=("-created_at",),
        columns=(
            *_first(Invoice, "Created"),
            _enum("status", "Status", Invoice.status, labels.INVOICE_STATUS),
            Column(name="paid_at", label="Paid", kind="time", show=Invoice.paid_at),
            _enum("pay_method", "Payment", Order.pay_method, labels.PAY_METHOD),
            Column(name="total", label="Total", kind="money", show=Invoice.total),
        ),
    )


def shipments(_db: Session) -> Shape:
    """The columns of the list of shipments."""
    return Shape(
        path="/shipments",
        nouns=("shipment", "shipments"),
        sort=("-created_at",),
        columns=(
            *_first(Shipment, "Shipped"),
            _enum("status", "Status", Shipment.status, labels.SHIPMENT_STATUS),
            Column(name="delivered_at", label="Delivered", kind="time", show=Shipment.delivered_at),
            Column(
                name="tracks",
                label="Tracking",
                kind="enum",
                show=None,
                options=(*labels.CARRIER.items(), (NONE, "No tracking")),
                where=carried,
                sortable=False,
            ),
        ),
    )


def carried(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Shipments with a tracking number of one of these carriers; the code `none` stands for those without any."""
    track = exists().where(ShipmentTrack.shipment_id == Shipment.id)
    by = track.where(ShipmentTrack.carrier.in_([code for code in codes if code != NONE]))
    return or_(by, ~track) if NONE in codes else by


def tracks_of(db: Session, page: Page) -> grids.Loaded:
    """The tracking numbers of the shipments on a page."""
    found: dict[int, list[str]] = {}
    wanted = select(ShipmentTrack.shipment_id, ShipmentTrack.title, ShipmentTrack.number)
    mine = wanted.where(ShipmentTrack.shipment_id.in_([row.id for row in page.rows]))
    for shipment_id, title, number in db.execute(mine.order_by(ShipmentTrack.shipment_id, ShipmentTrack.id)):
        found.setdefault(shipment_id, []).append(f"{title} {number}")
    return {"tracks": {row.id: "; ".join(found.get(row.id, ())) for row in page.rows}}


TRACKS = grids.Cell(html=lambda value, row: value or "—", plain=lambda value, row: value or "")


def refunds(_db: Session) -> Shape:
    """The columns of the list of refunds."""
    return Shape(
        path="/refunds",
        nouns=("refund", "refunds"),
        sort=("-created_at",),
        columns=(
            *_first(Refund, "Created"),
            _enum("status", "Status", Refund.status, labels.REFUND_STATUS),
            _enum("method", "Method", Refund.method, labels.REFUND_METHOD),
            Column(
                name="created_by",
                label="Created by",
                show=Maker.name,
                sort=Maker.name_key,
                match=Maker.name_key,
                typed=key,
            ),
            Column(name="reason", label="Reason", show=Refund.reason, default=False),
            Column(name="total", label="Total", kind="money", show=Refund.total),
        ),
    )


def returns(_db: Session) -> Shape:
    """The columns of the list of returns."""
    return Shape(
        path="/returns",
        nouns=("return", "returns"),
        sort=("-created_at",),
        columns=(
            *_first(Return, "Requested"),
            _enum("status", "Status", Return.status, labels.RETURN_STATUS),
            _enum("reason", "Reason", Return.reason, labels.RETURN_REASON),
            _enum("resolution", "Wants", Return.resolution, labels.RETURN_RESOLUTION),
            Column(name="customer_note", label="Customer's note", show=Return.customer_note, default=False),
        ),
    )


def _open(path: str) -> tuple[grids.Item, ...]:
    return (
        grids.Item(label="Open", href=f"/{path}/{{number}}"),
        grids.Item(label="Open order", href="/orders/{order_number}"),
    )


def _is(*statuses: str) -> Callable[[Any], bool]:
    return lambda row: row.status in statuses


INVOICES = grids.declare(
    grids.Grid(
        name="invoices",
        title="Invoices",
        shape=invoices,
        source=_source(Invoice),
        called=lambda row: f"invoice {row.number}",
        key="number",
        href="/invoices/{number}",
        search="Number, order, name, e-mail",
        cells=_cells("invoices"),
        items=_open("invoices"),
        actions=(
            grids.Action(
                name="mark-paid",
                label="Mark paid",
                use_case="invoices.mark_paid",
                title="Mark {rows} paid?",
                done="marked paid",
                icon="cash-coin",
                when=_is("open"),
            ),
        ),
    )
)
SHIPMENTS = grids.declare(
    grids.Grid(
        name="shipments",
        title="Shipments",
        shape=shipments,
        source=_source(Shipment),
        called=lambda row: f"shipment {row.number}",
        key="number",
        href="/shipments/{number}",
        search="Number, order, name, e-mail",
        cells={**_cells("shipments"), "tracks": TRACKS},
        load=tracks_of,
        items=_open("shipments"),
        actions=(
            grids.Action(
                name="delivered",
                label="Mark delivered",
                use_case="shipments.mark_delivered",
                title="Mark {rows} delivered?",
                done="marked delivered",
                icon="house-check",
                when=_is("shipped"),
            ),
        ),
    )
)
REFUNDS = grids.declare(
    grids.Grid(
        name="refunds",
        title="Refunds",
        shape=refunds,
        source=_source(Refund, lambda s: _with_order(Refund)(s).outerjoin(Maker, Maker.id == Refund.created_by)),
        called=lambda row: f"refund {row.number}",
        key="number",
        href="/refunds/{number}",
        search="Number, order, name, e-mail",
        cells=_cells("refunds"),
        items=_open("refunds"),
        actions=(
            grids.Action(
                name="approve",
                label="Approve",
                use_case="refunds.decide",
                title="Approve {rows}?",
                done="approved",
                text="The money goes back at once.",
                icon="check-lg",
                into=lambda values: {"approve": True},
                when=_is("pending_approval"),
            ),
            grids.Action(
                name="reject",
                label="Reject",
                use_case="refunds.decide",
                title="Reject {rows}?",
                done="rejected",
                icon="slash-circle",
                fields=(grids.Field(name="note", label="Note", kind="area"),),
                into=lambda values: {"approve": False, "note": values["note"]},
                when=_is("pending_approval"),
            ),
        ),
    )
)
RETURNS = grids.declare(
    grids.Grid(
        name="returns",
        title="Returns",
        shape=returns,
        source=_source(Return),
        called=lambda row: f"return {row.number}",
        key="number",
        href="/returns/{number}",
        search="Number, order, name, e-mail",
        cells=_cells("returns"),
        items=_open("returns"),
        actions=(
            grids.Action(
                name="approve",
                label="Approve",
                use_case="returns.approve",
                title="Approve {rows}?",
                done="approved",
                text="The customers are told by e-mail that they may send the goods.",
                icon="check-lg",
                when=_is("requested"),
            ),
            grids.Action(
                name="reject",
                label="Reject",
                use_case="returns.reject",
                title="Reject {rows}?",
                done="rejected",
                text="The customers are told by e-mail, with your note.",
                icon="slash-circle",
                fields=(grids.Field(name="note", label="Note", kind="area"),),
                when=_is("requested"),
            ),
        ),
    )
)
LISTS = {"invoices": INVOICES, "shipments": SHIPMENTS, "refunds": REFUNDS, "returns": RETURNS}


@bp.get("/<any(invoices, shipments, refunds, returns):kind>")
def index(kind: str) -> Answer:
    """Papers of one kind, the newest first."""
    return grids.show(LISTS[kind])
