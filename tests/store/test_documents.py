"""The papers of orders in a real browser: lists, pages, decisions, prints; and the services behind returns."""

from __future__ import annotations

import pytest
from hands import HOST, go, press, toast
from playwright.sync_api import Page, expect
from sitegym.sites.kit.rules import Forbidden, Refused
from sitegym.sites.store.models import Order, OrderItem, Refund, Return, ReturnItem, Stock
from sitegym.sites.store.services import USE_CASES, actor_for
from small_shop import NUMBERS, PLACED
from sqlalchemy import select


def paper(rows, table: str, case: str, position: int = 0) -> dict:
    """A paper of the order of a case, oldest first."""
    return rows(table, order_id=rows("orders", number=NUMBERS[case])[0]["id"])[position]


def waiting(shop, sign_in, role: str = "manager") -> Page:
    """The page of a refund that a clerk asked for."""
    shop.call("refunds.create", actor="clerk", number=NUMBERS["shipped"], reason="Torn strap")
    page = sign_in(role)
    page.goto("/refunds/CM-000001")
    return page


def test_an_open_invoice_is_marked_paid_and_then_its_units_ship(sign_in, shop, rows, order):
    number = shop.call("invoices.create", number=NUMBERS["transfer"])["number"]
    page = sign_in("clerk")
    page.goto("/invoices?f=status:in:open")
    page.get_by_role("link", name=number).click()
    press(page, "Mark paid")
    toast(page, f"Invoice {number} is marked paid.")
    assert (paper(rows, "invoices", "transfer")["status"], order("transfer")["paid"]) == ("paid", 7100)
    expect(page.get_by_role("region", name="Payments")).to_contain_text("$71.00 Bank transfer")
    expect(page.get_by_role("button", name="Mark paid")).to_have_count(0)


def test_voiding_asks_first_and_gives_the_units_back(sign_in, shop, rows, order):
    number = shop.call("invoices.create", number=NUMBERS["transfer"])["number"]
    page = sign_in()
    page.goto(f"/invoices/{number}")
    press(page, "Void")
    press(page, "Keep the invoice")
    assert paper(rows, "invoices", "transfer")["status"] == "open"
    press(page, "Void")
    press(page, "Void the invoice")
    toast(page, f"Invoice {number} was voided.")
    assert rows("order_items", order_id=order("transfer")["id"])[0]["qty_invoiced"] == 0


def test_an_invoice_is_printed_from_a_tab_of_its_own(sign_in, rows):
    number = paper(rows, "invoices", "shipped")["number"]
    page = sign_in("analyst")
    page.goto(f"/invoices/{number}")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Print").click()
    sheet = opened.value
    expect(sheet.get_by_role("article", name=f"Invoice {number}")).to_contain_text("$71.00")
    sheet.evaluate("window.print = () => { document.title = 'printed' }")
    sheet.get_by_role("button", name="Print").click()
    expect(sheet).to_have_title("printed")
    expect(page).to_have_url(f"{HOST}/invoices/{number}")


def test_a_packing_slip_lists_what_is_still_to_be_packed(sign_in, shop, rows, order):
    first = rows("order_items", order_id=order("invoiced")["id"])[0]["id"]
    shop.call("shipments.create", number=NUMBERS["invoiced"], lines={first: 1})
    page = go(sign_in("clerk"), "invoiced")
    press(page, "More")
    with page.context.expect_page() as opened:
        page.get_by_role("menuitem", name="Print packing slip").press("Enter")
    sheet = opened.value
    expect(sheet.get_by_role("row")).to_have_count(3)
    expect(sheet.get_by_role("row", name="RDG-3")).to_contain_text("1")
    expect(sheet.get_by_text("$")).to_have_count(0)
    sheet.goto(f"/orders/packing-slips?ids={NUMBERS['long']},{NUMBERS['pending']}")
    expect(sheet.get_by_role("article")).to_have_count(2)
    expect(sheet.get_by_role("article").first).to_have_accessible_name(f"Packing slip {NUMBERS['pending']}")
    assert sheet.goto("/orders/999999/packing-slip").status == 404


@pytest.mark.parametrize(("button", "confirm", "status"), [
    ("Mark delivered", "", "delivered"), ("Mark lost", "Mark lost", "lost"),
])  # fmt: skip
def test_what_became_of_a_parcel_is_noted_once(sign_in, rows, button, confirm, status):
    number = paper(rows, "shipments", "shipped")["number"]
    page = sign_in("clerk")
    page.goto(f"/shipments/{number}")
    press(page, button)
    if confirm:
        page.get_by_role("dialog").get_by_role("button", name=confirm, exact=True).click()
    toast(page, f"Shipment {number} is marked {status}.")
    found = paper(rows, "shipments", "shipped")
    assert (found["status"], found["delivered_at"] is not None) == (status, status == "delivered")
    expect(page.get_by_role("button", name=button)).to_have_count(0)


