"""Variants, stock, inventory and goods in, by mouse and by keyboard in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

LARCH = 7
"""A beanie in five colours; VA-BE007-FOR and its siblings."""
RIDGE = 2
"""A pack in three colours, of which the grey one (variant 3) has 49 units, 5 of them reserved."""


def press(page: Page, button: str) -> None:
    """Press a button of the page or of the open dialog."""
    page.get_by_role("button", name=button, exact=True).click()


def choose(page: Page, box: str, option: str) -> None:
    """Choose from a combobox."""
    page.get_by_role("combobox", name=box).click()
    page.get_by_role("option", name=option, exact=True).click()


def said(page: Page, text: str) -> None:
    """Wait for a message at the bottom."""
    expect(page.get_by_role("status").get_by_text(text).first).to_be_visible()


def cell(page: Page, sku: str, column: str) -> Locator:
    """A cell of the inventory, by the row's SKU."""
    row = page.get_by_role("row").filter(has=page.get_by_role("gridcell", name=sku, exact=True))
    return row.locator(f"[data-column={column}]")


def test_the_price_tool_shows_what_it_will_do_and_does_that(visit, rows):
    before = {row["sku"]: row["price"] for row in rows("variants", product_id=LARCH)}
    page = visit()
    page.goto(f"/products/{LARCH}/variants")
    page.get_by_role("checkbox", name="Select VA-BE007-NVY").check()
    page.get_by_role("checkbox", name="Select VA-BE007-PLM").click(modifiers=["Shift"])
    press(page, "Change prices")
    choose(page, "What to do", "Lower by a percentage")
    page.get_by_role("textbox", name="Percent").fill("10")
    expect(page.get_by_text("Price of 3 variants changes.")).to_be_visible()
    preview = page.get_by_role("table", name="Preview of prices")
    new = (before["VA-BE007-NVY"] * 9000 + 5000) // 10000
    expect(preview.get_by_role("row").nth(1)).to_contain_text(f"${new / 100:.2f}")
    press(page, "Apply prices")
    said(page, "Changed the prices of 3 variants.")
    after = {row["sku"]: row["price"] for row in rows("variants", product_id=LARCH)}
    assert {sku for sku in before if after[sku] != before[sku]} == {"VA-BE007-NVY", "VA-BE007-TEL", "VA-BE007-PLM"}
    assert after["VA-BE007-NVY"] == new


