"""What staff do to stock: receive goods, correct a count, take a variant off sale, and set when it counts as low."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ...kit.rules import NotFound, Problem, Refused
from ..messages import problem, refused, say
from ..models import Stock, StockMove, Variant
from ..models.choices import STOCK_STATUSES
from ..regions import tidy
from .base import Actor, Write, begin, find

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]

MOST_UNITS = 99_999
LONGEST_NOTE = 200
COLUMNS = ("on_hand", "low_at", "status", "backorder")


def set_status(world: WorldContext, actor: Actor, *, variant_id: int, status: str, v: int | None = None) -> Result:
    """Say whether a variant is in stock or out of stock, whatever lies on the shelf; on hand stays as it is."""
    if status not in STOCK_STATUSES:
        raise refused("NOT_A_CHOICE", "status", label="a stock status")
    return _simple(world, actor, "stock.set_status", variant_id, v, status=status)


def set_low_at(world: WorldContext, actor: Actor, *, variant_id: int, low_at: int, v: int | None = None) -> Result:
    """Set the number of available units at which a variant counts as low."""
    _units("low_at", "Low level", low_at)
    return _simple(world, actor, "stock.set_low_at", variant_id, v, low_at=low_at)


def set_backorder(
    world: WorldContext, actor: Actor, *, variant_id: int, backorder: bool, v: int | None = None
) -> Result:
    """Allow or end selling a variant beyond what is available.

    Raises `Refused` STOCK_BELOW_RESERVED where more is promised than there is.
    """
    with _open(world, actor, "stock.set_backorder", variant_id) as w:
        stock = _stock(w, variant_id)
        w.check(stock, v, {"backorder": backorder})
        if stock.backorder and not backorder and stock.on_hand < stock.reserved:
            raise refused("STOCK_BELOW_RESERVED", "backorder", sku=w.subject.sku, reserved=stock.reserved)
        changed = w.set(stock, backorder=bool(backorder))
        return _told(stock, changed)


def set_on_hand(
    world: WorldContext, actor: Actor, *, variant_id: int, on_hand: int, note: str = "", v: int | None = None
) -> Result:
    """Correct the units on the shelf to `on_hand`; the move says by how much.

    Raises `Refused` STOCK_BELOW_RESERVED unless the variant may be sold beyond its stock (R5).
    """
    _units("on_hand", "On hand", on_hand)
    note = _note(note)
    with _open(world, actor, "stock.set_on_hand", variant_id) as w:
        stock = _stock(w, variant_id)
        w.check(stock, v, {"on_hand": on_hand})
        if on_hand < stock.reserved and not stock.backorder and on_hand != stock.on_hand:
            raise refused("STOCK_BELOW_RESERVED", "on_hand", sku=w.subject.sku, reserved=stock.reserved)
        changed = on_hand != stock.on_hand
        if changed:
            _move(w, stock, "correction", on_hand - stock.on_hand, note)
        return _told(stock, changed)


def receive(
    world: WorldContext,
    actor: Actor,
    *,
    lines: Sequence[Mapping[str, Any]],
    set_in_stock: bool = True,
    note: str = "",
    v: None = None,
) -> Result:
    """Put goods on the shelf: lines of `qty` units of a `variant_id` or `sku`; lines of one variant are added up.

    With `set_in_stock` a variant that was out of stock is sold again. Raises `Refused` with a problem per line (field
    `line-<number>`): UNKNOWN_SKU, OUT_OF_RANGE; NOTHING_PICKED without any line.
    """
    note = _note(note)
    with begin(world, actor, "stock.receive", Variant) as w:
        units = _counted(w.db, lines)
        for variant_id, qty in units.items():
            w.subject = w.db.get_one(Variant, variant_id)
            stock = _stock(w, variant_id)
            _move(w, stock, "receipt", qty, note)
            if set_in_stock:
                w.set(stock, status="in_stock")
        return {"variants": len(units), "units": sum(units.values()), "lines": {str(k): n for k, n in units.items()}}


def save(
    world: WorldContext, actor: Actor, *, rows: Sequence[Mapping[str, Any]], note: str = "", v: None = None
) -> Result:
    """Save a table of stock in one write: per row `variant_id`, `v`, and any of on_hand, low_at, status, backorder.

    All or nothing; raises `Refused` with the problems of all rows, each at the field `<column>-<variant id>`.
    """
    note = _note(note)
    with begin(world, actor, "stock.save", Variant) as w:
        wrong = []
        plans = []
        for row in rows:
            w.subject = find(w.db, Variant, id=row["variant_id"])
            stock = _stock(w, w.subject.id)
            new = {name: row.get(name, getattr(stock, name)) for name in COLUMNS}
            w.check(stock, row.get("v"), {name: row[name] for name in COLUMNS if name in row})
            wrong += _wrong_row(w.subject, stock, new)
            plans.append((w.subject, stock, new))
        if wrong:
            raise Refused.of(wrong)
        changed = [_apply(w, *plan, note) for plan in plans]
        return {"changed": sum(changed)}


def _wrong_row(variant: Variant, stock: Stock, new: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with the new values of one row of stock."""
    wrong = [
        problem("OUT_OF_RANGE", f"{name}-{variant.id}", label=label, least=0, most="99,999")
        for name, label in (("on_hand", "On hand"), ("low_at", "Low level"))
        if not 0 <= new[name] <= MOST_UNITS
    ]
    if new["status"] not in STOCK_STATUSES:
        wrong.append(problem("NOT_A_CHOICE", f"status-{variant.id}", label="a stock status"))
    moved = new["on_hand"] != stock.on_hand or new["backorder"] != stock.backorder
    if moved and not new["backorder"] and new["on_hand"] < stock.reserved:
        told = {"sku": variant.sku, "reserved": stock.reserved}
        wrong.append(problem("STOCK_BELOW_RESERVED", f"on_hand-{variant.id}", **told))
    return wrong


