"""The pages of a product in a real browser: every tab by mouse and by keyboard, uploads, and the list."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from goods_shop import DAYPACKS, MUG, TENT, TENTS
from playwright.sync_api import Page, expect

EDITOR = "Description"


def press(page: Page, button: str) -> None:
    """Press a button of the page or of the open dialog."""
    page.get_by_role("button", name=button, exact=True).click()


def said(page: Page, text: str) -> None:
    """Wait for a message at the bottom."""
    expect(page.get_by_role("status").get_by_text(text)).to_be_visible()


def tab(page: Page, name: str) -> None:
    """Click a tab of the product."""
    page.get_by_role("navigation", name="Product").get_by_role("link", name=re.compile(f"^{name}")).click()


def editor(page: Page):
    """The rich text box."""
    return page.get_by_role("textbox", name=EDITOR, exact=True)


def choose(page: Page, box: str, option: str) -> None:
    """Choose from a combobox."""
    page.get_by_role("combobox", name=box).click()
    page.get_by_role("option", name=option, exact=True).click()


def test_tabs_of_one_form_keep_what_is_unsaved_and_save_together(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}")
    page.get_by_role("textbox", name="Name", exact=True).fill("Moor Tent 3P")
    choose(page, "Brand", "Alder")
    tab(page, "Categories")
    expect(page).to_have_url(re.compile(f"/products/{TENT}/categories$"))
    page.get_by_role("treeitem", name="Tents").click()
    page.get_by_role("button", name="Remove Outdoor › Packs › Daypacks").click()
    tab(page, "Description")
    editor(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Twice.")
    expect(page.get_by_text("Unsaved changes")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("tree", name="Categories")).to_be_visible()
    press(page, "Save")
    said(page, "Moor Tent 3P was saved.")
    expect(page).to_have_url(re.compile(f"/products/{TENT}/categories$"))
    (product,) = rows("products", id=TENT)
    assert (product["name"], product["brand_id"], product["v"]) == ("Moor Tent 3P", 1, 2)
    assert product["description_html"].endswith("<p>Made by <em>Birch &amp; Sons</em>. Twice.</p>")
    assert [row["category_id"] for row in rows("product_categories", product_id=TENT)] == [TENTS]
    press(page, "Save")
    said(page, "Nothing was changed")
    assert rows("products", id=TENT)[0]["v"] == 2


def test_a_problem_on_a_hidden_tab_has_a_red_dot_and_a_link(visit, rows):
    page = visit()
    page.goto(f"/products/{MUG}/description")
    editor(page).fill("A mug.")
    tab(page, "General")
    page.get_by_role("textbox", name="URL name").fill("ridge-pack-1")
    choose(page, "Status", "Active")
    tab(page, "Description")
    press(page, "Save")
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Please check 3 fields")
    expect(editor(page)).to_have_text("A mug.")
    tabs = page.get_by_role("navigation", name="Product")
    for name in ("General", "Categories"):
        expect(tabs.get_by_role("link", name=re.compile(f"^{name}.*has problems"))).to_be_visible()
    expect(tabs.get_by_role("link", name="Description", exact=True)).to_have_attribute("aria-current", "page")
    summary.get_by_role("link", name=re.compile("URL name ridge-pack-1 already belongs")).click()
    expect(page.get_by_role("textbox", name="URL name")).to_be_focused()
    expect(page.get_by_role("textbox", name="URL name")).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Control+A")
    page.keyboard.type("fern-mug")
    page.get_by_role("checkbox", name="Publish without a picture").check()
    summary.get_by_role("link", name=re.compile("Choose a category")).click()
    search = page.get_by_role("searchbox", name="Search categories")
    search.fill("mug")
    search.press("Enter")
    press(page, "Save")
    said(page, "Fern Mug was saved.")
    (product,) = rows("products", id=MUG)
    assert (product["status"], product["description_html"]) == ("active", "<p>A mug.</p>")


def test_the_editor_writes_with_buttons_and_keys(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/description")
    box = editor(page)
    expect(box).to_have_attribute("aria-multiline", "true")
    box.fill("")
    box.click()
    page.keyboard.type("Plain ")
    page.keyboard.press("Control+B")
    expect(page.get_by_role("button", name="Bold")).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("bold")
    page.keyboard.press("Control+B")
    page.keyboard.press("Enter")
    press(page, "Heading")
    expect(page.get_by_role("button", name="Heading")).to_have_attribute("aria-pressed", "true")
    page.keyboard.type("Care")
    page.keyboard.press("Enter")
    press(page, "Bulleted list")
    page.keyboard.type("Wash")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+I")
    page.keyboard.type("Air")
    press(page, "Save")
    said(page, "was saved")
    assert rows("products", id=TENT)[0]["description_html"] == (
        "<p>Plain <strong>bold</strong></p><h3>Care</h3><ul><li>Wash</li><li><em>Air</em></li></ul>"
    )


def test_the_formatting_toolbar_is_one_stop_for_the_tab_key(visit):
    page = visit()
    page.goto(f"/products/{TENT}/description")
    bar = page.get_by_role("toolbar", name="Formatting")
    names = ["Bold", "Italic", "Heading", "Bulleted list", "Numbered list", "Link", "Undo", "Redo", "HTML"]
    bar.get_by_role("button", name="Bold").focus()
    for name in [*names[1:], names[0]]:
        page.keyboard.press("ArrowRight")
        expect(bar.get_by_role("button", name=name, exact=True)).to_be_focused()
    page.keyboard.press("End")
    expect(bar.get_by_role("button", name="HTML")).to_be_focused()
    page.keyboard.press("Tab")
    expect(editor(page)).to_be_focused()


def test_links_are_set_by_a_dialog_and_taken_off(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/description")
    editor(page).fill("See the guide")
    editor(page).press("Control+A")
    page.keyboard.press("Control+K")
    dialog = page.get_by_role("dialog", name="Link")
    dialog.get_by_role("textbox", name="Address").fill("javascript:alert(1)")
    press(page, "Set link")
    expect(dialog.get_by_text("Start with https://")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Address")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_role("textbox", name="Address").fill("/c/tents")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(editor(page).get_by_role("link", name="See the guide")).to_have_attribute("href", "/c/tents")
    press(page, "Save")
    said(page, "was saved")
    assert rows("products", id=TENT)[0]["description_html"] == '<p><a href="/c/tents">See the guide</a></p>'
    editor(page).press("Control+A")
    press(page, "Link")
    press(page, "Remove link")
    press(page, "Save")
    expect(editor(page).get_by_role("link")).to_have_count(0)
    assert rows("products", id=TENT)[0]["description_html"] == "<p>See the guide</p>"


def test_html_and_text_stay_in_step_and_pasted_html_is_cleaned(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/description")
    press(page, "HTML")
    source = page.get_by_role("textbox", name="Description as HTML")
    expect(source).to_have_value(re.compile("<strong>four</strong>"))
    expect(page.get_by_role("button", name="Bold")).to_have_attribute("aria-disabled", "true")
    source.fill("<p>One</p><script>window.bad = 1</script><p onclick='x()'>Two</p>")
    press(page, "HTML")
    expect(editor(page)).to_have_text("OneTwo")
    assert page.evaluate("window.bad") is None
    editor(page).click()
    page.keyboard.press("Control+End")
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          const html = "<h1 style='color:red'>Three</h1><img src=x onerror='window.bad=2'><div>Four</div>";
          data.setData("text/html", html);
          const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
          document.activeElement.dispatchEvent(paste);
        }"""
    )
    press(page, "HTML")
    expect(source).to_have_value(re.compile("<h3>.*Three</h3>|<p>Two.*Three", re.DOTALL))
    expect(source).not_to_have_value(re.compile("style|img|script|onclick"))
    assert page.evaluate("window.bad") is None
    press(page, "Save")
    said(page, "was saved")
    html = rows("products", id=TENT)[0]["description_html"]
    assert re.sub("<[^>]+>", "", html) == "OneTwoThreeFour"


