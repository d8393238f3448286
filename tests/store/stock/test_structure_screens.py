"""Categories, options and brands, arranged by drag, by keys and by dialog in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

OUTDOOR, PACKS, DAYPACKS, TREKKING, SHELTER, TENTS, TARPS = range(1, 8)


def press(page: Page, button: str) -> None:
    """Press a button of the page or of the open dialog."""
    page.get_by_role("button", name=button, exact=True).click()


def said(page: Page, text: str) -> None:
    """Wait for a message at the bottom."""
    expect(page.get_by_role("status").get_by_text(text).first).to_be_visible()


@pytest.fixture
def below(rows):
    """The categories below one, in order."""

    def read(parent: int | None) -> list[int]:
        return [each["id"] for each in sorted(rows("categories", parent_id=parent), key=lambda each: each["position"])]

    return read


def test_categories_move_with_alt_and_the_arrow_keys(visit, below):
    page = visit()
    page.goto(f"/categories/{DAYPACKS}")
    tree = page.get_by_role("tree", name="All categories")
    tree.get_by_role("treeitem", name="Daypacks").focus()
    page.keyboard.press("Alt+ArrowDown")
    said(page, "Daypacks is now number 2 below Packs.")
    assert below(PACKS) == [TREKKING, DAYPACKS]
    expect(tree.get_by_role("treeitem", name="Daypacks")).to_be_focused()
    page.keyboard.press("Alt+ArrowLeft")
    said(page, "Daypacks is now number 2 below Outdoor.")
    assert below(OUTDOOR)[:3] == [PACKS, DAYPACKS, SHELTER]
    page.keyboard.press("Alt+ArrowRight")
    expect(tree.get_by_role("treeitem", name="Daypacks")).to_have_attribute("aria-level", "3")
    tree.get_by_role("treeitem", name="Shelter").focus()
    page.keyboard.press("Alt+ArrowRight")  # it has levels of its own: too deep below Packs
    said(page, "Categories go three levels deep")
    assert SHELTER in below(OUTDOOR)


def test_categories_are_dragged_and_moved_by_a_dialog(visit, below):
    page = visit()
    page.goto(f"/categories/{TARPS}")
    tree = page.get_by_role("tree", name="All categories")
    tree.get_by_role("link", name="Tarps").drag_to(tree.get_by_role("link", name="Packs", exact=True))
    said(page, "Tarps is now number 3 below Packs.")
    assert below(PACKS) == [DAYPACKS, TREKKING, TARPS]
    press(page, "Move to…")
    page.get_by_role("dialog").get_by_role("combobox", name="Below").click()
    page.get_by_role("option", name="Outdoor / Shelter", exact=True).click()
    page.get_by_role("textbox", name="Position").fill("none")
    press(page, "Move category")
    expect(page.get_by_role("dialog")).to_contain_text("Position must be a whole number.")
    page.get_by_role("textbox", name="Position").fill("1")
    press(page, "Move category")
    said(page, "The category was moved.")
    assert below(SHELTER) == [TARPS, TENTS]


def test_a_category_is_created_renamed_and_deleted_when_empty(visit, rows):
    page = visit()
    page.goto(f"/categories/{PACKS}")
    press(page, "Delete")
    press(page, "Delete category")
    said(page, "Packs has 2 categories; move them first.")
    press(page, "New category")
    page.get_by_role("dialog").get_by_role("textbox", name="Name", exact=True).fill("daypacks")
    press(page, "Create category")
    expect(page.get_by_role("dialog")).to_contain_text("There is already a category called daypacks.")
    page.get_by_role("dialog").get_by_role("textbox", name="Name", exact=True).fill("Hip Packs")
    press(page, "Create category")
    said(page, "Hip Packs was added.")
    page.get_by_role("textbox", name="Name", exact=True).fill("Waist Packs")
    press(page, "Save category")
    said(page, "Waist Packs was saved.")
    (made,) = rows("categories", name="Waist Packs")
    assert (made["parent_id"], made["slug"]) == (PACKS, "hip-packs")
    press(page, "Delete")
    press(page, "Delete category")
    said(page, "Waist Packs was deleted.")


def test_products_of_a_category_are_pinned_dragged_and_moved(visit, rows):
    def order() -> list[int]:
        links = sorted(rows("product_categories", category_id=DAYPACKS), key=lambda link: link["position"])
        return [link["product_id"] for link in links]

    before = order()
    page = visit()
    page.goto(f"/categories/{DAYPACKS}")
    items = page.locator("[data-sortable] > li")
    names = items.evaluate_all("all => all.map(each => each.dataset.name)")
    press(page, f"Pin {names[2]} to top")
    said(page, f"{names[2]} is now number 1.")
    pinned = [before[2], *before[:2], *before[3:]]
    assert order() == pinned
    page.get_by_role("button", name=f"Move {names[2]} to…").press("Alt+ArrowDown")
    said(page, f"{names[2]} is now number 2.")
    items.nth(1).drag_to(items.nth(0), target_position={"x": 200, "y": 4})
    expect(items.nth(0)).to_have_attribute("data-name", names[2])
    press(page, f"Move {names[2]} to…")
    page.get_by_role("textbox", name="Position").fill("9")
    press(page, "Move")
    expect(page.get_by_text("Position must be between 1 and 5.")).to_be_visible()
    page.get_by_role("textbox", name="Position").fill("5")
    press(page, "Move")
    said(page, f"{names[2]} is now number 5.")
    assert order() == [*before[:2], *before[3:], before[2]]


def test_option_values_are_added_arranged_and_kept_while_used(visit, rows):
    page = visit()
    page.goto("/options")
    press(page, "Add value")
    page.get_by_role("textbox", name="Value").fill("moss")
    page.get_by_role("textbox", name="Color").fill("#123456")
    press(page, "Add the value")
    expect(page.get_by_role("dialog")).to_contain_text("Color already has the value Moss.")
    page.get_by_role("textbox", name="Value").fill("Coral")
    press(page, "Add the value")
    said(page, "Coral was added.")
    press(page, "Move Coral to…")
    page.get_by_role("textbox", name="Position").fill("1")
    page.keyboard.press("Enter")
    said(page, "Coral is now number 1.")
    assert rows("option_values", value="Coral")[0]["position"] == 1
    used = {row["value_id"] for row in rows("variant_options")}
    value = next(row["value"] for row in rows("option_values", type_id=1) if row["id"] in used)
    press(page, f"Delete {value}")
    press(page, "Delete value")
    said(page, f"{value} is used by")
    press(page, "Edit Coral")
    page.get_by_role("textbox", name="Value").fill("Coral red")
    press(page, "Save value")
    said(page, "Coral red was saved.")


def test_brands_are_added_renamed_in_place_and_deleted_only_without_products(visit, rows):
    page = visit()
    page.goto("/brands")
    press(page, "New brand")
    page.get_by_role("textbox", name="Name", exact=True).fill("Aardvark")
    press(page, "Create brand")
    said(page, "Aardvark was added.")
    page.get_by_role("cell", name="Aardvark Edit name of Aardvark", exact=True).dblclick()
    page.keyboard.type("Abacus")
    page.keyboard.press("Enter")
    said(page, "Name of Abacus saved.")
    assert rows("brands", slug="aardvark")[0]["name"] == "Abacus"
    used = rows("brands", id=rows("products")[0]["brand_id"])[0]["name"]
    page.goto(f"/brands?q={used}")
    page.get_by_role("checkbox", name=f"Select {used}").check()
    page.get_by_role("region", name="Selection").get_by_role("button", name="Delete").click()
    press(page, "Delete brands")
    said(page, "move them to another brand first")
    assert rows("brands", name=used)
