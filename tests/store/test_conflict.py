"""Somebody was faster: both values field by field, and four ways on; the same for dialogs, pages and scripts."""

from __future__ import annotations

import json

import pytest
from hands import HOST, go, press, toast
from playwright.sync_api import Page, expect
from sitegym.sites.kit import csrf
from sitegym.sites.kit.page_forms import forms_of
from small_shop import HOME, NUMBERS

THEIRS = {**HOME, "company": "", "line2": "Apt 9", "phone": "+1 503 555 0199", "city": "Salem"}


def meet(shop, page: Page, **typed: str) -> Page:
    """Type into the shipping address of an order that a colleague saves in the meantime."""
    go(page, "pending")
    press(page, "Edit shipping address")
    for label, text in typed.items():
        page.get_by_role("dialog").get_by_role("textbox", name=label.replace("_", " "), exact=True).fill(text)
    shop.call("orders.edit_address", actor="owner", number=NUMBERS["pending"], kind="shipping", **THEIRS)
    press(page, "Save address")
    expect(page.get_by_role("heading", name="Somebody was faster")).to_be_visible()
    return page


def saved(rows) -> tuple[str, ...]:
    """The shipping address as it is now."""
    order = rows("orders", number=NUMBERS["pending"])[0]
    address = rows("order_addresses", order_id=order["id"], kind="shipping")[0]
    return tuple(address[name] for name in ("line1", "line2", "city", "phone"))


def test_merging_keeps_what_each_of_the_two_changed(sign_in, shop, rows):
    page = meet(shop, sign_in("clerk"), Address_line_1="15 Juniper Lane")
    expect(page.get_by_role("alert")).to_contain_text(
        "Shipping address was changed by Olga Owner on Mar 18, 2026, 10:00"
    )
    headings = page.get_by_role("table", name="What differs").get_by_role("rowheader")
    expect(headings).to_have_text(["Address line 1", "Address line 2", "City", "Phone"])
    expect(page.get_by_role("radio", name="Address line 1: mine")).to_be_checked()
    expect(page.get_by_role("radio", name="City: theirs")).to_be_checked()
    expect(page.get_by_role("button", name="Overwrite with mine")).to_have_count(0)
    assert saved(rows) == ("12 Juniper Lane", "Apt 9", "Salem", "+15035550199")
    press(page, "Save merged")
    toast(page, "The shipping address of order")
    assert saved(rows) == ("15 Juniper Lane", "Apt 9", "Salem", "+15035550199")


def test_each_field_can_be_taken_from_the_other_side_by_keyboard(sign_in, shop, rows):
    page = meet(shop, sign_in("clerk"), City="Eugene", Address_line_1="15 Juniper Lane")
    page.get_by_role("radio", name="Address line 1: mine").focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("radio", name="Phone: theirs").press("ArrowRight")
    press(page, "Save merged")
    toast(page, "The shipping address of order")
    assert saved(rows) == ("12 Juniper Lane", "Apt 9", "Eugene", "+15035550123")


def test_a_manager_may_overwrite_with_everything_typed(sign_in, shop, rows):
    page = meet(shop, sign_in("manager"), Address_line_1="15 Juniper Lane")
    press(page, "Overwrite with mine")
    toast(page, "The shipping address of order")
    assert saved(rows) == ("15 Juniper Lane", "Apt 4", "Portland", "+15035550123")


def test_a_second_change_in_between_is_a_second_conflict(sign_in, shop, rows):
    page = meet(shop, sign_in("manager"), Address_line_1="15 Juniper Lane")
    shop.call("orders.edit_address", actor="owner", number=NUMBERS["pending"], kind="shipping", line2="Apt 11")
    press(page, "Save merged")
    expect(page.get_by_role("radio", name="Address line 2: theirs")).to_be_visible()
    expect(page.get_by_role("row", name="Address line 2")).to_contain_text("Apt 11")
    assert saved(rows) == ("12 Juniper Lane", "Apt 11", "Salem", "+15035550199")


def test_reloading_theirs_keeps_my_text_at_hand(sign_in, shop, rows):
    page = meet(shop, sign_in("clerk"), Address_line_1="15 Juniper Lane")
    page.get_by_role("link", name="Reload theirs").click()
    expect(page).to_have_url(f"{HOST}/orders/{NUMBERS['pending']}")
    kept = page.get_by_role("complementary", name="What you entered")
    expect(kept).to_contain_text("15 Juniper Lane")
    kept.get_by_role("button", name="Copy your Address line 1").click()
    expect(kept.get_by_role("button", name="Copy your Address line 1")).to_have_text("Copied")
    press(page, "Edit shipping address")
    box = page.get_by_role("dialog").get_by_role("textbox", name="Address line 1")
    expect(page.get_by_role("dialog").get_by_role("textbox", name="City")).to_have_value("Salem")
    box.fill("")
    box.press("ControlOrMeta+v")
    press(page, "Save address")
    toast(page, "The shipping address of order")
    assert saved(rows)[0] == "15 Juniper Lane"
    press(page, "Close what you entered")
    expect(kept).to_have_count(0)


