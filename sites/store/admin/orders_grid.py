"""The list of orders, and what can be done to many of them at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.orm import Session, aliased
from werkzeug.wrappers import Response as Answer

from ...kit.grid import Column, Shape
from ...kit.listing import Page, Source
from ...kit.text import key
from .. import finding, labels
from ..models import Order, OrderAddress, OrderTag, Staff, Tag
from ..regions import REGIONS
from . import blueprint, grids
from .present import region_label

bp = blueprint("orders_grid", __name__)

Ship = aliased(OrderAddress)
Assignee = aliased(Staff)
NOBODY = "none"

REGION = Ship.country + "-" + Ship.region
REGION_OPTIONS = tuple(
    (f"{country}-{code}", name) for country, regions in REGIONS.items() for code, name in regions.items()
)


def joins(statement: Select[Any]) -> Select[Any]:
    """An order, where it goes, and who looks after it."""
    return (
        statement.select_from(Order)
        .outerjoin(Ship, and_(Ship.order_id == Order.id, Ship.kind == "shipping"))
        .outerjoin(Assignee, Assignee.id == Order.assigned_to)
    )


SOURCE = Source(
    id=Order.id,
    joins=joins,
    search=finding.orders,
    needs={"number": Order.number, "status": Order.status, "v": Order.v},
    whole=True,
)


def assigned(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Orders of these members of staff; the code `none` stands for nobody."""
    people = Order.assigned_to.in_([int(code) for code in codes if code != NOBODY])
    return or_(people, Order.assigned_to.is_(None)) if NOBODY in codes else people


def tagged(codes: tuple[str, ...]) -> ColumnElement[bool]:
    """Orders with any of these tags."""
    ids = [int(code) for code in codes]
    return exists().where(OrderTag.order_id == Order.id, OrderTag.tag_id.in_(ids))


def shape(db: Session) -> Shape:
    """The columns of the list; who can be assigned and which tags there are comes from the database."""
    columns = (*_about(), *_where_to(), *_state(db))
    return Shape(path="/orders", nouns=("order", "orders"), sort=("-placed_at",), columns=columns)


def _about() -> tuple[Column, ...]:
    return (
        Column(name="number", label="Order", show=Order.number),
        Column(name="placed_at", label="Placed", kind="time", show=Order.placed_at),
        _text("customer", "Customer", Order.customer_name, Order.customer_name_key),
        Column(name="email", label="E-mail", show=Order.email, default=False, typed=str.lower),
    )


def _where_to() -> tuple[Column, ...]:
    return (
        _text("ship_name", "Ship to", Ship.full_name, Ship.full_name_key),
        _text("ship_city", "City", Ship.city, Ship.city_key),
        Column(name="ship_region", label="Region", kind="enum", show=REGION, options=REGION_OPTIONS, default=False),
    )


def _state(db: Session) -> tuple[Column, ...]:
    return (
        Column(name="total", label="Total", kind="money", show=Order.total),
        _enum("status", "Status", Order.status, labels.ORDER_STATUS),
        _enum("pay_method", "Payment", Order.pay_method, labels.PAY_METHOD),
        _enum("channel", "Channel", Order.channel, labels.CHANNEL),
        Column(
            name="assigned_to",
            label="Assigned to",
            kind="enum",
            show=Assignee.name,
            sort=Assignee.name_key,
            options=((NOBODY, "Nobody"), *staff_options(db)),
            where=assigned,
        ),
        Column(
            name="tags", label="Tags", kind="enum", show=None, options=tag_options(db), where=tagged, sortable=False
        ),
    )


def _text(name: str, label: str, column: Any, stored: Any) -> Column:
    return Column(name=name, label=label, show=column, sort=stored, match=stored, typed=key)


def _enum(name: str, label: str, column: Any, names: dict[str, str]) -> Column:
    return Column(name=name, label=label, kind="enum", show=column, options=tuple(names.items()))


def people(db: Session) -> list[tuple[int, str, bool]]:
    """Everybody of the staff by name, and whether the account is active."""
    names = select(Staff.id, Staff.name, Staff.active).order_by(Staff.name_key, Staff.id)
    return grids.once(db, "staff", lambda: [(id, name, active) for id, name, active in db.execute(names)])


def staff_options(db: Session) -> grids.Options:
    """Everybody who may look after an order, and whoever does so still."""
    return tuple((str(id), name) for id, name, _ in people(db))


def tag_options(db: Session) -> grids.Options:
    """All tags by name."""
    names = select(Tag.id, Tag.name).order_by(Tag.name_key, Tag.id)
    return grids.once(db, "tags", lambda: tuple((str(id), name) for id, name in db.execute(names)))