def test_somebody_else_approves_a_refund_that_waits(sign_in, shop, rows, order):
    page = waiting(shop, sign_in)
    expect(page.get_by_role("note")).to_contain_text("This refund waits for approval.")
    press(page, "Approve")
    page.get_by_role("dialog").get_by_role("textbox", name="Note").fill("Fine by me")
    press(page, "Approve the refund")
    toast(page, "Refund CM-000001 was approved and issued.")
    refund = rows("refunds")[0]
    assert (refund["status"], refund["decision_note"], order("shipped")["status"]) == (
        "issued",
        "Fine by me",
        "complete",
    )
    expect(page.get_by_role("region", name="Decision")).to_contain_text("Max Manager")


def test_rejecting_needs_a_note(sign_in, shop, rows, order):
    page = waiting(shop, sign_in)
    press(page, "Reject")
    press(page, "Reject the refund")
    expect(page.get_by_role("dialog").get_by_text("Write a note that says why.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    page.keyboard.type("Bought too long ago")
    press(page, "Reject the refund")
    toast(page, "Refund CM-000001 was rejected.")
    assert (rows("refunds")[0]["decision_note"], order("shipped")["refunded"]) == ("Bought too long ago", 0)


def test_a_clerk_decides_no_refund(sign_in, shop, rows):
    page = waiting(shop, sign_in, "clerk")
    expect(page.get_by_role("button", name="Approve")).to_have_attribute("aria-disabled", "true")
    with pytest.raises(Forbidden):
        shop.call("refunds.decide", actor="clerk", number="CM-000001", approve=True)
    assert rows("refunds")[0]["status"] == "pending_approval"


def test_papers_are_found_by_number_and_by_what_finds_their_order(sign_in, shop, rows):
    number = paper(rows, "shipments", "shipped")["number"]
    page = sign_in("analyst")
    page.goto(f"/shipments?q={number.lower()}")
    expect(page.get_by_role("link", name=number, exact=True)).to_be_visible()
    expect(page.get_by_role("status").get_by_text("1 shipment")).to_be_visible()
    page.goto("/shipments?f=tracks:in:none")
    expect(page.get_by_text("3 shipments")).to_be_visible()
    page.get_by_role("combobox", name="Search everything").fill(number[:8])
    page.get_by_role("option", name=number).click()
    expect(page.get_by_role("heading", name=f"Shipment {number}")).to_be_visible()
    page.goto(f"/search?q={paper(rows, 'invoices', 'shipped')['number']}")
    page.get_by_role("table", name="Documents").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Invoice INV-")).to_be_visible()


@pytest.fixture
def returned(world):
    """The number of a requested return of both lines of the order of case "shipped"."""
    with world.write() as db:
        order = db.scalars(select(Order).filter_by(number=NUMBERS["shipped"])).one()
        db.add(Return(id=1, number="RMA-000001", order_id=order.id, customer_id=1, status="requested",
                      reason="damaged", resolution="store_credit", created_at=PLACED))  # fmt: skip
        for position, item in enumerate(order.items, 1):
            db.add(ReturnItem(id=position, return_id=1, order_item_id=item.id, qty=1))
    return "RMA-000001"


def test_a_return_goes_from_request_to_refund(world, returned):
    boss = actor_for(world, "manager")
    with pytest.raises(Refused) as error:
        USE_CASES["returns.reject"](world, boss, number=returned, note=" ")
    assert (error.value.code, error.value.field) == ("NOTE_REQUIRED", "note")
    assert USE_CASES["returns.approve"](world, boss, number=returned)["status"] == "approved"
    with pytest.raises(Refused) as error:
        USE_CASES["returns.receive"](world, boss, number=returned, conditions={1: "opened"})
    assert [p.field for p in error.value.problems] == ["condition_2"]
    USE_CASES["returns.receive"](world, boss, number=returned, conditions={"1": "unopened", "2": "damaged"})
    with world.read() as db:
        items = db.scalars(select(OrderItem).join(Order).where(Order.number == NUMBERS["shipped"])).all()
        ids, before = [item.id for item in items], db.get_one(Stock, items[0].variant_id).on_hand
    lines = dict.fromkeys(ids, 1)
    fields = {"number": NUMBERS["shipped"], "lines": lines, "restock": ids[:1], "method": "store_credit"}
    USE_CASES["refunds.create"](world, boss, **fields, return_id=1)
    with world.read() as db:
        assert db.get_one(Return, 1).status == "closed"
        assert [db.get_one(OrderItem, id).qty_returned for id in ids] == [1, 1]
        assert db.get_one(Stock, items[0].variant_id).on_hand == before + 1
        assert db.scalars(select(Refund.return_id)).all() == [1]
    with pytest.raises(Refused) as error:
        USE_CASES["refunds.create"](world, boss, **fields, return_id=1)
    assert error.value.code == "RETURN_STATE"
