"""What an order costs: promotions, tax and shipping, by one pure function for shop, generator and verifier."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ..kit.money import share, spread

PICKUP_REGION = "US-OH"
"""Orders picked up are taxed where the shop stands."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line to price. `unit_price` in cents; `category_ids` with all ancestors, so that rules on parents reach it."""

    unit_price: int
    qty: int
    tax_class: str = "standard"
    product_id: int = 0
    brand_id: int = 0
    category_ids: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A promotion that is active today and free for this buyer; whether it has coupons is settled by `applicable`."""

    id: int
    action: str
    amount: int
    priority: int = 10
    stop_further: bool = False
    min_subtotal: int | None = None
    scope: str = "all"
    target_ids: frozenset[int] = frozenset()

    def covers(self, line: Line) -> bool:
        """Whether a line is in the rule's scope."""
        if self.scope == "categories":
            return bool(self.target_ids & line.category_ids)
        if self.scope == "brands":
            return line.brand_id in self.target_ids
        return self.scope == "all" or line.product_id in self.target_ids


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A promotion with what decides whether it applies; dates are inclusive, None is open."""

    rule: Rule
    status: str = "active"
    starts_on: str | None = None
    ends_on: str | None = None
    group_ids: frozenset[int] = frozenset()
    codes: frozenset[str] = frozenset()
    """Active coupon codes, upper case."""
    has_coupons: bool = False
    """Whether any coupon exists, active or not: then the rule never applies without a code."""
    uses_left: int | None = None
    """Uses that the total limit still allows; None is no limit."""
    uses_left_customer: int | None = None


@dataclass(frozen=True, kw_only=True)
class Shipping:
    """A shipping method's price and from which subtotal less discount it is free; cents."""

    code: str
    price: int
    free_over: int | None = None


@dataclass(frozen=True)
class LineTotals:
    """Money of one line, cents; `discount` is what all rules took together."""

    row_total: int
    discount: int
    tax: int


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Money of an order, cents. total = subtotal - discount + shipping + tax; `applied` lists rules by id, in order."""

    subtotal: int
    discount: int
    shipping: int
    tax: int
    total: int
    lines: tuple[LineTotals, ...]
    applied: tuple[int, ...] = field(default=())


def effective_price(price: int, sale_price: int | None, sale_from: str | None, sale_to: str | None, today: str) -> int:
    """The price of a variant on a day (R2): the sale price from `sale_from` to `sale_to` inclusive, else the price."""
    if sale_price is None or (sale_from or "") > today or (sale_to is not None and today > sale_to):
        return price
    return sale_price


def applicable(candidates: Collection[Candidate], *, today: str, group_id: int, code: str | None) -> list[Rule]:
    """The rules that apply to this buyer today, with this coupon code, in the order in which they work.

    The minimum subtotal is tested by `totals`, which knows the lines.
    """
    wanted = (code or "").upper()
    rules = [each.rule for each in candidates if _open(each, today, group_id) and _unlocked(each, wanted)]
    return sorted(rules, key=lambda rule: (rule.priority, rule.id))


def totals(
    lines: Sequence[Line],
    rules: Sequence[Rule],
    shipping: Shipping,
    rates: Mapping[tuple[str, str], int],
    region: str,
) -> Totals:
    """Price an order (R1, R3).

    `rules` as `applicable` gives them; `rates` maps (region, tax class) to basis points, a missing pair is untaxed;
    `region` is where the goods go, such as `US-OR` or `DE`. Shipping is never taxed.
    """
    row_totals = [line.unit_price * line.qty for line in lines]
    subtotal = sum(row_totals)
    rest, applied, free = _discounted(lines, row_totals, rules, subtotal)
    place = PICKUP_REGION if shipping.code == "pickup" else region
    taxes = [share(left, rates.get((place, line.tax_class), 0)) for left, line in zip(rest, lines, strict=True)]
    net = sum(rest)
    price = 0 if free or (shipping.free_over is not None and net >= shipping.free_over) else shipping.price
    return Totals(
        subtotal=subtotal,
        discount=subtotal - net,
        shipping=price,
        tax=sum(taxes),
        total=net + price + sum(taxes),
        lines=tuple(LineTotals(row, row - left, tax) for row, left, tax in zip(row_totals, rest, taxes, strict=True)),
        applied=applied,
    )


def line_amount(amount: int, qty: int, of: int, before: int = 0) -> int:
    """What `qty` units of a line of `of` units carry of an amount, `before` units being settled already.

    Differences of rounded running shares, so that all units together carry exactly the amount.
    """
    return _running(amount, before + qty, of) - _running(amount, before, of)


def _running(amount: int, units: int, of: int) -> int:
    """The share of the first `units`, rounded half up."""
    return (2 * amount * units + of) // (2 * of)


def _discounted(
    lines: Sequence[Line], row_totals: Sequence[int], rules: Sequence[Rule], subtotal: int
) -> tuple[list[int], tuple[int, ...], bool]:
    """What is left of each line, which rules worked, and whether one of them made shipping free."""
    rest, applied, free = list(row_totals), [], False
    for rule in rules:
        inside = [index for index, line in enumerate(lines) if rule.covers(line)]
        if not inside or subtotal < (rule.min_subtotal or 0):
            continue
        for index, cut in zip(inside, _cuts(rule, lines, rest, inside), strict=True):
            rest[index] -= cut
        applied.append(rule.id)
        free = free or rule.action == "free_shipping"
        if rule.stop_further:
            break
    return rest, tuple(applied), free


def _cuts(rule: Rule, lines: Sequence[Line], rest: Sequence[int], inside: Sequence[int]) -> list[int]:
    """What a rule takes from each line in its scope, never more than is left."""
    left = [rest[index] for index in inside]
    if rule.action == "percent":
        return spread(min(share(sum(left), rule.amount), sum(left)), left)
    if rule.action == "fixed_cart":
        return spread(min(rule.amount, sum(left)), left)
    if rule.action == "fixed_item":
        return [min(rule.amount * lines[index].qty, rest[index]) for index in inside]
    return [0] * len(inside)


def _open(each: Candidate, today: str, group_id: int) -> bool:
    """Active, in its dates, for this group, and not used up."""
    return (
        each.status == "active"
        and (each.starts_on or "") <= today
        and (each.ends_on is None or today <= each.ends_on)
        and (not each.group_ids or group_id in each.group_ids)
        and (each.uses_left is None or each.uses_left > 0)
        and (each.uses_left_customer is None or each.uses_left_customer > 0)
    )


def _unlocked(each: Candidate, code: str) -> bool:
    """Needs no coupon, or has the one in the cart."""
    return code in each.codes if each.has_coupons else True
