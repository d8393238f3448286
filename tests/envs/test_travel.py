"""Addresses and tabs: within the world only, with the server's record of what each tab shows."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from .conftest import PageServer, Player

Open = Callable[..., Player]


def view(player: Player) -> int | None:
    return player.session.tabs.views[player.session.tabs.active]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "chrome://version",
        "view-source:http://micro.localhost/plain",
        "devtools://devtools/bundled/inspector.html",
        "data:text/html,hello",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " blob:http://micro.localhost/1",
        "about:version",
        "https://micro.localhost/",
        "ftp://micro.localhost/",
        "micro.localhost/plain",
        "//other.localhost/plain",
        "http:///plain",
        "http://[::1/",
        "http://127.0.0.1:5000/",
        "http:",
        "",
    ],
)
def test_addresses_that_leave_the_world_are_refused(player: Open, url: str) -> None:
    page = player("plain")
    assert page.play({"action": "navigate", "url": url}).error
    assert page.play({"action": "new_tab", "url": url}).error or url == ""
    assert page.now.tabs[0].url == "http://micro.localhost/plain"


def test_a_path_needs_a_page_that_it_belongs_to(player: Open) -> None:
    page = player("plain")
    page.play('navigate("about:blank")')
    assert page.play('navigate("/plain")').error == (
        "this tab shows no page that '/plain' could belong to; write the address in full (http://host/path)"
    )
    assert page.play('navigate("http://micro.localhost/plain")').error == ""
    assert page.play('navigate("/echo")').title == "Echo"


def test_any_other_host_is_answered_by_the_world(player: Open, pages: PageServer) -> None:
    page = player("plain")
    for url in ("http://example.com/echo?x=1", "http://127.0.0.1/echo?x=2", "http://localhost/echo?x=3"):
        assert page.play({"action": "navigate", "url": url}).error == ""
        assert page.now.title == "Echo"
    assert pages.seen[-3:] == ["GET /echo?x=1", "GET /echo?x=2", "GET /echo?x=3"]


def test_back_forward_and_reload_keep_the_record_of_what_is_shown(player: Open, pages: PageServer) -> None:
    page = player("plain")
    first = view(page)
    assert first == pages.views
    assert page.play("back()").error == "there is no page to go back to in this tab"
    page.play('navigate("/echo?a=1")')
    assert view(page) == pages.views
    assert view(page) != first
    page.play("back()")
    assert page.now.title == "Plain"
    assert view(page) in (first, pages.views)
    page.play("forward()")
    assert page.now.url.endswith("/echo?a=1")
    page.play("reload()")
    assert view(page) == pages.views
    assert page.play("forward()").error == "there is no page to go forward to in this tab"


def test_moves_within_a_document_and_pages_that_never_come_keep_the_record(player: Open) -> None:
    page = player("plain")
    first = view(page)
    page.eval("history.pushState({}, '', '/plain?page=2')")
    page.play("wait(10)")
    assert page.now.url.endswith("?page=2")
    for name in ("Empty answer", "Download"):
        assert page.play({"action": "click", "ref": page.now.find("link", name)}).error == ""
        assert page.now.settled
        assert page.now.title == "Plain"
        assert view(page) == first
    assert page.now.downloads == ("a.csv",)
    assert "gave no page" in page.play('navigate("/empty")').error


def test_a_page_without_a_record_has_none(player: Open) -> None:
    page = player("plain")
    page.play('navigate("/no-such-page")')
    assert page.now.title == "Nothing"
    assert view(page) is None


def test_tabs_open_switch_and_close(player: Open) -> None:
    page = player("plain")
    page.play({"action": "click", "ref": page.now.find("link", "New window")})
    assert [(tab.title, tab.active) for tab in page.now.tabs] == [("Plain", False), ("Echo", True)]
    page.play('new_tab("/timers")')
    assert [tab.title for tab in page.now.tabs] == ["Plain", "Echo", "Timers"]
    page.play("switch_tab(0)")
    assert page.now.title == "Plain"
    assert page.play("switch_tab(3)").error == "there is no tab 3; tabs are numbered from 0 to 2"
    page.play("close_tab(1)")
    assert [tab.title for tab in page.now.tabs] == ["Plain", "Timers"]
    page.play("close_tab()")
    assert page.now.title == "Timers"
    assert "the only tab" in page.play("close_tab()").error
    assert page.now.settled


def test_a_tab_in_the_background_shares_the_world_time(player: Open) -> None:
    page = player("timers")
    page.play({"action": "click", "ref": page.now.find("button", "Toast")})
    page.play("new_tab()")
    page.play("wait(5000)")
    page.play("switch_tab(0)")
    assert page.eval("document.getElementById('said').textContent") == "toast gone"


@pytest.mark.parametrize("step", ['press("x")', 'key_down("x")', "mouse_down(5, 5)", "mouse_click(5, 5)"])
def test_a_tab_that_closes_under_the_hand_leads_back_to_the_one_before(player: Open, step: str) -> None:
    page = player("patterns/p42")
    page.on("click", "button", "Choose")
    page.eval("void (window.onkeydown = window.onmousedown = () => close())")
    assert page.play(step).error == ""
    assert [tab.title for tab in page.now.tabs] == ["A choice in a window of its own"]
    assert page.on("click", "button", "Save").error == ""


@pytest.mark.parametrize("script", ["close()", "setTimeout(close, 100)"])
def test_a_page_that_closes_the_last_tab_leaves_a_blank_one(player: Open, script: str) -> None:
    page = player("plain")
    page.eval(f"void (window.onmousedown = () => {script})")
    assert page.play("mouse_click(5, 5)").error == ""
    assert [tab.url for tab in page.now.tabs] == ["about:blank"]
    assert page.play('navigate("http://micro.localhost/plain")').error == ""
    assert page.now.find("button", "Press me")


LATE_S = 0.5
"""Real time for which the server keeps a document back: a tab is there long before it."""


@pytest.mark.parametrize(
    ("role", "name", "held"),
    [
        ("link", "Late", ["Control"]),
        ("link", "Late", ["Shift"]),
        ("link", "Late in a tab", None),
        ("button", "Send late", None),
        ("button", "Open late", None),
        ("button", "Open late alone", None),
    ],
)
def test_a_new_tab_is_seen_with_the_document_that_it_leads_to(
    player: Open, pages: PageServer, role: str, name: str, held: list[str] | None
) -> None:
    page = player("arrivals")
    gate = pages.gates["tab"] = threading.Event()
    late = threading.Timer(LATE_S, gate.set)
    late.start()
    assert page.on("click", role, name, **({"modifiers": held} if held else {})).error == ""
    late.join()
    assert (page.now.title, page.now.settled, len(page.now.tabs)) == ("Echo", True, 2)
    assert page.now.find("heading", "Echo")


@pytest.mark.parametrize(
    ("role", "name", "held"),
    [("button", "Open empty", None), *(("link", name, ["Control"]) for name in ("Empty", "File", "Blank", "Away"))],
)
def test_a_new_tab_that_shows_no_document_is_not_waited_for(
    player: Open, role: str, name: str, held: list[str] | None
) -> None:
    page = player("arrivals")
    assert page.on("click", role, name, **({"modifiers": held} if held else {})).error == ""
    assert page.now.settled
