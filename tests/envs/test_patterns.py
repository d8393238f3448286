"""The micro pages cover every pattern that tasks are tagged with, and say what has to be seen rather than read."""

from __future__ import annotations

from collections.abc import Callable

from sitegym.tasks.tags import PATTERNS

from . import test_patterns_fields, test_patterns_hands
from .conftest import PAGES, Player

WAYS = [*test_patterns_fields.WAYS, *test_patterns_hands.WAYS]
SEEN = {"P34": "red", "P58": "48"}
"""What the tree of these does not hold."""


def test_every_pattern_has_a_page_a_right_way_and_two_wrong_ones() -> None:
    assert {way.pattern for way in WAYS} == set(PATTERNS)
    for pattern in PATTERNS:
        assert (PAGES / "patterns" / f"{pattern.lower()}.html").is_file()
        assert any(way.right for way in WAYS if way.pattern == pattern)
        assert sum(not way.right for way in WAYS if way.pattern == pattern) >= 2


def test_no_wrong_way_ends_as_a_right_one_does() -> None:
    for pattern in PATTERNS:
        wanted = {way.records for way in WAYS if way.pattern == pattern and way.right}
        for way in WAYS:
            if way.pattern == pattern and not way.right:
                assert way.refused or way.records not in wanted, way


def test_what_a_person_sees_and_the_tree_does_not_hold_is_marked(player: Callable[..., Player]) -> None:
    assert {way.pattern for way in WAYS if way.vision} == set(SEEN)
    for pattern, missing in SEEN.items():
        page = player(f"patterns/{pattern.lower()}")
        assert missing not in page.now.axtree
        picture = page.look("screenshot").screenshot
        assert picture is not None
        assert (picture != picture[0, 0]).any()
