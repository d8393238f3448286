"""The clipboard of an episode: it goes from field to field, tab to tab and site to site, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player

Open = Callable[..., Player]


def value(page: Player, name: str) -> object:
    return page.eval(f"(e => e.value ?? e.innerHTML)(document.getElementById('{name}'))")


def said(page: Player) -> object:
    return page.eval("document.getElementById('said').textContent")


def copy(page: Player, field: str = "From", cut: bool = False) -> None:
    page.on("press", "textbox", field, "Control+a")
    page.on("press", "textbox", field, "Control+x" if cut else "Control+c")


def test_what_is_copied_by_keys_is_read_and_pasted_where_the_caret_is(player: Open) -> None:
    page = player("clipboard")
    assert page.play("read_clipboard()").error == "the clipboard is empty: nothing was copied yet"
    copy(page)
    assert page.play("read_clipboard()").result == "one two"
    page.on("type", "textbox", "To", "> ")
    page.on("press", "textbox", "To", "Control+v")
    assert value(page, "to") == "> one two"
    assert said(page) == "insertText true"
    assert page.now.result == ""


def test_cutting_takes_the_text_away_and_undo_brings_it_back(player: Open) -> None:
    page = player("clipboard")
    copy(page, cut=True)
    assert value(page, "from") == ""
    page.on("press", "textbox", "From", "Control+z")
    assert value(page, "from") == "one two"
    assert page.play("read_clipboard()").result == "one two"


def test_a_held_modifier_copies_and_pastes_as_a_chord_does(player: Open) -> None:
    page = player("clipboard")
    page.on("click", "textbox", "From")
    for step in ('key_down("Control")', 'press("a")', 'press("c")', 'key_up("Control")'):
        assert page.play(step).error == ""
    page.on("press", "textbox", "To", "Shift+Insert")
    assert value(page, "to") == "one two"


@pytest.mark.parametrize(
    ("key", "kept"), [("Control+v", "Some <b>bold</b> words"), ("Control+Shift+v", "Some bold words")]
)
def test_marks_are_pasted_into_rich_text_unless_plain_text_is_asked_for(player: Open, key: str, kept: str) -> None:
    page = player("clipboard")
    copy(page, "Rich")
    page.on("press", "textbox", "Other", key)
    assert value(page, "other") == kept
    page.on("press", "textbox", "To", "Control+v")
    assert value(page, "to") == "Some bold words"


def test_pages_may_copy_paste_and_refuse_by_themselves(player: Open) -> None:
    page = player("clipboard")
    page.on("click", "button", "Items")
    assert said(page) == "text/plain an item"
    page.on("click", "button", "Old way")
    assert said(page) == "true"
    page.on("click", "button", "Read")
    assert said(page) == "one two"
    page.on("press", "textbox", "Own", "Control+v")
    assert said(page) == "got one two"
    assert value(page, "own") == ""
    page.on("press", "textbox", "Stops", "Control+v")
    assert value(page, "stops") == "one two"
    page.on("press", "textbox", "Refuses", "Control+v")
    assert value(page, "refuses") == ""
    page.on("press", "textbox", "Own", "Control+c")
    assert page.play("read_clipboard()").result == "made by the page"


def test_secrets_are_not_copied_and_fixed_fields_take_nothing(player: Open) -> None:
    page = player("clipboard")
    copy(page)
    copy(page, "Secret")
    assert page.play("read_clipboard()").result == "one two"
    page.on("press", "textbox", "Fixed", "Control+v")
    assert value(page, "fixed") == ""


def test_a_number_is_copied_and_pasted_as_any_text(player: Open) -> None:
    page = player("clipboard")
    page.on("press", "spinbutton", "Number", "Control+a")
    page.on("press", "spinbutton", "Number", "Control+c")
    assert page.play("read_clipboard()").result == "42"
    page.on("press", "spinbutton", "Number", "ArrowRight")
    page.on("press", "spinbutton", "Number", "Control+v")
    assert value(page, "number") == "4242"


def test_frames_of_other_sites_and_tabs_have_the_same_clipboard(player: Open) -> None:
    page = player("clipboard")
    copy(page)
    frame = page.now.find("iframe")
    ref = page.now.find("textbox", "Card", within=frame)
    page.play({"action": "press", "key": "Control+v", "ref": ref})
    assert page.now.element(page.now.find("textbox", "Card", within=page.now.find("iframe"))).value == "one two"
    page.play('new_tab("http://third.localhost/clipboard")')
    page.on("press", "textbox", "To", "Control+v")
    assert value(page, "to") == "one two"
    page.on("type", "textbox", "From", "of the second tab")
    copy(page)
    page.play("switch_tab(0)")
    page.on("click", "button", "Read")
    assert said(page) == "of the second tab"


def test_episodes_side_by_side_and_the_browser_itself_see_nothing_of_it(player: Open) -> None:
    one, two = player("clipboard"), player("clipboard")
    for page, text in ((one, "of one"), (two, "of two")):
        page.on("type", "textbox", "From", text)
        copy(page)
    for page, text in ((one, "of one"), (two, "of two")):
        page.on("press", "textbox", "To", "Control+v")
        assert value(page, "to") == text
        assert page.play("read_clipboard()").result == text
    native = one.host.run(_native(one))
    assert "of one" not in native
    assert "of two" not in native


async def _native(page: Player) -> str:
    """What the browser's own clipboard holds, read by a document that no init script has run in."""
    context = await page.host.browser.new_context(permissions=["clipboard-read"])
    try:
        tab = await context.new_page()
        await tab.route("**", lambda route: route.fulfill(content_type="text/html", body="<textarea autofocus>"))
        await tab.goto("http://native.localhost/")
        await tab.focus("textarea")
        await tab.keyboard.press("Control+v")
        return await tab.input_value("textarea")
    finally:
        await context.close()
