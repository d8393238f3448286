"""Stock, categories, brands and options on generated data: what use cases write, and what rules and roles refuse."""

from __future__ import annotations

import pytest
from sitegym.sites.kit.rules import Forbidden, NotFound, Refused, Stale


def refused(run, use_case: str, **fields) -> str:
    """The code with which a use case is refused."""
    with pytest.raises(Refused) as refusal:
        run(use_case, **fields)
    return refusal.value.code


@pytest.fixture
def stock(row):
    """The stock of a variant."""
    return lambda id: row("stock", variant_id=id)


@pytest.fixture
def out(rows) -> int:
    """A variant that is out of stock."""
    return rows("stock", status="out_of_stock")[0]["variant_id"]


@pytest.mark.parametrize("ticked", [pytest.param(True, id="ticked"), pytest.param(False, id="unticked")])
def test_received_units_are_added_and_the_tick_puts_a_variant_back_in_stock(run, rows, row, stock, out, ticked):
    before = stock(out), stock(3)
    sku = row("variants", id=3)["sku"].lower()
    lines = [{"variant_id": out, "qty": 4}, {"sku": sku, "qty": 2}, {"variant_id": 3, "qty": 1}]
    done = run("stock.receive", role="clerk", lines=lines, set_in_stock=ticked, note=" Delivery  7 ")
    assert (done["units"], done["variants"]) == (7, 2)
    after = stock(out), stock(3)
    assert [now["on_hand"] - was["on_hand"] for now, was in zip(after, before, strict=True)] == [4, 3]
    assert after[0]["status"] == ("in_stock" if ticked else "out_of_stock")
    assert [now["v"] - was["v"] for now, was in zip(after, before, strict=True)] == [1, 1]
    move = rows("stock_moves", variant_id=3)[-1]
    assert (move["kind"], move["d_on_hand"], move["note"], move["actor_id"] is not None) == (
        "receipt",
        3,
        "Delivery 7",
        True,
    )
    assert [each["entity_id"] for each in rows("audit_log", action="stock.receive")] == [out, 3]


def test_an_unknown_sku_or_no_quantity_receives_nothing_at_all(run, rows, stock):
    before = rows("stock_moves")
    with pytest.raises(Refused) as refusal:
        run(
            "stock.receive",
            lines=[{"variant_id": 3, "qty": 2}, {"sku": "NOPE-1", "qty": 1}, {"variant_id": 3, "qty": 0}],
        )
    assert [(p.code, p.field) for p in refusal.value.problems] == [
        ("UNKNOWN_SKU", "line-2"),
        ("OUT_OF_RANGE", "line-3"),
    ]
    assert refused(run, "stock.receive", lines=[]) == "NOTHING_PICKED"
    with pytest.raises(NotFound):
        run("stock.receive", lines=[{"variant_id": 99_999, "qty": 1}])
    assert rows("stock_moves") == before


def test_a_count_is_corrected_to_what_is_there_but_not_below_what_is_reserved(run, rows, stock):
    assert stock(3)["reserved"] == 5
    run("stock.set_on_hand", variant_id=3, on_hand=7, note="Counted")
    move = rows("stock_moves", variant_id=3)[-1]
    assert (stock(3)["on_hand"], move["kind"], move["d_on_hand"]) == (7, "correction", 7 - 49)
    assert refused(run, "stock.set_on_hand", variant_id=3, on_hand=4) == "STOCK_BELOW_RESERVED"
    run("stock.set_backorder", variant_id=3, backorder=True)
    run("stock.set_on_hand", variant_id=3, on_hand=4)
    assert refused(run, "stock.set_backorder", variant_id=3, backorder=False) == "STOCK_BELOW_RESERVED"
    assert refused(run, "stock.set_on_hand", variant_id=3, on_hand=-1) == "OUT_OF_RANGE"


def test_a_correction_that_makes_a_variant_low_rings_the_bell_once(run, rows, stock):
    before = len(rows("notifications", kind="stock_low"))
    low = stock(3)["reserved"] + stock(3)["low_at"]
    run("stock.set_on_hand", variant_id=3, on_hand=low)
    run("stock.set_on_hand", variant_id=3, on_hand=low - 1)
    assert len(rows("notifications", kind="stock_low")) == before + (stock(3)["low_at"] > 0)


