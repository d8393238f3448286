"""Clicking, typing, choosing and dragging on micro pages; and refusals that are decided from the page and say why."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from .conftest import Player

Open = Callable[..., Player]


def said(player: Player) -> object:
    return player.eval("document.getElementById('said').textContent")


def act(player: Player, name: str, role: str, label: str | None, **args: object) -> str:
    """Act on an element by role and name; the refusal or an empty text."""
    return player.play({"action": name, "ref": player.now.find(role, label), **args}).error


def test_a_click_reaches_buttons_links_and_what_lies_far_below(player: Open) -> None:
    page = player("plain")
    assert act(page, "click", "button", "Press me") == ""
    assert said(page) == "pressed 1"
    assert act(page, "click", "button", "Far below") == ""
    assert said(page) == "far"
    assert act(page, "click", "link", "A link") == ""
    assert page.now.url == "http://micro.localhost/echo?from=link"
    assert page.now.title == "Echo"


@pytest.mark.parametrize(
    ("name", "role", "label", "args", "reason"),
    [
        ("click", "button", "Switched off", {}, r'e\d+ \(button "Switched off"\) is disabled'),
        ("type", "textbox", "Fixed", {"text": "x"}, "is read-only and takes no text"),
        ("type", "button", "Press me", {"text": "x"}, 'is no text field: it is button "Press me"'),
        ("type", "textbox", "Name", {"text": "two\nlines"}, "takes one line; use submit=true"),
        ("type", "textbox", "Day", {"text": "18.03.2026"}, "does not take '18.03.2026': a date field wants 2026-03-18"),
        ("select", "button", "Press me", {"option": "x"}, "is no select, combobox or list box"),
        ("check", "button", "Press me", {}, "is no checkbox, radio button or switch; use click"),
        ("upload", "textbox", "Name", {"files": "a.png"}, "is no file field"),
        ("press", "textbox", "Name", {"key": "é"}, r"no key of a US keyboard types 'é'; use keyboard_type\('é'\)"),
        ("press", "textbox", "Name", {"key": "Retrun"}, r"no key 'Retrun' \(did you mean 'Enter'\?\)"),
        ("press", "textbox", "Name", {"key": "Ctrl+A"}, r"no modifier 'Ctrl' \(did you mean 'Control'\?\)"),
        ("more", "textbox", "Name", {}, "is not cut"),
    ],
)
def test_what_an_element_cannot_take_is_refused_with_the_reason(
    player: Open, name: str, role: str, label: str, args: dict[str, object], reason: str
) -> None:
    page = player("plain")
    before = page.now.axtree
    assert re.search(reason, act(page, name, role, label, **args))
    assert page.now.axtree == before


def test_a_stale_reference_and_one_that_never_was_are_told_apart(player: Open) -> None:
    page = player("plain")
    ref = page.now.find("button", "Remove me")
    assert page.play({"action": "click", "ref": ref}).error == ""
    assert "is stale: it is no longer on the page" in page.play({"action": "click", "ref": ref}).error
    assert page.play('click("e999")').error.startswith("no element e999: no tree has shown this reference")
    old = page.now.find("button", "Press me")
    page.play('navigate("/echo?a=b")')
    assert "is stale" in page.play({"action": "click", "ref": old}).error


ON_AN_ELEMENT = (
    'click("{}")',
    'type("{}", "x")',
    'press("a", "{}")',
    'select("{}", "x")',
    'hover("{}")',
    'drag("{}", "{}")',
)


@pytest.mark.parametrize("call", ON_AN_ELEMENT, ids=lambda call: call.partition("(")[0])
def test_a_reference_of_a_document_that_is_gone_is_stale(player: Open, call: str) -> None:
    page = player("plain")
    page.play('navigate("/hands")')
    old = page.now.find_all("button")[0]
    assert old.startswith("f"), "the second document's references have a prefix of their own"
    page.play('navigate("/plain")')
    assert "is stale" in page.play(call.format(old, old)).error
    assert "no tree has shown this reference" in page.play(call.format("f77e1", "f77e1")).error
    assert page.host.run(page.session.box(old)) is None


def test_a_covered_element_names_what_covers_it(player: Open) -> None:
    page = player("covered")
    under = page.now.find("button", "Under the veil")
    assert act(page, "click", "button", "Open dialog") == ""
    assert (
        'is covered by dialog "Really?"; close or finish that first'
        in page.play({"action": "click", "ref": under}).error
    )
    assert act(page, "click", "button", "Close") == ""
    assert page.play({"action": "click", "ref": under}).error == ""
    assert said(page) == "under"


@pytest.mark.parametrize(
    ("role", "label", "outcome"),
    [
        ("button", "Deep down", "deep"),
        ("link", "A link that is so long that it breaks over several lines", "long link"),
        ("checkbox", "Styled tick", "styled true"),
    ],
)
def test_awkward_elements_are_reached_all_the_same(player: Open, role: str, label: str, outcome: str) -> None:
    page = player("covered")
    assert act(page, "click", role, label) == ""
    assert said(page) == outcome


def test_a_sticky_bar_does_not_take_the_click(player: Open) -> None:
    page = player("covered")
    act(page, "click", "button", "Deep down")
    assert act(page, "click", "button", "Open dialog") == ""
    assert page.now.find("dialog", "Really?")


@pytest.mark.parametrize("label", ["In a disabled group", "Aria disabled"])
def test_a_control_that_is_switched_off_from_outside_is_disabled(player: Open, label: str) -> None:
    page = player("covered")
    assert "is disabled" in act(page, "click", "button", label)
    assert said(page) == "nothing yet"


def test_what_lies_off_the_page_is_refused(player: Open) -> None:
    page = player("covered")
    assert "cannot be brought into the window" in act(page, "click", "button", "Off the page")


def test_text_replaces_or_appends_and_enter_submits(player: Open) -> None:
    page = player("plain")
    act(page, "type", "textbox", "Name", text="Łukasz Żak 李娜 🙂")
    act(page, "type", "textbox", "Name", text=" jr", clear=False)
    assert page.eval("document.getElementById('name').value") == "Łukasz Żak 李娜 🙂 jr"
    act(page, "clear", "textbox", "Name")
    assert page.eval("document.getElementById('name').value") == ""
    act(page, "type", "textbox", "Notes", text="one\ntwo " + "x" * 500)
    assert page.eval("document.getElementById('notes').value") == "one\ntwo " + "x" * 500
    act(page, "type", "textbox", "Day", text="2026-04-01")
    assert page.eval("document.getElementById('day').value") == "2026-04-01"
    act(page, "type", "textbox", "Query", text="a & b", submit=True)
    assert page.now.axtree.count("q=a & b") == 1


def test_a_tick_is_set_once_and_can_be_removed(player: Open) -> None:
    page = player("plain")
    for checked in (True, True, False):
        assert act(page, "check", "checkbox", "Agree", checked=checked) == ""
        assert page.eval("document.getElementById('tick').checked") is checked
    hands = player("hands")
    assert act(hands, "check", "radio", "Large") == ""
    styled = player("covered")
    for checked in (True, True, False):
        assert act(styled, "check", "checkbox", "Styled tick", checked=checked) == ""
        assert styled.eval("document.getElementById('styled').checked") is checked
    assert act(hands, "check", "switch", "Dark") == ""
    assert hands.now.element(hands.now.find("switch", "Dark")).states.get("checked") == ""
    assert "cannot be unticked" in act(hands, "check", "radio", "Large", checked=False)


def test_native_selects_take_options_by_their_text(player: Open) -> None:
    page = player("selects")
    assert act(page, "select", "combobox", "Native", option="Dark blue") == ""
    assert said(page) == "native b"
    assert act(page, "select", "listbox", "Several", option=["A", "C"]) == ""
    assert said(page) == "several A,C"
    assert "there are: 'Choose', 'Red', 'Dark blue', 'Sold out'" in act(
        page, "select", "combobox", "Native", option="blue"
    )
    assert "is disabled" in act(page, "select", "combobox", "Native", option="Sold out")
    assert "takes one option, not 2" in act(page, "select", "combobox", "Native", option=["Red", "Dark blue"])
    assert "use select(" in act(page, "click", "combobox", "Native")


def test_an_aria_combobox_is_opened_and_its_option_clicked(player: Open) -> None:
    page = player("selects")
    assert act(page, "select", "combobox", "Custom", option="Medium") == ""
    assert said(page) == "custom Medium"
    missing = act(page, "select", "combobox", "Custom", option="Huge")
    assert "has no option 'Huge'; there are: 'Small', 'Medium', 'Large'" in missing
    assert "takes one option, not 2" in act(page, "select", "combobox", "Custom", option=["Small", "Large"])
    assert said(page) == "custom Medium"


def test_of_several_options_none_is_chosen_where_one_is_missing(player: Open) -> None:
    page = player("several")
    name = page.now.elements("combobox")[0].name
    assert "has no option 'Pink'" in act(page, "select", "combobox", name, option=["Red", "Pink"])
    assert said(page) == ""


def test_a_long_select_is_cut_in_the_tree_and_still_takes_every_option(player: Open) -> None:
    page = player("selects")
    ref = page.now.find("combobox", "Long")
    assert f'options 1-15 of 60; more("{ref}") shows the next ones' in page.now.axtree
    assert act(page, "select", "combobox", "Long", option="Option 47") == ""
    assert said(page) == "long Option 47"


def test_frames_and_shadow_roots_are_seen_and_used(player: Open) -> None:
    page = player("frames")
    same, other = page.now.find("iframe", nth=0), page.now.find("iframe", nth=1)
    for frame, name in ((same, "?same"), (other, "?other")):
        page.play({"action": "type", "ref": page.now.find("textbox", "Card", within=frame), "text": "4111"})
        frame = page.now.find("iframe", nth=0 if name == "?same" else 1)
        assert page.play({"action": "click", "ref": page.now.find("button", "Pay", within=frame)}).error == ""
        assert said(page) == f"{name} 4111"
        frame = page.now.find("iframe", nth=0 if name == "?same" else 1)
        page.play({"action": "click", "ref": page.now.find("button", "Pay later", within=frame)})
        assert said(page) == f"late {name}"
    act(page, "type", "textbox", "Shade", text="dark")
    assert act(page, "click", "button", "In the shadow") == ""
    assert said(page) == "shadow dark"


def test_an_element_in_a_frame_that_is_covered_outside_is_refused(player: Open) -> None:
    page = player("frames")
    pay = page.now.find("button", "Pay", nth=0)
    page.eval("""document.body.insertAdjacentHTML('beforeend',
        '<div role=dialog aria-label=Veil style="position: fixed; inset: 0; background: white">wait</div>')""")
    assert 'is covered by dialog "Veil"' in page.play({"action": "click", "ref": pay}).error


def test_hands_reach_menus_pads_editors_sliders_and_scrollers(player: Open) -> None:
    page = player("hands")
    assert page.play({"action": "hover", "ref": page.now.find("navigation", "Main")}).error == ""
    assert act(page, "click", "link", "Bags") == ""
    assert said(page) == "bags"
    assert act(page, "double_click", "button", "Pad") == ""
    assert said(page) == "dblclick"
    assert act(page, "right_click", "button", "Pad") == ""
    assert said(page) == "contextmenu"
    assert act(page, "press", "button", "Pad", key="Control+b") == ""
    assert said(page) == "keydown Ctrl+b"
    act(page, "type", "textbox", "Story", text=" there was", clear=False)
    assert page.eval("document.getElementById('text').innerText") == "Once upon a time there was"
    act(page, "type", "textbox", "Story", text="New")
    assert page.eval("document.getElementById('text').innerText") == "New"
    assert act(page, "type", "slider", "Level", text="8") == ""
    assert said(page) == "level 8"
    assert "a range field wants" in act(page, "type", "slider", "Level", text="7")
    assert act(page, "type", "textbox", "Paint", text="#ff8800") == ""
    assert said(page) == "paint #ff8800"
    assert "a color field wants #ff8800" in act(page, "type", "textbox", "Paint", text="orange")
    act(page, "type", "spinbutton", "Count", text="7")
    assert page.eval("document.getElementById('count').value") == "7"
    assert act(page, "scroll", "region", "Scroller", direction="down", pixels=250) == ""
    assert said(page) == "scrolled 250"


def test_dragging_drops_one_element_on_another(player: Open) -> None:
    page = player("hands")
    one, three = (page.now.find("listitem", name) for name in ("One", "Three"))
    assert page.play({"action": "drag", "ref": one, "to": three}).error == ""
    assert said(page) == "Two,Three,One"


def test_files_are_taken_from_what_the_task_offers(player: Open) -> None:
    page = player("hands", files={"a.png": {"name": "a.png", "mimeType": "image/png", "buffer": b"12345"}})
    picture = page.now.find("button", "Picture")
    assert page.play({"action": "upload", "ref": picture, "files": "a.png"}).error == ""
    assert said(page) == "a.png 5"
    assert (
        "no file 'b.png' is offered; there are: a.png"
        in page.play({"action": "upload", "ref": picture, "files": "b.png"}).error
    )
    assert "use upload instead" in page.play({"action": "click", "ref": picture}).error


def test_points_of_the_picture_can_be_clicked(player: Open) -> None:
    page = player("plain")
    x, y = page.eval(
        "(() => { const b = document.querySelector('button').getBoundingClientRect(); return [b.x + 9, b.y + 9]; })()"
    )  # type: ignore[misc]
    assert page.play({"action": "mouse_click", "x": int(x), "y": int(y)}).error == ""
    assert said(page) == "pressed 1"
    assert "lies outside the window, which is 1280 x 800" in page.play("mouse_click(1280, 10)").error


@pytest.mark.parametrize("name", ["Toggled", "Left", "Left late"])
def test_a_list_for_several_is_closed_after_the_choice_and_keeps_it(player: Open, name: str) -> None:
    page = player("several")
    assert act(page, "select", "combobox", name, option=["Red", "Blue"]) == ""
    assert page.now.find_all("option") == []
    assert act(page, "click", "button", f"Save {name}") == ""
    assert said(page) == f"Red, Blue; {name} saved"
    assert act(page, "select", "combobox", name, option="Red") == "", "a second choice takes it back"
    assert page.now.find_all("option") == []
    assert said(page) == "Blue"
