"""Reviews, dashboard, audit log, profile, staff and settings in a real browser, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hands import NAMELESS, TOO_WIDE, press, toast
from people_shop import PASSWORD
from playwright.sync_api import Dialog, Page, expect
from sitegym.sites.world import World

SCREENS = (
    "/?from=2024-02-01&to=2026-03-18", "/?from=2026-03-18&to=2026-03-01", "/reviews", "/reviews/1", "/audit",
    "/audit?actor=customer&to=2020-01-01", "/profile", "/staff", "/staff/new", "/staff/1", "/staff/4", "/staff/6",
    "/settings", "/settings/orders", "/settings/shipping", "/settings/taxes",
)  # fmt: skip

Answering = Callable[[Page, list[bool]], list[str]]


@pytest.fixture
def answering() -> Answering:
    """Answers the browser's own questions in turn, and gives a list that fills with what was asked."""

    def start(page: Page, answers: list[bool]) -> list[str]:
        asked: list[str] = []

        def answer(dialog: Dialog) -> None:
            asked.append(dialog.message)
            if answers[len(asked) - 1]:
                dialog.accept()
            else:
                dialog.dismiss()

        page.on("dialog", answer)
        return asked

    return start


def test_no_screen_has_a_nameless_control_twins_or_scrolls_sideways(visit):
    page = visit("owner")
    for theme, width, height in (("light", 1280, 800), ("dark", 900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        for path in SCREENS:
            page.goto(path)
            page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme }", theme)
            assert page.evaluate(NAMELESS) == [], path
            assert page.evaluate(TOO_WIDE) <= 0, (path, width)
            assert page.locator("h1").count() == 1, path
            buttons = page.evaluate("() => [...document.querySelectorAll('main button[aria-label]')]"
                                    ".map((each) => each.getAttribute('aria-label'))")  # fmt: skip
            assert len(buttons) == len(set(buttons)), path


# reviews


@pytest.mark.parametrize(
    ("answers", "gone"),
    [([False], False), ([True, False], False), ([True, True], True)],
    ids=["no", "yes-no", "yes-yes"],
)
def test_deleting_a_review_asks_twice_and_a_no_leaves_it(visit, answering, answers, gone):
    page = visit()
    asked = answering(page, answers)
    page.goto("/reviews/1")
    page.get_by_role("button", name="Delete review").focus()
    page.keyboard.press("Enter")
    if gone:
        toast(page, "The review by M was deleted.")
        expect(page).to_have_url(re.compile(r"/reviews$"))
    else:
        expect(page.get_by_role("heading", level=1)).to_have_text("Pack 1")
    assert len(asked) == len(answers)
    assert asked[0] == "Delete the review by M?"
    assert page.goto("/reviews/1").status == (404 if gone else 200)


def test_a_review_is_rejected_put_back_and_approved_on_its_page(visit):
    page = visit("clerk")
    page.goto("/reviews/1")
    press(page, "Reject")
    toast(page, "The review by M is rejected.")
    press(page, "Back to pending")
    toast(page, "The review by M waits for a decision again.")
    press(page, "Approve")
    toast(page, "The review by M is approved.")
    history = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(history.filter(has_text="Carl Clerk approved the review")).to_have_count(1)


def test_a_reply_is_written_reworded_and_removed_and_guarded_while_unsaved(visit):
    page = visit("clerk")
    page.goto("/reviews/2")
    box = page.get_by_role("textbox", name="Reply")
    press(page, "Save reply")
    expect(page.get_by_role("alert")).to_contain_text("Write a reply first.")
    box.fill("Sorry about that.")
    page.get_by_role("link", name="Next review").click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Stay on this page").click()
    press(page, "Save reply")
    toast(page, "The reply was saved.")
    expect(box).to_have_value("Sorry about that.")
    box.fill("Sorry!")
    press(page, "Save reply")
    expect(box).to_have_value("Sorry!")
    press(page, "Remove reply")
    press(page, "Remove the reply")
    toast(page, "The reply was removed.")
    expect(box).to_have_value("")


def test_reviews_are_approved_and_deleted_together_from_the_list(visit, answering, served_people: World):
    for id in (1, 2, 3):
        served_people.call("reviews.moderate", id=id, status="pending")
    page = visit()
    asked = answering(page, [True, False, True, True])
    page.goto("/reviews?f=status:in:pending")
    for id in (1, 2):
        page.get_by_role("checkbox", name=f"Select review {id} by M").check()
    page.get_by_role("region", name="Selection").get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog", name="Approve 2 reviews?")
    dialog.get_by_role("button", name="Approve").click()
    results = page.get_by_role("dialog", name="Approve: 2 done, 0 refused")
    results.get_by_role("button", name="OK").click()
    expect(page.get_by_text("1 review", exact=True)).to_be_visible()
    for answered in (2, 4):
        page.goto("/reviews?f=status:in:pending")
        page.get_by_role("checkbox", name="Select review 3 by M").check()
        page.get_by_role("region", name="Selection").get_by_role("button", name="Delete").click()
        dialog = page.get_by_role("dialog", name=re.compile("^Delete "))
        with page.expect_event("dialog", lambda question: "undone" in question.message):
            dialog.get_by_role("button", name="Delete", exact=True).click()
        assert len(asked) == answered
    toast(page, "deleted")
    assert asked[0].startswith("Delete ")
    assert page.goto("/reviews/3").status == 404


# dashboard


def test_a_tile_is_moved_by_keyboard_and_by_mouse_and_stays_there(visit):
    page = visit()
    page.goto("/")
    tiles = page.locator("[data-tile]")
    names = lambda: tiles.evaluate_all("all => all.map((tile) => tile.dataset.name)")  # noqa: E731
    first = names()
    page.get_by_role("button", name="Move Sales").focus()
    with page.expect_response("**/dashboard/tiles"):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Move Sales")).to_be_focused()
    expect(page.get_by_text("Sales is now number 2 of 6.")).to_be_attached()
    assert names() == [first[1], first[0], *first[2:]]
    grip = page.get_by_role("button", name="Move New reviews").bounding_box()
    target = tiles.nth(0).bounding_box()
    page.mouse.move(grip["x"] + 8, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 60, target["y"] + 40, steps=8)
    with page.expect_response("**/dashboard/tiles"):
        page.mouse.up()
    page.reload()
    assert names() == ["New reviews", first[1], first[0], *first[2:5]]


def test_the_table_says_what_the_bars_say_and_the_tooltip_too(visit):
    page = visit()
    page.goto("/?from=2026-02-20&to=2026-03-18")
    bars = page.locator(".slot").evaluate_all("all => all.map((bar) => [bar.dataset.name, bar.dataset.now])")
    page.locator(".slot").nth(8).hover()
    expect(page.locator(".chart-tip")).to_contain_text("Feb 28, 2026")
    expect(page.locator(".chart-tip")).to_contain_text("$1,000.00 · 1 order")
    table = page.get_by_role("table", name="Sales by day")
    expect(table).to_be_hidden()
    page.get_by_role("button", name="Show as table").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Show as table", pressed=True)).to_be_visible()
    rows = table.locator("tbody tr").evaluate_all(
        "all => all.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert [[name, f"{sales} · {count} order{'' if count == '1' else 's'}"] for name, count, sales, *_ in rows] == bars
    expect(page.get_by_role("img", name="Sales by day from Feb 20, 2026 to Mar 18, 2026")).to_be_hidden()


def test_a_period_is_chosen_and_the_cards_follow(visit):
    page = visit()
    page.goto("/")
    page.get_by_role("combobox", name="Period").click()
    page.get_by_role("option", name="Last month").click()
    expect(page.get_by_role("textbox", name="From")).to_have_value("2026-02-01")
    press(page, "Show")
    expect(page.get_by_role("link", name="Orders: 1, ")).to_be_visible()
    page.get_by_role("link", name="Sales: $1,000.00").click()
    expect(page.get_by_text("1 order", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("combobox", name="Period")).to_have_value("Last month")


# audit


def test_more_entries_follow_by_scrolling_and_by_the_button(visit, served_people: World):
    for number in range(130):
        served_people.call("profile.edit", actor="clerk", name=f"Carl Clerk {number}", phone=None)
    page = visit("analyst")
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto("/audit")
    rows = page.get_by_role("table", name="Audit log").locator("tbody[data-entries] > tr")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="Load more").focus()
    page.keyboard.press("Enter")
    expect(rows).to_have_count(100)
    page.mouse.move(640, 300)
    for _ in range(40):  # as a person turns the wheel, until there is no more
        page.mouse.wheel(0, 2_000)
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(rows).to_have_count(int(page.get_by_text(re.compile("of [0-9]+ shown")).inner_text().split()[2]))
    expect(page.get_by_role("button", name="Load more")).to_be_hidden()
    ids = rows.evaluate_all("all => all.map((row) => Number(row.dataset.entry))")
    assert ids == sorted(set(ids), reverse=True)
    assert len(ids) > 130


def test_an_entry_shows_its_changes_in_a_popover_that_escape_closes(visit, served_people: World):
    served_people.call("profile.edit", actor="clerk", name="Carl Clerk", phone="+16145550199")
    page = visit()
    page.goto("/audit")
    page.get_by_role("combobox", name="Record").click()
    page.get_by_role("option", name="Staff").click()
    press(page, "Apply filters")
    button = page.get_by_role("button", name=re.compile("^1 change of entry"))
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    table = page.get_by_role("table", name=re.compile("^Changes of entry"))
    expect(table.get_by_role("row").nth(1)).to_have_text(re.compile(r"Phone\s*—\s*\+1 614-555-0199"))
    page.keyboard.press("Escape")
    expect(table).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    expect(table).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(table).to_be_hidden()


# profile, staff, settings


def test_the_theme_is_chosen_in_the_menu_kept_and_follows_the_system(visit):
    page = visit()
    page.goto("/orders")
    page.get_by_role("button", name="Account of Max Manager").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitemradio", name="Dark")).to_be_focused()
    with page.expect_response("**/profile/theme"):
        page.keyboard.press("Enter")
    shown = "() => document.documentElement.dataset.bsTheme"
    assert page.evaluate(shown) == "dark"
    expect(page.get_by_role("menuitemradio", name="Dark", checked=True)).to_be_visible()
    page.goto("/profile")
    assert page.evaluate(shown) == "dark"
    page.get_by_role("radio", name="System").check()
    press(page, "Save preferences")
    toast(page, "Your preferences were saved.")
    assert page.evaluate(shown) == "light"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.bsTheme === 'dark'")
    page.reload()
    assert page.evaluate(shown) == "dark"


def test_a_password_is_changed_and_the_wrong_one_told_beside_its_field(visit):
    page = visit("clerk")
    page.goto("/profile")
    for name, text in (
        ("Current password", "wrong"),
        ("New password", "four green frogs"),
        ("Repeat new password", "four green frogs"),
    ):
        page.get_by_role("textbox", name=name, exact=True).fill(text)
    press(page, "Change password")
    expect(page.get_by_role("textbox", name="Current password")).to_have_attribute("aria-invalid", "true")
    for name, text in (
        ("Current password", PASSWORD),
        ("New password", "four green frogs"),
        ("Repeat new password", "four green frogs"),
    ):
        page.get_by_role("textbox", name=name, exact=True).fill(text)
    press(page, "Change password")
    toast(page, "Your password was changed.")


def test_the_owner_invites_promotes_and_deactivates_who_is_then_signed_out(visit):
    owner, clerk = visit("owner"), visit("clerk")
    clerk.goto("/orders")
    owner.goto("/staff")
    owner.get_by_role("link", name="Invite", exact=True).click()
    owner.get_by_role("textbox", name="Name").fill("Nora New")
    owner.get_by_role("textbox", name="E-mail").fill("nora@fernhill.example")
    press(owner, "Send invitation")
    toast(owner, "Nora New was invited")
    owner.goto("/staff/4")
    owner.get_by_role("combobox", name="Role").click()
    owner.get_by_role("option", name="Manager").click()
    press(owner, "Save")
    toast(owner, "Carl Clerk was saved.")
    clerk.goto("/staff")
    expect(clerk.get_by_role("heading", level=1)).to_have_text("Staff")
    press(owner, "Deactivate")
    owner.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    toast(owner, "Carl Clerk was deactivated and signed out.")
    clerk.goto("/orders")
    expect(clerk).to_have_url(re.compile("/login"))


def test_the_last_owner_is_told_why_the_own_account_stays(visit):
    page = visit("owner")
    page.goto("/staff/1")
    expect(page.get_by_role("combobox", name="Role")).to_be_disabled()
    press(page, "Deactivate")
    page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    toast(page, "You cannot deactivate your own account.")


def test_a_manager_sees_settings_that_do_not_react_and_a_clerk_is_refused(visit):
    manager, clerk, owner = visit(), visit("clerk"), visit("owner")
    manager.goto("/settings/shipping")
    expect(manager.get_by_role("textbox", name="Free shipping from (USD)")).to_be_disabled()
    button = manager.get_by_role("button", name="Save settings")
    expect(button).to_have_attribute("title", "Your role may not change the settings.")
    button.click(force=True)
    expect(manager).to_have_url(re.compile("/settings/shipping$"))
    clerk.goto("/settings")
    expect(clerk.get_by_role("heading", level=1)).to_have_text("You may not do this")
    owner.goto("/settings/shipping")
    owner.get_by_role("textbox", name="Free shipping from (USD)").fill("49.50")
    expect(owner.get_by_text("Unsaved changes")).to_be_visible()
    press(owner, "Save settings")
    toast(owner, "The settings were saved.")
    expect(owner.get_by_role("textbox", name="Free shipping from (USD)")).to_have_value("49.50")