def test_out_of_stock_leaves_the_shelf_alone_and_the_same_status_writes_nothing(run, rows, stock):
    before, moves = stock(3), len(rows("stock_moves"))
    changed = run("stock.set_status", role="clerk", variant_id=3, status="out_of_stock")
    assert stock(3) == {**before, "status": "out_of_stock", "v": before["v"] + 1}
    assert len(rows("stock_moves")) == moves
    told = len(rows("audit_log"))
    assert not run("stock.set_status", variant_id=3, status="out_of_stock", v=changed["v"])["changed"]
    assert len(rows("audit_log")) == told
    with pytest.raises(Stale):
        run("stock.set_low_at", variant_id=3, low_at=9, v=before["v"])


def test_a_table_of_stock_is_saved_whole_or_not_at_all(run, stock):
    ids = (3, 4)
    before = [stock(id) for id in ids]
    rows = [{"variant_id": 4, "low_at": 9, "v": before[1]["v"]}, {"variant_id": 3, "on_hand": 1, "v": before[0]["v"]}]
    with pytest.raises(Refused) as refusal:
        run("stock.save", rows=rows)
    assert [(p.code, p.field) for p in refusal.value.problems] == [("STOCK_BELOW_RESERVED", "on_hand-3")]
    assert [stock(id) for id in ids] == before
    assert run("stock.save", rows=[rows[0], {"variant_id": 3}])["changed"] == 1
    assert (stock(4)["low_at"], stock(3)) == (9, before[0])


def test_an_analyst_moves_no_stock(run, rows):
    before = rows("stock")
    for use_case, fields in (
        ("stock.receive", {"lines": [{"variant_id": 3, "qty": 1}]}),
        ("stock.set_on_hand", {"variant_id": 3, "on_hand": 9}),
        ("stock.set_low_at", {"variant_id": 3, "low_at": 9}),
        ("stock.set_status", {"variant_id": 3, "status": "out_of_stock"}),
        ("stock.set_backorder", {"variant_id": 3, "backorder": True}),
        ("stock.save", {"rows": []}),
    ):
        with pytest.raises(Forbidden):
            run(use_case, role="analyst", **fields)
    assert rows("stock") == before


OUTDOOR, PACKS, DAYPACKS, TREKKING, SHELTER, TENTS, TARPS, CLOTHING = 1, 2, 3, 4, 5, 6, 7, 14


def below(rows, parent: int | None) -> list[int]:
    """The categories below one, in order."""
    return [each["id"] for each in sorted(rows("categories", parent_id=parent), key=lambda each: each["position"])]


def test_categories_move_among_siblings_and_to_other_parents_without_gaps(run, rows):
    run("categories.move", id=SHELTER, parent_id=OUTDOOR, position=1)
    assert below(rows, OUTDOOR)[:2] == [SHELTER, PACKS]
    run("categories.move", id=TARPS, parent_id=PACKS, position=2)
    assert (below(rows, PACKS), below(rows, SHELTER)) == ([DAYPACKS, TARPS, TREKKING], [TENTS])
    run("categories.move", id=TENTS, parent_id=None, position=99)
    assert below(rows, None)[-1] == TENTS
    assert not run("categories.move", id=TENTS, parent_id=None, position=99)["changed"]


def test_a_category_moves_neither_into_itself_nor_below_the_third_level(run, rows):
    before = rows("categories")
    assert refused(run, "categories.move", id=OUTDOOR, parent_id=DAYPACKS, position=1) == "CATEGORY_CYCLE"
    assert refused(run, "categories.move", id=OUTDOOR, parent_id=OUTDOOR, position=1) == "CATEGORY_CYCLE"
    assert refused(run, "categories.move", id=PACKS, parent_id=SHELTER, position=1) == "CATEGORY_DEPTH"
    assert refused(run, "categories.create", name="Deep", parent_id=TENTS) == "CATEGORY_DEPTH"
    assert rows("categories") == before


