"""The pages of a customer in a real browser: forms with messages, dialogs, merging, erasing, and what a role sees."""

from __future__ import annotations

import re

from people_shop import BLOCKED, QUIET, TWIN
from playwright.sync_api import Page, expect


def press(page: Page, button: str) -> None:
    """Press a button of the page or of the open dialog."""
    page.get_by_role("button", name=button, exact=True).click()


def said(page: Page, text: str) -> None:
    """Wait for a message."""
    expect(page.get_by_role("status").get_by_text(text)).to_be_visible()


def test_a_profile_is_edited_and_its_activity_tells_so(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("textbox", name="Phone").fill("614 555 0199")
    press(page, "Save")
    said(page, "Mara Lindqvist was saved.")
    expect(page.get_by_role("textbox", name="Phone")).to_have_value("+1 614-555-0199")
    page.get_by_role("navigation", name="Customer").get_by_role("link", name="Activity").click()
    expect(page.get_by_role("main")).to_contain_text("Phone: +1 614-555-0134 → +1 614-555-0199")


def test_wrong_fields_are_listed_linked_and_kept(visit):
    page = visit()
    page.goto("/customers/new")
    page.get_by_role("textbox", name="First name").fill("Zoë")
    page.get_by_role("textbox", name="E-mail").fill("ann.odell@mail.example")
    press(page, "Add customer")
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Please check 2 fields")
    expect(page.get_by_role("textbox", name="E-mail")).to_have_accessible_description(
        re.compile("already belongs to Ann")
    )
    summary.get_by_role("link", name="Last name is required.").click()
    expect(page.get_by_role("textbox", name="Last name")).to_be_focused()
    page.keyboard.type("Ng")
    page.get_by_role("textbox", name="E-mail").fill("zoe@mail.example")
    expect(page.get_by_role("textbox", name="First name")).to_have_value("Zoë")
    press(page, "Add customer")
    said(page, "Zoë Ng was added.")


def test_two_people_edit_one_profile(visit):
    mine, theirs = visit(), visit("owner")
    mine.goto(f"/customers/{TWIN}")
    theirs.goto(f"/customers/{TWIN}")
    theirs.get_by_role("textbox", name="Note").fill("Theirs")
    press(theirs, "Save")
    said(theirs, "Mara Lindqvist was saved.")
    mine.get_by_role("textbox", name="Note").fill("Mine")
    press(mine, "Save")
    row = mine.get_by_role("row", name="Note")
    expect(row.get_by_role("cell")).to_have_text(["Theirs", "Mine"])
    expect(mine.get_by_role("main")).to_contain_text("was changed by Olga Owner")
    mine.get_by_role("link", name="Reload theirs").click()
    expect(mine.get_by_role("textbox", name="Note")).to_have_value("Theirs")


def test_regions_follow_the_country_and_the_dialog_keeps_what_was_typed(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}/addresses")
    press(page, "Add address")
    dialog = page.get_by_role("dialog", name="Add address")
    for field, text in (
        ("Label", "Cabin"),
        ("Address line 1", "1 Fir Road"),
        ("City", "Ottawa"),
        ("Postcode", "97205"),
    ):
        dialog.get_by_role("textbox", name=field).fill(text)
    dialog.get_by_role("combobox", name="Country").click()
    page.get_by_role("option", name="Canada").click()
    dialog.get_by_role("combobox", name="State or region").click()
    expect(page.get_by_role("option", name="Oregon")).to_have_count(0)
    page.get_by_role("option", name="Ontario").click()
    dialog.get_by_role("checkbox", name="Use as default shipping address").check()
    dialog.get_by_role("button", name="Add address").click()
    expect(dialog.get_by_text("This is not a valid postcode (Canada).")).to_be_visible()
    expect(dialog.get_by_role("combobox", name="State or region")).to_have_value("Ontario")
    expect(dialog.get_by_role("checkbox", name="Use as default shipping address")).to_be_checked()
    dialog.get_by_role("textbox", name="Postcode").fill("K1A 0B1")
    dialog.get_by_role("button", name="Add address").click()
    said(page, "The address was added.")
    expect(page.get_by_role("listitem", name="Cabin")).to_contain_text("Default shipping")


def test_an_address_is_edited_and_made_the_default(visit):
    page = visit("clerk")
    page.goto(f"/customers/{TWIN}/addresses")
    press(page, "Edit address Office")
    dialog = page.get_by_role("dialog", name="Edit address Office")
    expect(dialog.get_by_role("combobox", name="State or region")).to_have_value("Ohio")
    dialog.get_by_role("textbox", name="Company").fill("Birch & Daughters")
    dialog.get_by_role("button", name="Save address").click()
    said(page, "The address was saved.")
    press(page, "Make Office the default billing address")
    said(page, "Office is now the default billing address.")
    expect(page.get_by_role("listitem", name="Office")).to_contain_text("Birch & Daughters")


def test_blocking_asks_first(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    press(page, "Block")
    page.get_by_role("dialog", name="Block Mara Lindqvist?").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    press(page, "Block")
    press(page, "Block the customer")
    said(page, "Mara Lindqvist is now blocked.")
    press(page, "Unblock")
    said(page, "Mara Lindqvist is active again.")


def test_twins_are_compared_swapped_and_merged(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("link", name="Merge").click()
    page.get_by_role("link", name="Compare with customer 1").click()
    expect(page.get_by_role("region", name="This account goes")).to_contain_text("mara.l@post.example")
    page.get_by_role("link", name="Swap direction").click()
    expect(page.get_by_role("region", name="This account goes")).to_contain_text("m.ist@mail.example")
    press(page, f"Merge customer 1 into {TWIN}")
    said(page, f"Mara Lindqvist (customer 1) was merged into customer {TWIN}.")
    expect(page.get_by_role("link", name="Orders 13")).to_be_visible()


def test_erasing_takes_the_owner_and_the_typed_address(visit):
    page = visit("owner")
    page.goto(f"/customers/{QUIET}")
    press(page, "Erase")
    dialog = page.get_by_role("dialog", name="Erase personal data?")
    dialog.get_by_role("textbox").fill("quiet@mail.exampl")
    press(page, "Erase personal data")
    expect(dialog.get_by_text("Type the e-mail address exactly as shown to confirm.")).to_be_visible()
    dialog.get_by_role("textbox").fill("quiet@mail.example")
    press(page, "Erase personal data")
    said(page, "Personal data was erased.")
    expect(page.get_by_role("heading", level=1, name="Erased")).to_be_visible()
    expect(page.get_by_role("button", name="Erase")).to_have_count(0)


def test_a_manager_who_tries_to_erase_is_told_so(visit):
    page = visit()
    page.goto(f"/customers/{QUIET}")
    press(page, "Erase")
    page.get_by_role("dialog").get_by_role("textbox").fill("quiet@mail.example")
    press(page, "Erase personal data")
    expect(page.get_by_role("heading", name="You may not do this")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Your role may not erase customers.")


def test_a_clerk_has_the_fields_of_a_clerk(visit):
    page = visit("clerk")
    page.goto(f"/customers/{TWIN}")
    expect(page.get_by_role("textbox", name="First name")).to_be_disabled()
    expect(page.get_by_role("textbox", name="Phone")).to_be_enabled()
    merge = page.get_by_role("button", name="Merge")
    expect(merge).to_have_attribute("aria-disabled", "true")
    expect(merge).to_have_attribute("title", "Your role may not merge customers.")
    page.get_by_role("textbox", name="Note").fill("Called back")
    press(page, "Save")
    said(page, "Mara Lindqvist was saved.")


def test_an_analyst_only_looks(visit):
    page = visit("analyst")
    page.goto(f"/customers/{BLOCKED}")
    expect(page.get_by_role("main")).to_contain_text("+4• •• •••• •123")
    expect(page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    page.goto(f"/customers/{TWIN}/addresses")
    expect(page.get_by_role("button", name="Add address")).to_have_count(0)


def test_the_tree_keeps_the_lines_of_an_address_apart(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    expect(page.get_by_role("region", name="Default shipping address")).to_match_aria_snapshot("""
      - text: Mara Lindqvist 12 Juniper Lane Apt 4 Portland, Oregon 97205 United States +1 503-555-0123
    """)
