"""Keys of the browser do what the browser does at them, unless the page takes them for itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import PageServer, Player

Open = Callable[..., Player]


def loaded(pages: PageServer, path: str) -> int:
    return pages.seen.count(f"GET {path}")


@pytest.mark.parametrize("chord", ["F5", "Control+r", "Control+R", "ControlOrMeta+r", "Control+Shift+R", "Control+F5"])
def test_the_page_is_loaded_again(player: Open, pages: PageServer, chord: str) -> None:
    page = player("shortcuts")
    before = loaded(pages, "/shortcuts")
    assert page.play({"action": "press", "key": chord}).error == ""
    assert loaded(pages, "/shortcuts") == before + 1
    assert page.eval("said.textContent") == "at 500", "the document began anew"


def test_alt_and_an_arrow_go_back_and_forward(player: Open) -> None:
    page = player("shortcuts")
    assert page.play('press("Alt+ArrowLeft")').error == "there is no page to go back to in this tab"
    page.on("click", "button", "Leave")
    assert page.play('press("Alt+ArrowLeft")').error == ""
    assert page.now.title == "Shortcuts"
    assert page.play('press("Alt+ArrowRight")').error == ""
    assert page.now.url.endswith("/plain")


def test_tabs_are_opened_gone_through_and_closed(player: Open) -> None:
    page = player("plain")
    assert page.play('press("Control+w")').error == "this is the only tab, and it stays open"
    assert page.play('press("Control+t")').error == ""
    assert [tab.active for tab in page.now.tabs] == [False, True]
    for chord, active in (("Control+Tab", 0), ("Control+Shift+Tab", 1), ("Control+PageUp", 0), ("Control+PageDown", 1)):
        page.play({"action": "press", "key": chord})
        assert page.now.tabs[active].active, chord
    assert page.play('press("Control+W")').error == ""
    assert [tab.url for tab in page.now.tabs] == ["http://micro.localhost/plain"]


def test_a_held_key_is_part_of_the_chord(player: Open) -> None:
    page = player("plain")
    page.play('key_down("Control")')
    page.play('press("t")')
    assert len(page.now.tabs) == 2
    assert page.now.held == ("Control",)


@pytest.mark.parametrize(
    ("chord", "reason"),
    [
        ("Control+l", "use navigate(url)"),
        ("F6", "use navigate(url)"),
        ("Control+Shift+N", "use new_tab()"),
        ("F3", "read the tree, scroll, or search in the page"),
        ("Control+p", "nothing can be printed"),
    ],
)
def test_what_the_browser_would_open_of_its_own_is_refused_with_the_way_out(
    player: Open, chord: str, reason: str
) -> None:
    error = player("shortcuts").play({"action": "press", "key": chord}).error
    assert error.startswith(f"{chord} ")
    assert error.endswith(reason)


def test_a_chord_that_the_page_takes_is_the_pages(player: Open) -> None:
    page = player("shortcuts")
    assert page.play('press("Control+f")').error == ""
    assert page.eval("said.textContent") == "searching"
    page.on("click", "textbox", "Area")
    assert "search bar" in page.play('press("Control+f")').error, "the frame that has the focus does not take it"
    page.on("press", "textbox", "Field", "Control+f")
    assert page.now.error == ""


def test_a_page_that_asks_before_it_is_left_asks_at_a_reload_by_key(player: Open, pages: PageServer) -> None:
    page = player("shortcuts")
    page.eval("void addEventListener('beforeunload', (event) => event.preventDefault())")
    page.on("click", "textbox", "Field")
    before = loaded(pages, "/shortcuts")
    assert page.play('press("F5")').dialog is not None
    page.play("accept_dialog()")
    assert loaded(pages, "/shortcuts") == before + 1
