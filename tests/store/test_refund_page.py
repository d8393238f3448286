"""The page that refunds an order, in a real browser: sums that follow, limits that are told, and what is written."""

from __future__ import annotations

from hands import go, press, toast
from playwright.sync_api import Page, expect
from small_shop import NUMBERS


def units(page: Page, sku: str):
    """The quantity of a line."""
    return page.get_by_role("spinbutton", name=f"Quantity to refund of {sku}", exact=True)


def total(page: Page):
    """What the page says the refund comes to."""
    return page.get_by_text("Refund total").locator("xpath=following-sibling::dd")


def refund_of(rows, case: str) -> dict:
    """The newest refund of an order."""
    order = rows("orders", number=NUMBERS[case])[0]
    return rows("refunds", order_id=order["id"])[-1]


def test_everything_is_refunded_and_restocked_unless_told_otherwise(sign_in, rows, order):
    page = go(sign_in(), "shipped")
    page.get_by_role("link", name="Refund", exact=True).click()
    expect(page.get_by_role("checkbox", name="Restock RDG-3")).to_be_checked()
    expect(page.get_by_role("textbox", name="Shipping")).to_have_value("5.00")
    expect(page.get_by_role("combobox", name="Refund method")).to_have_value("Original payment method (Card)")
    expect(total(page)).to_have_text("$71.00")
    before = rows("stock", variant_id=3)[0]["on_hand"]
    press(page, "Create refund")
    toast(page, "Refund CM-000001 was issued.")
    expect(page.get_by_role("table", name="Refunds").get_by_role("link", name="CM-000001")).to_be_visible()
    assert (order("shipped")["status"], order("shipped")["refunded"]) == ("closed", 7100)
    assert rows("stock", variant_id=3)[0]["on_hand"] == before + 2


def test_one_unit_without_shipping_and_without_restocking(sign_in, rows, order):
    page = go(sign_in(), "shipped", "/refund")
    press(page, "No units")
    press(page, "One more of RDG-3")
    page.get_by_role("textbox", name="Shipping").fill("0")
    page.get_by_role("checkbox", name="Restock RDG-3").uncheck()
    page.get_by_role("textbox", name="Fee").fill("1.50")
    page.get_by_role("combobox", name="Refund method").fill("Store credit")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Reason").fill("Torn strap")
    expect(total(page)).to_have_text("$20.50")
    before = rows("stock", variant_id=3)[0]["on_hand"]
    press(page, "Create refund")
    toast(page, "was issued.")
    made = refund_of(rows, "shipped")
    assert (made["total"], made["shipping"], made["fee"], made["method"], made["reason"]) == (
        2050, 0, 150, "store_credit", "Torn strap",
    )  # fmt: skip
    assert rows("store_credit_entries", refund_id=made["id"])[0]["delta"] == 2050
    assert rows("stock", variant_id=3)[0]["on_hand"] == before
    assert order("shipped")["status"] == "complete"


def test_amounts_that_are_wrong_are_told_all_at_once_and_kept(sign_in, rows):
    page = go(sign_in(), "shipped", "/refund")
    units(page, "RDG-3").fill("9")
    page.get_by_role("textbox", name="Shipping").fill("five")
    page.get_by_role("textbox", name="Reason").fill("Kept")
    press(page, "Create refund")
    expect(page.get_by_text("Shipping must be an amount such as 1,250.00.").last).to_be_visible()
    page.get_by_role("textbox", name="Shipping").fill("6")
    page.get_by_role("textbox", name="Fee").fill("-2")
    units(page, "RDG-3").fill("1")
    press(page, "Create refund")
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text(
        ["Enter 0.00 or more.", "At most $5.00 can be refunded."]
    )
    page.get_by_role("alert").get_by_role("link", name="At most $5.00 can be refunded.").click()
    expect(page.get_by_role("textbox", name="Shipping")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("0")
    page.get_by_role("textbox", name="Fee").fill("0")
    press(page, "No units")
    expect(total(page)).to_have_text("$0.00")
    press(page, "Create refund")
    expect(page.get_by_text("A refund must be more than 0.00.")).to_be_visible()
    page.get_by_role("textbox", name="Adjustment").fill("500")
    expect(page.get_by_text("More than can be refunded.")).to_be_visible()
    press(page, "Create refund")
    expect(page.get_by_text("At most $71.00 can be refunded.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("Kept")
    assert rows("refunds") == []


def test_a_clerk_is_told_that_more_than_the_limit_waits(sign_in, rows, order):
    page = go(sign_in("clerk"), "shipped", "/refund")
    banner = page.get_by_text("This refund is over your limit of $10.00; it goes to a manager for approval.")
    expect(banner).to_be_visible()
    press(page, "No units")
    expect(banner).to_be_hidden()
    press(page, "All units")
    press(page, "Create refund")
    toast(page, "is over your limit and waits for a manager's approval.")
    assert refund_of(rows, "shipped")["status"] == "pending_approval"
    assert (order("shipped")["status"], order("shipped")["refunded"]) == ("complete", 0)
    go(page, "shipped", "/refund")
    expect(page.get_by_text("Already waiting for approval: CM-000001 over $71.00.")).to_be_visible()


def test_what_was_not_shipped_has_nothing_to_restock(sign_in, rows, order):
    page = go(sign_in(), "invoiced", "/refund")
    expect(page.get_by_role("checkbox")).to_have_count(0)
    expect(page.get_by_text("Not shipped", exact=True)).to_have_count(2)
    units(page, "RDG-4").fill("0")
    press(page, "Create refund")
    toast(page, "was issued.")
    assert [line["qty_canceled"] for line in rows("order_items", order_id=order("invoiced")["id"])] == [2, 0]


def test_what_cannot_be_refunded_says_why(sign_in, shop):
    page = go(sign_in(), "pending", "/refund")
    expect(page.get_by_role("alert")).to_have_text("Order cannot be refunded because it is pending.")
    shop.call("invoices.create", number=NUMBERS["transfer"])
    go(page, "transfer", "/refund")
    expect(page.get_by_role("alert")).to_have_text("Nothing has been paid for this order that could be refunded.")
    page = go(sign_in("analyst"), "shipped")
    expect(page.get_by_role("button", name="Refund", exact=True)).to_have_attribute("aria-disabled", "true")
