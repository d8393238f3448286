"""The tree: read from Playwright's snapshots, folded and paged for the agent, searched by role and name."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sitegym.envs import fold
from sitegym.envs.observation import ElementNotFound, Observation
from sitegym.envs.tree import Node, Unread, parse

from .conftest import Player

Open = Callable[..., Player]

SNAPSHOT = r"""
- generic [active] [ref=e1]:
  - 'heading "Order: \"7\"" [level=1] [ref=e2]'
  - generic [ref=e3]:
    - generic [ref=e4]:
      - button "Save" [disabled] [ref=e5]
  - generic [ref=e6]
  - 'textbox "It''s: here" [ref=e7]': "a: b"
  - checkbox "Agree" [checked] [ref=e8]
  - row [ref=e9]:
    - cell "100" [ref=e10]:
      - link "100" [ref=e11] [cursor=pointer]:
        - /url: /orders/100
    - cell "Ann" [ref=e12]
  - text: loose words
"""


def test_a_snapshot_is_read_with_names_states_values_and_properties() -> None:
    nodes = {node.ref: node for node in parse(SNAPSHOT).walk() if node.ref}
    assert (nodes["e2"].name, nodes["e2"].states["level"]) == ('Order: "7"', "1")
    assert (nodes["e7"].name, nodes["e7"].value) == ("It's: here", "a: b")
    assert "disabled" in nodes["e5"].states
    assert nodes["e11"].props == {"url": "/orders/100"}
    assert nodes["e9"].text == "100 Ann"


@pytest.mark.parametrize("copied", [lambda tree: tree, copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))])
def test_a_tree_that_is_read_late_is_the_same(copied: Callable[[Node], Node], monkeypatch: pytest.MonkeyPatch) -> None:
    late = copied(Unread(SNAPSHOT))
    assert list(map(str, late.walk())) == list(map(str, parse(SNAPSHOT).walk()))
    monkeypatch.setattr("sitegym.envs.tree.parse", None)
    assert late.children[0] is late.children[0]
    with pytest.raises(TypeError):
        _ = Unread(SNAPSHOT).children
    with pytest.raises(AttributeError, match="color"):
        _ = late.color  # type: ignore[attr-defined]


def test_folding_keeps_what_can_be_used_and_drops_what_says_nothing() -> None:
    text = fold.render(fold.simplify(parse(SNAPSHOT)))
    assert yaml.safe_load(text)
    assert "e3" not in text
    assert "e6" not in text
    assert '- button "Save" [disabled] [ref=e5]' in text
    assert '- link "100" [ref=e11]\n' in text
    assert "/url" not in text
    assert re.search(r"text: loose words", text)


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=5))
def test_whatever_names_and_texts_hold_the_tree_stays_yaml_and_reads_back(parts: list[tuple[str, str]]) -> None:
    children = [Node("button", name, value, {"ref": f"e{index}"}) for index, (name, value) in enumerate(parts)]
    text = fold.render(Node("document", children=children))
    assert len(yaml.safe_load(text)) == len(parts)
    for (name, value), read in zip(parts, parse(text).children, strict=True):
        assert read.value == ("" if value == name else value) or (read.value, read.name) == (value, "")
        assert read.name == name or (read.name, value) == ("", name)


def test_a_long_table_is_paged_and_says_how_to_read_on(player: Open) -> None:
    page = player("many")
    assert len(page.now.elements("row")) == 21
    marker = re.search(r'rows 1-20 of 100; more\("(\w+)"\) shows the next ones', page.now.axtree)
    assert marker is not None
    with pytest.raises(ElementNotFound, match="the tree is cut: rows 1-20 of 100"):
        page.now.find("link", "100020")
    page.play({"action": "more", "ref": marker[1]})
    assert page.now.error == ""
    assert page.now.find("link", "100020")
    assert "rows 21-40 of 100" in page.now.axtree
    for _ in range(3):
        page.play({"action": "more", "ref": marker[1]})
    assert f'rows 81-100 of 100; more("{marker[1]}") shows the first ones' in page.now.axtree
    page.play({"action": "more", "ref": marker[1]})
    assert "rows 1-20 of 100" in page.now.axtree


def test_elements_are_found_by_role_and_name_within_a_row_or_region(player: Open) -> None:
    now = player("many").now
    link = now.find("link", "100003")
    assert now.find("link", within="100003") == link
    assert now.find("link", within=("row", re.compile("100003"))) == link
    assert now.find("link", re.compile("0003$")) == link
    assert now.find("link", nth=3) == link
    assert now.text_of(now.find("cell", within="100003", nth=2)) == "3.99"
    assert now.text_of(now.find("cell", re.compile("O'Dell"), within="100003")) == 'O\'Dell "Ann" 3: x'
    assert len(now.find_all("link")) == 20
    assert now.find_all("slider") == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"role": "link", "name": "999"}, 'no link "999"; there are: "100000", "100001"'),
        ({"role": "slider"}, "no slider; there is only: cell, columnheader"),
        ({"role": "link", "name": "100001", "nth": 2}, "there are only 1 of link"),
        ({"role": "link", "within": "no such words"}, "no row, item, dialog, region or group holds"),
        ({"role": "link", "within": "e9999"}, "the tree shows no e9999"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(player: Open, arguments: dict[str, object], reason: str) -> None:
    now = player("many").now
    with pytest.raises(ElementNotFound, match=re.escape(reason)):
        now.find(**arguments)  # type: ignore[arg-type]


def test_an_empty_observation_finds_nothing_and_says_so() -> None:
    with pytest.raises(ElementNotFound, match="only: nothing"):
        Observation().find("button")
