"""Comments on an order: internal notes, and messages that the customer sees and gets by e-mail."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from ..messages import refused
from ..models import Order
from . import mails
from .base import Actor, begin
from .ledger import event

if TYPE_CHECKING:
    from ...kit.world import WorldContext

LONGEST = 1000
"""Characters that a comment may have."""


def comment(
    world: WorldContext, actor: Actor, *, number: str, body: str, notify: bool = True, v: int | None = None
) -> dict[str, Any]:
    """Add a comment to an order; with `notify` the customer sees it and gets it by e-mail, else it is internal.

    A comment changes nothing else, so the order's version stays and colleagues' open forms stay valid. Raises `Refused`
    COMMENT_EMPTY, TOO_LONG.
    """
    with begin(world, actor, "orders.comment", Order, number=number) as w:
        order = w.subject
        w.check(order, v)
        text = unicodedata.normalize("NFC", body.replace("\r\n", "\n")).strip()
        if not text:
            raise refused("COMMENT_EMPTY", "body")
        if len(text) > LONGEST:
            raise refused("TOO_LONG", "body", label="A comment", most=f"{LONGEST:,}")
        row = event(w, order, "comment", text, notify=notify)
        w.note(order, [{"field": "comment", "old": None, "new": text}])
        if notify:
            mails.comment(w, order, text)
        return {"number": order.number, "event_id": row.id}
