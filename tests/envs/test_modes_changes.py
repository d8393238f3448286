"""The difference between two looks, and the marks on a picture."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sitegym.envs import changes, marks
from sitegym.envs.capture import references

from .conftest import Player

Open = Callable[..., Player]

TREE = """\
- banner "Bar" [ref=e2]:
  - button "Menu" [ref=e3]
- main [ref=e4]:
  - heading "Orders" [level=1] [ref=e5]
  - table "Orders" [ref=e6]:
    - row [ref=e7]:
      - cell "100" [ref=e8]
      - checkbox "Pick 100" [ref=e9]
    - row [ref=e10]:
      - cell "101" [ref=e11]
      - checkbox "Pick 101" [ref=e12]
- contentinfo: the end"""


def test_changed_lines_stand_under_what_they_are_nested_in() -> None:
    new = TREE.replace('"Pick 101" [ref=e12]', '"Pick 101" [checked] [ref=e12]').replace(
        '  - table "Orders"', '  - alert [ref=e20]: Saved\n  - table "Orders"'
    )
    assert changes.between(TREE, new, same_page=True) == (
        "# of 13 lines: 1 new (+), 1 changed (~)\n"
        "  - main [ref=e4]:\n"
        "+   - alert [ref=e20]: Saved\n"
        '    - table "Orders" [ref=e6]:\n'
        "      - row [ref=e10]:\n"
        '~       - checkbox "Pick 101" [checked] [ref=e12]'
    )


def test_what_is_gone_is_told_and_nothing_and_everything_are_told_in_a_line() -> None:
    gone = TREE.replace('      - cell "100" [ref=e8]\n', "")
    assert '-       - cell "100" [ref=e8]' in changes.between(TREE, gone, same_page=True)
    assert changes.between(TREE, TREE, same_page=True) == changes.NOTHING
    assert changes.between("", TREE, same_page=False) == f"{changes.FIRST}\n{TREE}"
    other = TREE.replace("=e", "=f1e")
    assert changes.between(TREE, other, same_page=False) == f"{changes.OTHER}\n{other}"
    assert changes.between(TREE, other, same_page=True) == f"{changes.WHOLE}\n{other}"


@given(
    st.lists(st.sampled_from(TREE.split("\n")), max_size=20), st.lists(st.sampled_from(TREE.split("\n")), max_size=20)
)
def test_every_new_line_is_told_and_it_is_never_much_longer_than_the_tree(old: list[str], new: list[str]) -> None:
    told = changes.between("\n".join(old), "\n".join(new), same_page=True)
    assert len(told) <= len("\n".join(new)) + 120
    for line in set(new) - set(old):
        assert line in told


def test_a_click_is_told_in_a_few_lines_with_references_that_act(player: Open) -> None:
    page = player("plain")
    page.kinds = ("axtree_changes",)
    assert page.look().axtree_changes == changes.NOTHING
    seen = page.play({"action": "click", "ref": page.now.find("button", "Press me")})
    assert "~   - paragraph: pressed 1" in seen.axtree_changes or "+   - paragraph: pressed 1" in seen.axtree_changes
    assert len(seen.axtree_changes.split("\n")) < 8
    assert page.play('navigate("/hands")').axtree_changes.startswith(changes.OTHER)
    page.play('navigate("/plain")')
    tick = page.now.find("checkbox", "Agree")
    assert f'~   - checkbox "Agree" [checked] [ref={tick}]' in page.play(f'check("{tick}")').axtree_changes.replace(
        " [active]", ""
    )
    assert set(references(page.now.axtree_changes)) <= {node.ref for node in page.now.tree.walk()}


def test_a_picture_in_between_is_no_look_at_the_tree(player: Open) -> None:
    page = player("plain")
    page.look("axtree_changes")
    page.kinds = ("screenshot",)
    page.play({"action": "click", "ref": page.now.find("button", "Press me")})
    assert "pressed 1" in page.look("axtree_changes").axtree_changes


# ---- marks


def overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> int:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0) * max(down, 0)


def test_labels_of_a_dense_list_overlap_no_other_and_no_neighbour() -> None:
    blank = np.full((800, 1280, 3), 255, np.uint8)
    boxes = {f"e{index}": (60.0 + 200 * (index % 5), 20.0 + 36 * (index // 5), 90.0, 16.0) for index in range(100)}
    placed = marks.layout(blank, boxes)
    assert len(placed) == len(boxes)
    for one, other in itertools.combinations(placed, 2):
        assert overlap(one.label, other.label) == 0
    for mark in placed:
        assert min(mark.label) >= 0
        assert mark.label[2] <= 1280
        assert mark.label[3] <= 800
        assert not any(overlap(mark.label, other.frame) for other in placed)


def write(page: NDArray[np.uint8], top: int, bottom: int, left: int, right: int) -> None:
    """Lines of something like letters, eight pixels high."""
    for line in range(top, bottom - 8, 10):
        page[line : line + 8, left:right:2] = 0


def test_a_label_keeps_off_what_is_written_beside_its_element() -> None:
    page = np.full((200, 400, 3), 255, np.uint8)
    write(page, 60, 100, 90, 130)  # above and left of the element
    write(page, 90, 130, 60, 100)
    (mark,) = marks.layout(page, {"e1": (100.0, 100.0, 120.0, 30.0)})
    left, top, right, bottom = mark.label
    assert (page[top:bottom, left:right] == 255).all()


def test_colours_are_dark_enough_for_white_letters() -> None:
    for color in marks.COLORS:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (light + 0.05) >= 4.5, color


@pytest.mark.parametrize("name", ["covered", "frames", "modes"])
def test_marks_are_on_what_can_be_clicked_there_and_on_nothing_else(player: Open, name: str) -> None:
    page = player(name)
    if name == "frames":
        page.play({"action": "scroll", "direction": "down", "pixels": 3000})
    seen = page.look("screenshot", "screenshot_marked", "axtree_viewport", "axtree_interactive")
    assert seen.screenshot is not None
    assert seen.screenshot_marked is not None
    acting = set(references(seen.axtree_interactive)) & set(references(seen.axtree_viewport))
    marked = page.host.run(_points(page))
    named = {
        ref for ref in acting if page.now.element(ref).role not in ("iframe", "table", "region", "group", "banner")
    }
    assert set(marked) == named
    for ref in named - {ref for ref in named if "disabled" in page.now.element(ref).states}:
        assert page.host.run(page.session.box(ref)) is not None


async def _points(page: Player) -> dict[str, tuple[float, float]]:
    from sitegym.envs import sight

    return (await sight.read(page.session.tabs.active, ("points",))).points


def test_what_a_dialog_covers_has_no_mark(player: Open) -> None:
    page = player("covered")
    before = page.host.run(_points(page))
    under = page.now.find("button", "Under the veil")
    assert under in before
    opened = page.play({"action": "click", "ref": page.now.find("button", "Open dialog")})
    assert list(page.host.run(_points(page))) == [opened.find("button", "Close")]
    page.look("screenshot_marked", "screenshot")
    assert not np.array_equal(page.now.screenshot, page.now.screenshot_marked)


def test_what_lies_over_a_frame_takes_the_marks_off_what_is_in_it(player: Open) -> None:
    page = player("frames")
    page.play({"action": "scroll", "direction": "down", "pixels": 3000})
    before = page.host.run(_points(page))
    page.eval("""() => {
      const frame = document.querySelector("iframe"), { x, y } = frame.getBoundingClientRect();
      const veil = Object.assign(document.createElement("div"), { textContent: "over it" });
      veil.style = `position: fixed; left: ${x}px; top: ${y}px; width: 300px; height: 60px; background: teal`;
      document.body.append(veil);
    }""")
    page.look("axtree_full")
    gone = set(before) - set(page.host.run(_points(page)))
    assert {page.now.element(ref).name for ref in gone} == {"Card", "Pay"}
    assert len({ref.partition("e")[0] for ref in gone}) == 1, "those of the frame that is covered"


def test_marks_are_on_the_picture_only(player: Open) -> None:
    page = player("hands")
    plain = page.look("screenshot").screenshot
    page.look("screenshot_marked")
    assert np.array_equal(page.look("screenshot").screenshot, plain)


def test_a_label_at_the_edge_of_the_picture_is_moved_into_it_rather_than_onto_text() -> None:
    page = np.full((200, 400, 3), 255, np.uint8)
    write(page, 70, 140, 300, 356)  # left of the element, above it and below
    write(page, 70, 94, 356, 400)
    write(page, 124, 150, 356, 400)
    (mark,) = marks.layout(page, {"e12": (360.0, 98.0, 20.0, 20.0)})
    left, top, right, bottom = mark.label
    assert (page[top:bottom, left:right] == 255).all()
    assert (left, right) == (400 - (right - left), 400)


def test_a_line_or_the_edge_of_an_area_is_nothing_written() -> None:
    page = np.full((200, 400, 3), 255, np.uint8)
    page[:, :90] = 0  # a dark side bar, over whose edge the first place for a label lies
    (mark,) = marks.layout(page, {"e12": (80.0, 100.0, 60.0, 20.0)})
    assert mark.label[:2] == (mark.frame[0], mark.frame[1] - (mark.label[3] - mark.label[1]))
