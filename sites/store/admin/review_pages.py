"""One review: its page, and what is sent from there and from the list: decisions, the reply, the deletion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from flask import abort, g, request
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form, is_whole
from ...kit.listing import matching
from ...kit.rules import Refused
from ..models import Product, Review, ReviewVote, Staff
from ..services import reviews as service
from . import blueprint, frame, trail
from .reviews import SOURCE, shape

bp = blueprint("review_pages", __name__, url_prefix="/reviews")

DONE = {"approved": "REVIEW_APPROVED", "rejected": "REVIEW_REJECTED", "pending": "REVIEW_PENDING"}


@bp.get("/<int:id>")
def show(id: int) -> Answer:
    """A review with its reply."""
    return page(id)


def page(id: int, form: Form | None = None, status: int = 200) -> Answer:
    """The page as it is stored, or with a reply that somebody sent wrongly."""
    db = frame.db()
    review = db.get(Review, id)
    if review is None:
        abort(404)
    came_from, at = request.values.get("list", ""), request.values.get("at", "")
    if form is not None:
        form.initial = {"body": review.reply_body}
    return frame.page(
        "admin/reviews/show.html",
        status=status,
        review=review,
        product=db.get_one(Product, review.product_id),
        votes=db.scalar(select(func.count(ReviewVote.id)).where(ReviewVote.review_id == id)),
        replier=db.get(Staff, review.reply_by) if review.reply_by else None,
        neighbours=neighbours(db, review, came_from, int(at) if is_whole(at) else 0),
        came_from=came_from,
        history=trail.history(db, {"review": [id]}),
        form=form or frame.blank({"body": review.reply_body}),
        longest=service.LONGEST_REPLY,
    )


def neighbours(db: Session, review: Review, came_from: str, was_at: int) -> dict[str, Any]:
    """The reviews before and after this one in the list it was opened from, and its place there.

    A decision may take it off that list; then the place where it was says which ones they are.
    """
    columns = shape(db)
    query = columns.parse(parse_qs(came_from))
    ids = frame.once(
        db, ("reviews", query), lambda: [row.id for row in matching(db, replace(SOURCE, needs={}), columns, query)]
    )
    there = review.id in ids
    at = ids.index(review.id) if there else min(was_at, len(ids))
    after = ids[at + 1 :] if there else ids[at:]
    return {
        "list": columns.url(query),
        "at": at,
        "place": at + 1 if there else 0,
        "total": len(ids),
        "previous": ids[at - 1] if at else None,
        "next": after[0] if after else None,
    }


@bp.post("/<int:id>/moderate")
def moderate(id: int) -> Answer:
    """Approve, reject, or put back into the queue."""
    form = frame.posted()
    status = form.value("status")
    try:
        service.moderate(g.world, g.actor, id=id, status=status, v=frame.form_version(form))
    except Refused as refused:
        return frame.refused(refused, to=back(id))
    return frame.done(DONE[status], to=back(id), name=nickname(id))


@bp.post("/<int:id>/delete")
def delete(id: int) -> Answer:
    """Delete for good; whoever was on its page goes to the list it was opened from."""
    name = nickname(id)
    service.delete(g.world, g.actor, id=id, v=frame.form_version(frame.posted()))
    return frame.done("REVIEW_DELETED", to=frame.local_path(request.form.get("back", "/reviews")), name=name)


@bp.post("/<int:id>/reply")
def reply(id: int) -> Answer:
    """Save the reply."""
    form = frame.posted()
    try:
        saved = service.reply(g.world, g.actor, id=id, body=form.value("body"), v=frame.form_version(form))
    except Refused as refused:
        form.refuse(refused)
        return page(id, form, 422)
    if not saved["changed"]:
        return frame.done("NOTHING_CHANGED", to=back(id), tone="plain")
    return frame.done("REPLY_SAVED", to=back(id))


@bp.post("/<int:id>/reply/remove")
def remove_reply(id: int) -> Answer:
    """Take the reply away."""
    service.reply(g.world, g.actor, id=id, body=None, v=frame.form_version(frame.posted()))
    return frame.done("REPLY_REMOVED", to=back(id))


def back(id: int) -> str:
    """Where to go on after a change: the place that the form names, else the review itself."""
    return frame.local_path(request.form.get("back", "") or f"/reviews/{id}")


def nickname(id: int) -> str:
    """Who wrote a review, by the name on it; 404 where there is none."""
    with g.world.read() as db:
        name = db.scalar(select(Review.nickname).where(Review.id == id))
    if name is None:
        abort(404)
    return str(name)
