"""The price tool: one change for many variants, worked out before it is applied, and applied to all or to none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ...kit.forms import is_day
from ...kit.money import BASIS, half_up
from ...kit.rules import NotFound, Problem, Refused
from ..messages import problem, say
from ..models import Variant
from .base import Actor, begin

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

MODES = ("set", "add", "percent", "sale", "clear_sale")
FIELDS = {"price": "Price", "sale_price": "Sale price"}
HIGHEST = 9_999_999
"""The highest price, in cents."""
LOWEST_PERCENT, HIGHEST_PERCENT = -BASIS, 10 * BASIS


@dataclass(frozen=True, kw_only=True)
class Change:
    """What to do with prices.

    `set` and `add` take `amount` (cents; may be negative for `add`); `percent` takes basis points (-1000 is 10 % less);
    `sale` takes a target `amount` or `percent` off the price, and both dates as they shall be (None is open).
    `field` is what `set`, `add` and `percent` change.
    """

    mode: str
    amount: int | None = None
    percent: int | None = None
    field: str = "price"
    sale_from: str | None = None
    sale_to: str | None = None

    @property
    def label(self) -> str:
        """What is changed, in words."""
        return "Sale price" if self.mode in ("sale", "clear_sale") else FIELDS[self.field]


@dataclass(frozen=True, kw_only=True)
class Line:
    """What a change means for one variant: the values now and then, or what is wrong with them."""

    variant: Variant
    new: Mapping[str, Any]
    problem: Problem | None = None

    @property
    def changed(self) -> bool:
        """Whether anything differs."""
        return any(getattr(self.variant, name) != value for name, value in self.new.items())


def change_prices(
    world: WorldContext,
    actor: Actor,
    *,
    ids: Iterable[int],
    mode: str,
    amount: int | None = None,
    percent: int | None = None,
    field: str = "price",
    sale_from: str | None = None,
    sale_to: str | None = None,
    v: Mapping[int, int] | None = None,
) -> Result:
    """Change the prices of the variants `ids` as `Change` says; `v` maps their ids to the versions somebody looked at.

    All or nothing: one variant that would end below 0.00 (NEGATIVE_PRICE), above 99,999.99 (PRICE_RANGE) or with a sale
    price that is not lower (SALE_NOT_LOWER) refuses the whole, with a problem per variant (field `variant-<id>`).
    """
    change = Change(mode=mode, amount=amount, percent=percent, field=field, sale_from=sale_from, sale_to=sale_to)
    seen = {int(id): version for id, version in (v or {}).items()}
    with begin(world, actor, "variants.change_prices", Variant) as w:
        wanted = list(dict.fromkeys(int(id) for id in ids))
        if wrong := [*([] if wanted else [problem("NOTHING_PICKED", what="variant")]), *wrong_change(change)]:
            raise Refused.of(wrong)
        found = {
            row.id: row for row in w.db.scalars(select(Variant).where(Variant.id.in_(wanted)).order_by(Variant.id))
        }
        if missing := [id for id in wanted if id not in found]:
            raise NotFound(say("NOT_FOUND", what=f"Variant {missing[0]}"))
        lines = [line_of(found[id], change) for id in wanted]
        for line in lines:
            w.check(line.variant, seen.get(line.variant.id), line.new)
        if problems := [line.problem for line in lines if line.problem]:
            raise Refused.of(problems)
        changed = [line.variant.id for line in lines if w.set(line.variant, **line.new)]
        return {"ids": wanted, "changed": changed, "count": len(changed)}


def line_of(variant: Variant, change: Change) -> Line:
    """What a (right) change makes of one variant; looks at nothing else and writes nothing."""
    new = _new(variant, change)
    return Line(variant=variant, new=new, problem=_wrong(variant, change, new))


def wrong_change(change: Change) -> list[Problem]:
    """What is wrong with a change as such, whatever it is applied to."""
    if change.mode not in MODES:
        return [problem("NOT_A_CHOICE", "mode", label="what to do")]
    if change.field not in FIELDS:
        return [problem("NOT_A_CHOICE", "field", label="what to change")]
    if change.mode == "clear_sale":
        return []
    if change.mode == "sale":
        return [*_wrong_sale(change), *wrong_dates(change.sale_from, change.sale_to)]
    if change.mode == "percent":
        return _wrong_percent(change.percent, LOWEST_PERCENT, HIGHEST_PERCENT)
    if change.amount is None:
        return [problem("REQUIRED", "amount", label="Amount")]
    return [] if change.mode == "add" else wrong_price("amount", change.label, change.amount)


def wrong_price(name: str, label: str, amount: int | None) -> list[Problem]:
    """What is wrong with one price, in cents."""
    if amount is None:
        return [problem("REQUIRED", name, label=label)]
    return [] if 0 <= amount <= HIGHEST else [problem("PRICE_RANGE", name, label=label)]


def wrong_dates(first: str | None, last: str | None) -> list[Problem]:
    """What is wrong with the days of a sale."""
    named = (("sale_from", "Sale from", first), ("sale_to", "Sale to", last))
    wrong = [problem("NOT_A_DATE", name, label=label) for name, label, day in named if day and not is_day(day)]
    if not wrong and first and last and first > last:
        wrong.append(problem("DATE_ORDER", "sale_to"))
    return wrong


def _wrong_sale(change: Change) -> list[Problem]:
    if change.percent is not None:
        return _wrong_percent(change.percent, 1, BASIS)
    return wrong_price("amount", "Sale price", change.amount)


def _wrong_percent(percent: int | None, least: int, most: int) -> list[Problem]:
    if percent is None:
        return [problem("REQUIRED", "percent", label="Percent")]
    if least <= percent <= most:
        return []
    return [problem("PERCENT_RANGE", "percent", label="Percent", least=f"{least / 100:g}", most=f"{most / 100:g}")]


def _new(variant: Variant, change: Change) -> dict[str, Any]:
    """The columns after the change; a sale price that is not there stays None."""
    if change.mode == "clear_sale":
        return {"sale_price": None, "sale_from": None, "sale_to": None}
    if change.mode == "sale":
        off = change.percent
        target = change.amount if off is None else half_up(variant.price * (BASIS - off), BASIS)
        return {"sale_price": target, "sale_from": change.sale_from or None, "sale_to": change.sale_to or None}
    old = getattr(variant, change.field)
    if change.mode == "set":
        return {change.field: change.amount}
    if old is None:
        return {change.field: None}
    if change.mode == "add":
        return {change.field: old + (change.amount or 0)}
    return {change.field: half_up(old * (BASIS + (change.percent or 0)), BASIS)}


def _wrong(variant: Variant, change: Change, new: Mapping[str, Any]) -> Problem | None:
    """Why one variant cannot have its new prices."""
    name, told = f"variant-{variant.id}", {"sku": variant.sku}
    if change.mode in ("add", "percent") and new[change.field] is None:
        return problem("NO_SALE_PRICE", name, **told)
    amounts: Sequence[int] = [new[field] for field in FIELDS if new.get(field) is not None]
    if any(amount < 0 for amount in amounts):
        return problem("NEGATIVE_PRICE", name, label=change.label, **told)
    if any(amount > HIGHEST for amount in amounts):
        return problem("PRICE_RANGE", name, label=f"{change.label} of {variant.sku}")
    price, sale = (new.get(field, getattr(variant, field)) for field in FIELDS)
    return problem("SALE_NOT_LOWER", name, **told) if sale is not None and sale >= price else None
