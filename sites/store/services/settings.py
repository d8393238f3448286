"""The settings of the shop: what there is to set, how each value is checked, and changing them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from ...kit.forms import EMAIL
from ...kit.phones import e164, written
from ...kit.rules import Conflict, FieldConflict, Forbidden, Problem, Refused, Stale
from ..messages import problem, say
from ..models import AuditRow, Setting
from ..regions import tidy
from .base import Actor, Write, actor_name, audit
from .permissions import PERMISSIONS, allowed

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]
Value = int | str


@dataclass(frozen=True, kw_only=True)
class Item:
    """One setting: its key, what people call it, how it is typed, and what it is where nobody has set it.

    `money` is cents, `whole` a whole number between `least` and `most`; the others are text.
    """

    key: str
    label: str
    kind: Literal["money", "whole", "text", "email", "phone"]
    usual: Value
    hint: str = ""
    least: int = 0
    most: int = 9_999_999


ITEMS = (
    Item(key="store_name", label="Store name", kind="text", usual="Fernhill Supply", most=80),
    Item(key="contact_email", label="Contact e-mail", kind="email", usual="help@fernhill.example", most=120),
    Item(key="support_phone", label="Support phone", kind="phone", usual="+1 614-555-0142", most=40),
    Item(
        key="clerk_refund_limit",
        label="Refund limit of clerks",
        kind="money",
        usual=100_00,
        hint="Refunds above it wait for a manager.",
    ),
    Item(
        key="fraud_review_over",
        label="Fraud review above",
        kind="money",
        usual=1500_00,
        hint="First orders above it are reviewed before anybody works on them.",
    ),
    Item(
        key="return_days",
        label="Days to return",
        kind="whole",
        usual=30,
        least=0,
        most=365,
        hint="Customers can ask for a return this long after delivery.",
    ),
    Item(
        key="low_stock_default",
        label="Low-stock level of new variants",
        kind="whole",
        usual=5,
        least=0,
        most=10_000,
        hint="A variant with this many units or fewer counts as low.",
    ),
    Item(
        key="free_shipping_from",
        label="Free shipping from",
        kind="money",
        usual=75_00,
        hint="Carts of this amount and more ship free of charge with the standard method.",
    ),
)
BY_KEY = {item.key: item for item in ITEMS}


def edit(world: WorldContext, actor: Actor, *, key: str, value: Value, v: int | None = None) -> Result:
    """Change one setting; `v` is its version. Raises `Refused`, `Stale`, `Forbidden`."""
    return save(world, actor, values={key: value}, v=v)


def save(world: WorldContext, actor: Actor, *, values: Mapping[str, Value], v: int | None = None) -> Result:
    """Change several settings at once, or none of them; `v` is the sum of their versions.

    Amounts are cents. Values that are as they were write nothing. Raises `Refused` with every problem, `Stale`,
    `Forbidden`.
    """
    if unknown := sorted(set(values) - set(BY_KEY)):
        raise TypeError(f"there is no setting {unknown[0]!r}; there are {', '.join(BY_KEY)}")
    if actor.kind == "staff" and not allowed(actor.role, "settings.edit"):
        _deny(world, actor)
    with world.write() as db:
        _check(db, values, v)
        tidied, wrong = _checked(values)
        if wrong:
            raise Refused.of(wrong)
        w: Write[Setting] = Write(db, actor, world.now(), "settings.edit")
        changes = [change for key, value in tidied.items() if (change := _set(w, key, value))]
        if changes:
            audit(db, actor, w.now, w.use_case, "setting", None, changes)
        return {"v": version(db, values), "changed": bool(changes)}


def current(db: Session) -> dict[str, Value]:
    """The value of every setting."""
    stored = {row.key: json.loads(row.value_json) for row in db.scalars(select(Setting).order_by(Setting.key))}
    return {item.key: stored.get(item.key, item.usual) for item in ITEMS}


def version(db: Session, keys: Iterable[str]) -> int:
    """The sum of the versions of some settings: it rises with every change of any of them."""
    return sum(db.scalars(select(Setting.v).where(Setting.key.in_(list(keys)))))


def _set(w: Write[Setting], key: str, value: Value) -> dict[str, Any] | None:
    """Store one value; what the audit says of it, or None where it was so already."""
    row = w.db.get(Setting, key)
    old = json.loads(row.value_json) if row is not None else BY_KEY[key].usual
    if old == value:
        return None
    if row is None:
        w.db.add(Setting(key=key, value_json=json.dumps(value), v=1))
    else:
        row.value_json, row.v = json.dumps(value), row.v + 1
    w.db.flush()
    return {"field": key, "old": old, "new": value}


def _checked(values: Mapping[str, Value]) -> tuple[dict[str, Value], list[Problem]]:
    """The values as they are stored, and what is wrong with them."""
    tidied: dict[str, Value] = {}
    wrong: list[Problem] = []
    for key, value in values.items():
        tidied[key], found = CHECKS[BY_KEY[key].kind](BY_KEY[key], value)
        wrong += found
    return tidied, wrong


def _number(item: Item, value: Any) -> tuple[Value, list[Problem]]:
    if isinstance(value, bool) or not isinstance(value, int):
        return value, [problem("REQUIRED", item.key, label=item.label)]
    if not item.least <= value <= item.most:
        least, most = (_cents(item.least), _cents(item.most)) if item.kind == "money" else (item.least, item.most)
        return value, [problem("OUT_OF_RANGE", item.key, label=item.label, least=least, most=most)]
    return value, []


def _text(item: Item, value: Any) -> tuple[Value, list[Problem]]:
    text = tidy(value)
    if not text:
        return text, [problem("REQUIRED", item.key, label=item.label)]
    if len(text) > item.most:
        return text, [problem("TOO_LONG", item.key, label=item.label, most=item.most)]
    return text, []


def _email(item: Item, value: Any) -> tuple[Value, list[Problem]]:
    text, wrong = _text(item, value)
    text = str(text).lower()
    return text, wrong or ([] if EMAIL.match(text) else [problem("EMAIL_FORMAT", item.key)])


def _phone(item: Item, value: Any) -> tuple[Value, list[Problem]]:
    text, wrong = _text(item, value)
    if wrong:
        return text, wrong
    try:
        return written(e164(str(text), "US")), []
    except ValueError:
        return text, [problem("PHONE_FORMAT", item.key)]


CHECKS: Mapping[str, Callable[[Item, Any], tuple[Value, list[Problem]]]] = {
    "money": _number,
    "whole": _number,
    "text": _text,
    "email": _email,
    "phone": _phone,
}


def _cents(amount: int) -> str:
    return f"{amount // 100:,}.{amount % 100:02d}"


def _check(db: Session, values: Mapping[str, Value], v: int | None) -> None:
    """Raise `Stale` where any of the settings has moved on."""
    now = version(db, values)
    if v is None or v == now:
        return
    last = _last_change(db, values)
    theirs = current(db)
    fields = tuple(
        FieldConflict(field=key, label=BY_KEY[key].label, mine=shown(key, value), theirs=shown(key, theirs[key]))
        for key, value in values.items()
        if value != theirs[key]
    )
    by, at = (actor_name(db, last), last.at) if last else ("Somebody", "")
    conflict = Conflict(what="Settings", by=by, at=at, version=now, fields=fields)
    raise Stale(say("STALE", what="A setting"), conflict=conflict)


def shown(key: str, value: Value) -> str:
    """A value as an input shows it."""
    return _cents(value) if BY_KEY[key].kind == "money" and isinstance(value, int) else str(value)


def _last_change(db: Session, keys: Iterable[str]) -> AuditRow | None:
    """The newest audit row that tells of any of these settings."""
    of_settings = select(AuditRow).where(AuditRow.entity == "setting", AuditRow.action == "settings.edit")
    for row in db.scalars(of_settings.order_by(AuditRow.id.desc()).limit(50)):
        if {change["field"] for change in json.loads(row.changes_json)} & set(keys):
            return row
    return None


def _deny(world: WorldContext, actor: Actor) -> None:
    """Record a denied write and raise `Forbidden`."""
    with world.write() as db:
        change = {"field": "action", "old": None, "new": "settings.edit"}
        audit(db, actor, world.now(), "denied", "setting", None, [change])
    raise Forbidden(say("FORBIDDEN", doing=PERMISSIONS["settings.edit"].doing), action="settings.edit")


USE_CASES: Mapping[str, Callable[..., Result]] = {"settings.edit": edit, "settings.save": save}
"""The use cases of this module by name."""