def test_prices_by_keyboard_are_refused_whole_and_kept_for_another_try(visit, rows):
    page = visit()
    page.goto(f"/products/{LARCH}/variants")
    page.get_by_role("button", name="Change prices").press("Enter")  # nothing is ticked: that means all
    expect(page.get_by_text("5 variants of 5 selected")).to_be_visible()
    page.keyboard.type("Lower by an a")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Amount").press_sequentially("5000")
    expect(page.get_by_text("5 variants cannot be changed like that")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Preview of prices")).to_contain_text("VA-BE007-FOR would be below 0.00")
    amount = page.get_by_role("textbox", name="Amount")
    expect(amount).to_have_value("5000")
    amount.fill("0.50")
    amount.press("Enter")
    said(page, "Changed the prices of 5 variants.")
    assert {row["v"] for row in rows("variants", product_id=LARCH)} == {2}


def test_a_sale_needs_days_in_order_and_ends_again(visit, rows):
    page = visit()
    page.goto(f"/products/{LARCH}/variants")
    page.get_by_role("checkbox", name="Select VA-BE007-FOR").check()
    press(page, "Change prices")
    choose(page, "What to do", "Put on sale at a percentage off")
    page.get_by_role("textbox", name="Percent").fill("15")
    page.get_by_role("textbox", name="Sale from").fill("2026-03-20")
    page.get_by_role("textbox", name="Sale to").fill("2026-03-02")
    expect(page.get_by_text("The first date must not be after the last one.")).to_be_visible()
    page.get_by_role("button", name="Choose sale to in calendar").click()
    page.get_by_role("button", name="Tuesday, March 31, 2026").click()
    press(page, "Apply prices")
    said(page, "Changed the prices of 1 variant.")
    (row,) = rows("variants", sku="VA-BE007-FOR")
    assert (row["sale_from"], row["sale_to"], row["sale_price"] < row["price"]) == ("2026-03-20", "2026-03-31", True)
    expect(page.get_by_role("row").filter(has_text="VA-BE007-FOR")).to_contain_text("Planned")


def test_the_matrix_is_ticked_previewed_and_created(visit, rows):
    page = visit()
    page.goto(f"/products/{LARCH}/variants")
    press(page, "Generate matrix")
    colors = page.get_by_role("group", name="Color")
    colors.get_by_role("checkbox", name="Forest").check()
    colors.get_by_role("checkbox", name="Moss").press("Space")
    expect(page.get_by_text("1 new variant, 1 exist already.")).to_be_visible()
    press(page, "Create variants")
    expect(page.get_by_role("dialog")).to_contain_text("Price is required.")
    expect(colors.get_by_role("checkbox", name="Moss")).to_be_checked()
    page.get_by_role("textbox", name="Price", exact=True).fill("18.50")
    page.get_by_role("textbox", name="Quantity on hand").fill("3")
    press(page, "Create variants")
    said(page, "Created 1 variant.")
    (new,) = rows("variants", sku="VA-BE007-MOS")
    assert (new["price"], rows("stock", variant_id=new["id"])[0]["on_hand"]) == (1850, 3)


def test_a_variant_is_edited_in_a_dialog_that_says_what_is_wrong(visit, rows):
    page = visit()
    page.goto(f"/products/{LARCH}/variants")
    press(page, "Edit VA-BE007-CRM")
    sku = page.get_by_role("textbox", name="SKU", exact=True)
    expect(sku).to_have_value("VA-BE007-CRM")
    sku.fill("VA-BE007-FOR")
    press(page, "Save variant")
    expect(sku).to_have_accessible_description("VA-BE007-FOR already belongs to Larch Beanie.")
    sku.fill("va-be007-cream")
    page.get_by_role("checkbox", name="Active").uncheck()
    press(page, "Save variant")
    said(page, "VA-BE007-CREAM was saved.")
    assert rows("variants", sku="VA-BE007-CREAM")[0]["active"] == 0


def test_the_stock_table_is_saved_whole_and_refused_beside_its_fields(visit, rows):
    page = visit()
    page.goto(f"/products/{RIDGE}/stock")
    on_hand = page.get_by_role("textbox", name="On hand of HA-DP002-GRY")
    on_hand.fill("2")
    page.get_by_role("textbox", name="Low level of HA-DP002-RUS").fill("11")
    choose(page, "Status of HA-DP002-PLM", "Out of stock")
    expect(page.get_by_text("Unsaved changes")).to_be_visible()
    press(page, "Save stock")
    expect(on_hand).to_have_accessible_description(
        "HA-DP002-GRY has 5 units reserved for orders; on hand may not go below that."
    )
    on_hand.fill("50")
    page.get_by_role("textbox", name="Note").fill("Counted")
    press(page, "Save stock")
    said(page, "Saved the stock of 3 variants.")
    found = [(row["on_hand"], row["low_at"], row["status"]) for row in rows("stock") if row["variant_id"] in (3, 4, 5)]
    assert [found[0][0], found[1][1], found[2][2]] == [50, 11, "out_of_stock"]
    assert rows("stock_moves", variant_id=3)[-1]["note"] == "Counted"


def test_variants_are_set_out_of_stock_together_after_a_question_that_names_how_many(visit, rows):
    page = visit("clerk")
    page.goto(f"/products/{RIDGE}/stock")
    page.get_by_role("checkbox", name="Select all 3 variants").press("Space")
    press(page, "Set out of stock")
    expect(page.get_by_role("dialog", name="Set 3 variants out of stock?")).to_be_visible()
    page.keyboard.press("Escape")
    assert rows("stock", variant_id=3)[0]["status"] == "in_stock"
    press(page, "Set out of stock")
    page.get_by_role("dialog").get_by_role("button", name="Set out of stock").click()
    said(page, "3 variants set out of stock.")
    assert {row["status"] for row in rows("stock") if row["variant_id"] in (3, 4, 5)} == {"out_of_stock"}


def test_the_inventory_holds_only_the_rows_on_screen_and_fetches_others_in_blocks(visit, shop):
    page = visit()
    page.goto("/inventory")
    grid = page.get_by_role("grid", name="Inventory")
    expect(grid).to_have_attribute("aria-rowcount", "188")
    assert page.locator(".vgrid-body [role=row]").count() <= 40
    first = page.get_by_role("gridcell").first
    first.click()
    page.keyboard.press("Control+End")
    focused = page.locator(":focus")
    expect(focused.locator("..")).to_have_attribute("aria-rowindex", "188")
    expect(focused.locator("..")).not_to_have_attribute("aria-busy", "true")
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_have_attribute("data-column", "sku")
    assert page.locator(".vgrid-body [role=row]").count() <= 40
    grid.hover()
    page.mouse.wheel(0, -20_000)
    expect(page.get_by_text("1–", exact=False).first).to_be_visible()
    page.get_by_role("searchbox", name="Search variants").fill("larch plum")
    page.keyboard.press("Enter")
    page.get_by_role("columnheader", name="SKU").get_by_role("link").click()
    expect(page.get_by_role("columnheader", name="SKU")).to_have_attribute("aria-sort", "ascending")
    view = shop.views()[-1]
    assert (view.path, view.q, list(view.sort)) == ("/inventory", "larch plum", ["sku"])


def test_counts_are_edited_in_place_by_mouse_and_keyboard(visit, rows):
    page = visit()
    page.goto("/inventory?q=ridge+pack+20+l")
    cell(page, "HA-DP002-GRY", "on_hand").dblclick()
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    said(page, "On hand of HA-DP002-GRY saved.")
    expect(cell(page, "HA-DP002-GRY", "available")).to_have_text("55")
    expect(page.locator(":focus")).to_have_attribute("data-column", "on_hand")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "F2"):
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Low level of HA-DP002-GRY")).to_be_focused()
    page.keyboard.type("99")
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Low level of HA-DP002-GRY")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.type("17")
    page.keyboard.press("Enter")
    said(page, "Low level of HA-DP002-GRY saved.")
    (stock,) = rows("stock", variant_id=3)
    assert (stock["on_hand"], stock["low_at"]) == (60, 17)


