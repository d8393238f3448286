"""The pages that invoice and ship an order, in a real browser: what is chosen is written, what is wrong is told."""

from __future__ import annotations

import pytest
from hands import HOST, go, press, toast
from playwright.sync_api import Page, expect
from small_shop import NUMBERS


def pick(page: Page, box: str, option: str) -> None:
    """Choose from a combobox of the page by keyboard."""
    page.get_by_role("combobox", name=box, exact=True).fill(option)
    page.keyboard.press("Enter")


def units(page: Page, doing: str, sku: str):
    """The quantity of a line."""
    return page.get_by_role("spinbutton", name=f"Quantity to {doing} of {sku}", exact=True)


def quantities(rows, case: str, column: str) -> list[int]:
    """One quantity of all lines of an order."""
    order = rows("orders", number=NUMBERS[case])[0]
    return [line[column] for line in rows("order_items", order_id=order["id"])]


def test_an_invoice_takes_all_that_is_left_unless_told_otherwise(sign_in, rows, order):
    page = go(sign_in(), "pending")
    page.get_by_role("link", name="Invoice", exact=True).click()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['pending']}/invoice")
    expect(units(page, "invoice", "RDG-1")).to_have_value("2")
    expect(page.get_by_role("checkbox", name="E-mail customer")).to_be_checked()
    expect(page.get_by_text("Invoice total").locator("xpath=following-sibling::dd")).to_have_text("$71.00")
    press(page, "Create invoice")
    toast(page, "Invoice INV-000004 was created.")
    expect(page.get_by_role("table", name="Invoices").get_by_role("row")).to_have_count(2)
    assert (order("pending")["status"], order("pending")["paid"]) == ("processing", 7100)
    assert [mail["template"] for mail in rows("outbox_emails", entity_id=order("pending")["id"])] == ["order_invoiced"]


def test_a_part_is_invoiced_with_the_steppers_and_the_sums_follow(sign_in, rows, order):
    page = go(sign_in("clerk"), "pending", "/invoice")
    press(page, "One less of RDG-1")
    press(page, "No units")
    expect(page.get_by_text("Invoice total").locator("xpath=following-sibling::dd")).to_have_text("$5.00")
    press(page, "One more of RDG-1")
    page.get_by_role("checkbox", name="E-mail customer").uncheck()
    shown = page.get_by_text("Invoice total").locator("xpath=following-sibling::dd").inner_text()
    press(page, "Create invoice")
    toast(page, "was created.")
    assert quantities(rows, "pending", "qty_invoiced") == [1, 0]
    assert f"${rows('invoices', order_id=order('pending')['id'])[0]['total'] / 100:.2f}" == shown == "$27.00"
    assert rows("outbox_emails", entity_id=order("pending")["id"]) == []
    go(page, "pending", "/invoice")
    expect(units(page, "invoice", "RDG-1")).to_have_value("1")


def test_more_than_is_left_is_refused_beside_the_line_and_nothing_is_lost(sign_in, rows):
    page = go(sign_in(), "pending", "/invoice")
    units(page, "invoice", "RDG-1").fill("7")
    units(page, "invoice", "RDG-2").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Only 2 left to invoice.")).to_have_count(2)
    expect(page.get_by_text("Only 1 left to invoice.")).to_have_count(2)
    expect(units(page, "invoice", "RDG-1")).to_have_attribute("aria-invalid", "true")
    expect(units(page, "invoice", "RDG-1")).to_have_value("7")
    units(page, "invoice", "RDG-1").fill("")
    units(page, "invoice", "RDG-2").fill("0")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose at least one unit to invoice.")).to_be_visible()
    assert rows("invoices", order_id=rows("orders", number=NUMBERS["pending"])[0]["id"]) == []


@pytest.mark.parametrize(
    ("case", "page_of", "why"),
    [
        ("held", "invoice", "Order cannot be invoiced because it is on hold."),
        ("invoiced", "invoice", "Everything in this order has been invoiced already."),
        ("pending", "ship", "Order cannot be shipped because it is pending."),
        ("shipped", "ship", "Order cannot be shipped because it is complete."),
    ],
)
def test_what_cannot_be_done_now_says_why_instead_of_showing_a_form(sign_in, case, page_of, why):
    page = go(sign_in(), case, f"/{page_of}")
    expect(page.get_by_role("alert")).to_have_text(why)
    expect(page.locator("main form")).to_have_count(0)
    page.get_by_role("link", name="Back to order").last.click()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS[case]}")


