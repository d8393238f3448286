"""The bell: unread lines, the drawer, and a number that moves by itself."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from sitegym.sites.store import models
from sitegym.sites.store.services import notifications
from sitegym.sites.store.services.base import Actor, actor_for, begin
from sitegym.sites.world import World


def told(world, staff_id: int | None, text: str, about: int = 1) -> int:
    """A new line behind the bell."""
    actor = Actor("system", None)
    with begin(world, actor, "notifications.read", models.Order, id=about) as w:
        w.notify(staff_id, "order_placed", w.subject, text)
        return notifications.told(w.db, 1)[1]


def bell(page: Page):
    return page.get_by_role("button", name=re.compile("Notifications"))


def assign(world: World, number: str, staff_id: int | None) -> None:
    world.call("orders.assign", actor="owner", number=number, staff_id=staff_id)


def test_one_sees_lines_for_everybody_and_for_oneself_only(ask):
    manager, clerk = ask("manager"), ask("clerk")
    me = actor_for(manager.world, "manager").id
    told(manager.world, None, "For everybody")
    mine = told(manager.world, me, "For the manager")
    assert "For the manager" in manager.get("/notifications").text
    assert "For the manager" not in clerk.get("/notifications").text
    assert "For everybody" in clerk.get("/notifications").text
    assert clerk.post(f"/notifications/{mine}/open").status_code == 404
    assert clerk.count(models.NotificationRead) == 0


def test_opening_a_line_marks_it_as_read_and_leads_to_its_subject(ask):
    manager = ask("manager")
    line = told(manager.world, None, "New order")
    assert 'aria-label="Notifications, 1 unread"' in manager.get("/").text
    answer = manager.post(f"/notifications/{line}/open")
    number = manager.one(models.Order, id=1).number
    assert (answer.status_code, answer.location) == (303, f"/orders/{number}")
    assert 'aria-label="Notifications"' in manager.get("/").text
    assert manager.post(f"/notifications/{line}/open").status_code == 303
    assert manager.count(models.NotificationRead, notification_id=line) == 1


def test_reading_all_is_for_oneself_and_looking_writes_nothing(ask):
    manager, clerk = ask("manager"), ask("clerk")
    for number in range(3):
        told(manager.world, None, f"Line {number}")
    manager.get("/notifications")
    assert manager.count(models.NotificationRead) == 0
    assert manager.post("/notifications/read", {"next": "/orders"}).location == "/orders"
    assert manager.count(models.NotificationRead) == 3
    assert 'aria-label="Notifications, 3 unread"' in clerk.get("/").text
    assert manager.post("/notifications/read", {"next": "//evil.invalid"}).location == "/"


def test_older_lines_come_in_blocks(ask):
    manager = ask("manager")
    for number in range(45):
        told(manager.world, None, f"Line {number:02d}.")
    shown: list[str] = []
    query = ""
    while True:
        text = manager.get(f"/notifications{query}").text
        shown += re.findall(r"Line \d\d", text)
        more = re.search(r'data-bell-more="(\d+)"', text)
        if not more:
            break
        query = f"?before={more[1]}"
    assert shown == [f"Line {number:02d}" for number in reversed(range(45))]


def test_somebody_unknown_hears_nothing(ask):
    assert ask(None).get("/events").status_code == 303
    assert ask(None).get("/notifications", headers={"Accept": "application/json"}).status_code == 401


def test_the_number_moves_by_itself_and_the_drawer_shows_the_line(visit, served_people):
    page = visit()
    page.goto("/customers")
    expect(bell(page)).to_have_accessible_name("Notifications")
    assign(served_people, "100123", 2)
    expect(bell(page)).to_have_accessible_name("Notifications, 1 unread")
    bell(page).focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Notifications")
    line = drawer.get_by_role("button", name=re.compile("Order 100123 was assigned to you"))
    expect(line).to_be_visible()
    assign(served_people, "100124", 2)
    expect(drawer.get_by_role("button", name=re.compile("Order 100124 was assigned to you"))).to_be_visible()
    line.click()
    expect(page).to_have_url(re.compile("/orders/100123"))
    expect(bell(page)).to_have_accessible_name("Notifications, 1 unread")
    bell(page).click()
    drawer.get_by_role("button", name="Mark all as read").click()
    expect(page).to_have_url(re.compile("/orders/100123"))
    expect(bell(page)).to_have_accessible_name("Notifications")


def test_a_bell_with_nothing_behind_it_says_so(visit):
    page = visit()
    page.goto("/")
    bell(page).click()
    drawer = page.get_by_role("dialog", name="Notifications")
    expect(drawer.get_by_role("heading", name="Nothing yet")).to_be_visible()
    expect(drawer.get_by_role("button", name="Mark all as read")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
