"""The order page in a real browser: what a person does there ends in the database, and what is refused does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hands import HOST, choose, go, press, toast
from playwright.sync_api import expect
from small_shop import LONG_NAME, NUMBERS

TABS = ("", "/invoices", "/shipments", "/refunds", "/returns", "/comments", "/history")


def shipment_of(rows: Callable[..., list[dict[str, Any]]], case: str, position: int = 0) -> dict[str, Any]:
    """A shipment of the order of a case, oldest first."""
    return rows("shipments", order_id=rows("orders", number=NUMBERS[case])[0]["id"])[position]


def test_canceling_with_a_reason_cancels_and_mails(sign_in, order, rows):
    page = go(sign_in(), "pending")
    press(page, "Cancel order")
    expect(page.get_by_role("dialog").get_by_role("checkbox", name="E-mail customer")).to_be_checked()
    choose(page, "Reason", "Out of stock")
    press(page, "Cancel the order")
    toast(page, f"Order {NUMBERS['pending']} was canceled.")
    assert (order("pending")["status"], order("pending")["cancel_reason"]) == ("canceled", "out_of_stock")
    assert [mail["template"] for mail in rows("outbox_emails", entity_id=order("pending")["id"])] == ["order_canceled"]
    expect(page.get_by_role("button", name="Cancel order")).to_have_count(0)
    expect(page.get_by_text("Canceled: Out of stock.")).to_be_visible()


def test_canceling_without_a_reason_says_so_and_keeps_what_was_ticked(sign_in, order):
    page = go(sign_in(), "pending")
    press(page, "Cancel order")
    page.get_by_role("dialog").get_by_role("checkbox", name="E-mail customer").uncheck()
    press(page, "Cancel the order")
    dialog = page.get_by_role("dialog", name=f"Cancel order {NUMBERS['pending']}")
    expect(dialog.get_by_text("Choose a reason.", exact=True)).to_be_visible()
    expect(dialog.get_by_role("combobox", name="Reason")).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_role("checkbox", name="E-mail customer")).not_to_be_checked()
    assert order("pending")["status"] == "pending"
    page.reload()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['pending']}/cancel")
    page.goto(f"/orders/{NUMBERS['pending']}/cancel")
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['pending']}")


@pytest.mark.parametrize("case", ["invoiced", "shipped"])
def test_an_invoiced_order_says_why_it_cannot_be_canceled(sign_in, order, case):
    page = go(sign_in(), case)
    before = order(case)
    press(page, "Cancel order")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_have_text("Order cannot be canceled because it has been invoiced.")
    expect(dialog.get_by_role("link", name="INV-")).to_have_count(1)
    press(page, "OK")
    expect(dialog).to_have_count(0)
    assert order(case) == before


def test_a_form_that_came_too_late_is_refused_by_the_rule_too(sign_in, shop, order):
    page = go(sign_in(), "pending")
    press(page, "Cancel order")
    shop.call("invoices.create", number=NUMBERS["pending"])
    page.locator("#cancel-dialog input[name=v]").evaluate("(input, v) => { input.value = v }", order("pending")["v"])
    choose(page, "Reason", "Fraud")
    press(page, "Cancel the order")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("it has been invoiced")
    assert order("pending")["status"] == "processing"


def test_holding_and_releasing_bring_the_order_back_to_where_it_was(sign_in, order):
    page = go(sign_in(), "invoiced")
    press(page, "Hold")
    choose(page, "Reason", "Address check")
    press(page, "Put on hold")
    toast(page, "is on hold.")
    assert (order("invoiced")["status"], order("invoiced")["hold_reason"]) == ("on_hold", "address_check")
    press(page, "Release from hold")
    toast(page, "was released.")
    assert (order("invoiced")["status"], order("invoiced")["hold_reason"]) == ("processing", None)


def test_fraud_reviews_are_accepted_or_rejected(sign_in, order, shop):
    page = go(sign_in(), "fraud")
    press(page, "Accept order")
    press(page, "Accept the order")
    toast(page, "passed the fraud review.")
    assert order("fraud")["status"] == "pending"
    shop.reset()
    page.context.add_cookies([shop.sign_in("manager").for_browser()])
    go(page, "fraud")
    press(page, "Reject order")
    press(page, "Reject and cancel")
    toast(page, "was rejected and canceled.")
    assert (order("fraud")["status"], order("fraud")["cancel_reason"]) == ("canceled", "fraud")


def test_the_region_follows_the_country_and_mistakes_are_told_beside_their_fields(sign_in, rows, order):
    page = go(sign_in(), "pending")
    press(page, "Edit shipping address")
    dialog = page.get_by_role("dialog", name="Edit shipping address")
    dialog.get_by_role("textbox", name="Address line 1").fill("10 Rue Sainte-Anne")
    choose(page, "Country", "Canada")
    expect(dialog.get_by_role("combobox", name="State or region")).to_have_value("")
    press(page, "Save address")
    expect(dialog.get_by_text("This is not a valid postcode (Canada).")).to_be_visible()
    expect(dialog.get_by_text("State or region is required.")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Address line 1")).to_have_value("10 Rue Sainte-Anne")
    dialog.get_by_role("combobox", name="State or region").click()
    expect(page.get_by_role("option", name="Oregon")).to_have_count(0)
    page.get_by_role("option", name="Quebec").click()
    dialog.get_by_role("textbox", name="City").fill("Montréal")
    dialog.get_by_role("textbox", name="Postcode").fill("h2x 1y4")
    press(page, "Save address")
    toast(page, "The shipping address of order")
    saved = {row["kind"]: row for row in rows("order_addresses", order_id=order("pending")["id"])}
    assert [saved["shipping"][name] for name in ("line1", "line2", "city", "city_key", "region", "postcode")] == [
        "10 Rue Sainte-Anne", "Apt 4", "Montréal", "montreal", "QC", "H2X 1Y4"
    ]  # fmt: skip
    assert saved["billing"]["country"] == "US"
    expect(page.get_by_role("region", name="Shipping address")).to_contain_text("Montréal, Quebec H2X 1Y4")


def test_saving_an_unchanged_address_writes_nothing(sign_in, rows):
    page = go(sign_in(), "pending")
    before = (rows("order_addresses"), rows("audit_log"), rows("order_events"))
    press(page, "Edit billing address")
    press(page, "Save address")
    toast(page, "Nothing was changed")
    assert (rows("order_addresses"), rows("audit_log"), rows("order_events")) == before


def test_an_address_is_locked_after_the_first_shipment(sign_in):
    page = go(sign_in(), "shipped")
    press(page, "Edit shipping address")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("The address is locked after shipment.")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_count(0)


def test_tracking_goes_to_the_shipment_it_was_added_at(sign_in, rows):
    page = go(sign_in(), "two parcels", "/shipments")
    first, second = (shipment_of(rows, "two parcels", n) for n in range(2))
    expect(page.get_by_role("article", name=f"Shipment {first['number']}")).to_contain_text("RDG-3")
    article = page.get_by_role("article", name=f"Shipment {second['number']}")
    article.get_by_role("button", name="Add tracking").click()
    dialog = page.get_by_role("dialog", name=f"Add tracking to {second['number']}")
    choose(page, "Carrier", "FedEx")
    dialog.get_by_role("textbox", name="Tracking number").fill("12345")
    press(page, "Add tracking number")
    expect(dialog.get_by_text("FedEx numbers have 12 or 15 digits.")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Tracking number")).to_be_focused()
    expect(dialog.get_by_role("combobox", name="Carrier")).to_have_value("FedEx")
    expect(dialog.get_by_role("textbox", name="Tracking number")).to_have_value("12345")
    assert rows("shipment_tracks") == []
    dialog.get_by_role("textbox", name="Tracking number").fill("123456789012")
    press(page, "Add tracking number")
    toast(page, f"The tracking number was added to {second['number']}.")
    (track,) = rows("shipment_tracks")
    assert (track["shipment_id"], track["carrier"], track["number"]) == (second["id"], "fedex", "123456789012")
    expect(article).to_contain_text("123456789012")
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['two parcels']}/shipments")


def test_tracking_is_added_from_the_page_of_a_shipment_too(sign_in, rows):
    number = shipment_of(rows, "shipped")["number"]
    page = sign_in()
    page.goto(f"/shipments/{number}")
    press(page, "Add tracking")
    press(page, "Add tracking number")
    expect(page.get_by_role("dialog").get_by_text("Carrier is required.")).to_be_visible()
    choose(page, "Carrier", "Other")
    page.get_by_role("dialog").get_by_role("textbox", name="Tracking number").fill("LOCAL 7")
    page.get_by_role("dialog").get_by_role("textbox", name="Title").fill("Bike courier")
    press(page, "Add tracking number")
    toast(page, "was added to")
    assert [(row["title"], row["number"]) for row in rows("shipment_tracks")] == [("Bike courier", "LOCAL 7")]
    expect(page).to_have_url(f"{HOST}/shipments/{number}")


def test_a_comment_goes_to_the_customer_unless_the_tick_is_taken_off(sign_in, rows):
    page = go(sign_in(), "guest", "/comments")
    page.get_by_role("textbox", name="Comment").fill("Packed & <ready>")
    expect(page.get_by_text("16 of 1,000 characters")).to_be_visible()
    press(page, "Add comment")
    toast(page, "The comment was added and e-mailed")
    page.get_by_role("textbox", name="Comment").fill("Watch this one")
    page.get_by_role("checkbox", name="Notify customer by e-mail").uncheck()
    press(page, "Add comment")
    toast(page, "The comment was added.")
    assert [(row["body"], row["notify_customer"]) for row in rows("order_events", kind="comment")] == [
        ("Packed & <ready>", 1),
        ("Watch this one", 0),
    ]
    assert [row["to_email"] for row in rows("outbox_emails", template="order_comment")] == ["soren@guest.example"]
    newest, oldest = page.get_by_role("article").all()
    expect(newest).to_contain_text("Internal")
    expect(oldest).to_contain_text("Sent to customer")
    expect(oldest).to_contain_text("Packed & <ready>")


def test_an_empty_comment_is_refused_and_the_untouched_tick_stays_off(sign_in, rows):
    page = go(sign_in(), "guest", "/comments")
    page.get_by_role("checkbox", name="Notify customer by e-mail").uncheck()
    press(page, "Add comment")
    expect(page.get_by_text("Write a comment first.")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Notify customer by e-mail")).not_to_be_checked()
    assert rows("order_events", kind="comment") == []


def test_pressing_twice_sends_one_comment(sign_in, rows):
    page = go(sign_in(), "guest", "/comments")
    page.get_by_role("textbox", name="Comment").fill("Once")
    page.get_by_role("button", name="Add comment").dblclick()
    toast(page, "The comment was added")
    assert len(rows("order_events", kind="comment")) == 1


def test_a_half_written_comment_is_not_lost_by_a_click(sign_in):
    page = go(sign_in(), "guest", "/comments")
    page.get_by_role("textbox", name="Comment").fill("Half a thou")
    page.get_by_role("link", name="History").click()
    press(page, "Stay on this page")
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("Half a thou")


def test_who_was_slower_sees_both_values_and_may_overwrite(sign_in, shop, rows, order):
    page = go(sign_in(), "pending")
    press(page, "Edit shipping address")
    shop.call("orders.edit_address", actor="clerk", number=NUMBERS["pending"], kind="shipping", city="Salem")
    page.get_by_role("dialog").get_by_role("textbox", name="City").fill("Eugene")
    press(page, "Save address")
    expect(page.get_by_role("alert")).to_contain_text("Carl Clerk")
    expect(page.get_by_role("row", name="City")).to_have_text(re.compile("City.*Salem.*Eugene"))
    press(page, "Overwrite with mine")
    toast(page, "The shipping address of order")
    (address,) = rows("order_addresses", order_id=order("pending")["id"], kind="shipping")
    assert address["city"] == "Eugene"


def test_assigning_and_tagging(sign_in, rows, order):
    page = go(sign_in(), "pending", "/history")
    press(page, "Assign")
    choose(page, "Assigned to", "Nina Manager (Manager)")
    press(page, "Save")
    toast(page, "is assigned to Nina Manager.")
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['pending']}/history")
    press(page, "Edit tags")
    page.get_by_role("combobox", name="Tags").click()
    page.get_by_role("option", name="rush").click()
    page.get_by_role("option", name="vip").click()
    page.keyboard.press("Escape")
    press(page, "Save")
    toast(page, "The tags of order")
    assert order("pending")["assigned_to"] == 3
    assert len(rows("order_tags", order_id=order("pending")["id"])) == 2
    expect(page.get_by_role("table", name="Audit trail").get_by_role("row")).to_have_count(3)


def test_an_analyst_finds_hidden_disabled_and_forbidden_controls(sign_in, rows, order):
    page = go(sign_in("analyst"), "held")
    for hidden in ("Assign", "Edit tags", "Comment"):
        expect(page.get_by_text(hidden, exact=True)).to_have_count(0)
    edit = page.get_by_role("button", name="Edit shipping address")
    expect(edit).to_have_attribute("aria-disabled", "true")
    expect(edit).to_have_attribute("title", "Your role may not edit order addresses.")
    expect(page.get_by_text("503-555-0123")).to_have_count(0)
    press(page, "Release from hold")
    expect(page.get_by_text("Your role may not release orders from hold.")).to_be_visible()
    assert order("held")["status"] == "on_hold"
    assert rows("audit_log")[-1]["action"] == "denied"


def test_every_tab_of_every_order_renders_and_is_on_record(sign_in, shop):
    page = sign_in()
    seen = len(shop.views())
    for case in NUMBERS:
        for tab in TABS:
            response = page.goto(f"/orders/{NUMBERS[case]}{tab}")
            assert response is not None
            assert response.status == 200, (case, tab)
    paths = [view.path for view in shop.views()[seen:]]
    assert paths == [f"/orders/{number}{tab}" for number in NUMBERS.values() for tab in TABS]


def test_tabs_lead_on_and_crumbs_lead_back(sign_in):
    page = go(sign_in(), "shipped")
    page.get_by_role("navigation", name="Order").get_by_role("link", name="Invoices").click()
    page.get_by_role("link", name="INV-").click()
    expect(page.get_by_role("heading", name="Invoice INV-", level=1)).to_be_visible()
    expect(page.get_by_label("Totals")).to_contain_text("Grand total")
    crumbs = page.get_by_role("navigation", name="Breadcrumbs")
    crumbs.get_by_role("link", name=f"Order {NUMBERS['shipped']}").click()
    expect(page.get_by_role("heading", name=f"Order {NUMBERS['shipped']}", level=1)).to_be_visible()


def test_a_guest_has_no_account_to_follow(sign_in):
    page = go(sign_in(), "guest")
    customer = page.get_by_role("region", name="Customer")
    expect(customer).to_contain_text("Søren Ång Guest")
    expect(customer.get_by_role("link")).to_have_count(0)


def test_long_names_and_notes_stay_inside_the_page(sign_in):
    page = go(sign_in(), "long")
    expect(page.get_by_role("region", name="Customer")).to_contain_text(LONG_NAME)
    expect(page.get_by_text("no. 14 <not no. 41>")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize(
    "path", ["/orders/999999", "/invoices/INV-999999", "/shipments/SHP-999999", "/orders/x/nonsense"]
)
def test_what_does_not_exist_is_not_found(sign_in, path):
    response = sign_in().goto(path)
    assert response is not None
    assert response.status == 404


def test_the_keyboard_alone_cancels_an_order(sign_in, order):
    page = go(sign_in(), "pending")
    page.get_by_role("button", name="Cancel order").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Reason")).to_be_focused()
    page.keyboard.type("Dup")
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Cancel the order")).to_be_focused()
    page.keyboard.press("Enter")
    toast(page, "was canceled.")
    assert order("pending")["cancel_reason"] == "duplicate"
