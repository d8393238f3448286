"""Each kind of observation: what it shows, that its references are those of the others, on every sort of page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import numpy as np
import pytest
import yaml
from sitegym.envs import capture, sight
from sitegym.envs.kinds import KINDS, TREES, check_kinds, plain
from sitegym.envs.observation import Observation
from sitegym.errors import UsageError

from .conftest import Player

Open = Callable[..., Player]
PAGES = ("modes", "frames", "covered", "selects", "blank", "strict")


def everything(page: Player) -> Observation:
    """One look at all kinds."""
    return page.look(*KINDS)


def refs_of(text: str) -> set[str]:
    return set(capture.references(text))


class Tags(HTMLParser):
    """Tags, attributes and references of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.refs: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note them."""
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        self.refs |= {value: tag for name, value in attrs if name == "ref" and value}


def test_every_kind_is_a_field_and_what_is_not_asked_for_is_empty(player: Open) -> None:
    page, nothing = player("plain"), Observation()
    for kind in KINDS:
        seen = page.look(kind)
        assert getattr(seen, kind) is not None
        assert len(getattr(seen, kind))
        assert all(plain(seen, other) == plain(nothing, other) for other in KINDS if other != kind)


@pytest.mark.parametrize("name", PAGES)
def test_all_kinds_together_say_what_each_says_alone_and_twice_the_same(player: Open, name: str) -> None:
    pages = [player(name), player(name)]
    both = [everything(page) for page in pages]
    for kind in KINDS:
        first, again = (plain(seen, kind) for seen in both)
        alone = plain(pages[0].look(kind), kind)
        assert np.array_equal(first, again), kind
        assert kind == "axtree_changes" or np.array_equal(first, alone), kind


@pytest.mark.parametrize("name", ["modes", "frames", "selects", "strict"])
def test_references_are_the_same_in_all_kinds(player: Open, name: str) -> None:
    seen = everything(player(name))
    known = refs_of(seen.axtree_full)
    for kind in TREES:
        assert kind == "axtree_changes" or yaml.safe_load(getattr(seen, kind)), kind
        assert refs_of(getattr(seen, kind)) <= known
    assert set(seen.boxes) == known
    told = Tags(seen.html).refs
    assert set(told) <= known
    acting = refs_of(seen.axtree_interactive)
    assert {ref for ref in told if told[ref] in ("button", "input", "select", "textarea")} <= acting


def test_the_full_tree_is_playwrights_own(player: Open) -> None:
    page = player("modes")
    own = page.host.run(page.session.tabs.active.aria_snapshot(mode="ai"))
    assert page.look("axtree_full").axtree_full == own
    assert page.now.find("button", "Far below")


@pytest.mark.parametrize("name", ["plain", "covered", "selects", "strict", "huge", "colours"])
@pytest.mark.parametrize("boxes", [False, True])
def test_a_page_without_frames_writes_its_tree_itself_to_the_byte(player: Open, name: str, boxes: bool) -> None:
    page = player(name)
    tab = page.session.tabs.active
    own = page.host.run(sight.tree(tab, boxes=boxes))
    assert own == page.host.run(tab.aria_snapshot(mode="ai", boxes=boxes))
    assert own


def test_with_frames_the_tree_is_put_together_by_playwright(player: Open) -> None:
    tab = player("frames").session.tabs.active
    assert player("frames").host.run(sight.tree(tab)) is None


def test_an_element_is_checked_in_one_question_that_the_page_cannot_hear(player: Open) -> None:
    page = player("plain")
    tab, ref = page.session.tabs.active, page.now.find("button", "Press me")
    page.eval("""() => {
        globalThis.heard = [];
        const hear = (event) => heard.push(event.type), dispatch = EventTarget.prototype.dispatchEvent;
        EventTarget.prototype.dispatchEvent = function (event) { hear(event); return dispatch.call(this, event); };
        for (const type of ["focus", "focusin", "mouseover", "click"]) addEventListener(type, hear, true);
    }""")
    told = page.host.run(sight.asked(tab, ref, "check", ["point", False]))
    assert told["tag"] == "button"
    assert told == page.host.run(tab.eval_on_selector(f"aria-ref={ref}", "e => __sitegym.check(e, 'point', false)"))
    assert page.eval("heard") == []
    assert page.host.run(sight.asked(tab, "e9999", "check", ["point", False])) is None
    assert page.host.run(sight.asked(tab, ref, "no such function", [])) is None


def test_the_viewport_tree_holds_what_the_window_shows_and_says_how_much_it_does_not(player: Open) -> None:
    page = player("modes")
    top = page.look("axtree_viewport")
    assert "Top of the box" in top.axtree_viewport
    assert 'button "Pay"' in top.axtree_viewport, "of a frame"
    for hidden in ("Bottom of the box", "Far below", "at the end", "Pay later", "for ears only", "see-through"):
        assert hidden not in top.axtree_viewport
    outside = re.search(r"\(cut\): (\d+) more elements outside of the window; scroll shows them", top.axtree_viewport)
    assert outside is not None
    shown = refs_of(top.axtree_viewport)
    page.play({"action": "scroll", "direction": "down", "pixels": 3000})
    below = page.look("axtree_viewport").axtree_viewport
    assert "Far below" in below
    assert "at the end" in below
    assert "Top of the box" not in below
    assert shown & refs_of(below) <= {"e1", "e3"}, "the body, and the bar that sticks"


def test_a_scrolled_box_shows_its_own_part(player: Open) -> None:
    page = player("modes")
    box = page.look("axtree").find("region", "Scroller")
    page.play({"action": "scroll", "direction": "down", "ref": box, "pixels": 1000})
    shown = page.look("axtree_viewport").axtree_viewport
    assert "Bottom of the box" in shown
    assert "Top of the box" not in shown


def test_the_interactive_tree_says_in_which_row_a_control_stands(player: Open) -> None:
    page = player("modes")
    seen = page.look("axtree_interactive")
    assert '- table "Prices"' in seen.axtree_interactive
    assert re.search(r"- row:\n +- text: Tea 4.20\n +- button \"Buy\" \[ref=(\w+)\]", seen.axtree_interactive)
    assert '- generic "More about it"' in seen.axtree_interactive, "which opens the rest"
    assert "SAID" not in seen.axtree_interactive.upper()
    assert page.play({"action": "click", "ref": seen.find("button", "Far below")}).error == ""
    assert "Pressed" in page.look("axtree_interactive").axtree_interactive


def test_long_lists_are_paged_in_the_interactive_tree_as_well(player: Open) -> None:
    page = player("huge")
    page.kinds = ("axtree_interactive",)
    seen = page.look()
    marker = re.search(r'rows 1-20 of 220; more\("(\w+)"\)', seen.axtree_interactive)
    assert marker is not None
    assert "Pick 20" in page.play({"action": "more", "ref": marker[1]}).axtree_interactive


def test_text_is_what_a_person_reads(player: Open) -> None:
    lines = player("modes").look("text").text.split("\n")
    assert lines[:4] == ["Modes", "SAID LOUDLY", "but this", "left\tmiddle\tright"]
    assert "Item\tPrice\tAct" in lines
    assert "Salt coarse\t0.90\tBuy" in lines
    assert "1. first" in lines
    assert any(line.startswith("Name Ann * Secret ••• [x] Agree Hint such as tea Size M Note") for line in lines)
    assert {"Card", "Pay", "Pay later", "at the end", "Far below"} <= set(lines)
    for hidden in ("never", "not shown", "held back", "ears", "see-through", "folded", "Inside", "no text", "abc"):
        assert not any(hidden in line for line in lines)


def test_what_is_put_into_a_slot_is_seen_there(player: Open) -> None:
    page = player("frames")
    page.eval("document.getElementById('host').innerHTML = 'given to the slot <button>Slotted</button>'")
    page.play({"action": "scroll", "direction": "down", "pixels": 3000})
    seen = page.look("text", "boxes", "html", "axtree_viewport")
    assert "given to the slot Slotted In the shadow Shade" in seen.text
    ref = seen.find("button", "Slotted")
    assert ref in seen.boxes
    assert f'ref="{ref}">Slotted</button>' in seen.html


def test_html_has_no_noise_and_shows_the_state_of_fields(player: Open) -> None:
    page = player("modes")
    page.play({"action": "type", "ref": page.look("axtree").find("textbox", re.compile("Name")), "text": 'A "B" <c>'})
    seen = page.look("html")
    found = Tags(seen.html)
    assert not {"script", "style", "link", "meta"} & set(found.tags)
    assert not {"class", "style", "onclick", "data-noise", "hidden"} & found.names
    assert 'value="A &quot;B&quot; &lt;c&gt;"' in seen.html
    assert '<option selected value="m">M</option>' in seen.html
    assert "<textarea" in seen.html
    assert "two&#10;lines" in seen.html
    for hidden in ("never shown", "not shown", "held back", "folded", "abc", "no text"):
        assert hidden not in seen.html
    assert seen.html.count("<iframe") == 1
    assert "Pay later" in seen.html


def test_html_shows_shadow_roots_as_declared_ones_and_its_references_act(player: Open) -> None:
    page = player("frames")
    seen = page.look("html")
    assert '<template shadowrootmode="open">' in seen.html
    for label, words in (("In the shadow", "shadow "), ("Pay", "?same ")):
        ref = re.search(rf'ref="(\w+)">{label}</button>', seen.html)
        assert ref is not None
        assert page.play({"action": "click", "ref": ref[1]}).error == ""
        assert page.eval("said.textContent") == words


@pytest.mark.parametrize("name", ["modes", "frames", "nested"])
def test_boxes_stand_where_the_elements_are(player: Open, name: str) -> None:
    page = player(name)
    page.play({"action": "scroll", "direction": "down", "pixels": 300})
    boxes = page.look("boxes").boxes
    for ref in boxes:
        box = page.host.run(page.session.box(ref))
        assert box is not None
        assert boxes[ref] == pytest.approx(box, abs=0.02), ref
    assert json.loads(plain(page.now, "boxes")) == {ref: list(box) for ref, box in boxes.items()}


def test_frames_in_frames_show_what_the_boxes_around_them_let_be_seen(player: Open) -> None:
    page = player("nested")
    seen = page.look("axtree_viewport", "text", "axtree_full", "axtree")
    assert seen.text.split("\n").count("Pay later") == 2
    assert "Frames" in seen.axtree_viewport
    assert "Pay" not in seen.axtree_viewport
    page.play({"action": "scroll", "direction": "down", "ref": seen.find("heading", "Frames"), "pixels": 1200})
    shown = page.look("axtree_viewport").axtree_viewport
    assert "In the shadow" in shown
    assert "Frames" not in shown
    pay = page.now.find("button", "Pay")
    assert page.play({"action": "click", "ref": pay}).error == ""
    assert {"?same", "?other"} & set(page.look("text").text.split("\n"))


def test_an_empty_tab_has_all_kinds(player: Open) -> None:
    page = player("plain")
    page.kinds = tuple(KINDS)
    seen = page.play("new_tab()")
    assert seen.error == ""
    assert seen.text == ""
    assert np.array_equal(seen.screenshot, seen.screenshot_marked)
    assert "Press me" in page.play("close_tab()").text


@pytest.mark.parametrize("name", ["blank", "huge"])
def test_empty_and_huge_pages_have_all_kinds(player: Open, name: str) -> None:
    seen = everything(player(name))
    assert seen.screenshot is not None
    assert seen.screenshot_marked is not None
    if name == "blank":
        assert np.array_equal(seen.screenshot, seen.screenshot_marked)
        assert seen.text == ""
        assert "(cut)" not in seen.axtree_viewport
    else:
        assert len(seen.boxes) == len(refs_of(seen.axtree_full))
        assert "Number 219" in seen.axtree_full
        for kind in ("axtree", "axtree_interactive", "axtree_viewport", "text", "html"):
            assert "(cut)" in getattr(seen, kind)
            assert len(getattr(seen, kind)) < 61_000


def test_while_a_dialog_is_open_all_kinds_are_the_last_before_it(player: Open) -> None:
    page = player("dialogs")
    page.kinds = tuple(KINDS)
    before = page.look()
    during = page.play({"action": "click", "ref": before.find("button", "Alert")})
    assert during.stale
    assert during.dialog is not None
    for kind in KINDS:
        if kind != "axtree_changes":
            assert np.array_equal(plain(before, kind), plain(during, kind)), kind
    assert during.screenshot is not before.screenshot
    after = page.play("accept_dialog()")
    assert not after.stale
    assert "alerted" in after.text


def test_a_picture_in_between_does_not_forget_the_tree(player: Open) -> None:
    page = player("many")
    marker = re.search(r'more\("(\w+)"\)', page.look("axtree").axtree)
    assert marker is not None
    assert page.look("screenshot").tree.children == []
    assert "100020" in page.play({"action": "more", "ref": marker[1]}).axtree


@pytest.mark.parametrize("name", ["colours", "colours-framed"])
def test_a_picture_shows_what_the_action_before_it_has_done(player: Open, name: str) -> None:
    page = player(name)
    page.kinds = ("axtree", "screenshot")
    for times in range(1, 26):
        seen = page.on("click", "button", "Paint").screenshot
        assert seen is not None
        assert tuple(seen[600, 900]) == (times * 37 % 256, times * 91 % 256, times * 53 % 256)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ((), "observations is a list such as"),
        ("axtree", "observations is a list such as"),
        (("axtree", "axtree_ful"), r"no observation 'axtree_ful' \(did you mean 'axtree_full'\?\): there are axtree, "),
        (("boxes", 3), "no observation 3: there are"),
    ],
)
def test_kinds_that_there_are_not_are_refused_with_those_there_are(asked: object, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        check_kinds(asked)  # type: ignore[arg-type]
    assert check_kinds(["text", "boxes", "text"]) == ("text", "boxes")