def test_leaving_with_an_unsaved_description_is_asked_about(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/description")
    editor(page).press_sequentially("x")
    tab(page, "Audit")
    dialog = page.get_by_role("dialog", name="Leave without saving?")
    press(page, "Stay on this page")
    expect(dialog).to_be_hidden()
    press(page, "Disable")
    expect(dialog).to_be_visible()
    press(page, "Leave and discard")
    said(page, "Moor Tent 2P is now disabled.")
    assert "x" not in rows("products", id=TENT)[0]["description_html"]


def test_the_tree_of_categories_is_walked_by_keys(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/categories")
    tree = page.get_by_role("tree", name="Categories")
    tree.get_by_role("treeitem", name="Outdoor").focus()
    page.keyboard.press("ArrowRight")
    expect(tree.get_by_role("treeitem", name="Packs", exact=True)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("treeitem", name="Packs", exact=True)).to_have_attribute("aria-expanded", "false")
    expect(tree.get_by_role("treeitem", name="Daypacks")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(tree.get_by_role("treeitem", name="Tents")).to_be_focused()
    page.keyboard.press("Space")
    expect(tree.get_by_role("treeitem", name="Tents")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("h")
    expect(tree.get_by_role("treeitem", name="Home")).to_be_focused()
    search = page.get_by_role("searchbox", name="Search categories")
    search.fill("dayp")
    expect(tree.get_by_role("treeitem", name="Daypacks")).to_be_visible()
    expect(tree.get_by_role("treeitem", name="Home")).to_be_hidden()
    search.press("Enter")
    expect(page.get_by_role("button", name="Remove Outdoor › Packs › Daypacks")).to_have_count(0)
    search.fill("nothing such")
    expect(page.get_by_text("No category matches.")).to_be_visible()
    press(page, "Save")
    said(page, "was saved")
    assert [row["category_id"] for row in rows("product_categories", product_id=TENT)] == [TENTS]


@pytest.fixture
def files(tmp_path: Path, drawn) -> dict[str, Path]:
    """Files to choose from: a right one, a large one, one of another kind."""
    made = {"blue.png": drawn("PNG", "blue"), "large.png": drawn() + bytes(2 * 1024 * 1024), "notes.txt": b"no picture",
            "fake.png": b"GIF89a no picture"}  # fmt: skip
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in made}


def test_uploads_say_what_is_wrong_and_add_what_is_right(visit, rows, files):
    page = visit()
    page.goto(f"/products/{TENT}/images")
    field = page.get_by_label("Choose pictures")
    field.set_input_files([files["large.png"], files["notes.txt"]])
    expect(page.get_by_text("large.png is larger than 2 MB.")).to_be_visible()
    expect(page.get_by_text("notes.txt is not a JPG or PNG picture.")).to_be_visible()
    assert len(rows("files")) == 3
    field.set_input_files([files["fake.png"], files["blue.png"]])
    expect(page.get_by_role("textbox", name="Alternative text of picture 4")).to_be_visible()
    expect(page.get_by_text("fake.png is not a JPG or PNG picture.")).to_be_visible()
    (file,) = rows("files", name="blue.png")
    assert file["sha256"] == hashlib.sha256(files["blue.png"].read_bytes()).hexdigest()
    assert file["uploaded_by"] == 2
    shown = page.get_by_role("listitem").filter(has_text="blue.png").locator("img")
    assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") == 40


def test_an_upload_keeps_what_is_typed_beside_it(visit, rows, files):
    page = visit()
    page.goto(f"/products/{TENT}/images")
    page.get_by_role("textbox", name="Alternative text of picture 1").fill("At dusk")
    page.get_by_label("Choose pictures").set_input_files(files["blue.png"])
    said(page, "1 picture added.")
    page.get_by_role("textbox", name="Alternative text of picture 4").fill("In blue")
    press(page, "Make picture 4 the main one")
    press(page, "Save")
    said(page, "The pictures were saved.")
    found = rows("product_images", "position", product_id=TENT)
    assert [row["alt"] for row in found] == ["In blue", "At dusk", "Tent 2", "Tent 3"]


def test_a_picture_dropped_on_the_zone_is_added(visit, rows, drawn):
    page = visit()
    page.goto(f"/products/{MUG}/images")
    expect(page.get_by_text("No pictures yet")).to_be_visible()
    page.locator("drop-zone").evaluate(
        """(zone, bytes) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }));
          const target = zone.shadowRoot.querySelector(".zone");
          for (const name of ["dragenter", "dragover", "drop"]) {
            target.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
          }
        }""",
        list(drawn("PNG", "green")),
    )
    expect(page.get_by_role("textbox", name="Alternative text of picture 1")).to_be_visible()
    assert len(rows("files", name="dropped.png")) == 1


def test_pictures_are_arranged_by_dragging_by_keys_and_by_dialog(visit, rows):
    page = visit()
    page.goto(f"/products/{TENT}/images")
    order = page.get_by_role("list", name="Pictures in order").locator("> li")
    names = lambda: [text.split()[-1] for text in order.locator("[data-place]").evaluate_all(  # noqa: E731
        "all => all.map(each => each.closest('li').dataset.name)")]  # fmt: skip
    assert names() == ["moor-tent-2p-1.png", "moor-tent-2p-2.png", "moor-tent-2p-3.png"]
    order.nth(0).locator("img").drag_to(order.nth(2).locator("img"))
    assert names() == ["moor-tent-2p-2.png", "moor-tent-2p-3.png", "moor-tent-2p-1.png"]
    page.get_by_role("button", name="Move picture 3 to…").focus()
    page.keyboard.press("Alt+ArrowUp")
    assert names() == ["moor-tent-2p-2.png", "moor-tent-2p-1.png", "moor-tent-2p-3.png"]
    expect(page.get_by_role("button", name="Move picture 2 to…")).to_be_focused()
    press(page, "Move picture 3 to…")
    choose(page, "New place", "1 (main picture)")
    press(page, "Move")
    assert names() == ["moor-tent-2p-3.png", "moor-tent-2p-2.png", "moor-tent-2p-1.png"]
    assert [row["id"] for row in rows("product_images", "position")] == [1, 2, 3]
    press(page, "Save")
    said(page, "The pictures were saved.")
    assert [row["id"] for row in rows("product_images", "position")] == [3, 2, 1]
    press(page, "Remove picture 2")
    expect(page.get_by_role("dialog")).to_contain_text("moor-tent-2p-2.png")
    press(page, "Remove the picture")
    said(page, "The picture was removed.")
    assert [(row["id"], row["position"]) for row in rows("product_images", "position")] == [(3, 1), (1, 2)]


def test_a_product_is_enabled_copied_and_deleted_from_its_head(visit, rows):
    page = visit()
    page.goto(f"/products/{MUG}")
    press(page, "Enable")
    press(page, "Enable the product")
    dialog = page.get_by_role("dialog", name="Enable Fern Mug?")
    expect(dialog).to_contain_text("Choose a category before the product goes into the shop.")
    press(page, "Cancel")
    press(page, "Duplicate")
    expect(page.get_by_role("textbox", name="Name of the copy")).to_have_value("Fern Mug (copy)")
    page.get_by_role("textbox", name="Name of the copy").fill("Reed Mug")
    press(page, "Duplicate the product")
    said(page, "Reed Mug was added as a copy of Fern Mug.")
    press(page, "Delete")
    press(page, "Delete the product")
    said(page, "Reed Mug was deleted.")
    page.goto("/products/1")
    press(page, "Delete")
    expect(page.get_by_role("dialog")).to_contain_text("was ordered and cannot be deleted")
    press(page, "Delete the product")
    said(page, "Ridge Pack 1 was ordered and cannot be deleted; archive it instead.")
    press(page, "Archive")
    press(page, "Archive the product")
    said(page, "Ridge Pack 1 is now archived.")
    assert rows("products", id=1)[0]["status"] == "archived"


def test_a_new_product_begins_as_a_draft(visit, rows):
    page = visit()
    page.goto("/products/new")
    press(page, "Add product")
    expect(page.get_by_role("alert")).to_contain_text("Price is required.")
    page.get_by_role("textbox", name="Name", exact=True).fill("Tarp & Co 3x3")
    choose(page, "Brand", "Birch & Sons")
    page.get_by_role("radio", name="Configurable").check()
    expect(page.get_by_role("textbox", name="Price")).to_be_hidden()
    page.get_by_role("radio", name="Simple").check()
    page.get_by_role("textbox", name="Price").fill("1,250.50")
    page.get_by_role("textbox", name="Units on hand").fill("3")
    page.get_by_role("treeitem", name="Tents").click()
    press(page, "Add product")
    expect(page.get_by_role("heading", name="Tarp & Co 3x3", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("3 units available")
    (product,) = rows("products", slug="tarp-co-3x3")
    assert product["status"] == "draft"
    assert rows("variants", product_id=product["id"])[0]["price"] == 125_050


def test_reviews_and_changes_of_a_product_are_listed(visit):
    page = visit()
    page.goto(f"/products/{TENT}")
    page.get_by_role("textbox", name="Weight in grams").fill("2500")
    choose(page, "Brand", "Alder")
    tab(page, "Categories")
    page.get_by_role("treeitem", name="Tents").click()
    press(page, "Save")
    said(page, "was saved")
    tab(page, "Audit")
    expect(page.get_by_role("main")).to_contain_text("Max Manager edited the product")
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Weight.*2,?400 → 2,?500"))
    expect(page.get_by_role("main")).to_contain_text("Brand: Birch & Sons → Alder")
    expect(page.get_by_role("main")).to_contain_text("Categories: Daypacks → Daypacks, Tents")
    tab(page, "Reviews")
    page.get_by_role("link", name="Dry").click()
    expect(page.get_by_role("heading", name="Dry")).to_be_visible()


def test_an_analyst_reads_and_a_clerk_writes_texts(visit, rows):
    reader = visit("analyst")
    reader.goto(f"/products/{TENT}")
    expect(reader.get_by_role("main")).to_contain_text("Dry for the night.")
    expect(reader.get_by_role("textbox", name="Name", exact=True)).to_have_count(0)
    for name in ("Duplicate", "Save"):
        expect(reader.get_by_role("button", name=name, exact=True)).to_have_count(0)
    press(reader, "Disable")
    expect(reader.get_by_role("main")).to_contain_text("Your role may not put products into the shop")
    clerk = visit("clerk")
    clerk.goto(f"/products/{TENT}")
    expect(clerk.get_by_role("combobox", name="Brand")).to_be_disabled()
    clerk.get_by_role("textbox", name="Name", exact=True).fill("Moor Tent")
    press(clerk, "Save")
    said(clerk, "Moor Tent was saved.")
    (product,) = rows("products", id=TENT)
    assert (product["name"], product["status"], product["weight_g"]) == ("Moor Tent", "active", 2400)
    assert [row["tag_id"] for row in rows("product_tags", product_id=TENT)] == [1]


def test_the_list_is_searched_edited_in_place_and_changed_in_bulk(visit, rows):
    page = visit()
    page.goto("/products?q=BI-TN")
    row = page.get_by_role("row").filter(has_text="Moor Tent 2P")
    expect(row).to_contain_text("4 variants")
    expect(row).to_contain_text("$200.00 – $205.00")
    expect(row).to_contain_text("28")
    row.get_by_text("Moor Tent 2P", exact=True).dblclick()
    page.keyboard.press("Control+A")
    page.keyboard.type("Moor Tent")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Moor Tent", exact=True)).to_be_visible()
    assert rows("products", id=TENT)[0]["name"] == "Moor Tent"
    page.get_by_role("checkbox", name=re.compile("^Select Moor Tent")).check()
    press(page, "Put on sale")
    page.get_by_role("textbox", name="Percent off").fill("20")
    page.get_by_role("dialog").get_by_role("button", name="Put on sale").click()
    said(page, "Moor Tent put on sale.")
    assert {row["sale_price"] for row in rows("variants", product_id=TENT)} == {16_000, 16_400}
    page.get_by_role("link", name="Open Moor Tent").click()
    expect(page.get_by_role("heading", name="Moor Tent", level=1)).to_be_visible()


def test_two_people_edit_one_product_and_each_field_is_decided(visit, rows):
    mine, theirs = visit(), visit("owner")
    for page in (mine, theirs):
        page.goto(f"/products/{TENT}")
    theirs.get_by_role("textbox", name="Short description").fill("Theirs.")
    tab(theirs, "Categories")
    theirs.get_by_role("treeitem", name="Tents").click()
    press(theirs, "Save")
    said(theirs, "was saved")
    mine.get_by_role("textbox", name="Name", exact=True).fill("Mine")
    tab(mine, "Description")
    editor(mine).fill("Mine.")
    press(mine, "Save")
    expect(mine.get_by_role("heading", name="Somebody was faster")).to_be_visible()
    differ = mine.get_by_role("table", name="What differs")
    for field, side in (("Name", "mine"), ("Short description", "theirs"), ("Categories", "theirs"),
                        ("Description as HTML", "mine")):  # fmt: skip
        expect(differ.get_by_role("radio", name=f"{field}: {side}")).to_be_checked()
    press(mine, "Save merged")
    said(mine, "Mine was saved.")
    (product,) = rows("products", id=TENT)
    assert (product["name"], product["short_desc"], product["description_html"]) == ("Mine", "Theirs.", "<p>Mine.</p>")
    assert [row["category_id"] for row in rows("product_categories", "2", product_id=TENT)] == [DAYPACKS, TENTS]
