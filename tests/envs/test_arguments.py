"""What cannot be is refused when an environment or an episode is made, each of three ways, and nothing is started."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
import sitegym
from sitegym.envs import shared
from sitegym.envs.opening import open_episode
from sitegym.errors import NoBrowser, UnknownName, UnknownSite, UnknownSplit, UnknownTask, UsageError, closest

assert sitegym.__version__

WAYS: dict[str, Callable[..., Any]] = {
    "make": lambda **given: gymnasium.make("ShopAdmin-v0", **given),
    "make_vec": lambda **given: gymnasium.make_vec("ShopAdmin-v0", num_envs=2, **given),
    "open_episode": open_episode,
}
ALL: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"data": "tinny"}, UnknownName, "no data set 'tinny': did you mean 'tiny'"),
    ({"data": "huge"}, UnknownName, "no data set 'huge': known: base, tiny"),
    ({"data": 3}, UnknownName, "no data set '3': known: base, tiny"),
    ({"data_seed": "x"}, UsageError, "data_seed is a whole number from 0, not 'x'"),
    ({"data_seed": -1}, UsageError, "data_seed is a whole number from 0, not -1"),
    ({"site": "shop"}, UnknownSite, "no site 'shop': known: .*store"),
    ({"browser": "/nowhere/chrome"}, NoBrowser, "browser is '/nowhere/chrome', which is no executable file: name one"),
    ({"browser": __file__}, NoBrowser, "which is no executable file"),
    ({"browser": "sh"}, NoBrowser, "did you mean '/.*/sh'"),
    ({"observations": ("axtre",)}, UsageError, "no observation 'axtre' .did you mean 'axtree'.*: there are axtree,"),
    ({"observations": "axtree"}, UsageError, "observations is a list such as"),
    ({"rewards": "sparce"}, UsageError, "no rewards 'sparce'"),
    ({"viewport": (1,)}, UsageError, "viewport is width and height"),
    ({"max_steps": 0}, UsageError, "max_steps is a whole number from 1"),
]
ENVIRONMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"task": "store.admin/cancel"}, UnknownTask, "did you mean 'store.admin/cancel-order'"),
    ({"task": "store.admin/reorder"}, UnknownTask, "known: store.admin/.* and [0-9]+ more"),
    ({"task": "admin/*"}, UnknownTask, "no task 'admin/.': known: "),
    ({"task": 7}, UsageError, "task is an id, a pattern such as 'store.admin/.*', or None, not 7"),
    ({"split": "trian"}, UnknownSplit, "did you mean 'train'"),
    ({"split": "dev"}, UnknownSplit, "known: test, train, validation"),
]
CASES = [(way, *case) for case in ALL for way in WAYS]
CASES += [(way, *case) for case in ENVIRONMENTS for way in ("make", "make_vec")]


@pytest.mark.parametrize(("way", "given", "error", "reason"), CASES, ids=lambda value: str(value)[:40])
def test_what_cannot_be_is_refused_when_it_is_made(
    way: str, given: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason):
        WAYS[way](**given)


def test_an_argument_that_there_is_not_is_named() -> None:
    with pytest.raises(
        UsageError, match=r"no argument 'max_step' \(did you mean 'max_steps'\?\): there are site, data,"
    ):
        open_episode(max_step=3)


def test_a_browser_that_exists_is_taken_and_not_started() -> None:
    gymnasium.make("ShopAdmin-v0", data="tiny", browser=sys.executable).close()
    assert not shared.hosts._held


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("trian", ["test", "train"], "train"),
        ("Base", ["base", "tiny"], "base"),
        ("basic", ["base", "tiny"], None),
        ("cancel", ["cancel-order", "hold-orders"], "cancel-order"),
        ("can", ["cancel-order"], None),
        ("a/reorder", ["a/cancel-order", "a/ship-part"], None),
        ("b/cancel-ordr", ["a/cancel-order", "b/ship-part"], "a/cancel-order"),
        ("", ["base"], None),
        ("x", [], None),
    ],
)
def test_a_name_is_suggested_only_where_it_is_near(name: str, known: list[str], meant: str | None) -> None:
    assert closest(name, known) == meant
