"""Variants on generated data: the price tool applies all or nothing, the matrix makes what is missing, rules refuse."""

from __future__ import annotations

import pytest
from sitegym.sites.kit.rules import Forbidden, NotFound, Refused, Stale

LARCH = 7
"""A product in five colours, at one price, not on sale."""


@pytest.fixture
def variants(rows):
    """The variants of a product by id."""
    return lambda product_id: {row["id"]: row for row in rows("variants", product_id=product_id)}


def codes(refusal) -> list[str]:
    """What was wrong, in order."""
    return [problem.code for problem in refusal.value.problems]


@pytest.mark.parametrize(
    ("change", "price", "sale"),
    [
        pytest.param({"mode": "set", "amount": 2000}, lambda old: 2000, None, id="set"),
        pytest.param({"mode": "add", "amount": -150}, lambda old: old - 150, None, id="lower-by-an-amount"),
        pytest.param({"mode": "percent", "percent": 1250}, lambda old: (old * 11250 + 5000) // 10000, None,
                     id="percent-half-up"),
        pytest.param({"mode": "sale", "percent": 2000, "sale_from": "2026-03-20", "sale_to": "2026-04-03"},
                     lambda old: old, lambda old: (old * 8000 + 5000) // 10000, id="sale-percent-off"),
        pytest.param({"mode": "sale", "amount": 500}, lambda old: old, lambda old: 500, id="sale-at-an-amount"),
    ],
)  # fmt: skip
def test_a_change_of_prices_moves_the_chosen_variants_and_no_others(run, variants, rows, change, price, sale):
    before = variants(LARCH)
    chosen = list(before)[:3]
    told = len(rows("audit_log", action="variants.change_prices"))
    run("variants.change_prices", ids=chosen, **change)
    for id, row in variants(LARCH).items():
        old = before[id]["price"]
        wanted = (price(old), sale(old) if sale else None) if id in chosen else (old, None)
        assert (row["price"], row["sale_price"]) == wanted
        assert row["cost"] == before[id]["cost"]
        assert row["sale_to"] == (change.get("sale_to") if id in chosen else None)
        assert row["v"] == before[id]["v"] + (id in chosen)
    assert len(rows("audit_log", action="variants.change_prices")) == told + 3


def test_one_variant_that_cannot_change_keeps_all_as_they_are(run, variants):
    before = variants(LARCH)
    first, second, *_ = before
    run("variants.change_prices", ids=[first], mode="set", amount=100)
    state = variants(LARCH)
    with pytest.raises(Refused) as refusal:
        run("variants.change_prices", ids=[first, second], mode="add", amount=-500)
    assert [(p.code, p.field) for p in refusal.value.problems] == [("NEGATIVE_PRICE", f"variant-{first}")]
    assert variants(LARCH) == state


@pytest.mark.parametrize(
    ("change", "code"),
    [
        pytest.param({"mode": "sale", "amount": 9_000_000}, "SALE_NOT_LOWER", id="sale-above-the-price"),
        pytest.param({"mode": "set", "amount": 10_000_000}, "PRICE_RANGE", id="above-the-highest"),
        pytest.param({"mode": "set", "amount": -1}, "PRICE_RANGE", id="below-nothing"),
        pytest.param({"mode": "set"}, "REQUIRED", id="no-amount"),
        pytest.param({"mode": "sale", "percent": 0}, "PERCENT_RANGE", id="nothing-off"),
        pytest.param({"mode": "sale", "percent": 1000, "sale_from": "2026-04-02", "sale_to": "2026-04-01"},
                     "DATE_ORDER", id="ends-before-it-begins"),
        pytest.param({"mode": "add", "amount": 100, "field": "sale_price"}, "NO_SALE_PRICE", id="no-sale-to-change"),
        pytest.param({"mode": "double"}, "NOT_A_CHOICE", id="unknown-mode"),
    ],
)  # fmt: skip
def test_a_wrong_change_of_prices_is_refused(run, variants, change, code):
    before = variants(LARCH)
    with pytest.raises(Refused) as refusal:
        run("variants.change_prices", ids=list(before), **change)
    assert set(codes(refusal)) == {code}
    assert variants(LARCH) == before


def test_a_sale_ends_with_its_dates_and_a_price_may_not_fall_to_the_sale_price(run, variants):
    ids = list(variants(LARCH))[:2]
    run("variants.change_prices", ids=ids, mode="sale", amount=500, sale_from="2026-03-20")
    with pytest.raises(Refused) as refusal:
        run("variants.change_prices", ids=ids, mode="set", amount=500)
    assert codes(refusal) == ["SALE_NOT_LOWER", "SALE_NOT_LOWER"]
    run("variants.change_prices", ids=ids, mode="clear_sale")
    row = variants(LARCH)[ids[0]]
    assert (row["sale_price"], row["sale_from"], row["sale_to"]) == (None, None, None)


def test_prices_looked_at_before_somebody_changed_them_are_stale(run, variants):
    before = variants(LARCH)
    seen = {id: row["v"] for id, row in before.items()}
    first, second, *_ = before
    run("variants.edit", id=second, price=3333)
    with pytest.raises(Stale):
        run("variants.change_prices", ids=[first, second], mode="set", amount=100, v=seen)
    assert variants(LARCH)[first]["price"] == before[first]["price"]
    with pytest.raises(NotFound):
        run("variants.change_prices", ids=[first, 99_999], mode="set", amount=100)


def test_editing_a_variant_renames_what_finds_it_and_an_unchanged_form_writes_nothing(run, row, rows, variants):
    id = next(iter(variants(LARCH)))
    changed = run("variants.edit", id=id, sku=" new-beanie-1 ", barcode="", price=1999, active=False)
    assert changed["changed"]
    assert row("variants", id=id)["sku"] == "NEW-BEANIE-1"
    assert " new-beanie-1" in row("products", id=LARCH)["search_key"]
    told = len(rows("audit_log"))
    again = run("variants.edit", id=id, v=changed["v"], sku="NEW-BEANIE-1", price=1999)
    assert (again["changed"], again["v"], len(rows("audit_log"))) == (False, changed["v"], told)
    with pytest.raises(Stale):
        run("variants.edit", id=id, v=changed["v"] - 1, price=5)


def test_what_is_wrong_with_a_variant_is_all_said_at_once(run, variants, row):
    first, second, *_ = variants(LARCH)
    with pytest.raises(Refused) as refusal:
        run(
            "variants.edit",
            id=first,
            sku=row("variants", id=second)["sku"],
            barcode="12",
            price=None,
            sale_to="2026-02-30",
        )
    assert codes(refusal) == ["SKU_TAKEN", "BARCODE_FORMAT", "REQUIRED", "NOT_A_DATE"]
    with pytest.raises(Refused) as refusal:
        run("variants.edit", id=first, sku="A!")
    assert codes(refusal) == ["SKU_FORMAT"]


def test_the_matrix_makes_the_missing_combinations_with_stock_and_options(run, rows, row, variants):
    values = {each["value"]: each["id"] for each in rows("option_values", type_id=1)}
    before = variants(LARCH)
    made = run("variants.generate", product_id=LARCH, options={1: [values["Forest"], values["Moss"], values["Rust"]]},
               price=1800, qty=4)  # fmt: skip
    assert made["count"] == 2  # Forest is there
    for id in made["ids"]:
        new = row("variants", id=id)
        assert (new["price"], new["position"] > len(before)) == (1800, True)
        assert row("stock", variant_id=id)["on_hand"] == 4
        assert [move["kind"] for move in rows("stock_moves", variant_id=id)] == ["receipt"]
        assert len(rows("variant_options", variant_id=id)) == 1
    assert {row("variants", id=id)["sku"] for id in made["ids"]} == {"VA-BE007-MOS", "VA-BE007-RUS"}
    with pytest.raises(Refused) as refusal:
        run("variants.generate", product_id=LARCH, options={1: [values["Moss"]]}, price=1800)
    assert codes(refusal) == ["NOTHING_NEW"]


def test_the_matrix_needs_a_value_of_every_option_and_a_product_that_has_variants_at_all(run, rows):
    sizes = rows("option_values", type_id=2)
    simple = next(each["id"] for each in rows("products", kind="simple"))
    for product, options, code in (
        (LARCH, {2: [sizes[0]["id"]]}, "OPTIONS_NEEDED"),
        (LARCH, {1: [sizes[0]["id"]]}, "NOT_A_CHOICE"),
        (LARCH, {}, "NOTHING_PICKED"),
        (simple, {1: [1]}, "SIMPLE_PRODUCT"),
    ):
        with pytest.raises(Refused) as refusal:
            run("variants.generate", product_id=product, options=options, price=100)
        assert codes(refusal) == [code]


def test_a_variant_is_deleted_with_its_stock_unless_it_was_ordered_or_is_the_last(run, rows):
    ordered = {each["variant_id"] for each in rows("order_items")}
    by_product: dict[int, list[int]] = {}
    for each in rows("variants"):
        by_product.setdefault(each["product_id"], []).append(each["id"])
    free = next(id for ids in by_product.values() if len(ids) > 2 for id in ids if id not in ordered)
    last = next((ids[0] for ids in by_product.values() if len(ids) == 1 and ids[0] not in ordered), None)
    assert run("variants.delete", id=free)["deleted"]
    assert rows("variants", id=free) == rows("stock", variant_id=free) == rows("stock_moves", variant_id=free) == []
    refusals = [(min(ordered), "VARIANT_ORDERED"), *([(last, "LAST_VARIANT")] if last else [])]
    for id, code in refusals:
        with pytest.raises(Refused) as refusal:
            run("variants.delete", id=id)
        assert codes(refusal) == [code]


@pytest.mark.parametrize("role", ["clerk", "analyst"])
def test_only_managers_change_prices_and_variants(run, variants, rows, role):
    before = variants(LARCH)
    id = next(iter(before))
    for use_case, fields in (
        ("variants.change_prices", {"ids": [id], "mode": "set", "amount": 1}),
        ("variants.edit", {"id": id, "price": 1}),
        ("variants.generate", {"product_id": LARCH, "options": {1: [1]}, "price": 1}),
        ("variants.delete", {"id": id}),
    ):
        with pytest.raises(Forbidden):
            run(use_case, role=role, **fields)
    assert variants(LARCH) == before
    assert [row["action"] for row in rows("audit_log")][-4:] == ["denied"] * 4