def tags_of(db: Session, page: Page) -> grids.Loaded:
    """The tags of the orders on a page."""
    found: dict[int, list[str]] = {}
    if "tags" not in page.query.columns:
        return {}
    wanted = (
        select(OrderTag.order_id, Tag.name)
        .join(Tag, Tag.id == OrderTag.tag_id)
        .where(OrderTag.order_id.in_([row.id for row in page.rows]))
        .order_by(OrderTag.order_id, Tag.name_key, Tag.id)
    )
    for order_id, name in db.execute(wanted):
        found.setdefault(order_id, []).append(name)
    return {"tags": found}


def colleagues(db: Session) -> grids.Options:
    """Who can be made responsible: active people, and nobody."""
    return ((NOBODY, "Nobody"), *((str(id), name) for id, name, active in people(db) if active))


def tag_names(db: Session) -> grids.Options:
    """All tags, named by themselves."""
    return tuple((name, name) for _, name in tag_options(db))


def status_is(*statuses: str) -> Callable[[Any], bool]:
    """Whether an order has one of these statuses."""
    return lambda row: row.status in statuses


ACTIONS = (
    grids.Action(
        name="hold",
        label="Hold",
        use_case="orders.hold",
        title="Put {rows} on hold?",
        submit="Put on hold",
        done="put on hold",
        icon="pause-circle",
        fields=(grids.Field(name="reason", label="Reason", options=tuple(labels.HOLD_REASON.items())),),
        when=status_is("pending", "processing"),
    ),
    grids.Action(
        name="release",
        label="Release",
        use_case="orders.unhold",
        title="Release {rows} from hold?",
        submit="Release from hold",
        done="released from hold",
        icon="play-circle",
        when=status_is("on_hold"),
    ),
    grids.Action(
        name="cancel",
        label="Cancel",
        use_case="orders.cancel",
        title="Cancel {rows}?",
        submit="Cancel orders",
        done="canceled",
        text="Orders that have an invoice cannot be canceled; they are left as they are.",
        tone="danger",
        icon="x-circle",
        fields=(
            grids.Field(name="reason", label="Reason", options=tuple(labels.CANCEL_REASON.items())),
            grids.Field(name="notify", label="E-mail customers", kind="tick", initial="1"),
        ),
        when=status_is("pending", "fraud_review"),
    ),
    grids.Action(
        name="assign",
        label="Assign",
        use_case="orders.assign",
        title="Assign {rows}?",
        submit="Assign",
        done="assigned",
        icon="person-check",
        fields=(grids.Field(name="staff_id", label="Assign to", options=colleagues),),
        into=lambda values: {"staff_id": None if values["staff_id"] == NOBODY else int(values["staff_id"])},
    ),
    grids.Action(
        name="tag",
        label="Add tags",
        use_case="orders.tag",
        title="Add tags to {rows}?",
        submit="Add tags",
        done="tagged",
        icon="tag",
        fields=(grids.Field(name="tags", label="Tags", kind="choices", options=tag_names),),
        into=lambda values: {"add": values["tags"]},
    ),
    grids.Action(
        name="untag",
        label="Remove tags",
        use_case="orders.tag",
        title="Remove tags from {rows}?",
        submit="Remove tags",
        done="untagged",
        icon="tags",
        fields=(grids.Field(name="tags", label="Tags", kind="choices", options=tag_names),),
        into=lambda values: {"remove": values["tags"]},
    ),
    grids.Action(name="slips", label="Print packing slips", href="/orders/packing-slips", icon="printer"),
)

ORDERS = grids.declare(
    grids.Grid(
        name="orders",
        title="Orders",
        shape=shape,
        source=SOURCE,
        search="Number, name, e-mail or SKU",
        called=lambda row: f"order {row.number}",
        key="number",
        href="/orders/{number}",
        cells={
            "number": grids.link("/orders/{number}"),
            "status": grids.BADGE,
            "ship_region": grids.Cell(html=lambda value, row: region_label(value)),
            "tags": grids.TAGS,
        },
        load=tags_of,
        actions=ACTIONS,
        items=(
            grids.Item(label="Open", href="/orders/{number}"),
            grids.Item(label="Comments", href="/orders/{number}/comments"),
        ),
        copy=("order numbers", "number"),
        template="admin/orders_grid.html",
    )
)


@bp.get("/orders")
def index() -> Answer:
    """Orders, newest first, with every filter of the panel."""
    return grids.show(ORDERS)