def test_a_category_is_made_renamed_and_deleted_only_when_empty(run, row, rows):
    made = run("categories.create", name="Día de campo", parent_id=OUTDOOR)["id"]
    assert (row("categories", id=made)["slug"], row("categories", id=made)["name_key"]) == (
        "dia-de-campo",
        "dia de campo",
    )
    assert refused(run, "categories.create", name="dia de CAMPO", parent_id=OUTDOOR) == "NAME_TAKEN"
    assert refused(run, "categories.edit", id=made, slug=row("categories", id=PACKS)["slug"]) == "SLUG_TAKEN"
    assert refused(run, "categories.edit", id=made, slug="Bad Slug") == "SLUG_FORMAT"
    run("categories.edit", id=DAYPACKS, name="Little Packs")
    product = rows("product_categories", category_id=DAYPACKS)[0]["product_id"]
    assert " little" in row("products", id=product)["search_key"]
    assert refused(run, "categories.delete", id=PACKS) == "CATEGORY_NOT_EMPTY"
    assert refused(run, "categories.delete", id=DAYPACKS) == "CATEGORY_NOT_EMPTY"
    assert run("categories.delete", id=made)["deleted"]


def test_products_of_a_category_are_arranged_and_pinned(run, rows):
    def order():
        links = sorted(rows("product_categories", category_id=DAYPACKS), key=lambda link: link["position"])
        return [link["product_id"] for link in links]

    first, *rest = before = order()
    run("categories.order_products", id=DAYPACKS, product_ids=[*rest, first])
    assert order() == [*rest, first]
    run("categories.pin", id=DAYPACKS, product_id=first)
    assert order() == before
    assert refused(run, "categories.order_products", id=DAYPACKS, product_ids=rest) == "WRONG_ORDER"
    assert refused(run, "categories.pin", id=DAYPACKS, product_id=99_999) == "NOT_A_CHOICE"


def test_brands_are_renamed_with_their_products_and_deleted_only_without(run, row, rows):
    brand = rows("products")[0]["brand_id"]
    run("brands.edit", id=brand, name="Newmakers")
    assert " newmakers" in rows("products", brand_id=brand)[0]["search_key"]
    assert refused(run, "brands.delete", id=brand) == "BRAND_IN_USE"
    assert refused(run, "brands.create", name="NEWmakers") == "NAME_TAKEN"
    made = run("brands.create", name="Ångström & Co")["id"]
    assert row("brands", id=made)["slug"] == "angstrom-co"
    run("brands.delete", id=made)
    assert rows("brands", id=made) == []


def test_option_values_are_unique_however_they_are_written_and_kept_while_used(run, row, rows):
    used = rows("variant_options", type_id=1)[0]["value_id"]
    assert refused(run, "options.create_value", type_id=1, value="mOSS", swatch_hex="#112233") == "VALUE_TAKEN"
    assert refused(run, "options.create_value", type_id=1, value="Coral") == "REQUIRED"
    assert refused(run, "options.create_value", type_id=1, value="Coral", swatch_hex="pink") == "HEX_FORMAT"
    made = run("options.create_value", type_id=1, value="Coral", swatch_hex="#FF7F50")["id"]
    assert row("option_values", id=made)["swatch_hex"] == "#ff7f50"
    ids = [each["id"] for each in sorted(rows("option_values", type_id=1), key=lambda each: each["position"])]
    run("options.order_values", type_id=1, value_ids=[made, *ids[:-1]])
    assert row("option_values", id=made)["position"] == 1
    assert refused(run, "options.delete_value", id=used) == "VALUE_IN_USE"
    assert run("options.delete_value", id=made)["deleted"]
    assert refused(run, "options.delete_type", id=1) == "OPTION_IN_USE"
    kind = run("options.create_type", name="Grip size")["id"]
    assert row("option_types", id=kind)["code"] == "grip_size"
    assert refused(run, "options.create_type", name="grip SIZE") == "NAME_TAKEN"
    run("options.delete_type", id=kind)


@pytest.mark.parametrize("role", ["clerk", "analyst"])
def test_only_managers_build_the_catalogue(run, rows, role):
    before = [rows(table) for table in ("brands", "categories", "option_types", "option_values")]
    for use_case, fields in (
        ("brands.create", {"name": "X"}), ("brands.edit", {"id": 1, "name": "X"}), ("brands.delete", {"id": 1}),
        ("categories.create", {"name": "X"}), ("categories.move", {"id": 2, "parent_id": None, "position": 1}),
        ("categories.pin", {"id": 3, "product_id": 1}), ("options.create_value", {"type_id": 1, "value": "X"}),
        ("options.order_values", {"type_id": 1, "value_ids": []}),
    ):  # fmt: skip
        with pytest.raises(Forbidden):
            run(use_case, role=role, **fields)
    assert [rows(table) for table in ("brands", "categories", "option_types", "option_values")] == before
