"""Editing what a pending order is made of: the rule behind it, and its page in a real browser."""

from __future__ import annotations

import pytest
from hands import go, press, toast
from playwright.sync_api import Page, expect
from sitegym.sites.kit.rules import Forbidden, Refused, Stale
from sitegym.sites.store.models import AuditRow, Order, OrderEvent, Product, Stock, StockMove, Variant
from sitegym.sites.store.services import USE_CASES, actor_for
from small_shop import NUMBERS
from sqlalchemy import select

PENDING = NUMBERS["pending"]


def edit(world, role="manager", number=PENDING, **fields):
    """Edit the items of an order."""
    return USE_CASES["orders.edit_items"](world, actor_for(world, role), number=number, **fields)


def state(world, number=PENDING):
    """SKU and units of each line, and the sums of the order."""
    with world.read() as db:
        order = db.scalars(select(Order).filter_by(number=number)).one()
        return [(item.sku, item.qty_ordered) for item in order.items], (order.subtotal, order.shipping, order.total)


def lines_of(world, number=PENDING):
    """The ids of an order's lines."""
    with world.read() as db:
        return [item.id for item in db.scalars(select(Order).filter_by(number=number)).one().items]


def stock_of(world, *skus):
    """Reserved units by SKU."""
    with world.read() as db:
        return [db.scalars(select(Stock.reserved).join(Variant).where(Variant.sku == sku)).one() for sku in skus]


def test_lines_change_go_and_come_with_their_stock_and_their_sums(world):
    first, second = lines_of(world)
    before = stock_of(world, "RDG-1", "RDG-2", "RDG-4")
    with world.write() as db:
        variant = db.scalars(select(Variant).filter_by(sku="RDG-4")).one()
        variant.sale_price, variant.sale_to = 1500, "2026-03-18"
        db.scalars(select(Variant).filter_by(sku="RDG-1")).one().price = 5000
    result = edit(world, lines={first: 3, second: 0}, add=[{"sku": "rdg-4", "qty": 2}])
    assert result["changed"]
    lines, (subtotal, shipping, total) = state(world)
    assert lines == [("RDG-1", 3), ("RDG-4", 2)]
    assert (subtotal, shipping, total) == (3 * 1999 + 2 * 1500, 500, 3 * 1999 + 2 * 1500 + 500)
    assert stock_of(world, "RDG-1", "RDG-2", "RDG-4") == [before[0] + 1, before[1] - 1, before[2] + 2]
    with world.read() as db:
        order = db.scalars(select(Order).filter_by(number=PENDING)).one()
        moves = db.scalars(select(StockMove).filter_by(ref_kind="order", ref_id=order.id).order_by(StockMove.id)).all()
        assert [(move.kind, move.d_reserved) for move in moves[-3:]] == [
            ("release", -1),
            ("reserve", 1),
            ("reserve", 2),
        ]
        event = db.scalars(select(OrderEvent).filter_by(order_id=order.id).order_by(OrderEvent.id.desc())).first()
        assert event.body == "Items changed: RDG-2 removed, RDG-1 2 → 3, RDG-4 × 2 added"
        assert [row.action for row in db.scalars(select(AuditRow).filter_by(entity="order", entity_id=order.id))] == [
            "orders.edit_items"
        ]
        assert "rdg-4" in order.search_key


def test_what_stays_the_same_writes_nothing(world):
    first, _ = lines_of(world)
    with world.read() as db:
        before = [db.scalars(select(Order.v).filter_by(number=PENDING)).one(), len(db.scalars(select(StockMove)).all())]
    assert edit(world, lines={first: 2})["changed"] is False
    with world.read() as db:
        after = [db.scalars(select(Order.v).filter_by(number=PENDING)).one(), len(db.scalars(select(StockMove)).all())]
    assert before == after


