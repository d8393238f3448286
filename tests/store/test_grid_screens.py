"""Lists and their widgets in a real browser: comboboxes, dates, chips, sorting, choosing rows, all by keyboard too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from small_shop import NUMBERS


def shows(page: Page, *rows: str) -> None:
    """Wait until the table lists exactly these, in this order."""
    expect(page.locator("td.primary")).to_have_text(list(rows))


def shows_rows(page: Page, count: int) -> None:
    """Wait until the table has that many rows."""
    expect(page.locator("td.primary")).to_have_count(count)


def open_filters(page: Page, path: str = "/orders") -> None:
    """Open a list and its panel."""
    page.goto(path)
    page.get_by_role("button", name="Filters").click()


def test_a_filter_is_set_by_keyboard_alone(visit):
    page = visit()
    page.goto("/orders")
    page.get_by_role("button", name="Filters").focus()
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Status", exact=True).focus()
    page.keyboard.type("frau")
    page.keyboard.press("Enter")
    page.keyboard.type("hold")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Remove Fraud review")).to_be_visible()
    page.get_by_role("button", name="Apply filters").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape("/orders?f=status:in:fraud_review")))
    shows(page, NUMBERS["held"], NUMBERS["fraud"])
    expect(page.get_by_role("list", name="Active filters")).to_contain_text("Status: Fraud review or On hold")


def test_a_filter_is_set_by_mouse_and_taken_away_by_its_chip(visit):
    page = visit()
    open_filters(page)
    page.get_by_role("combobox", name="Status", exact=True).click()
    page.get_by_role("option", name="Canceled").click()
    expect(page.get_by_role("option", name="Canceled")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Apply filters").click()
    shows(page, "100136")
    page.get_by_role("link", name="Remove filter Status").click()
    expect(page.get_by_role("status").filter(has_text="14 orders")).to_be_visible()
    expect(page).to_have_url(re.compile("/orders$"))


def test_the_tree_tells_role_name_and_state_of_a_combobox(visit):
    page = visit()
    open_filters(page, "/orders?f=status:in:pending|on_hold")
    expect(page.get_by_role("form", name="Filters")).to_match_aria_snapshot("""
      - text: Status Pending
      - button "Remove Pending"
      - text: On hold
      - button "Remove On hold"
      - combobox "Status"
    """)
    page.get_by_role("combobox", name="Status", exact=True).click()
    expect(page.get_by_role("listbox", name="Status")).to_match_aria_snapshot("""
      - listbox "Status":
        - option "Pending" [selected]
        - option "Processing"
        - option "On hold" [selected]
    """)


def test_text_that_is_no_option_falls_back_to_what_was_chosen(visit):
    page = visit()
    page.goto("/customers/3")
    group = page.get_by_role("combobox", name="Group")
    expect(group).to_have_value("VIP")
    group.fill("royal")
    expect(page.get_by_role("listbox", name="Group")).to_contain_text("Nothing matches")
    page.get_by_role("textbox", name="Note").focus()
    expect(group).to_have_value("VIP")
    group.fill("wholesale")
    page.get_by_role("textbox", name="Note").focus()
    expect(group).to_have_value("Wholesale")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".page-title").get_by_text("Wholesale", exact=True)).to_be_visible()


def test_a_preset_fills_both_dates_and_a_changed_date_is_custom(visit):
    page = visit()
    open_filters(page)
    period = page.get_by_role("combobox", name="Placed period")
    period.click()
    page.get_by_role("option", name="Last month").click()
    expect(page.get_by_role("textbox", name="Placed from")).to_have_value("2026-02-01")
    expect(page.get_by_role("textbox", name="Placed to")).to_have_value("2026-02-28")
    page.get_by_role("textbox", name="Placed to").fill("2026-03-01")
    page.keyboard.press("Tab")
    expect(period).to_have_value("Custom")
    page.get_by_role("button", name="Apply filters").click()
    shows(page, "100136", "100135")
    expect(page.get_by_text("Placed: Feb 1, 2026 – Mar 1, 2026")).to_be_visible()


def test_a_day_is_chosen_from_the_calendar_by_keyboard(visit):
    page = visit()
    open_filters(page)
    page.get_by_role("button", name="Choose placed from date in calendar").focus()
    page.keyboard.press("Enter")
    calendar = page.get_by_role("dialog", name="Placed from date")
    expect(calendar.get_by_role("button", name="Wednesday, March 18, 2026")).to_be_focused()
    for key in ("PageUp", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Placed from")).to_have_value("2026-02-12")
    expect(page.get_by_role("button", name="Choose placed from date in calendar")).to_be_focused()
    expect(calendar).to_be_hidden()


def test_the_calendar_is_in_the_tree_although_it_lives_in_a_shadow(visit):
    page = visit()
    open_filters(page)
    page.get_by_role("button", name="Choose placed to date in calendar").click()
    expect(page.get_by_role("grid", name="March 2026").get_by_role("gridcell")).to_have_count(42)
    page.get_by_role("button", name="Previous month").click()
    page.get_by_role("button", name="Saturday, February 28, 2026").click()
    expect(page.get_by_role("textbox", name="Placed to")).to_have_value("2026-02-28")


def test_a_click_sorts_and_a_shift_click_adds_a_column(visit):
    page = visit()
    page.goto("/orders")
    heading = page.get_by_role("columnheader", name="Total")
    heading.get_by_role("link").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    heading.get_by_role("link").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(page.locator("td.primary").first).to_have_text("100135")
    page.get_by_role("columnheader", name="Customer").get_by_role("link").click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile("sort=-total,customer"))
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_rows_are_chosen_counted_and_copied(visit):
    page = visit()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/orders")
    everything = page.get_by_role("checkbox", name="Select all 14 orders on this page")
    page.get_by_role("checkbox", name="Select order 100125").check()
    page.get_by_role("checkbox", name="Select order 100128").click(modifiers=["Shift"])
    bar = page.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("4 selected")
    expect(everything).to_be_checked(indeterminate=True)
    bar.get_by_role("button", name="Copy order numbers").click()
    expect(page.get_by_role("status").get_by_text("4 order numbers copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == ["100128", "100127", "100126", "100125"]
    everything.check()
    expect(bar).to_contain_text("14 selected")
    bar.get_by_role("button", name="Clear selection").click()
    expect(bar).to_be_hidden()


def test_more_rows_a_page_are_one_choice_away(visit):
    page = visit()
    page.goto("/customers?page=2")
    shows_rows(page, 9)
    page.get_by_role("combobox", name="Rows per page").select_option("50")
    expect(page.get_by_text("1–29 of 29")).to_be_visible()
    shows_rows(page, 29)


def test_the_heading_stays_while_rows_scroll(visit):
    page = visit(height=520)
    page.goto("/customers?size=50")
    before = page.get_by_role("columnheader", name="Name").bounding_box()
    page.locator("td.primary").last.scroll_into_view_if_needed()
    assert page.get_by_role("columnheader", name="Name").bounding_box() == before
    expect(page.get_by_role("columnheader", name="Name").get_by_role("link")).to_be_in_viewport()


def test_nothing_found_offers_to_clear(visit):
    page = visit()
    page.goto("/orders?q=nothinglikethat&f=status:in:pending")
    expect(page.get_by_role("heading", name="No orders match")).to_be_visible()
    page.get_by_role("link", name="Clear all filters").click()
    shows_rows(page, 14)


@pytest.mark.parametrize("text", ["(614) 555-0134", "+1 614.555.0134"])
def test_a_customer_is_found_by_phone(visit, text):
    page = visit()
    page.goto("/customers")
    page.get_by_role("searchbox", name="Search customers").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="1 customer")).to_be_visible()
    shows(page, "Mara Lindqvist")


def test_going_back_from_a_record_shows_the_same_list(visit):
    page = visit()
    page.goto("/customers?f=group:in:vip")
    page.get_by_role("link", name="Mara Lindqvist").click()
    expect(page.get_by_role("heading", level=1, name="Mara Lindqvist")).to_be_visible()
    page.go_back()
    shows(page, "Mara Lindqvist")
    expect(page.get_by_text("Group: VIP")).to_be_visible()
