"""Native dialogs stay open until they are answered; nothing else happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player

Open = Callable[..., Player]


def said(player: Player) -> object:
    return player.eval("document.getElementById('said').textContent")


def press(player: Player, name: str) -> Player:
    assert player.play({"action": "click", "ref": player.now.find("button", name)}).error == ""
    return player


@pytest.mark.parametrize(
    ("button", "kind", "answer", "outcome"),
    [
        ("Alert", "alert", "accept_dialog()", "alerted"),
        ("Confirm", "confirm", "accept_dialog()", "deleted"),
        ("Confirm", "confirm", "dismiss_dialog()", "kept"),
        ("Prompt", "prompt", 'accept_dialog("new")', "name: new"),
        ("Prompt", "prompt", "accept_dialog()", "name: old name"),
        ("Prompt", "prompt", 'accept_dialog("")', "name: "),
        ("Prompt", "prompt", "dismiss_dialog()", "name: null"),
        ("Later", "confirm", "accept_dialog()", "yes"),
    ],
)
def test_a_dialog_waits_for_its_answer(player: Open, button: str, kind: str, answer: str, outcome: str) -> None:
    page = press(player("dialogs"), button)
    assert page.now.dialog is not None
    assert page.now.dialog.kind == kind
    assert page.now.stale
    assert "nothing yet" in page.now.axtree
    after = page.play(answer)
    assert after.error == ""
    assert after.dialog is None
    assert not after.stale
    assert said(page) == outcome


def test_nothing_but_an_answer_is_taken_while_a_dialog_is_open(player: Open) -> None:
    page = press(player("dialogs"), "Confirm")
    for action in ("reload()", "wait(100)", {"action": "click", "ref": page.now.find("button", "Alert")}):
        refused = page.play(action)
        assert (
            'a confirm dialog is open ("Delete it?"): answer it with accept_dialog() or dismiss_dialog()'
            in refused.error
        )
        assert refused.stale
    assert page.play('accept_dialog("text")').error == "this is no prompt but a confirm dialog, which takes no text"
    page.play("accept_dialog()")
    assert said(page) == "deleted"
    assert page.play("accept_dialog()").error == "no dialog is open"


def test_a_second_dialog_follows_the_first(player: Open) -> None:
    page = press(player("dialogs"), "Two")
    assert page.now.dialog
    assert page.now.dialog.message == "First?"
    page.play("accept_dialog()")
    assert page.now.dialog
    assert page.now.dialog.message == "Second?"
    page.play("dismiss_dialog()")
    assert page.now.dialog is None
    assert said(page) == "true,false"


@pytest.mark.parametrize("leave", ["link", "navigate", "reload", "close"])
def test_a_page_that_asks_before_leaving_can_be_stayed_on_or_left(player: Open, leave: str) -> None:
    page = press(player("dialogs"), "Guard")
    if leave == "close":
        page.play("new_tab()")
        page.play("switch_tab(0)")
    tabs = len(page.now.tabs)
    going = {
        "link": {"action": "click", "ref": page.now.find("link", "Leave")},
        "navigate": 'navigate("/echo")',
        "reload": "reload()",
        "close": "close_tab()",
    }[leave]
    page.play(going)
    assert page.now.dialog
    assert page.now.dialog.kind == "beforeunload"
    assert 'a "leave this page?" dialog is open: answer it with accept_dialog() or' in page.play("wait(0)").error
    page.play("dismiss_dialog()")
    assert page.now.dialog is None
    assert page.now.url.endswith("/dialogs")
    assert said(page) == "guarded"
    assert press(page, "Alert").now.dialog
    page.play("accept_dialog()")
    page.play(going)
    assert page.now.dialog
    page.play("accept_dialog()")
    assert page.now.dialog is None
    if leave == "close":
        assert len(page.now.tabs) == tabs - 1
    elif leave == "reload":
        assert said(page) == "nothing yet"
    else:
        assert "/echo" in page.now.url