def test_quantities_on_a_page_of_their_own_take_part_too(sign_in, shop, rows, order):
    page = go(sign_in("clerk"), "invoiced", "/ship")
    press(page, "One less of RDG-3")
    press(page, "Add tracking number")
    page.get_by_role("combobox", name="Carrier 1").fill("DHL")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Tracking number 1").fill("1234567890")
    shop.call("orders.tag", number=NUMBERS["invoiced"], add=["rush"])
    press(page, "Create shipment")
    expect(page.get_by_role("alert")).to_contain_text(f"Order {NUMBERS['invoiced']} was changed by Max Manager")
    expect(page.get_by_role("table", name="What differs").get_by_role("rowheader")).to_have_text(
        ["Quantity to ship of RDG-3"]
    )
    press(page, "Save merged")
    toast(page, "was created.")
    shipment = rows("shipments", order_id=order("invoiced")["id"])[0]
    assert [line["qty"] for line in rows("shipment_items", shipment_id=shipment["id"])] == [1, 1]
    assert [track["number"] for track in rows("shipment_tracks", shipment_id=shipment["id"])] == ["1234567890"]


def test_a_form_that_is_gone_offers_no_merge(sign_in, shop, order):
    page = go(sign_in("clerk"), "pending")
    press(page, "Hold")
    page.get_by_role("dialog").get_by_role("combobox", name="Reason").fill("Other")
    page.keyboard.press("Enter")
    shop.call("orders.cancel", actor="owner", number=NUMBERS["pending"], reason="fraud")
    press(page, "Put on hold")
    expect(page.get_by_role("heading", name="Somebody was faster")).to_be_visible()
    expect(page.get_by_role("button", name="Save merged")).to_have_count(0)
    page.get_by_role("link", name="Reload theirs").click()
    expect(page.get_by_text("Canceled: Fraud.")).to_be_visible()
    assert order("pending")["status"] == "canceled"


def test_scripts_get_a_conflict_as_json(ask):
    clerk = ask("clerk")
    fields = {"v": "0", "phone": "+1 614 555 0134", csrf.FIELD: csrf.token(clerk.world.secret, clerk.token)}
    answer = clerk.ask("POST", "/customers/1", data=fields, headers={"Accept": "application/json"})
    assert answer.status_code == 409
    assert json.loads(answer.get_data(as_text=True))["code"] == "STALE"


def test_looking_at_the_form_again_is_nobodys_view(ask):
    clerk = ask("clerk")
    clerk.get("/customers/1")
    before = len(clerk.moment.views.all())
    assert clerk.post("/customers/1", {"v": "0", "phone": "+1 614 555 0134"}).status_code == 409
    assert [view.path for view in clerk.moment.views.all()[before:]] == ["/customers/1"]


@pytest.mark.parametrize(
    ("html", "fields"),
    [
        pytest.param('<label for=a>Name <i aria-hidden=true>*</i></label><input id=a name=n value="x &amp; y">',
                     [("n", "Name", ["x & y"])], id="a-label-without-what-is-hidden"),
        pytest.param("<label>Rush <input type=checkbox name=n value=1 checked></label>", [("n", "Rush", ["1"])],
                     id="a-label-around-a-box"),
        pytest.param("<select name=n aria-label=City><option value=1>A<option value=2 selected>B</select>",
                     [("n", "City", ["2"])], id="options-that-are-not-closed"),
        pytest.param("<select name=n aria-label=City><option>A</option><option>B</option></select>",
                     [("n", "City", ["A"])], id="the-first-option-is-chosen"),
        pytest.param("<textarea name=n aria-label=Note>\n two\nlines</textarea>", [("n", "Note", [" two\nlines"])],
                     id="a-text-of-several-lines"),
        pytest.param("<input name=n disabled><template><input name=m></template><input type=file name=f>", [],
                     id="what-is-not-sent"),
    ],
)  # fmt: skip
def test_a_page_is_read_as_a_browser_would_send_it(html, fields):
    (form,) = forms_of(f"<form method=post action='go?x=1'>{html}</form><form><input name=q></form>", "/here/there")
    assert form.action == "/here/go"
    assert [(each.name, each.label, each.values) for each in form.fields.values()] == fields


def test_passwords_are_not_repeated_on_the_page(ask):
    clerk = ask("clerk")
    answer = clerk.post("/customers/1", {"v": "0", "phone": "+1 614 555 0134", "new_password": "hunter22"})
    assert answer.status_code == 409
    assert "hunter22" not in answer.get_data(as_text=True)
