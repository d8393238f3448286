"""The frame in a real browser: search, keys, navigation, toasts, unsaved changes, signing in."""

from __future__ import annotations

import re

import pytest
from hands import NAMELESS, TOO_WIDE
from people_shop import PASSWORD, TWIN
from playwright.sync_api import Page, expect

SCREENS = (
    "/", "/orders", "/customers", "/customers/new", f"/customers/{TWIN}", f"/customers/{TWIN}/addresses",
    f"/customers/{TWIN}/orders", f"/customers/{TWIN}/reviews", f"/customers/{TWIN}/credit", "/customers/5",
    f"/customers/{TWIN}/activity", f"/customers/{TWIN}/merge", f"/customers/{TWIN}/merge/1", "/search?q=mara",
    "/search?q=ridge", "/profile", "/nope",
)  # fmt: skip


def test_no_screen_has_a_nameless_control_or_scrolls_sideways(visit):
    page = visit()
    for width, height in ((1280, 800), (1440, 900), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        for path in SCREENS:
            page.goto(path)
            assert page.evaluate(NAMELESS) == [], path
            assert page.evaluate(TOO_WIDE) <= 0, (path, width)
            assert page.locator("h1").count() == 1, path


def test_signing_in_goes_where_one_wanted_and_out_again(visit):
    page = visit(None)
    page.goto("/customers?f=status:in:blocked")
    expect(page.get_by_role("textbox", name="E-mail")).to_be_focused()
    page.get_by_role("textbox", name="E-mail").fill("max@fernhill.example")
    page.get_by_role("textbox", name="Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("This e-mail address and password do not match.")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="Ann O'Dell")).to_be_visible()
    page.get_by_role("button", name="Account of Max Manager").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("status").get_by_text("You are signed out.")).to_be_visible()
    page.goto("/customers")
    expect(page).to_have_url(re.compile("/login"))


def test_a_toast_stays_five_seconds_unless_the_mouse_is_on_it(visit):
    page = visit()
    page.clock.install()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("button", name="Save", exact=True).click()
    message = page.get_by_role("status").get_by_text("Nothing was changed, so nothing was saved.")
    expect(message).to_be_visible()
    message.hover()
    page.clock.run_for(20_000)
    expect(message).to_be_visible()
    page.mouse.move(10, 400)
    page.clock.run_for(4_900)
    expect(message).to_be_visible()
    page.clock.run_for(200)
    expect(message).to_have_count(0)
    page.reload()
    expect(message).to_have_count(0)


def test_slash_searches_arrows_choose_and_enter_opens(visit):
    page = visit()
    page.goto("/")
    page.keyboard.press("/")
    search = page.get_by_role("combobox", name="Search everything")
    expect(search).to_be_focused()
    page.keyboard.type("mara")
    suggestions = page.get_by_role("listbox", name="Suggestions")
    expect(suggestions.get_by_role("option")).to_have_count(7)
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    expect(suggestions.get_by_role("option", selected=True)).to_have_text("Mara Lindqvist m.ist@mail.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Mara Lindqvist")).to_be_visible()


def test_enter_without_a_choice_opens_the_results(visit):
    page = visit()
    page.goto("/")
    page.get_by_role("combobox", name="Search everything").fill("o'dell")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\?q=o%27dell"))
    expect(page.get_by_role("link", name="Ann O'Dell")).to_be_visible()


def test_keys_typed_into_a_field_are_only_text(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("textbox", name="Note").fill("")
    page.get_by_role("textbox", name="Note").press_sequentially("a/b?")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("a/b?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_help_opens_by_key_and_escape_gives_the_focus_back(visit):
    page = visit()
    page.goto("/orders")
    page.get_by_role("button", name="Help").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Help")).to_be_focused()


def test_the_account_menu_works_by_keyboard(visit):
    page = visit()
    page.goto("/")
    button = page.get_by_role("button", name="Account of Max Manager")
    button.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Profile")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitemradio", name="Light")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("menuitem", name="Sign out")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")


def test_a_collapsed_navigation_stays_collapsed_and_flies_out_on_hover(visit):
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Collapse navigation").click()
    page.goto("/customers")
    expect(page.get_by_role("button", name="Expand navigation")).to_be_visible()
    orders = page.get_by_role("navigation", name="Main").get_by_role("link", name="On hold")
    expect(orders).to_have_count(0)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Orders", exact=True).hover()
    orders.click()
    expect(page).to_have_url(re.compile("/orders"))
    expect(page.get_by_text("1 order", exact=True)).to_be_visible()


def test_unsaved_changes_are_said_and_asked_about(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    expect(page.get_by_text("Unsaved changes")).to_be_hidden()
    page.get_by_role("textbox", name="Note").fill("Half a thought")
    expect(page.get_by_text("Unsaved changes")).to_be_visible()
    leave_by(page, "Dashboard")
    page.get_by_role("button", name="Stay on this page").click()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("Half a thought")
    leave_by(page, "Dashboard")
    page.get_by_role("button", name="Leave and discard").click()
    expect(page.get_by_role("heading", level=1, name="Dashboard")).to_be_visible()


def leave_by(page: Page, link: str) -> None:
    """Press an entry of the navigation, and see the question."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name=link).click()
    expect(page.get_by_role("dialog", name="Leave without saving?")).to_be_visible()


def test_closing_a_tab_with_unsaved_changes_asks_too(visit):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("textbox", name="Note").fill("Half a thought")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto("/")
    assert asked == ["beforeunload"]


@pytest.mark.parametrize("typed_back", [True, False])
def test_text_typed_back_is_no_change(visit, typed_back):
    page = visit()
    page.goto(f"/customers/{TWIN}")
    page.get_by_role("textbox", name="Note").fill("x")
    page.get_by_role("textbox", name="Note").fill("" if typed_back else "y")
    marker = page.get_by_text("Unsaved changes")
    expect(marker).to_be_hidden() if typed_back else expect(marker).to_be_visible()


def test_an_error_page_offers_to_try_again(visit):
    page = visit()
    page.goto("/customers/999")
    expect(page.get_by_role("heading", name="This page does not exist")).to_be_visible()
    page.get_by_role("link", name="Go to the dashboard").click()
    expect(page.get_by_role("heading", level=1, name="Dashboard")).to_be_visible()
