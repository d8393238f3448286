"""Keys and buttons that are held from one action to the next, modifiers, the wheel, and typing where the focus is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player
from .patterns import corner

Open = Callable[..., Player]


def said(page: Player) -> object:
    return page.eval("document.getElementById('said').textContent")


def on_pad(page: Player, action: str, **more: object) -> str:
    left, top, *_ = corner(page, "#pad")
    return page.play({"action": action, "x": left + 20, "y": top + 20, **more}).error


def test_a_key_stays_down_until_it_is_released(player: Open) -> None:
    page = player("keys")
    page.play('key_down("Shift")')
    assert page.now.held == ("Shift",)
    page.play('press("x")')
    page.on("click", "option", "B")
    assert page.play('key_down("Shift")').error == "Shift is held down already; key_up('Shift') releases it"
    assert page.play('press("Shift")').error.startswith("Shift is held down already")
    page.play('key_up("Shift")')
    assert page.now.held == ()
    page.on("click", "option", "C")
    assert said(page) == "+Shift +X -X shiftKeyB -Shift C"
    assert page.play('key_up("Shift")').error == "Shift is not held down; held down now: no key"


def test_a_chord_leaves_held_modifiers_down(player: Open) -> None:
    page = player("keys")
    page.play('key_down("Control")')
    page.play('press("Control+b")')
    page.on("click", "option", "A", modifiers=["Control", "Alt"])
    assert page.now.held == ("Control",)
    assert said(page) == "+Control +b -b +Alt ctrlKey,altKeyA -Alt"


def test_modifiers_of_a_click_are_held_for_this_click_only(player: Open) -> None:
    page = player("keys")
    page.on("click", "option", "A", modifiers=["Control", "Shift"])
    page.on("double_click", "option", "B", modifiers=["Meta"])
    page.on("click", "option", "C")
    assert said(page) == "+Control +Shift ctrlKey,shiftKeyA -Shift -Control +Meta metaKeyB metaKeyB -Meta C"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ('key_down("Control+a")', "'Control+a' is a chord; hold one key at a time, or use press('Control+a')"),
        ('key_up("Shfit")', "no key 'Shfit' (did you mean 'Shift'?)"),
        ("mouse_up(10, 10)", "the left mouse button is not held down; press it with mouse_down(x, y) first"),
        ("mouse_down(10, 900)", "(10, 900) lies outside the window, which is 1280 x 800"),
        ("mouse_scroll(2000, 10)", "lies outside the window"),
        ("mouse_drag(1, 1, 9, 9, [[5, 900]])", "(5, 900) lies outside the window"),
    ],
)
def test_what_cannot_be_held_is_refused(player: Open, call: str, reason: str) -> None:
    page = player("keys")
    assert reason in page.play(call).error
    assert page.now.held == ()
    assert said(page) == ""


def test_a_button_stays_down_and_only_its_release_is_taken(player: Open) -> None:
    page = player("keys")
    on_pad(page, "mouse_down")
    assert page.now.held == ("left mouse button",)
    assert "release it with mouse_up(x, y) first" in on_pad(page, "mouse_click")
    assert "the right mouse button is not held down" in on_pad(page, "mouse_up", button="right")
    on_pad(page, "mouse_up")
    on_pad(page, "mouse_click", button="right")
    on_pad(page, "mouse_click", button="middle")
    assert said(page) == "mousedown0 mouseup0 mousedown2 contextmenu2 mouseup2 auxclick2 mousedown1 mouseup1 auxclick1"


def test_what_is_held_goes_along_into_another_tab(player: Open) -> None:
    page = player("keys")
    page.play('key_down("Shift")')
    on_pad(page, "mouse_down")
    page.play('new_tab("http://micro.localhost/keys")')
    assert page.now.held == ("Shift", "left mouse button")
    page.on("click", "option", "A")
    assert said(page) == "+Shift shiftKeyA"
    assert page.now.held == ("Shift",)
    page.play('key_up("Shift")')
    page.play("switch_tab(0)")
    page.on("click", "option", "B")
    assert said(page) == "+Shift mousedown0 mouseup0 -Shift B"


@pytest.mark.parametrize(("modifier", "tabs"), [("Control", 2), ("Shift", 2)])
def test_a_modified_click_opens_a_link_elsewhere(player: Open, modifier: str, tabs: int) -> None:
    page = player("keys")
    page.on("click", "link", "Link", modifiers=[modifier])
    assert page.now.settled
    assert len(page.now.tabs) == tabs
    assert [tab.url for tab in page.now.tabs][-1] == "http://micro.localhost/echo?link"


def test_a_middle_click_opens_a_link_elsewhere(player: Open) -> None:
    page = player("keys")
    left, top, width, height = corner(page, "a")
    page.play({"action": "mouse_click", "x": left + width // 2, "y": top + height // 2, "button": "middle"})
    assert page.now.settled
    assert [tab.url for tab in page.now.tabs][-1] == "http://micro.localhost/echo?link"


def test_text_is_typed_where_the_focus_is(player: Open) -> None:
    page = player("keys")
    page.on("click", "textbox", "Field")
    page.play('keyboard_type("né\\tnext")')
    assert page.eval("[document.getElementById('field').value, document.getElementById('area').value]") == [
        "né",
        "next",
    ]
    page.on("click", "textbox", "Area")
    page.play('press("Control+a")')
    page.play({"action": "keyboard_type", "text": "one\ntwo " + "x" * 500})
    assert page.eval("document.getElementById('area').value") == "one\ntwo " + "x" * 500


def test_the_wheel_turns_what_lies_under_it_and_an_element_is_brought_into_sight(player: Open) -> None:
    page = player("keys")
    on_pad(page, "mouse_scroll", dx=40, dy=70)
    assert page.eval("[document.getElementById('pad').scrollLeft, document.getElementById('pad').scrollTop]") == [
        40,
        70,
    ]
    assert page.eval("scrollY") == 0
    page.on("scroll_to", "button", "Far")
    top, height = corner(page, "#far")[1::2]
    assert abs(top + height / 2 - 400) <= 1
