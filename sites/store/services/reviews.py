"""What staff do to reviews: approve and reject them, answer them, delete them; a product's average follows (R12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from ...kit.money import half_up
from ..messages import refused
from ..models import Product, Review, ReviewVote
from ..models.choices import REVIEW_STATUSES
from .base import Actor, Write, begin

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

LONGEST_REPLY = 2000


def moderate(world: WorldContext, actor: Actor, *, id: int, status: str, v: int | None = None) -> Result:
    """Approve or reject a review, or put it back into the queue (`pending`).

    Only approved reviews count for the product's average. Raises `Refused` NOT_A_CHOICE, `Stale`, `Forbidden`.
    """
    if status not in REVIEW_STATUSES:
        raise refused("NOT_A_CHOICE", "status", label="a status")
    with begin(world, actor, "reviews.moderate", Review, id=id) as w:
        w.check(w.subject, v, {"status": status})
        changed = w.set(w.subject, status=status)
        if changed:
            _rate(w.db, w.subject.product_id)
        return {"id": id, "v": w.subject.v, "status": status, "changed": changed}


def reply(world: WorldContext, actor: Actor, *, id: int, body: str | None, v: int | None = None) -> Result:
    """Answer a review in public, or put the answer there is into other words; None takes it away again.

    A review has one answer; saving it in the same words writes nothing. Raises `Refused` REPLY_EMPTY and TOO_LONG,
    `Stale`, `Forbidden`.
    """
    text = None if body is None else _tidy(body)
    with begin(world, actor, "reviews.reply", Review, id=id) as w:
        w.check(w.subject, v, {"reply_body": text})
        changed = text != w.subject.reply_body and _answer(w, text)
        return {"id": id, "v": w.subject.v, "changed": changed}


def delete(world: WorldContext, actor: Actor, *, id: int, v: int | None = None) -> Result:
    """Remove a review for good, with its reply and the votes for it. Raises `Stale`, `Forbidden`."""
    with begin(world, actor, "reviews.delete", Review, id=id) as w:
        review = w.subject
        w.check(review, v)
        gone = {name: getattr(review, name) for name in ("nickname", "title", "body", "rating", "status", "reply_body")}
        w.note(review, [{"field": name, "old": old, "new": None} for name, old in gone.items() if old is not None])
        votes = w.db.scalars(select(ReviewVote).where(ReviewVote.review_id == id).order_by(ReviewVote.id)).all()
        for row in (*votes, review):
            w.db.delete(row)
        w.db.flush()
        _rate(w.db, review.product_id)
        return {"id": id, "product_id": review.product_id, "votes": len(votes)}


def _tidy(body: str) -> str:
    """The answer as it is stored. Raises `Refused` where it says nothing or too much."""
    text = body.replace("\r\n", "\n").strip()
    if not text:
        raise refused("REPLY_EMPTY", "body")
    if len(text) > LONGEST_REPLY:
        raise refused("TOO_LONG", "body", label="Reply", most=LONGEST_REPLY)
    return text


def _answer(w: Write[Review], text: str | None) -> bool:
    """Write or remove the answer; who wrote it and when is kept, but the audit needs to tell the words only."""
    w.set(w.subject, tell=False, reply_by=w.staff_id if text else None, reply_at=w.now if text else None)
    return w.set(w.subject, reply_body=text)


def _rate(db: Session, product_id: int) -> None:
    """Average and number of a product's approved reviews. They follow from the reviews: no new version of it."""
    db.flush()
    counted = select(func.count(Review.id), func.coalesce(func.sum(Review.rating), 0))
    count, stars = db.execute(counted.where(Review.product_id == product_id, Review.status == "approved")).one()
    product = db.get_one(Product, product_id)
    product.rating_count = count
    product.rating_avg_x100 = half_up(100 * stars, count) if count else 0


USE_CASES: Mapping[str, Callable[..., Result]] = {
    "reviews.moderate": moderate,
    "reviews.reply": reply,
    "reviews.delete": delete,
}
"""The use cases of this module by name."""
