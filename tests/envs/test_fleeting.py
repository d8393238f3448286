"""What the page removes, moves, covers or draws anew while an action is under way: told where the element was not
reached, and only there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player
from .patterns import corner

Open = Callable[..., Player]

CAME = " as the mouse came to it; look at the new tree"
CASES = [
    ("click", "button", "Shy", "went away" + CAME, ""),
    ("double_click", "button", "Shy", "went away" + CAME, ""),
    ("right_click", "button", "Shy", "went away" + CAME, ""),
    ("drag_by", "button", "Shy", "went away" + CAME, ""),
    ("click", "button", "Hides", "was hidden" + CAME, ""),
    ("click", "button", "Runs", "moved away" + CAME, ""),
    ("drag_by", "button", "Runs", "moved away" + CAME, ""),
    ("click", "button", "Ducks", 'is covered by button "Cover" as soon as the mouse is over it; click that', ""),
    ("click", "button", "Shuts", "is disabled", ""),
    ("click", "button", "Redrawn when pressed", "drew it anew before it could be clicked; look at the", "pressed"),
    (
        "click",
        "button",
        "Shifts when pressed",
        "moved away before it could be clicked; look at",
        "pressed, ground clicked",
    ),
    ("type", "textbox", "Letters", "went away while it was being acted on; look at the new tree", "pressed, clicked"),
    ("type", "textbox", "No focus", "went away while it was being acted on; look at the new tree", "pressed"),
    ("press", "textbox", "No focus", "went away while it was being acted on; look at the new tree", ""),
    ("click", "button", "Redrawn under the mouse", "", "pressed, clicked"),
    ("click", "button", "Done when pressed", "", "pressed, done"),
    ("click", "button", "Turned when pressed", "", "pressed, turned"),
    ("click", "button", "Opens when pressed", "", "pressed, opened, ground clicked"),
    ("click", "button", "Gone when clicked", "", "pressed, clicked"),
    ("hover", "button", "Looked at", "", "looked at"),
    ("hover", "button", "Redrawn under the mouse", "", ""),
    ("type", "textbox", "Redrawn letters", "", "pressed, clicked"),
    ("type", "textbox", "Whole", "", "pressed, clicked, whole"),
]
ARGUMENTS = {"drag_by": {"dx": 40, "dy": 0}, "type": {"text": "123"}, "press": {"key": "a"}}


@pytest.mark.parametrize(("name", "role", "label", "refused", "said"), CASES, ids=lambda value: str(value)[:30])
def test_an_element_that_the_page_takes_away_is_told_where_it_was_not_reached(
    player: Open, name: str, role: str, label: str, refused: str, said: str
) -> None:
    page = player("fleeting")
    ref, time = page.now.find(role, label), page.session.clock.now
    error = page.play({"action": name, "ref": ref, **ARGUMENTS.get(name, {})}).error
    assert page.eval("said.textContent") == said
    if refused:
        assert error.startswith(f'{ref} ({role} "{label}") ')
        assert refused in error
        assert page.session.clock.now - time == (16 if name == "drag_by" else 0), "a drag takes a frame"
    else:
        assert error == ""


def test_what_is_typed_into_a_field_that_is_drawn_anew_at_each_letter_arrives(player: Open) -> None:
    page = player("fleeting")
    page.on("type", "textbox", "Redrawn letters", "123")
    assert page.now.elements("textbox", "Redrawn letters")[0].text == "123"


def test_a_press_that_was_kept_from_the_page_keeps_nothing_later(player: Open) -> None:
    page = player("fleeting")
    page.on("click", "button", "Runs")
    x, y, width, height = corner(page, ".far")
    page.play(f"mouse_click({x + width // 2}, {y + height // 2})")
    assert page.eval("said.textContent") == "pressed, clicked"


def test_an_element_of_a_frame_is_told_as_well(player: Open) -> None:
    page = player("fleeting-frame")
    assert "moved away as the mouse came to it" in page.on("click", "button", "Runs").error
    assert page.on("click", "button", "Gone when clicked").error == ""
