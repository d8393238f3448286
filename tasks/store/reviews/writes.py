"""What staff do to reviews: each use case as a call, and as the parts of an expectation."""

from __future__ import annotations

from collections.abc import Iterable

from ....verifiers import PRESENT, Deleted, Expectation, Given, Part, Row, Snapshot, Updated
from ...template import Call
from ..effects import staff_of


def moderated(reviews: Iterable[Row], status: str) -> Expectation:
    """E.review: these reviews end with this status; averages follow."""
    return Expectation(must=tuple(Updated("reviews", row.id, {"status": status}, name(row)) for row in reviews))


def deleted(before: Snapshot, reviews: Iterable[Row]) -> Expectation:
    """E.reviewdel: these reviews are gone, and the votes for them."""
    must: list[Part] = []
    for row in reviews:
        must.append(Deleted("reviews", row.id, name(row)))
        votes = before.rows("review_votes", review_id=row.id)
        must += [Deleted("review_votes", vote.id, f"vote for {name(row)}") for vote in votes]
    return Expectation(must=tuple(must))


def replied(before: Snapshot, review: Row, text: str) -> Expectation:
    """E.reply: the shop's answer under one review, by the person who is signed in."""
    values = {"reply_body": Given(text), "reply_by": staff_of(before), "reply_at": PRESENT}
    return Expectation(must=(Updated("reviews", review.id, values, name(review)),))


def name(review: Row) -> str:
    """What a person calls a review, for messages."""
    return f"review {review.id} by {review.nickname}"


def moderate(review_id: int, status: str) -> Call:
    """Approve or reject a review, or put it back into the queue."""
    return Call("reviews.moderate", {"id": review_id, "status": status})


def delete(review_id: int) -> Call:
    """Delete a review."""
    return Call("reviews.delete", {"id": review_id})


def reply(review_id: int, text: str | None) -> Call:
    """Answer a review; None takes the answer away."""
    return Call("reviews.reply", {"id": review_id, "body": text})