def test_a_part_is_shipped_with_several_tracking_numbers(sign_in, rows, order):
    page = go(sign_in(), "invoiced")
    page.get_by_role("link", name="Ship", exact=True).click()
    expect(units(page, "ship", "RDG-3")).to_have_value("2")
    units(page, "ship", "RDG-3").press("ArrowDown")
    units(page, "ship", "RDG-4").fill("0")
    for _ in range(3):
        press(page, "Add tracking number")
    expect(page.get_by_role("combobox", name="Carrier 3")).to_be_focused()
    press(page, "Remove tracking number 2")
    pick(page, "Carrier 1", "FedEx")
    expect(page.get_by_role("group", name="Tracking number 1").get_by_text("12 or 15 digits")).to_be_visible()
    page.get_by_role("textbox", name="Tracking number 1").fill("1234 5678 9012")
    pick(page, "Carrier 2", "UPS")
    page.get_by_role("textbox", name="Tracking number 2").fill("1z999aa10123456784")
    page.get_by_role("textbox", name="Title 2").fill("Second parcel")
    press(page, "Create shipment")
    toast(page, "was created.")
    shipment = rows("shipments", order_id=order("invoiced")["id"])[0]
    assert [(t["carrier"], t["title"], t["number"]) for t in rows("shipment_tracks", shipment_id=shipment["id"])] == [
        ("fedex", "FedEx", "123456789012"),
        ("ups", "Second parcel", "1Z999AA10123456784"),
    ]
    assert quantities(rows, "invoiced", "qty_shipped") == [1, 0]
    assert order("invoiced")["status"] == "processing"
    expect(page.get_by_role("article", name=f"Shipment {shipment['number']}")).to_contain_text("Second parcel")


def test_a_wrong_tracking_number_is_told_in_its_row_and_the_rest_stays(sign_in, rows, order):
    page = go(sign_in(), "invoiced", "/ship")
    page.get_by_role("checkbox", name="E-mail customer").uncheck()
    for row, (carrier, tracking) in enumerate((("DHL", "1234567890"), ("FedEx", "12345"), ("USPS", "")), 1):
        press(page, "Add tracking number")
        pick(page, f"Carrier {row}", carrier)
        page.get_by_role("textbox", name=f"Tracking number {row}").fill(tracking)
    units(page, "ship", "RDG-3").fill("3")
    press(page, "Create shipment")
    group = page.get_by_role("group", name="Tracking number 2")
    expect(group.get_by_text("FedEx numbers have 12 or 15 digits.")).to_be_visible()
    expect(
        page.get_by_role("group", name="Tracking number 3").get_by_text("Tracking number is required.")
    ).to_be_visible()
    expect(page.get_by_role("row", name="RDG-3").get_by_text("Only 2 left to ship.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Tracking number 1")).to_have_value("1234567890")
    expect(page.get_by_role("combobox", name="Carrier 2")).to_have_value("FedEx")
    expect(page.get_by_role("checkbox", name="E-mail customer")).not_to_be_checked()
    assert rows("shipments", order_id=order("invoiced")["id"]) == []
    page.get_by_role("textbox", name="Tracking number 2").fill("123456789012345")
    press(page, "Remove tracking number 3")
    units(page, "ship", "RDG-3").fill("2")
    press(page, "Create shipment")
    toast(page, "was created.")
    assert order("invoiced")["status"] == "complete"
    assert [row["template"] for row in rows("outbox_emails", entity_id=order("invoiced")["id"])] == ["order_invoiced"]


def test_what_is_not_paid_does_not_ship(sign_in, shop, rows, order):
    shop.call("invoices.create", number=NUMBERS["transfer"])
    page = go(sign_in("clerk"), "transfer", "/ship")
    expect(page.get_by_role("note")).to_contain_text("Waiting for payment: INV-")
    expect(units(page, "ship", "RDG-2")).to_have_value("0")
    units(page, "ship", "RDG-2").fill("1")
    press(page, "Create shipment")
    expect(page.get_by_role("row", name="RDG-2").get_by_text("Mark the invoice paid before shipping.")).to_be_visible()
    assert rows("shipments", order_id=order("transfer")["id"]) == []


def test_leaving_with_unsaved_quantities_asks_first(sign_in):
    page = go(sign_in(), "invoiced", "/ship")
    press(page, "Add tracking number")
    page.get_by_role("link", name="Cancel", exact=True).click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Stay on this page").click()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['invoiced']}/ship")
    press(page, "Remove tracking number 1")
    page.get_by_role("link", name="Back to order").click()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['invoiced']}")


def test_analysts_find_no_way_to_invoice_or_ship(sign_in):
    page = go(sign_in("analyst"), "invoiced")
    for name in ("Invoice", "Ship"):
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)
    for path in ("invoice", "ship"):
        assert go(page, "invoiced", f"/{path}").get_by_text("Your role may not").count() == 1
