"""The start page: how many orders stand where, what waits for somebody, and the latest orders."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from .. import labels
from ..models import Order
from . import blueprint, frame

bp = blueprint("dashboard", __name__)

LATEST = 10


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Something that waits for a person: how much of it, and where it is listed."""

    label: str
    icon: str
    count: int
    href: str


@bp.get("/")
def show() -> Answer:
    """The dashboard."""
    db = frame.db()
    by_status = select(Order.status, func.count(Order.id).label("number")).group_by(Order.status)
    counts = {row.status: row.number for row in db.execute(by_status)}
    latest = select(
        Order.number, Order.placed_at, Order.customer_name, Order.customer_id, Order.total, Order.status
    ).order_by(Order.placed_at.desc(), Order.id.desc())
    return frame.page(
        "admin/dashboard.html",
        counts=[(code, text, counts.get(code, 0)) for code, text in labels.ORDER_STATUS.items()],
        latest=db.execute(latest.limit(LATEST)).all(),
        waiting=waiting(db, counts),
        placed_today=placed(db, g.world.today()),
    )


def placed(db: Session, day: str) -> tuple[int, int]:
    """Number and sum (cents) of the orders placed on a day."""
    wanted = select(func.count(Order.id), func.coalesce(func.sum(Order.total), 0))
    count, total = db.execute(wanted.where(Order.placed_at >= f"{day}T", Order.placed_at < f"{day}U")).one()
    return int(count), int(total)


def waiting(db: Session, counts: dict[str, int]) -> list[Waiting]:
    """What somebody should look at, most urgent first; each leads to its list."""
    open_states = ("pending", "processing", "on_hold", "fraud_review")
    nobody = select(func.count(Order.id)).where(Order.assigned_to.is_(None), Order.status.in_(open_states))
    listed = "|".join(sorted(open_states))
    return [
        Waiting(
            label="Fraud reviews to decide",
            icon="shield-exclamation",
            count=counts.get("fraud_review", 0),
            href="/orders?f=status:in:fraud_review",
        ),
        Waiting(
            label="Orders on hold",
            icon="pause-circle",
            count=counts.get("on_hold", 0),
            href="/orders?f=status:in:on_hold",
        ),
        Waiting(
            label="Open orders without an owner",
            icon="person-dash",
            count=db.scalar(nobody) or 0,
            href=f"/orders?f=status:in:{listed}&f=assigned_to:in:none",
        ),
        Waiting(
            label="Pending bank transfers",
            icon="bank",
            count=db.scalar(
                select(func.count(Order.id)).where(Order.status == "pending", Order.pay_method == "bank_transfer")
            )
            or 0,
            href="/orders?f=status:in:pending&f=pay_method:in:bank_transfer",
        ),
    ]
