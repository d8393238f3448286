"""The bell: how many lines are unread, the drawer that lists them, and the stream that says when one comes."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Response, g, redirect, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as Answer

from ...kit import live
from ...kit.forms import is_whole
from ...kit.world import WorldContext
from ..models import Notification
from ..models.orders import Order
from ..services import notifications
from . import blueprint, frame

bp = blueprint("bell", __name__)

SHOWN = 20

ICONS = {
    "order_placed": "bag",
    "order_assigned": "person-check",
    "refund_waiting": "arrow-counterclockwise",
    "return_waiting": "box-arrow-in-left",
    "stock_low": "box-seam",
    "import_finished": "file-earmark-check",
    "review_pending": "chat-square-text",
}


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the drawer."""

    id: int
    text: str
    at: str
    icon: str
    seen: bool


@bp.get("/notifications")
def drawer() -> Answer:
    """The lines of the drawer, newest first; a part of a page, fetched when the drawer opens."""
    before = request.args.get("before", "")
    found = notifications.newest(
        frame.db(), g.actor.id, limit=SHOWN + 1, before=int(before) if is_whole(before) else None
    )
    lines = [line(one, seen) for one, seen in found[:SHOWN]]
    more = lines[-1].id if len(found) > SHOWN else None
    return Response(render_template("admin/bell.html", lines=lines, more=more), mimetype="text/plain")


def line(one: Notification, seen: bool) -> Line:
    """A notification as the drawer shows it."""
    icon = ICONS.get(one.kind, "bell")
    return Line(id=one.id, text=one.text, at=one.created_at, icon=icon, seen=seen)


@bp.post("/notifications/<int:id>/open")
def follow(id: int) -> Answer:
    """Mark a line as read and go to what it is about."""
    found = frame.db().get(Notification, id)
    if found is None or found.staff_id not in (None, g.actor.id):
        raise NotFound
    to = place(found)
    frame.close()
    notifications.read(g.world, g.actor, id=id)
    return redirect(to, 303)


@bp.post("/notifications/read")
def read_all() -> Answer:
    """Mark every line as read, and stay where one is."""
    notifications.read_all(g.world, g.actor)
    return redirect(frame.local_path(request.form.get("next", "/")), 303)


@bp.get("/events")
def events() -> Answer:
    """What is new since the page was made, as server-sent events; the number is that of the last line known."""
    staff_id, after = g.actor.id, request.args.get("after", "")

    def pending(world: WorldContext, last: int) -> list[live.Event]:
        with world.read() as db:
            lines = notifications.after(db, staff_id, last)
            count = notifications.unread(db, staff_id) if lines else 0
            return [live.Event(one.id, "notification", {"text": one.text, "unread": count}) for one in lines]

    return live.stream(g.world, pending, int(after) if is_whole(after) else 0)


def place(one: Notification) -> str:
    """The address of what a line is about."""
    if one.entity == "order":
        order = frame.db().get(Order, one.entity_id)
        return f"/orders/{order.number}" if order else "/orders"
    return {
        "refund": "/refunds?f=status:in:pending_approval",
        "return": "/returns?f=status:in:requested",
        "review": f"/reviews/{one.entity_id}",
        "customer": f"/customers/{one.entity_id}",
        "import_jobs": "/audit",
    }.get(one.entity, "/inventory" if one.kind == "stock_low" else "/")
