"""Option types such as colour, and their values: added, renamed, put in order, and deleted where nothing uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from ...kit.messages import counted
from ...kit.rules import Problem, Refused
from ...kit.text import key, tokens
from ..keys import fill_keys
from ..messages import problem, refused
from ..models import OptionType, OptionValue, ProductOptionType, VariantOption
from ..models.choices import OPTION_WIDGETS
from ..regions import tidy
from .base import Actor, begin, find

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

Result = dict[str, Any]

LONGEST = 40
CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
HEX = re.compile(r"#[0-9a-f]{6}")


def create_type(world: WorldContext, actor: Actor, *, name: str, widget: str = "buttons", code: str = "") -> Result:
    """Add an option type; without a code it gets one from its name. Raises `Refused`: NAME_TAKEN, CODE_TAKEN …"""
    with begin(world, actor, "options.create_type", OptionType) as w:
        typed = tidy(code).lower() or "_".join(tokens(tidy(name)))[:LONGEST]
        values, wrong = _checked_type(w.db, name, widget)
        other = w.db.scalar(select(OptionType.name).where(OptionType.code == typed))
        if not CODE.fullmatch(typed) and (values["name"] or code):
            wrong.append(problem("CODE_FORMAT", "code"))
        elif other:
            wrong.append(problem("CODE_TAKEN", "code", taken=typed, other=other))
        if wrong:
            raise Refused.of(wrong)
        row = w.add(OptionType, tell=values, code=typed, **values)
        return {"id": row.id}


def edit_type(
    world: WorldContext, actor: Actor, *, id: int, name: str | None = None, widget: str | None = None, v: None = None
) -> Result:
    """Change what an option type is called and how the shop shows its values; its code stays."""
    with begin(world, actor, "options.edit_type", OptionType, id=id) as w:
        row = w.subject
        kept = (row.name if name is None else name, row.widget if widget is None else widget)
        values, wrong = _checked_type(w.db, *kept, own_id=id)
        if wrong:
            raise Refused.of(wrong)
        return {"id": id, "changed": w.set(row, **values)}


def delete_type(world: WorldContext, actor: Actor, *, id: int, v: None = None) -> Result:
    """Delete an option type with its values. Raises `Refused` OPTION_IN_USE where products come in it."""
    with begin(world, actor, "options.delete_type", OptionType, id=id) as w:
        row = w.subject
        used = select(func.count()).select_from(ProductOptionType).where(ProductOptionType.type_id == id)
        if count := w.db.scalar(used):
            raise refused("OPTION_IN_USE", name=row.name, what=counted(count, "product"))
        w.note(row, [{"field": "name", "old": row.name, "new": None}])
        for value in values_of(w.db, id):
            w.db.delete(value)
        w.db.flush()
        w.db.delete(row)
        return {"id": id, "deleted": True}


def create_value(world: WorldContext, actor: Actor, *, type_id: int, value: str, swatch_hex: str = "") -> Result:
    """Add a value behind the others of its type. Raises `Refused` VALUE_TAKEN for one that differs only in writing."""
    with begin(world, actor, "options.create_value", OptionType, id=type_id) as w:
        columns, wrong = _checked_value(w.db, w.subject, value, swatch_hex)
        if wrong:
            raise Refused.of(wrong)
        place = len(values_of(w.db, type_id)) + 1
        told = {name: text for name, text in columns.items() if text}
        row = w.add(OptionValue, tell=told, type_id=type_id, value_key="", position=place, **columns)
        fill_keys(row)
        return {"id": row.id, "type_id": type_id}


def edit_value(
    world: WorldContext,
    actor: Actor,
    *,
    id: int,
    value: str | None = None,
    swatch_hex: str | None = None,
    v: None = None,
) -> Result:
    """Rename a value or change its colour; what was ordered keeps the old text."""
    with begin(world, actor, "options.edit_value", OptionValue, id=id) as w:
        row = w.subject
        kept = (row.value if value is None else value, (row.swatch_hex or "") if swatch_hex is None else swatch_hex)
        columns, wrong = _checked_value(w.db, find(w.db, OptionType, id=row.type_id), *kept, own_id=id)
        if wrong:
            raise Refused.of(wrong)
        changed = w.set(row, **columns)
        fill_keys(row)
        return {"id": id, "changed": changed}


def delete_value(world: WorldContext, actor: Actor, *, id: int, v: None = None) -> Result:
    """Delete a value that no variant has. Raises `Refused` VALUE_IN_USE."""
    with begin(world, actor, "options.delete_value", OptionValue, id=id) as w:
        row, type_id = w.subject, w.subject.type_id
        used = select(func.count()).select_from(VariantOption).where(VariantOption.value_id == id)
        if count := w.db.scalar(used):
            raise refused("VALUE_IN_USE", value=row.value, what=counted(count, "variant"))
        w.note(row, [{"field": "value", "old": row.value, "new": None}])
        w.db.delete(row)
        w.db.flush()
        _number(values_of(w.db, type_id))
        return {"id": id, "type_id": type_id, "deleted": True}


def order_values(
    world: WorldContext, actor: Actor, *, type_id: int, value_ids: Sequence[int], v: None = None
) -> Result:
    """Put the values of a type in this order. Raises `Refused` WRONG_ORDER unless each is named exactly once."""
    with begin(world, actor, "options.order_values", OptionType, id=type_id) as w:
        rows = {row.id: row for row in values_of(w.db, type_id)}
        wanted = [int(id) for id in value_ids]
        if sorted(wanted) != sorted(rows):
            raise refused("WRONG_ORDER", "value_ids", what="values")
        changed = wanted != list(rows)
        if changed:
            names = {"old": list(rows), "new": wanted}
            told = {which: ", ".join(rows[id].value for id in ids) for which, ids in names.items()}
            w.note(w.subject, [{"field": "order", **told}])
            _number([rows[id] for id in wanted])
        return {"type_id": type_id, "changed": changed}


def values_of(db: Session, type_id: int) -> list[OptionValue]:
    """The values of a type, in order."""
    own = select(OptionValue).where(OptionValue.type_id == type_id)
    return list(db.scalars(own.order_by(OptionValue.position, OptionValue.id)))


def _number(rows: Sequence[OptionValue]) -> None:
    """Give values the places 1..n (R19)."""
    for place, row in enumerate(rows, 1):
        if row.position != place:
            row.position = place


def _checked_type(db: Session, name: str, widget: str, own_id: int = 0) -> tuple[dict[str, Any], list[Problem]]:
    name = tidy(name)
    wrong = _wrong_text("name", "Name", name)
    others = db.scalars(select(OptionType.name).where(OptionType.id != own_id))
    if twin := next((other for other in others if key(other) == key(name)), None):
        wrong.append(problem("NAME_TAKEN", "name", what="an option", name=twin))
    if widget not in OPTION_WIDGETS:
        wrong.append(problem("NOT_A_CHOICE", "widget", label="how it is shown"))
    return {"name": name, "widget": widget}, wrong


def _checked_value(
    db: Session, of: OptionType, value: str, swatch: str, own_id: int = 0
) -> tuple[dict[str, Any], list[Problem]]:
    value, swatch = tidy(value), tidy(swatch).lower()
    wrong = _wrong_text("value", "Value", value)
    twin = next((row.value for row in values_of(db, of.id) if row.value_key == key(value) and row.id != own_id), None)
    if twin:
        wrong.append(problem("VALUE_TAKEN", "value", type=of.name, value=twin))
    if swatch and not HEX.fullmatch(swatch):
        wrong.append(problem("HEX_FORMAT", "swatch_hex"))
    elif not swatch and of.widget == "swatch":
        wrong.append(problem("REQUIRED", "swatch_hex", label="Color"))
    return {"value": value, "swatch_hex": swatch or None}, wrong


def _wrong_text(field: str, label: str, text: str) -> list[Problem]:
    if not text:
        return [problem("REQUIRED", field, label=label)]
    return [problem("TOO_LONG", field, label=label, most=LONGEST)] if len(text) > LONGEST else []


USE_CASES: Mapping[str, Callable[..., Any]] = {
    "options.create_type": create_type,
    "options.edit_type": edit_type,
    "options.delete_type": delete_type,
    "options.create_value": create_value,
    "options.edit_value": edit_value,
    "options.delete_value": delete_value,
    "options.order_values": order_values,
}
"""The use cases of option types and values, by name."""
