"""Returns: let a customer send units back or not, and note how they arrived (R11); a refund closes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...kit.rules import Refused
from ..labels import CONDITION, RETURN_STATUS
from ..messages import problem, refused
from ..models import Order, Return, ReturnItem
from . import mails
from .base import Actor, Write, begin
from .ledger import event

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]


def approve(world: WorldContext, actor: Actor, *, number: str, note: str = "", v: int | None = None) -> Result:
    """Let the customer send the units. `v` is the return's. Raises `Refused` RETURN_STATE."""
    with begin(world, actor, "returns.approve", Return, number=number) as w:
        w.check(w.subject, v, {"status": "approved"})
        return _move(w, "approved", ("requested",), "approved", note)


def reject(world: WorldContext, actor: Actor, *, number: str, note: str = "", v: int | None = None) -> Result:
    """Turn a request down, with a note for the customer. Raises `Refused` RETURN_STATE, NOTE_REQUIRED."""
    with begin(world, actor, "returns.reject", Return, number=number) as w:
        w.check(w.subject, v, {"status": "rejected", "staff_note": note})
        refuse_unless(w.subject, ("requested",), "rejected")
        if not note.strip():
            raise refused("NOTE_REQUIRED", "note")
        return _move(w, "rejected", ("requested",), "rejected", note)


def receive(
    world: WorldContext,
    actor: Actor,
    *,
    number: str,
    conditions: Mapping[Any, str],
    note: str = "",
    v: int | None = None,
) -> Result:
    """Note that the units of an approved return arrived: `conditions` maps each return line's id to its condition.

    Raises `Refused` RETURN_STATE, REQUIRED or NOT_A_CHOICE (fields `condition_<return item id>`).
    """
    with begin(world, actor, "returns.receive", Return, number=number) as w:
        w.check(w.subject, v, {"status": "received"})
        refuse_unless(w.subject, ("approved",), "received")
        chosen = _conditions(w.subject.items, conditions)
        for line in w.subject.items:
            w.set(line, tell=False, condition=chosen[line.id])
        return _move(w, "received", ("approved",), "received", note)


def close(w: Write[Any], returned: Return, order: Order) -> None:
    """A refund settled a return: it is closed, as a part of the use case that runs."""
    w.set(returned, status="closed")
    event(w, order, "system", f"Return {returned.number} closed")


def refuse_unless(returned: Return, statuses: tuple[str, ...], doing: str) -> None:
    """Raise `Refused` RETURN_STATE unless the return has one of these statuses."""
    if returned.status not in statuses:
        status = RETURN_STATUS[returned.status].lower()
        raise refused("RETURN_STATE", number=returned.number, status=status, doing=doing)


def _conditions(lines: list[ReturnItem], typed: Mapping[Any, str]) -> dict[int, str]:
    """The condition of every line; all that are missing or unknown are told at once."""
    asked = {int(key): code for key, code in typed.items()}
    wrong = [line for line in lines if asked.get(line.id) not in CONDITION]
    if wrong:
        raise Refused.of(problem("NOT_A_CHOICE", f"condition_{line.id}", label="a condition") for line in wrong)
    return {line.id: asked[line.id] for line in lines}


def _move(w: Write[Return], status: str, before: tuple[str, ...], doing: str, note: str) -> Result:
    """Change the status, keep the note, write it into the order's history, and tell the customer."""
    returned = w.subject
    refuse_unless(returned, before, doing)
    order = w.db.get_one(Order, returned.order_id)
    text = note.strip()
    w.set(returned, status=status, staff_note=text or returned.staff_note)
    event(w, order, "system", f"Return {returned.number} {status}")
    mails.returned(w, order, returned, text)
    return {"number": returned.number, "order": order.number, "status": status, "v": returned.v}


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "returns.approve": approve,
    "returns.reject": reject,
    "returns.receive": receive,
}
