"""What the random agent takes for possible on a page, and that its choices are a function of the task's seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
from sitegym.agents import load
from sitegym.agents.random_agent import actionable
from sitegym.envs import tree
from sitegym.envs.actions import parse

TREE = r"""
- banner:
  - link "Orders" [ref=e5] [cursor=pointer]:
    - /url: /orders
  - searchbox "Search everything" [ref=e12]
- main [ref=e8]:
  - heading "Order 100123" [level=1] [ref=e9]
  - button "Cancel order" [ref=e45] [cursor=pointer]
  - button "Refund" [disabled] [ref=e46]
  - checkbox "Notify the customer" [checked] [ref=e47]
  - combobox "Reason" [ref=e48]:
    - option "Choose" [disabled]
    - option "Customer \"request\"" [selected]
    - option "Out of stock"
  - textbox "Note" [ref=e50]: text with [ref=e99] in it
  - text: plain words
"""


@dataclass
class Page:
    axtree: str = TREE
    dialog: Any = None

    @property
    def tree(self) -> tree.Node:
        return tree.parse(self.axtree)


@dataclass
class Instance:
    id: str = "store.admin/cancel-order"
    task_seed: int = 3


def moves(seed: int, count: int = 60, page: Page | None = None) -> list[str]:
    agent = load("random")
    agent.start(Instance(task_seed=seed), None)  # type: ignore[arg-type]
    return [str(agent.act(page or Page())) for _ in range(count)]  # type: ignore[arg-type]


def test_only_enabled_controls_of_the_page_can_be_acted_on() -> None:
    found = actionable(tree.parse(TREE))
    assert [(element.role, element.ref) for element in found] == [
        ("link", "e5"),
        ("searchbox", "e12"),
        ("button", "e45"),
        ("checkbox", "e47"),
        ("combobox", "e48"),
        ("textbox", "e50"),
    ]
    assert found[4].options == ['Customer "request"', "Out of stock"]


def test_every_move_is_an_action_that_the_environment_reads() -> None:
    names = Counter(parse(move).name for seed in range(20) for move in moves(seed))
    assert {"click", "type", "select", "check", "finish", "scroll"} <= names.keys()


def test_the_same_seed_makes_the_same_moves_and_another_makes_others() -> None:
    assert moves(3) == moves(3)
    assert moves(3) != moves(4)


def test_an_open_dialog_is_answered_first() -> None:
    names = {parse(move).name for move in moves(1, page=Page(dialog="Leave this page?"))}
    assert names == {"accept_dialog", "dismiss_dialog"}


@pytest.mark.parametrize("text", ["", "- text: nothing here", "- button"])
def test_a_page_without_controls_still_gets_a_valid_move(text: str) -> None:
    assert all(parse(move) for move in moves(5, page=Page(axtree=text)))
