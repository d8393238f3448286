"""Actions: the written forms turn into each other, and what is no single well-formed call is refused."""

from __future__ import annotations

import inspect
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.envs import actions
from sitegym.envs.actions import InvalidAction, parse
from sitegym.envs.spaces import ActionSpace

TEXT = st.text(st.characters(), max_size=30)
VALUES = {
    "ref": st.from_regex(r"\A(f[0-9]{1,2})?e[0-9]{1,4}\Z"),
    "text": TEXT,
    "texts": TEXT | st.lists(TEXT, min_size=1, max_size=3),
    "answer": TEXT | st.integers(-9, 9) | st.lists(TEXT, max_size=3) | st.dictionaries(TEXT, TEXT, max_size=3),
    "key": st.sampled_from(["Enter", "Control+A", "é"]),
    "points": st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), max_size=3),
    "bool": st.booleans(),
}


@st.composite
def dicts(draw: st.DrawFn) -> dict[str, object]:
    spec = draw(st.sampled_from(sorted(actions.specs().values(), key=lambda spec: spec.name)))
    fields: dict[str, object] = {"action": spec.name}
    for param in spec.params:
        if not param.required and draw(st.booleans()):
            continue
        strategy = VALUES.get(param.kind)
        if param.kind == "int":
            strategy = st.integers(param.minimum, param.maximum)
        elif param.kind == "several":
            strategy = st.lists(st.sampled_from(param.choices), unique=True)
        elif param.kind == "choice":
            strategy = st.sampled_from(param.choices)
        assert strategy is not None
        fields[param.name] = draw(strategy)
    return fields


@given(dicts())
def test_every_action_survives_being_written_and_read_in_both_forms(fields: dict[str, object]) -> None:
    action = parse(fields)
    assert parse(str(action)) == action
    assert parse(action.to_dict()) == action
    assert parse(json.loads(json.dumps(action.to_dict()))) == action


@given(st.text(st.characters(), max_size=40))
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    with suppress(InvalidAction):
        assert parse(text).name in actions.specs()


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('click("e12")', {"action": "click", "ref": "e12"}),
        ("  click ( ref = 'e12' ) \n", {"action": "click", "ref": "e12"}),
        (
            'type("f1e3", "it\'s \\"so\\"", submit=true)',
            {"action": "type", "ref": "f1e3", "text": 'it\'s "so"', "submit": True},
        ),
        (
            "type('e3', 'two\nlines', False, False)",
            {"action": "type", "ref": "e3", "text": "two\nlines", "clear": False},
        ),
        (r'type("e3", "\u00e9\ud83d\ude42\x41\n")', {"action": "type", "ref": "e3", "text": "é🙂A\n"}),
        ('select("e4", ["A", "B"])', {"action": "select", "ref": "e4", "option": ["A", "B"]}),
        ("finish()", {"action": "finish"}),
        ('finish(answer=None, outcome="NOT_FOUND")', {"action": "finish", "outcome": "NOT_FOUND"}),
    ],
)
def test_a_call_is_read_as_it_is_written(text: str, fields: dict[str, object]) -> None:
    assert parse(text).to_dict() == fields


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('I will click("e1")', "an action is one call such as .* this begins with 'I will click"),
        ('```click("e1")```', "this begins with '```click"),
        ("finish ", r"begins with 'finish ', which has no parentheses; without arguments it is finish\(\)"),
        ('click("e1") now', r"nothing may follow the call click\(…\), but there is 'now'"),
        ('click("e1") click("e2")', "one action at a time: after click"),
        ('click("e1"); back()', "one action at a time"),
        ('click("e1)', "the quote opened at .* is never closed"),
        ('click("e1"', "expected a comma or the closing parenthesis at the end of the text"),
        ("click(e1)", "expected a value: text in quotes"),
        ('clik("e1")', r"no action 'clik' \(did you mean 'click'\?\)"),
        ("click()", r"click needs ref: click\(ref, modifiers=null\)"),
        ('click("e1", ["Shift"], 1)', "click takes at most 2 arguments"),
        ('click("e1", ["Ctrl"])', r'modifiers is a list such as \["Control"\], of Control, Shift, Alt, Meta'),
        ('click("e1", ["Shift", "Shift"])', "modifiers is a list such as"),
        ("mouse_drag(1, 2, 3, 4, [[1, 2, 3]])", "path is a list of points such as"),
        ("mouse_drag(1, 2, 3, 4, [[[1]]])", "expected a value"),
        ('click("e1", force=true)', "click has no argument 'force'"),
        ('click("e1", ref="e2")', "ref is given twice"),
        ('type(text="a", "e1")', "arguments without a name come first"),
        ("click(12)", 'ref is a reference from the tree, such as "e12", not 12'),
        ('click("Save")', "ref is a reference from the tree"),
        ("wait(1.5)", "ms is a whole number from 0 to 600000, not 1.5"),
        ("wait(true)", "ms is a whole number"),
        ("wait(700000)", "from 0 to 600000, not 700000"),
        ('scroll("sideways")', "direction is one of up, down, left, right"),
        ('finish(outcome="MAYBE")', "outcome is one of DONE, NOT_FOUND"),
        ('type("e1", "C:\\dir")', r"\\d is no escape; write \\\\ for a backslash"),
        ('type("e1", "\\u12")', "an escape needs 4 hex digits"),
        ("", "an action is one call"),
        (None, "an action is a string, a dict or an Action, not NoneType"),
        ({"ref": "e1"}, "the dict form names the action"),
        ({"action": "click", "reff": "e1"}, r"no argument 'reff' \(did you mean 'ref'\?\)"),
        ({"action": "upload", "ref": "e1", "files": []}, "files is a text or a list of texts"),
    ],
)
def test_nothing_is_guessed(given: object, reason: str) -> None:
    with pytest.raises(InvalidAction, match=reason):
        parse(given)


