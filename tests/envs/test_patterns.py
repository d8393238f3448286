"""The micro pages cover every pattern that tasks are tagged with, and say what has to be seen rather than read."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from sitegym.envs import actions
from sitegym.envs.spaces import ActionSpace
from sitegym.tasks.tags import PATTERNS

from . import test_patterns_fields, test_patterns_hands
from .conftest import PAGES, Player
from .patterns import FILES, take

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


@pytest.mark.parametrize("pattern", ["P06", "P33", "P35", "P36", "P40", "P41", "P42", "P46"])
def test_a_way_that_is_gone_twice_looks_the_same_both_times(player: Callable[..., Player], pattern: str) -> None:
    way = next(way for way in WAYS if way.pattern == pattern and way.right)
    seen = []
    for _ in range(2):
        page = player(f"patterns/{pattern.lower()}")
        page.kinds = ("axtree", "screenshot")
        looks = []
        for step in way.steps:
            take(page, step)
            now = page.now
            assert now.screenshot is not None
            looks.append((now.axtree, now.tabs, now.downloads, now.result, now.settled, now.screenshot.tobytes()))
        seen.append((looks, page.session.clock.now))
    assert seen[0] == seen[1]


def test_whatever_is_tried_ends_in_an_observation(player: Callable[..., Player]) -> None:
    space, chance = ActionSpace(seed=5), Random(5)
    page = player("patterns/p33", files=FILES)
    for _ in range(80):
        fields = actions.parse(space.sample()).to_dict()
        refs = [node.ref for node in page.now.tree.walk() if node.ref]
        fields |= {name: chance.choice(refs) for name in ("ref", "to") if name in fields and refs}
        fields |= {name: fields[name] % 700 for name in ("x", "y", "to_x", "to_y", "ms") if name in fields}  # type: ignore[operator]
        assert page.play(fields).settled, fields