def test_an_edit_that_is_refused_or_stale_puts_the_old_number_back(visit, rows, run):
    page = visit()
    page.goto("/inventory?q=ridge+pack+20+l")
    press(page, "Edit on hand of HA-DP002-GRY")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    said(page, "HA-DP002-GRY has 5 units reserved for orders")
    expect(cell(page, "HA-DP002-GRY", "on_hand")).to_have_text("49")
    run("stock.set_on_hand", variant_id=3, on_hand=30)
    press(page, "Edit on hand of HA-DP002-GRY")
    page.keyboard.type("55")
    page.keyboard.press("Enter")
    said(page, "nothing was saved")
    expect(cell(page, "HA-DP002-GRY", "on_hand")).to_have_text("30")
    assert rows("stock", variant_id=3)[0]["on_hand"] == 30


@pytest.mark.parametrize("ticked", [pytest.param(True, id="set-in-stock"), pytest.param(False, id="left-as-it-is")])
def test_the_add_box_adds_where_on_hand_sets(visit, rows, ticked):
    (before,) = rows("stock", variant_id=11)
    assert before["status"] == "out_of_stock"
    page = visit()
    page.goto("/inventory?f=sku:eq:WO-ST004")
    if not ticked:
        page.get_by_role("checkbox", name="Set in stock when adding units").uncheck()
    press(page, "Add units of WO-ST004")
    page.get_by_role("textbox", name="Add to WO-ST004").fill("5")
    page.keyboard.press("Enter")
    said(page, "Added 5 to WO-ST004.")
    (after,) = rows("stock", variant_id=11)
    assert after["on_hand"] == before["on_hand"] + 5
    assert after["status"] == ("in_stock" if ticked else "out_of_stock")


def test_goods_are_scanned_counted_up_and_received(visit, rows):
    before = {row["variant_id"]: row["on_hand"] for row in rows("stock")}
    page = visit("clerk")
    page.goto("/inventory/receive")
    box = page.get_by_role("combobox", name="SKU or product")
    for text in ("ha-dp002-gry", "HA-DP002-GRY", "HA-DP002-RUS"):
        box.fill(text)
        box.press("Enter")
    expect(page.get_by_role("textbox", name="Add to HA-DP002-GRY")).to_have_value("2")
    box.fill("NOPE-99")
    box.press("Enter")
    expect(box).to_have_accessible_description(
        "There is no variant with the SKU NOPE-99. Choose one from the list or type the whole SKU."
    )
    box.fill("larch crm")
    page.get_by_role("option").filter(has_text="VA-BE007-CRM").click()
    press(page, "One more of VA-BE007-CRM")
    press(page, "Remove HA-DP002-RUS")
    press(page, "Receive")
    page.get_by_role("dialog", name="Receive 4 units of 2 variants?").get_by_role(
        "button", name="Receive goods"
    ).click()
    said(page, "Received 4 units of 2 variants.")
    after = {row["variant_id"]: row["on_hand"] for row in rows("stock")}
    cream = rows("variants", sku="VA-BE007-CRM")[0]["id"]
    assert {id: after[id] - before[id] for id in after if after[id] != before[id]} == {3: 2, cream: 2}


def test_a_quantity_that_is_none_is_said_and_nothing_is_sent(visit, rows):
    page = visit()
    page.goto("/inventory/receive?variant=3")
    page.get_by_role("textbox", name="Add to HA-DP002-GRY").fill("none")
    press(page, "Receive")
    expect(page.get_by_text("A whole number from 1 to 99,999.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert rows("stock", variant_id=3)[0]["on_hand"] == 49


def test_what_a_role_may_not_do_is_hidden_disabled_or_answered_with_no(visit):
    page = visit("analyst")
    page.goto(f"/products/{LARCH}/variants")
    expect(page.get_by_role("button", name="Edit VA-BE007-FOR")).to_have_count(0)
    expect(page.get_by_role("button", name="Generate matrix")).to_have_attribute("aria-disabled", "true")
    press(page, "Change prices")
    page.get_by_role("textbox", name="Amount").fill("5")
    press(page, "Apply prices")
    expect(page.get_by_text("Your role may not change prices.")).to_be_visible()
    page.goto("/inventory?q=ridge+pack+20+l")
    press(page, "Edit on hand of HA-DP002-GRY")
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    said(page, "Your role may not correct stock.")
    expect(cell(page, "HA-DP002-GRY", "on_hand")).to_have_text("49")
    expect(page.get_by_role("button", name="Add units of HA-DP002-GRY")).to_have_count(0)