def _apply(w: Write[Any], variant: Variant, stock: Stock, new: Mapping[str, Any], note: str) -> bool:
    w.subject = variant
    units = new["on_hand"] - stock.on_hand
    changed = w.set(stock, **{name: new[name] for name in COLUMNS if name != "on_hand"})
    if units:
        _move(w, stock, "correction", units, note)
    return changed or bool(units)


def by_sku(db: Session, sku: str) -> Variant | None:
    """The variant with a SKU or bar code, however it is typed."""
    text = tidy(sku).upper()
    found = db.scalar(select(Variant).where(Variant.sku == text))
    return found or (db.scalar(select(Variant).where(Variant.barcode == text)) if text else None)


def _open(world: WorldContext, actor: Actor, use_case: str, variant_id: int) -> Any:
    return begin(world, actor, use_case, Variant, id=variant_id)


def _simple(world: WorldContext, actor: Actor, use_case: str, variant_id: int, v: int | None, **values: Any) -> Result:
    """Set columns of the stock row that explain themselves."""
    with _open(world, actor, use_case, variant_id) as w:
        stock = _stock(w, variant_id)
        w.check(stock, v, values)
        return _told(stock, w.set(stock, **values))


def _stock(w: Write[Any], variant_id: int) -> Stock:
    return w.db.get_one(Stock, variant_id)


def _move(w: Write[Any], stock: Stock, kind: str, units: int, note: str) -> None:
    """Change what is on hand, with the move that explains it; rings the bell where that makes it low."""
    left = stock.on_hand - stock.reserved
    w.set(stock, on_hand=stock.on_hand + units)
    w.add(
        StockMove,
        variant_id=stock.variant_id,
        kind=kind,
        d_on_hand=units,
        d_reserved=0,
        note=note or None,
        actor_id=w.staff_id,
        created_at=w.now,
    )
    if left > stock.low_at >= left + units > 0:
        w.notify(None, "stock_low", w.subject, f"{w.subject.sku} is low: {left + units} left.")


def _counted(db: Session, lines: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Units by variant, in the order of the lines. Raises `Refused` with every problem."""
    units: dict[int, int] = {}
    wrong = [] if lines else [problem("NOTHING_PICKED", "sku", what="variant to receive")]
    for number, line in enumerate(lines, 1):
        variant = (
            by_sku(db, str(line["sku"])) if line.get("variant_id") is None else db.get(Variant, line["variant_id"])
        )
        if variant is None and line.get("variant_id") is not None:
            raise NotFound(say("NOT_FOUND", what=f"Variant {line['variant_id']}"))
        if variant is None:
            wrong.append(problem("UNKNOWN_SKU", f"line-{number}", sku=tidy(line["sku"])))
        elif not 1 <= line["qty"] <= MOST_UNITS:
            wrong.append(problem("OUT_OF_RANGE", f"line-{number}", label="Quantity", least=1, most="99,999"))
        else:
            units[variant.id] = units.get(variant.id, 0) + line["qty"]
    if wrong:
        raise Refused.of(wrong)
    return units


def _units(name: str, label: str, number: int) -> None:
    if not 0 <= number <= MOST_UNITS:
        raise refused("OUT_OF_RANGE", name, label=label, least=0, most="99,999")


def _note(text: str) -> str:
    note = tidy(text)
    if len(note) > LONGEST_NOTE:
        raise refused("TOO_LONG", "note", label="Note", most=LONGEST_NOTE)
    return note


def _told(stock: Stock, changed: bool) -> Result:
    return {"variant_id": stock.variant_id, "on_hand": stock.on_hand, "v": stock.v, "changed": changed}


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "stock.set_status": set_status,
    "stock.receive": receive,
    "stock.set_on_hand": set_on_hand,
    "stock.set_low_at": set_low_at,
    "stock.set_backorder": set_backorder,
    "stock.save": save,
}
"""The use cases of stock, by name."""
