"""Calls of other vendors: every documented member is translated as told here, or refused with a reason."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from sitegym.envs import actions, formats, keys
from sitegym.envs.formats import FORMATS, InvalidAction, View
from sitegym.envs.formats.keys import ALIASES, chord, key, split
from sitegym.envs.observation import Dialog, Observation, Tab
from sitegym.envs.tree import Node

from .format_cases import BG, BY, G25, MCP, NEW, OLD, REF, REFUSED, SAME, TABS, TRANSLATED, ZOOM, call_of
from .vendor_schemas import CHOICES, EXTRA, SCHEMAS

MEMBERS = [(name, member) for name, members in SCHEMAS.items() for member in members]
KNOWING = View(chosen="e12")
"""A view by which every example can be read."""


def read(name: str, member: str, view: View = KNOWING, /, **arguments: object) -> list[str]:
    """The actions of a call, as they are written."""
    form = formats.get(name)
    given = {argument.rstrip("_"): value for argument, value in arguments.items()}
    return [str(action) for action in form.translate(call_of(form, member, given), view)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_member_is_forgotten_and_none_is_made_up(name: str) -> None:
    assert set(FORMATS[name].members) == set(SCHEMAS[name])


def test_every_format_has_its_schema_here() -> None:
    assert set(FORMATS) == set(SCHEMAS)


@pytest.mark.parametrize(("name", "member"), MEMBERS)
def test_each_member_is_translated_or_refused_with_a_reason(name: str, member: str) -> None:
    one = FORMATS[name].members[member]
    call = call_of(FORMATS[name], member, one.sample())
    if one.refusal:
        with pytest.raises(InvalidAction, match=f"{member} has no meaning here: .{{20,}}"):
            FORMATS[name].translate(call, KNOWING)
        return
    for action in FORMATS[name].translate(call, KNOWING):
        assert actions.parse(str(action)) == action
    assert one.doc


@pytest.mark.parametrize(("name", "member"), [(n, m) for n, m in MEMBERS if not FORMATS[n].members[m].refusal])
def test_arguments_are_those_that_are_published(name: str, member: str) -> None:
    params = FORMATS[name].members[member].params
    ours = {param.name + ("" if param.required else "?") for param in params if param.name not in EXTRA.get(name, ())}
    assert ours == set(SCHEMAS[name][member].split())
    for param in params:
        assert set(param.choices) == set(CHOICES.get((name, member, param.name), "").split())


@pytest.mark.parametrize(("name", "member", "argument"), CHOICES)
def test_every_published_choice_is_read(name: str, member: str, argument: str) -> None:
    one = FORMATS[name].members[member]
    for choice in set(CHOICES[name, member, argument].split()) - {"jpeg", "webp"}:  # pictures are PNG here
        many = next(param for param in one.params if param.name == argument).kind == "texts"
        arguments = one.sample() | {argument: [choice] if many else choice}
        arguments |= {"index": 1} if choice == "select" else {}
        known = View(observation=Observation(boxes={"e12": (10, 20, 30, 40)}))
        FORMATS[name].translate(call_of(FORMATS[name], member, arguments), known)


@pytest.mark.parametrize(("name", "member", "arguments", "wanted"), TRANSLATED)
def test_a_call_becomes_these_actions(name: str, member: str, arguments: dict[str, object], wanted: list[str]) -> None:
    assert read(name, member, BY, **arguments) == wanted


@pytest.mark.parametrize(("name", "member", "arguments", "said"), REFUSED)
def test_a_wrong_call_is_refused_in_one_sentence(
    name: str, member: str, arguments: dict[str, object], said: str
) -> None:
    with pytest.raises(InvalidAction, match=said) as refused:
        read(name, member, BY, **arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != BG])
@pytest.mark.parametrize("call", [{}, {"type": "message"}, {"name": 3}, [], "click", None, {"name": "x", "input": "{"}])
def test_what_is_no_call_at_all_is_refused(name: str, call: object) -> None:
    with pytest.raises(InvalidAction):
        FORMATS[name].translate(call, View())


@pytest.mark.parametrize(
    "text",
    ["", "click", "click(e12)", "click('e1'", "x = 1", "import os", "click(open('x'))", "a.b('c')",
     "click('e1', bid='e2')"],
)  # fmt: skip
def test_text_that_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction):
        FORMATS[BG].translate(text, View())


def test_several_lines_are_several_calls() -> None:
    text = "fill('e1', 'a\\nb')\nclick('e2', button=\"right\")\nfinish('42')"
    done = [str(action) for action in FORMATS[BG].translate(text, View())]
    assert done == [r'type("e1", "a\nb")', 'right_click("e2")', 'finish(answer="42")']


def test_a_batch_is_read_in_order_and_the_mouse_moves_with_it() -> None:
    call = {"type": "computer_call", "call_id": "c", "actions": [{"type": "move", "x": 5, "y": 6}, {"type": "wait"}]}
    done = FORMATS["openai/computer"].translate(call, View())
    assert [str(action) for action in done] == ["mouse_move(5, 6)", "wait(ms=2000)"]
    assert View().moved(done).pointer == (5, 6)


def test_a_call_may_be_an_object_of_an_sdk() -> None:
    class Call:
        def model_dump(self, *, exclude_none: bool) -> dict[str, object]:
            return {"name": "click_at", "args": {"x": 0, "y": 0}, **({} if exclude_none else {"id": None})}

    assert [str(action) for action in FORMATS[G25].translate(Call(), View())] == ["mouse_click(0, 0)"]


def test_actions_of_ours_are_offered_beside_the_vendors_and_are_read() -> None:
    arguments = json.dumps({"answer": "42"})
    call = {"type": "function_call", "call_id": "f", "name": "finish", "arguments": arguments}
    assert [str(action) for action in FORMATS["openai/computer"].translate(call, View())] == ['finish(answer="42")']
    for name in (ZOOM, TABS):
        block = {"type": "tool_use", "id": "t", "name": "finish", "input": {"answer": "42"}}
        assert [str(action) for action in FORMATS[name].translate(block, View())] == ['finish(answer="42")']
    for name in (NEW, MCP):
        assert read(name, "finish", answer="42") == ['finish(answer="42")']


def test_while_a_dialog_is_open_enter_and_escape_answer_it() -> None:
    asks = View(observation=Observation(dialog=Dialog("prompt", "Name?")))
    assert read(OLD, "key", asks, text="Return") == ["accept_dialog()"]
    assert read(OLD, "key", asks, text="Escape") == ["dismiss_dialog()"]
    assert read(OLD, "type", asks, text="Ann\n") == ['accept_dialog(text="Ann")']
    with pytest.raises(InvalidAction, match="end the text with a line break"):
        read(OLD, "type", asks, text="Ann")


def test_a_value_is_chosen_where_the_element_has_a_list() -> None:
    def seen(*options: Node) -> View:
        box = Node("combobox", states={"ref": "e7"}, children=list(options))
        return View(observation=Observation(tree=Node("document", children=[box])))

    large = {"target": REF, "value": "Large"}
    assert read(TABS, "form_input", seen(Node("option", "Large")), **large) == ['select("e7", "Large")']
    assert read(TABS, "form_input", seen(), **large) == ['type("e7", "Large")']


def test_a_file_goes_to_the_field_that_was_clicked_last() -> None:
    view = View().moved([actions.click("e9")])
    assert read(MCP, "browser_file_upload", view, paths=["a.pdf"]) == ['upload("e9", ["a.pdf"])']
    with pytest.raises(InvalidAction, match="click the file field first"):
        read(MCP, "browser_file_upload", View(), paths=["a.pdf"])


@pytest.mark.parametrize(
    ("picture", "asked", "point"),
    [((640, 400), (0, 0), (1, 1)), ((640, 400), (639, 399), (1279, 799)), ((2560, 1600), (2559, 1599), (1279, 799)),
     (None, (7, 8), (7, 8))],
)  # fmt: skip
def test_points_of_the_model_s_picture_become_points_of_the_window(
    picture: tuple[int, int] | None, asked: tuple[int, int], point: tuple[int, int]
) -> None:
    assert View(picture=picture).point(*asked) == point


def test_distances_are_scaled_as_points_are() -> None:
    half = View(picture=(640, 400))
    assert read(SAME[0], "scroll", half, x=0, y=0, scroll_x=10, scroll_y=-20) == ["mouse_scroll(1, 1, dx=20, dy=-40)"]


def test_where_the_mouse_is_is_only_guessed_from_boxes() -> None:
    boxes = Observation(boxes={"e7": (10, 20, 30, 40), "e8": (5000, 20, 30, 40)})
    view = View(observation=boxes)
    assert view.moved([actions.click("e7")]).pointer == (25, 40)
    for ref in ("e8", "e9"):
        with pytest.raises(InvalidAction, match="name a point"):
            read(OLD, "left_mouse_down", view.moved([actions.click(ref)]))


def test_tabs_are_counted_as_the_observation_lists_them() -> None:
    tabs = (Tab("a", "u", False), Tab("b", "u", True))
    view = View(observation=Observation(tabs=tabs))
    assert read(TABS, "type", view, text="x", tab_id="0") == ["switch_tab(0)", 'keyboard_type("x")', "switch_tab(1)"]


@pytest.mark.parametrize("alias", ALIASES)
def test_every_name_of_a_key_is_one_that_actions_know(alias: str) -> None:
    keys.check(chord([key(alias.upper())]))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("ctrl+a", "Control+a"), ("CTRL+A", "Control+a"), ("shift+a", "Shift+A"), ("a+ctrl", "Control+a"),
     ("super", "Meta"), ("ctrl++", "Control++"), ("+", "+"), (" ", "Space"), ("KeyA", "a"), ("Digit5", "5"),
     ("A", "A"), ("F12", "F12")],
)  # fmt: skip
def test_chords_are_spelled_as_actions_spell_them(text: str, wanted: str) -> None:
    assert chord(split(text)) == wanted
    keys.check(wanted)


def test_no_vendor_s_package_and_no_browser_is_needed() -> None:
    heavy = ("playwright", "numpy", "PIL", "openai", "anthropic", "google")
    code = f"import sys, sitegym.envs.formats; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_format_is_named_with_the_nearest_one() -> None:
    with pytest.raises(formats.UnknownFormat, match="did you mean 'openai/computer'"):
        formats.get("openai/computers")