@pytest.mark.parametrize(("fields", "problems"), [
    pytest.param({"lines": {1: 0, 2: 0}}, [("NO_ITEMS", None)], id="one-line-must-remain"),
    pytest.param({"lines": {1: 99, 2: -1}}, [("NOT_AVAILABLE", "qty_1"), ("OUT_OF_RANGE", "qty_2")], id="units"),
    pytest.param({"add": [{"sku": "RDG-1"}, {"sku": "NO-SUCH"}, {"sku": "RDG-3", "qty": 0}]},
                 [("ITEM_TAKEN", "add.0"), ("SKU_UNKNOWN", "add.1"), ("OUT_OF_RANGE", "add.2")], id="new-lines"),
    pytest.param({"add": [{"sku": "RDG-3"}, {"sku": "RDG-3"}]}, [("ITEM_TAKEN", "add.1")], id="twice-new"),
    pytest.param({"add": [{"sku": "RDG-4", "qty": 1}]}, [("NOT_SOLD", "add.0")], id="not-sold"),
])  # fmt: skip
def test_what_an_order_cannot_be_made_of_is_refused_line_by_line(world, fields, problems):
    first, second = lines_of(world)
    assert (first, second) == (1, 2)
    with world.write() as db:
        db.scalars(select(Product).join(Variant).where(Variant.sku == "RDG-4")).one().status = "disabled"
    before = state(world)
    with pytest.raises(Refused) as error:
        edit(world, **fields)
    assert [(problem.code, problem.field or None) for problem in error.value.problems] == problems
    assert state(world) == before


def test_only_pending_orders_by_managers_and_never_from_a_stale_page(world):
    with pytest.raises(Refused) as error:
        edit(world, number=NUMBERS["invoiced"])
    assert error.value.code == "ORDER_STATE"
    with pytest.raises(Forbidden):
        edit(world, role="clerk", lines={1: 1})
    with pytest.raises(Stale):
        edit(world, lines={1: 1}, v=0)


def test_an_order_paid_with_credit_settles_the_difference(world):
    number = NUMBERS["by credit"]
    (line,) = lines_of(world, number)
    edit(world, number=number, lines={line: 2})
    with pytest.raises(Refused) as error:
        edit(world, number=number, lines={line: 9})
    assert error.value.code == "CREDIT_TOO_LOW"


def quantity(page: Page, sku: str):
    """The quantity of a line on the page."""
    return page.get_by_role("spinbutton", name=f"Quantity of {sku}", exact=True)


def grand(page: Page):
    """What the page says the order comes to."""
    return page.get_by_text("Grand total").locator("xpath=following-sibling::dd")


def test_one_item_is_swapped_for_another_by_search(sign_in, rows, order):
    page = go(sign_in(), "pending")
    page.get_by_role("link", name="Edit items").click()
    press(page, "Remove RDG-2")
    expect(quantity(page, "RDG-2")).to_have_value("0")
    expect(page.get_by_role("button", name="Keep RDG-2")).to_be_focused()
    page.get_by_role("combobox", name="Add an item").fill("rdg-4")
    expect(page.get_by_role("option", name="RDG-4")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    press(page, "One more of RDG-4")
    expect(quantity(page, "RDG-4")).to_have_value("2")
    expect(grand(page)).to_have_text("$84.96")
    press(page, "Save items")
    toast(page, f"The items of order {PENDING} were saved.")
    found = rows("order_items", order_id=order("pending")["id"])
    assert [(line["sku"], line["qty_ordered"]) for line in found] == [("RDG-1", 2), ("RDG-4", 2)]
    assert order("pending")["total"] == 4 * 1999 + 500
    expect(page.get_by_role("table", name="Items")).to_contain_text("RDG-4")


def test_free_text_and_too_many_units_are_told_and_what_was_added_stays(sign_in, rows, order):
    page = go(sign_in(), "pending", "/edit-items")
    box = page.get_by_role("combobox", name="Add an item")
    box.fill("RDG-3")
    page.get_by_role("option", name="RDG-3").click()
    quantity(page, "RDG-3").fill("90")
    quantity(page, "RDG-1").fill("1")
    box.fill("something")
    press(page, "Save items")
    expect(page.get_by_text("Choose an item from the list.").last).to_be_visible()
    box.fill("")
    press(page, "Save items")
    expect(page.get_by_role("row", name="RDG-3").get_by_text("more of RDG-3 available.")).to_be_visible()
    expect(quantity(page, "RDG-1")).to_have_value("1")
    press(page, "Remove RDG-3")
    press(page, "Remove RDG-1")
    press(page, "Remove RDG-2")
    press(page, "Save items")
    expect(page.get_by_text("At least one item has to remain")).to_be_visible()
    press(page, "Keep RDG-1")
    press(page, "Save items")
    toast(page, "were saved.")
    assert [line["sku"] for line in rows("order_items", order_id=order("pending")["id"])] == ["RDG-1"]


def test_a_clerk_sees_the_link_and_is_refused(sign_in):
    page = go(sign_in("clerk"), "pending")
    page.get_by_role("link", name="Edit items").click()
    expect(page.get_by_text("Your role may not edit the items of orders.")).to_be_visible()
