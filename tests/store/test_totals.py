"""What an order costs: rules R1 to R3, on examples worked by hand and on random baskets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.sites.kit.money import half_up, money, parse_cents, percent, share, spread
from sitegym.sites.store.totals import (
    Candidate,
    Line,
    Rule,
    Shipping,
    applicable,
    effective_price,
    line_amount,
    totals,
)

STANDARD = Shipping(code="standard", price=500, free_over=7500)
RATES = {("US-OH", "standard"): 575, ("DE", "standard"): 1900, ("DE", "reduced"): 700}

lines = st.lists(
    st.builds(
        Line,
        unit_price=st.integers(0, 90_000),
        qty=st.integers(1, 20),
        tax_class=st.sampled_from(["standard", "reduced", "exempt"]),
        product_id=st.integers(1, 3),
        brand_id=st.integers(1, 2),
        category_ids=st.frozensets(st.integers(1, 3)),
    ),
    min_size=1,
    max_size=6,
)
rules = st.lists(
    st.builds(
        Rule,
        id=st.integers(1, 9),
        action=st.sampled_from(["percent", "fixed_item", "fixed_cart", "free_shipping"]),
        amount=st.integers(1, 10_000),
        priority=st.integers(1, 3),
        stop_further=st.booleans(),
        min_subtotal=st.none() | st.integers(0, 50_000),
        scope=st.sampled_from(["all", "categories", "brands", "products"]),
        target_ids=st.frozensets(st.integers(1, 3)),
    ),
    max_size=5,
)


@given(lines, rules)
def test_the_parts_of_an_order_sum_to_its_total_and_nothing_goes_below_zero(
    lines: list[Line], rules: list[Rule]
) -> None:
    sums = totals(lines, rules, STANDARD, RATES, "DE")
    assert sums.total == sums.subtotal - sums.discount + sums.shipping + sums.tax
    assert sums.subtotal == sum(line.row_total for line in sums.lines)
    assert sums.discount == sum(line.discount for line in sums.lines)
    assert sums.tax == sum(line.tax for line in sums.lines)
    assert all(0 <= line.discount <= line.row_total and line.tax >= 0 for line in sums.lines)
    assert set(sums.applied) <= {rule.id for rule in rules}


@given(lines, rules)
def test_a_rule_touches_only_lines_in_its_scope(lines: list[Line], rules: list[Rule]) -> None:
    sums = totals(lines, rules, STANDARD, RATES, "DE")
    for line, result in zip(lines, sums.lines, strict=True):
        if not any(rule.covers(line) for rule in rules):
            assert result.discount == 0


@given(st.integers(0, 10**7), st.lists(st.integers(0, 10**6), min_size=1, max_size=12))
def test_shares_sum_to_the_amount_and_differ_from_the_exact_ones_by_less_than_a_cent(
    amount: int, weights: list[int]
) -> None:
    parts = spread(amount, weights)
    assert sum(parts) == (amount if sum(weights) else 0)
    for part, weight in zip(parts, weights, strict=True):
        assert not sum(weights) or abs(part * sum(weights) - amount * weight) < sum(weights)


@given(st.integers(0, 10**7), st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_parts_of_a_line_carry_all_of_its_amount(amount: int, steps: list[int]) -> None:
    of, before, carried = sum(steps), 0, 0
    for units in steps:
        carried += line_amount(amount, units, of, before)
        before += units
    assert carried == amount


@pytest.mark.parametrize(
    ("rules", "discount", "shipping", "applied"),
    [
        pytest.param([], 0, 500, (), id="nothing"),
        pytest.param([Rule(id=1, action="percent", amount=1000)], 333, 500, (1,), id="ten-percent-rounds-half-up"),
        pytest.param([Rule(id=1, action="fixed_item", amount=100)], 300, 500, (1,), id="a-dollar-off-each-of-three"),
        pytest.param([Rule(id=1, action="fixed_cart", amount=99_999)], 3325, 500, (1,), id="never-more-than-there-is"),
        pytest.param([Rule(id=1, action="free_shipping", amount=0)], 0, 0, (1,), id="free-shipping"),
        pytest.param(
            [Rule(id=1, action="percent", amount=5000), Rule(id=2, action="percent", amount=5000)],
            2494, 500, (1, 2), id="the-second-works-on-what-the-first-left",
        ),
        pytest.param(
            [Rule(id=1, action="percent", amount=5000, stop_further=True), Rule(id=2, action="percent", amount=5000)],
            1663, 500, (1,), id="stop-further",
        ),
        pytest.param([Rule(id=1, action="percent", amount=5000, min_subtotal=3326)], 0, 500, (), id="minimum-missed"),
        pytest.param([Rule(id=1, action="percent", amount=5000, min_subtotal=3325)], 1663, 500, (1,), id="minimum-met"),
        pytest.param(
            [Rule(id=1, action="percent", amount=5000, scope="brands", target_ids=frozenset({7}))],
            500, 500, (1,), id="only-the-brand",
        ),
    ],
)  # fmt: skip
def test_a_small_order(rules: list[Rule], discount: int, shipping: int, applied: tuple[int, ...]) -> None:
    basket = [Line(unit_price=1000, qty=1, brand_id=7), Line(unit_price=1000, qty=1), Line(unit_price=1325, qty=1)]
    sums = totals(basket, rules, STANDARD, {}, "US-OR")
    assert (sums.discount, sums.shipping, sums.applied) == (discount, shipping, applied)


@pytest.mark.parametrize(("price", "shipping"), [(7499, 500), (7500, 0)], ids=["below", "at"])
def test_free_shipping_is_tested_on_what_is_left_after_discounts(price: int, shipping: int) -> None:
    rule = Rule(id=1, action="fixed_cart", amount=1000)
    assert totals([Line(unit_price=price + 1000, qty=1)], [rule], STANDARD, {}, "DE").shipping == shipping


def test_tax_is_rounded_by_line_and_depends_on_place_and_class() -> None:
    basket = [Line(unit_price=1050, qty=1), Line(unit_price=1050, qty=1, tax_class="reduced")]
    assert [line.tax for line in totals(basket, [], STANDARD, RATES, "DE").lines] == [200, 74]
    assert totals(basket, [], STANDARD, RATES, "US-OR").tax == 0


def test_what_is_picked_up_is_taxed_where_the_shop_stands() -> None:
    pickup = Shipping(code="pickup", price=0)
    assert totals([Line(unit_price=10_000, qty=1)], [], pickup, RATES, "DE").tax == 575


@pytest.mark.parametrize(
    ("change", "applies"),
    [
        pytest.param({}, True, id="open"),
        pytest.param({"status": "inactive"}, False, id="inactive"),
        pytest.param({"starts_on": "2026-03-18", "ends_on": "2026-03-18"}, True, id="one-day-only"),
        pytest.param({"ends_on": "2026-03-17"}, False, id="ended-yesterday"),
        pytest.param({"starts_on": "2026-03-19"}, False, id="starts-tomorrow"),
        pytest.param({"group_ids": frozenset({2})}, False, id="another-group"),
        pytest.param({"uses_left": 0}, False, id="used-up"),
        pytest.param({"uses_left_customer": 0}, False, id="used-up-by-this-customer"),
        pytest.param({"has_coupons": True, "codes": frozenset({"SPRING15"})}, True, id="with-the-code"),
        pytest.param({"has_coupons": True, "codes": frozenset({"SPRINGS15"})}, False, id="one-letter-off"),
        pytest.param({"has_coupons": True}, False, id="its-code-is-switched-off"),
    ],
)
def test_a_promotion_applies(change: dict[str, object], applies: bool) -> None:
    candidate = Candidate(rule=Rule(id=1, action="percent", amount=1000), **change)  # type: ignore[arg-type]
    found = applicable([candidate], today="2026-03-18", group_id=1, code="spring15")
    assert bool(found) is applies


def test_promotions_work_by_priority_then_id() -> None:
    some = [Candidate(rule=Rule(id=i, action="percent", amount=1, priority=p)) for i, p in ((3, 1), (1, 2), (2, 1))]
    assert [rule.id for rule in applicable(some, today="2026-03-18", group_id=1, code=None)] == [2, 3, 1]


@pytest.mark.parametrize(
    ("today", "price"),
    [("2026-03-09", 1000), ("2026-03-10", 800), ("2026-03-20", 800), ("2026-03-21", 1000)],
)
def test_a_sale_counts_on_its_first_and_last_day(today: str, price: int) -> None:
    assert effective_price(1000, 800, "2026-03-10", "2026-03-20", today) == price


def test_a_sale_without_ends_always_counts() -> None:
    assert effective_price(1000, 800, None, None, "2026-03-18") == 800
    assert effective_price(1000, None, "2026-03-01", None, "2026-03-18") == 1000


def test_money_is_written_and_read_as_people_do() -> None:
    assert [money(cents) for cents in (0, 5, 123_456, -250)] == ["$0.00", "$0.05", "$1,234.56", "-$2.50"]
    assert money(123_456, "de-DE") == "1.234,56\u00a0$"
    assert [parse_cents(text) for text in ("12", "12.5", " $1,234.56 ", "-2.50", ".5")] == [
        1200,
        1250,
        123_456,
        -250,
        50,
    ]
    assert [percent(rate) for rate in (2000, 825, 1050)] == ["20%", "8.25%", "10.5%"]


@pytest.mark.parametrize("text", ["", "abc", "1.234", "1.", "--2", "1e5", "٣"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an amount such as 12\.50"):
        parse_cents(text)


def test_halves_round_away_from_zero() -> None:
    assert [half_up(n, 2) for n in (1, 3, -1, -3, 4)] == [1, 2, -1, -2, 2]
    assert share(50, 500) == 3
    with pytest.raises(ValueError, match="must be positive"):
        half_up(1, 0)
    with pytest.raises(ValueError, match="no money format"):
        money(1, "xx-XX")
