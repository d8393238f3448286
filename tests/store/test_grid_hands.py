"""What is done in lists, by mouse and by keyboard: mass actions, row menus, editing in place, columns, views."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from small_shop import NUMBERS

PENDING, INVOICED, HELD = NUMBERS["pending"], NUMBERS["invoiced"], NUMBERS["held"]


def row(page: Page, name: str) -> None:
    """Tick a row."""
    page.get_by_role("checkbox", name=f"Select {name}", exact=True).check()


def press(page: Page, *keys: str) -> None:
    """Press keys one after another."""
    for key in keys:
        page.keyboard.press(key)


def told(page: Page, text: str) -> None:
    """Wait for a toast."""
    expect(page.get_by_role("status", name="Messages")).to_contain_text(text)


def test_orders_are_canceled_together_and_the_refused_ones_stay_chosen(visit):
    page = visit()
    page.goto("/orders?sort=number")
    for number in (PENDING, INVOICED, HELD):
        row(page, f"order {number}")
    page.get_by_role("region", name="Selection").get_by_role("button", name="Cancel", exact=True).click()
    dialog = page.get_by_role("dialog", name="Cancel 3 orders?")
    expect(dialog).to_contain_text(f"Order {PENDING}, order {HELD}, order {INVOICED}.")
    dialog.get_by_role("button", name="Cancel orders").click()
    reason = dialog.get_by_role("combobox", name="Reason")
    expect(reason).to_be_focused()
    expect(reason).to_have_accessible_description("Reason is required.")
    reason.click()
    page.get_by_role("option", name="Unpaid").click()
    dialog.get_by_role("button", name="Cancel orders").click()
    result = page.get_by_role("dialog", name="Cancel: 1 done, 2 refused")
    expect(result.get_by_role("table", name="Results").get_by_role("row")).to_contain_text(
        [
            "Order",
            "Order cannot be canceled because it is on hold.",
            "Order cannot be canceled because it has been invoiced.",
            f"Order {PENDING}Done",
        ]
    )
    result.get_by_role("button", name="OK").click()
    expect(page.get_by_role("region", name="Selection")).to_contain_text("2 selected")
    expect(page.get_by_role("checkbox", name=f"Select order {HELD}")).to_be_checked()
    expect(page).to_have_url(re.compile(r"/orders\?sort=number$"))


def test_a_mass_action_is_done_by_keyboard_alone(visit):
    page = visit()
    page.goto("/orders?sort=number")
    page.get_by_role("checkbox", name=f"Select order {PENDING}").focus()
    press(page, "Space")
    page.get_by_role("region", name="Selection").get_by_role("button", name="Hold").focus()
    press(page, "Enter")
    dialog = page.get_by_role("dialog", name="Put 1 order on hold?")
    expect(dialog.get_by_role("combobox", name="Reason")).to_be_focused()
    page.keyboard.type("stock")
    press(page, "Enter", "Enter")
    told(page, f"Order {PENDING} put on hold.")
    expect(page.get_by_role("row", name=f"Select order {PENDING}")).to_contain_text("On hold")


def test_all_that_match_are_chosen_over_all_pages(visit):
    page = visit()
    page.goto("/customers?sort=email")
    page.get_by_role("checkbox", name="Select all 20 customers on this page").check()
    bar = page.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("20 selected")
    page.get_by_role("button", name="Select all 29 matching customers").focus()
    press(page, "Enter")
    expect(bar).to_contain_text("All 29 customers selected")
    expect(page.get_by_text("All 29 customers that match are selected, on every page.")).to_be_visible()
    bar.get_by_role("button", name="Change group").click()
    dialog = page.get_by_role("dialog", name="Move 29 customers to another group?")
    dialog.get_by_role("combobox", name="Group").fill("whole")
    press(page, "Enter")
    dialog.get_by_role("button", name="Change group").click()
    expect(page.get_by_role("dialog", name="Change group: 29 done, 0 refused")).to_be_visible()
    page.goto("/customers?f=group:in:wholesale")
    expect(page.get_by_role("status").filter(has_text="29 customers")).to_be_visible()


def test_unticking_a_row_ends_the_choice_of_all_that_match(visit):
    page = visit()
    page.goto("/customers")
    page.get_by_role("checkbox", name="Select all 20 customers on this page").check()
    page.get_by_role("button", name="Select all 29 matching customers").click()
    page.get_by_role("checkbox", name="Select Crowd00 Member").uncheck()
    expect(page.get_by_role("region", name="Selection")).to_contain_text("19 selected")
    expect(page.get_by_role("region", name="Select all matching")).to_be_hidden()


def test_a_choice_that_changed_meanwhile_is_refused_in_the_dialog(visit, served_people):
    page = visit()
    page.goto("/orders?f=status:in:pending&size=20")
    page.get_by_role("checkbox", name="orders on this page").check()
    page.evaluate("""() => { document.querySelector('[data-grid]').selection.matching = {count: 99, mark: 'old'} }""")
    page.get_by_role("button", name="Hold", exact=True).click()
    dialog = page.get_by_role("dialog", name="Put 99 orders on hold?")
    dialog.get_by_role("combobox", name="Reason").fill("other")
    press(page, "Enter")
    dialog.get_by_role("button", name="Put on hold").click()
    expect(dialog.get_by_role("alert")).to_contain_text("99 were chosen, but")
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing was done")


def test_what_a_role_may_not_do_is_refused_in_the_dialog(visit):
    page = visit("clerk")
    page.goto("/customers?q=odell")
    row(page, "Ann O'Dell")
    page.get_by_role("button", name="Unblock").click()
    dialog = page.get_by_role("dialog", name="Unblock 1 customer?")
    dialog.get_by_role("button", name="Unblock customers").click()
    expect(dialog.get_by_role("alert")).to_have_text("Your role may not unblock customers.")


def test_the_menu_of_a_row_is_used_by_keyboard(visit):
    page = visit()
    page.goto("/orders?sort=number")
    button = page.get_by_role("button", name=f"Actions for order {HELD}")
    button.focus()
    press(page, "Enter")
    menu = page.get_by_role("menu", name=f"Actions for order {HELD}")
    expect(menu.get_by_role("menuitem")).to_have_text(
        ["Open", "Comments", "Release", "Assign", "Add tags", "Remove tags", "Print packing slips"]
    )
    expect(menu.get_by_role("menuitem", name="Open")).to_be_focused()
    press(page, "ArrowUp")
    expect(menu.get_by_role("menuitem", name="Print packing slips")).to_be_focused()
    press(page, "Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    expect(page.get_by_role("dialog", name=f"Release order {HELD} from hold?")).to_be_visible()
    press(page, "Enter")
    told(page, f"Order {HELD} released from hold.")


def test_the_menu_of_a_row_is_used_by_mouse(visit):
    page = visit()
    page.goto("/orders?sort=number")
    page.get_by_role("button", name=f"Actions for order {PENDING}").click()
    page.get_by_role("menuitem", name="Cancel").click()
    dialog = page.get_by_role("dialog", name=f"Cancel order {PENDING}?")
    dialog.get_by_role("button", name="Go back").click()
    page.get_by_role("button", name=f"Actions for order {PENDING}").click()
    expect(page.get_by_role("menu")).to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("menu")).to_be_hidden()
    page.get_by_role("button", name=f"Actions for order {PENDING}").click()
    page.get_by_role("menuitem", name="Open").click()
    expect(page).to_have_url(re.compile(f"/orders/{PENDING}$"))


def test_packing_slips_are_opened_for_what_is_chosen(visit):
    page = visit()
    page.goto("/orders?sort=number")
    for number in (PENDING, HELD):
        row(page, f"order {number}")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Print packing slips").click()
    expect(opened.value).to_have_url(re.compile(f"/orders/packing-slips\\?ids={PENDING}%2C{HELD}"))
    expect(opened.value.get_by_text(HELD).first).to_be_visible()


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_value_is_edited_in_place(visit, way):
    page = visit()
    page.goto("/customers?q=odell")
    pencil = page.get_by_role("button", name="Edit group of Ann O'Dell")
    field = page.get_by_role("combobox", name="Group of Ann O'Dell")
    if way == "mouse":
        page.get_by_role("cell", name="Wholesale").dblclick()
        field.select_option("VIP")
    else:
        pencil.focus()
        press(page, "F2")
        expect(field).to_be_focused()
        page.keyboard.type("VIP")
        press(page, "Enter")
        expect(pencil).to_be_focused()
    told(page, "Group of Ann O'Dell saved.")
    expect(field).to_be_hidden()
    page.reload()
    expect(page.get_by_role("row", name="Ann O'Dell")).to_contain_text("VIP")


def test_escape_leaves_the_value_as_it_was(visit, served_people):
    page = visit()
    page.goto("/customers?q=odell")
    page.get_by_role("button", name="Edit group of Ann O'Dell").press("Enter")
    page.keyboard.type("VIP")
    press(page, "Escape")
    expect(page.get_by_role("row", name="Ann O'Dell")).to_contain_text("Wholesale")
    expect(page.get_by_role("button", name="Edit group of Ann O'Dell")).to_be_focused()


def test_tab_saves_and_goes_on_to_the_next_cell(visit):
    page = visit()
    page.goto("/customers?sort=email")
    page.get_by_role("button", name="Edit group of Ann O'Dell").press("Enter")
    page.keyboard.type("VIP")
    press(page, "Tab")
    expect(page.get_by_role("combobox", name="Group of Crowd00 Member")).to_be_focused()
    told(page, "Group of Ann O'Dell saved.")
    page.keyboard.type("Whole")
    press(page, "Shift+Tab")
    told(page, "Group of Crowd00 Member saved.")
    expect(page.get_by_role("combobox", name="Group of Ann O'Dell")).to_be_focused()


def test_a_value_that_somebody_else_changed_comes_back_with_a_message(visit, served_people):
    page = visit()
    page.goto("/customers?q=odell")
    served_people.call("customers.edit", actor="owner", id=4, group="general")
    page.get_by_role("cell", name="Wholesale").dblclick()
    page.get_by_role("combobox", name="Group of Ann O'Dell").select_option("VIP")
    told(page, "was changed meanwhile by Olga Owner; nothing was saved.")
    expect(page.get_by_role("row", name="Ann O'Dell")).to_contain_text("General")


def test_a_role_that_may_not_edit_gets_the_old_value_back(visit):
    page = visit("clerk")
    page.goto("/customers?q=odell")
    page.get_by_role("cell", name="Wholesale").dblclick()
    page.get_by_role("combobox", name="Group of Ann O'Dell").select_option("VIP")
    told(page, "Your role may not move customers to another group.")
    expect(page.get_by_role("cell", name="Wholesale")).to_be_visible()


def test_columns_are_chosen_and_moved_by_keyboard(visit):
    page = visit()
    page.goto("/orders?sort=number")
    page.get_by_role("button", name="Columns").focus()
    press(page, "Enter")
    dialog = page.get_by_role("dialog", name="Columns")
    for name in ("Placed", "Ship to", "City", "Payment", "Channel", "Assigned to", "Tags"):
        dialog.get_by_role("checkbox", name=name, exact=True).press("Space")
    total = dialog.get_by_role("checkbox", name="Total", exact=True)
    total.focus()
    for _ in range(4):
        press(page, "Alt+ArrowUp")
    expect(total).to_be_focused()
    expect(dialog.get_by_role("status")).to_have_text("Total is now number 2 of 13.")
    dialog.get_by_role("button", name="Move Total up").press("Enter")
    expect(dialog.get_by_role("button", name="Move Total up")).to_be_disabled()
    dialog.get_by_role("button", name="Apply columns").press("Enter")
    expect(page).to_have_url(re.compile(r"sort=number&cols=total(,|%2C)number(,|%2C)customer(,|%2C)status$"))
    expect(page.get_by_role("columnheader")).to_have_text(["", "Total", "Order", "Customer", "Status", "Actions"])


def test_a_column_is_dragged_and_reset_brings_the_usual_ones_back(visit):
    page = visit()
    page.goto("/orders?cols=number,total")
    page.get_by_role("button", name="Columns").click()
    items = page.get_by_role("list", name="Columns").get_by_role("listitem")
    items.filter(has_text="Total").drag_to(items.filter(has_text="Order"), target_position={"x": 20, "y": 3})
    expect(items.first).to_contain_text("Total")
    page.get_by_role("button", name="Apply columns").click()
    expect(page.get_by_role("columnheader")).to_have_text(["", "Total", "Order", "Actions"])
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Apply columns").click()
    expect(page).to_have_url(re.compile(r"/orders\??$"))
    expect(page.get_by_role("columnheader")).to_have_count(13)


def test_a_list_without_columns_cannot_be_asked_for(visit):
    page = visit()
    page.goto("/orders?cols=number")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Order", exact=True).uncheck()
    expect(page.get_by_role("button", name="Apply columns")).to_be_disabled()


def test_a_view_is_saved_shown_changed_and_deleted(visit):
    page = visit()
    page.goto("/orders?f=status:in:pending&sort=total&cols=number,total")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Save as new view…").click()
    dialog = page.get_by_role("dialog", name="Save view")
    dialog.get_by_role("textbox", name="Name").fill("To check")
    dialog.get_by_role("checkbox", name="Open orders with this view").check()
    dialog.get_by_role("button", name="Save view").click()
    told(page, "The view To check was saved.")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Orders", exact=True).click()
    line = page.get_by_role("region", name="Saved view")
    expect(line).to_contain_text("View To check (your default)")
    page.get_by_role("link", name="Remove filter Status").click()
    expect(line).to_contain_text("changed")
    expect(page.get_by_role("status").filter(has_text="14 orders")).to_be_visible()
    line.get_by_role("link", name="Undo changes").click()
    expect(line).not_to_contain_text("changed")
    line.get_by_role("link", name="Show all orders").click()
    expect(page.get_by_role("columnheader")).to_have_count(13)
    expect(line).to_be_hidden()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="To check (default)").click()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Delete view…").click()
    page.get_by_role("dialog", name="Delete view To check?").get_by_role("button", name="Delete view").click()
    told(page, "The view To check was deleted.")
    expect(page.get_by_role("columnheader")).to_have_count(13)


def test_views_are_reached_by_keyboard_and_the_dialog_gives_the_focus_back(visit):
    page = visit()
    page.goto("/customers?f=group:in:vip")
    button = page.get_by_role("button", name="Views")
    button.focus()
    press(page, "ArrowUp")
    expect(page.get_by_role("menuitem", name="Save as new view…")).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    press(page, "Escape")
    expect(button).to_be_focused()


def test_a_file_is_downloaded_with_the_filter_and_columns_shown(visit, tmp_path: Path):
    page = visit()
    page.goto("/customers?f=group:in:vip&cols=name,email")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    assert download.value.suggested_filename == "customers-2026-03-18.csv"
    download.value.save_as(tmp_path / "file.csv")
    text = (tmp_path / "file.csv").read_bytes().decode()
    assert text == "Name,E-mail\r\nMara Lindqvist,mara.l@post.example\r\n"


def test_the_fly_outs_of_the_collapsed_navigation_open_by_mouse_and_by_keyboard(visit):
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Collapse navigation").click()
    main = page.get_by_role("navigation", name="Main")
    expect(main.get_by_role("link", name="On hold")).to_be_hidden()
    main.get_by_role("link", name="Orders", exact=True).hover()
    main.get_by_role("link", name="On hold").click()
    expect(page).to_have_url(re.compile("status:in:on_hold"))
    page.mouse.move(700, 500)
    orders = main.get_by_role("link", name="Orders", exact=True)
    orders.focus()
    expect(main.get_by_role("link", name="Pending")).to_be_visible()
    press(page, "Escape")
    expect(main.get_by_role("link", name="Pending")).to_be_hidden()
    expect(orders).to_be_focused()
    press(page, "Shift+Tab", "Tab", "Tab", "Tab", "Enter")
    expect(page).to_have_url(re.compile("status:in:pending"))


def test_a_column_is_added_to_the_sort_by_keyboard(visit):
    page = visit()
    page.goto("/orders?sort=-total")
    page.get_by_role("columnheader", name="Customer").get_by_role("link").focus()
    press(page, "Shift+Enter")
    expect(page).to_have_url(re.compile("sort=-total,customer$"))
    expect(page.get_by_role("columnheader", name="Total")).to_have_attribute("aria-sort", "descending")


def test_controls_are_called_after_a_row_that_was_renamed_in_place(visit):
    page = visit("owner")
    page.goto("/products?sort=name")
    page.get_by_role("button", name="Edit name of Ridge Pack 1").press("F2")
    page.get_by_role("textbox", name="Name of Ridge Pack 1").fill("Ridge Pack One")
    press(page, "Enter")
    told(page, "Name of Ridge Pack One saved.")
    expect(page.get_by_role("button", name="Actions for Ridge Pack One")).to_be_visible()
