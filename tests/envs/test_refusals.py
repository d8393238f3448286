"""Every refusal says in one sentence what is in the way and what would be right, and spends no world time."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.envs import actions
from sitegym.envs.actions import InvalidAction
from sitegym.envs.spaces import ActionSpace

from .conftest import Player

Open = Callable[..., Player]

CASES = [
    ('click("e999")', "no element e999: no tree has shown this reference; take one from the tree"),
    ('click("{button Gone}")', '{button Gone} (button "Gone") is stale: it is no longer on the page; take a reference'),
    ('click("{button Folded}")', '{button Folded} (button "Folded") is hidden; make it visible first'),
    ('click("{button Off}")', "is disabled; something else on the page has to be done first, or it is not allowed now"),
    ('type("{textbox Fixed}", "x")', "is read-only and takes no text; another field or a button beside it may"),
    ('type("{button Off}", "x")', "is disabled"),
    ('type("{checkbox Tick}", "x")', "is no text field: it is a checkbox; use check"),
    ('click("{button Below}")', 'is covered by dialog "Veil"; close or finish that first'),
    ('click("{button Away}")', "cannot be brought into the window; scroll what it lies in, or use the keyboard"),
    ('type("{textbox Flees}", "x")', "went away while it was being acted on; look at the new tree"),
    ('type("{textbox Blurs}", "x")', "did not take the focus"),
    ('select("{button Off}", "Red")', "is disabled"),
    ('select("{checkbox Tick}", "Red")', "is no select, combobox or list box; click it"),
    ('select("{combobox Choice}", "Green")', "has no option 'Green'; there are: 'Red', 'Sold out', 'Blue'"),
    ('select("{combobox Choice}", "Sold out")', "option 'Sold out' of"),
    ('select("{combobox Choice}", ["Red", "Blue"])', "takes one option, not 2"),
    ('click("{combobox Choice}")', "opens a list of the system; use select("),
    ('click("{button File}")', "opens the file chooser of the system; use upload instead"),
    ('upload("{button File}", "a.txt")', "no file 'a.txt' is offered; there are: b.txt"),
    ('upload("{checkbox Tick}", "b.txt")', "is no file field; find the one that takes files"),
    ('check("{radio Wheel}", false)', "is a radio button, which cannot be unticked; tick another one"),
    ('navigate("https://example.com/")', "https: addresses are not part of this world; use an http:// address"),
    ('navigate("http://example.com/")', "example.com is not part of this world; its sites are http://micro.localhost/"),
    ('new_tab("http://micro.localhost:81/")', "names a port, and nothing listens there in this world"),
    ('press("Control+")', "'Control+' lacks the key that is pressed, as in 'Control+a'; the plus key is 'Control++'"),
    ('type("{combobox Choice}", "Red")', "is no text field: it is a list; use select"),
    ('type("{button File}", "a.txt")', "is no text field: it is a file field; use upload"),
    ('press("Retrun")', "no key 'Retrun' (did you mean 'Enter'?); keys are single characters or: Enter"),
    ("mouse_click(5000, 5)", "(5000, 5) lies outside the window, which is 1280 x 800"),
    ("switch_tab(7)", "there is no tab 7; tabs are numbered from 0 to 0"),
    ("close_tab()", "this is the only tab, and it stays open"),
    ("back()", "there is no page to go back to in this tab"),
    ("accept_dialog()", "no dialog is open"),
    ('read_download("a.csv")', "no file 'a.csv' was downloaded; there are: none yet"),
    ('more("{button Off}")', "is not cut; more takes the reference that a (cut) line names"),
]


@pytest.fixture(scope="module")
def page(host: object, pages: object) -> Player:
    """One page for all refusals, since none may change it."""
    files = {"b.txt": {"name": "b.txt", "mimeType": "text/plain", "buffer": b"b"}}
    player = Player(host, pages, "refusals", files=files, hosts=("micro.localhost",))  # type: ignore[arg-type]
    player.kept = {f"{node.role} {node.name}": node.ref for node in player.now.tree.walk() if node.ref and node.name}
    for name in ("Gone", "Folded"):
        player.on("click", "button", name)
    return player


@pytest.mark.parametrize(("call", "reason"), CASES)
def test_a_refusal_says_what_is_in_the_way_and_what_would_be_right(page: Player, call: str, reason: str) -> None:
    fill = re.compile(r"\{([^}]*)\}")
    time = page.session.clock.now
    error = page.play(fill.sub(lambda found: page.kept[found[1]], call)).error
    assert fill.sub(lambda found: page.kept[found[1]], reason) in error
    assert "\n" not in error
    assert page.session.clock.now == time


def test_scrolling_to_find_out_is_over_when_the_step_is(page: Player) -> None:
    page.eval("scrollTo(0, 0)")
    page.play("wait(1)")
    page.eval("document.getElementById('said').textContent = 'nothing'")
    assert 'is covered by dialog "Lid"' in page.on("click", "button", "Deep").error
    assert "scrolled" in page.now.axtree


@pytest.mark.parametrize("call", ['click("e1")', "back()", "wait(10)", "read_clipboard()", 'navigate("/plain")'])
def test_nothing_is_done_while_a_dialog_is_open(player: Open, call: str) -> None:
    page = player("refusals")
    page.on("click", "button", "Ask")
    assert page.play(call).error == (
        'an alert is open ("Mind the gap"): answer it with accept_dialog() or dismiss_dialog() first'
    )
    assert page.play('accept_dialog("x")').error == "this is no prompt but an alert, which takes no text"
    assert page.play("accept_dialog()").error == ""


SPACE = ActionSpace(seed=1)
CALLS = [SPACE.sample() for _ in range(300)]
PROSE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(
    lambda text: text.strip(" \t\r\n")
)


@given(st.sampled_from(CALLS), PROSE, st.booleans())
def test_words_around_a_call_are_refused(call: str, words: str, before: bool) -> None:
    with pytest.raises(InvalidAction):
        actions.parse(f"{words} {call}" if before else f"{call} {words}")


@given(st.sampled_from(CALLS), st.sampled_from(CALLS), st.sampled_from(["", " ", "\n", ";", ", ", " and "]))
def test_two_calls_are_refused(one: str, two: str, between: str) -> None:
    with pytest.raises(InvalidAction):
        actions.parse(one + between + two)


@given(st.sampled_from(CALLS), st.data())
def test_a_call_that_is_cut_short_is_refused(call: str, data: st.DataObject) -> None:
    with pytest.raises(InvalidAction, match=r"expected|is never closed|an action is|hex digits|escape|braces"):
        actions.parse(call[: data.draw(st.integers(0, len(call) - 1))])


@given(st.sampled_from([call for call in CALLS if call.count('"') == 2]), st.booleans())
def test_a_call_that_lacks_a_quote_is_refused(call: str, first: bool) -> None:
    at = call.index('"') if first else call.rindex('"')
    with pytest.raises(InvalidAction):
        actions.parse(call[:at] + call[at + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "<action>back()</action>",
        "```\nback()\n```",
        "`back()`",
        "Action: back()",
        "back();",
        "back().",
        "back() # go back",
        "await back()",
        "page.back()",
        "back",
        "back(]",
        "BACK()",
        "back()\nback()",
        '{"action": "back"}',
        '["back()"]',
        "“back()”",
        "click(“e12”)",
        'click("e12",)',
        'click("e12" "e13")',
        'click("e" + "12")',
        'click(f"e12")',
        "click('''e12''')",
        'click(ref: "e12")',
        'click({"ref": "e12"})',
        'click(*["e12"])',
        "wait(1_000)",
        "wait(0x10)",
        "wait(1e3)",
        "wait(ms=)",
        "wait(,1)",
        "wait(None)",
        'type("e1", "a\\")',
        "mouse_move(1, 2",
        "mouse_move(1 2)",
        "mouse_move((1), 2)",
    ],
)
def test_what_is_nearly_a_call_is_refused_and_not_guessed_at(text: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        actions.parse(text)
    assert "\n" not in str(refused.value)