def test_constructors_give_the_actions_that_the_table_names() -> None:
    assert actions.click("e1") == parse('click("e1")')
    assert actions.type_("e1", "a", submit=True) == parse('type("e1", "a", submit=true)')
    with pytest.raises(InvalidAction, match="ref is a reference"):
        actions.click("Save")
    for name, spec in actions.specs().items():
        function = getattr(actions, name, None) or getattr(actions, f"{name}_")
        assert list(inspect.signature(function).parameters) == [param.name for param in spec.params]
        assert spec.doc
        assert all(param.doc for param in spec.params)


def test_schemas_tools_and_grammar_name_every_action() -> None:
    names = list(actions.specs())
    variants: list[dict[str, dict[str, dict[str, str]]]] = actions.schema()["oneOf"]  # type: ignore[assignment]
    assert [variant["properties"]["action"]["const"] for variant in variants] == names
    assert [tool["name"] for tool in actions.tools()] == names
    assert [line.split("(")[0] for line in actions.grammar().splitlines()] == names
    json.dumps([actions.schema(), actions.tools()])


def test_samples_of_the_space_are_valid_and_repeat_with_the_seed() -> None:
    space = ActionSpace(seed=7)
    samples = [space.sample() for _ in range(200)]
    assert all(space.contains(sample) for sample in samples)
    assert {parse(sample).name for sample in samples} == set(actions.specs()) - {"finish"}
    again = ActionSpace(seed=7)
    assert [again.sample() for _ in range(200)] == samples
    assert not space.contains("click(e1)")
    assert space.contains({"action": "click", "ref": "e1"})


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        pytest.param(
            {"action": "finish", "answer": {"name": "Søren", "n": 2}}, '{"name": "Søren", "n": 2}', id="object"
        ),
        pytest.param({"action": "finish", "answer": ["a", "b"]}, '["a", "b"]', id="array"),
        pytest.param({"action": "finish", "answer": 41.5}, "41.5", id="number"),
        pytest.param('finish(answer={"name": "O\'Dell", "items": [{"n": 1}]})', None, id="object in a call"),
        pytest.param("finish(answer=41)", "41", id="number in a call"),
    ],
)
def test_an_answer_may_be_json(given: object, answer: str | None) -> None:
    action = actions.parse(given)
    assert action.args["answer"] == (answer or '{"name": "O\'Dell", "items": [{"n": 1}]}')
    assert actions.parse(str(action)) == action == actions.parse(action.to_dict())


@pytest.mark.parametrize(
    "given", ['finish(answer={"name": )', "finish(answer={name: 1})", {"action": "finish", "answer": True}]
)
def test_an_answer_that_is_no_json_is_refused(given: object) -> None:
    with pytest.raises(actions.InvalidAction, match=r"JSON"):
        actions.parse(given)
