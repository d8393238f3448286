"""How actions are said in words and drawn on pictures, for reports and demonstrations."""

from __future__ import annotations

import json

import pytest
from sitegym.envs import actions
from sitegym.envs.actions import Action
from sitegym.envs.spaces import ActionSpace
from sitegym.sweeps.report.drawing import drawing, sentence

TREE = '- button "Save" [ref=e1]\n- list "Done" [ref=e2]'
BOX = [10.0, 20.0, 100.0, 40.0]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (actions.click("e1", ["Control", "Shift"]), "Click button “Save” with Control and Shift held"),
        (actions.drag("e1", "e2", dy=5), "Drag button “Save” to list “Done”"),
        (actions.drag_by("e1", 30, -5), "Drag button “Save” by 30, -5"),
        (actions.mouse_drag(1, 2, 3, 4), "Drag from 1, 2 to 3, 4"),
        (actions.mouse_down(1, 2), "Press the mouse at 1, 2"),
        (actions.mouse_up(1, 2), "Release the mouse at 1, 2"),
        (actions.mouse_move(1, 2), "Move the mouse to 1, 2"),
        (actions.mouse_scroll(1, 2, dy=300), "Turn the wheel at 1, 2 by 0, 300"),
        (actions.key_down("Shift"), "Hold Shift"),
        (actions.key_up("Shift"), "Release Shift"),
        (actions.keyboard_type("hello"), "Type “hello”"),
        (actions.upload("e1", ["a.csv", "b.csv"]), "Upload “a.csv”, “b.csv” to button “Save”"),
        (actions.read_download("a.csv"), "Read the download “a.csv”"),
        (actions.read_clipboard(), "Read clipboard"),
        (actions.scroll_to("e1"), "Scroll to button “Save”"),
    ],
    ids=lambda value: value.name if isinstance(value, Action) else "",
)
def test_an_action_is_said_as_a_person_would(action: Action, words: str) -> None:
    assert sentence(action.name, action.args, TREE) == words


def test_what_has_a_place_is_drawn_where_it_is() -> None:
    drawn = drawing("drag_by", actions.drag_by("e1", 30, -5).args, BOX)
    assert drawn["point"] == [60.0, 40.0]
    assert drawn["to"] == [90.0, 35.0]
    assert drawing("mouse_drag", actions.mouse_drag(1, 2, 3, 4, [[5, 6]]).args, None) == {"point": [1, 2], "to": [3, 4]}
    assert drawing("click", actions.click("e1", ["Shift"]).args, BOX)["label"] == "Shift"


def test_every_action_can_be_said_and_drawn() -> None:
    space = ActionSpace(seed=3)
    seen = set()
    for _ in range(400):
        action = actions.parse(space.sample())
        seen.add(action.name)
        assert sentence(action.name, action.args, TREE)
        json.dumps(drawing(action.name, action.args, BOX if "ref" in action.args else None))
    assert seen == set(actions.specs()) - {"finish"}
