"""Cards of tasks say what the code says, and how long each task is was measured."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterator

import pytest
from sitegym import tasks
from sitegym.tasks import tags

from .conftest import DOCS

IDS = sorted(tasks.templates())


@pytest.fixture(scope="module")
def card() -> Iterator[Callable[[str], str]]:
    """What makes a card, imported as the documentation imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield importlib.import_module("cards").card


@pytest.mark.parametrize("task_id", IDS)
def test_a_card_tells_everything(task_id: str, card: Callable[[str], str]) -> None:
    text = card(task_id)
    plain = text.replace("\\", "")
    one, drawn = tasks.template(task_id), [tasks.task(task_id, seed, data="tiny") for seed in range(4)]
    first = next(task for task in drawn if task.instance.feasible)
    assert first.goal in plain
    asked = text.split("## How it is asked for")[1].split("## ")[0]
    assert len(re.findall("^- ", asked, re.M)) == len(one.intents(first.instance))
    assert f"{sum(tasks.outcomes(task_id)):,} (" in text
    assert all(f"- {tag}: {tags.meaning(tag)}" in text for tag in one.tags)
    for title in ("What must come of it", "What earns nothing", "What is right as well", "Patterns and traps"):
        assert len(text.split(f"## {title}")[1].split("## ")[0].strip()) > 40
    assert (" can't; half of all seeds each" in text) is (tasks.outcomes(task_id)[1] > 0)


@pytest.mark.parametrize("task_id", IDS)
def test_how_long_a_task_is_was_measured(task_id: str) -> None:
    measured = json.loads((DOCS / "data/difficulty.json").read_text())[task_id]
    assert len(measured["played"]) >= 2
    for one in measured["played"]:
        assert 0 < one["steps"] <= tasks.template(task_id).max_steps
        assert 0 < one["screens"] <= one["steps"] + 2


@pytest.mark.parametrize("task_id", IDS)
def test_who_has_few_outcomes_says_why(task_id: str) -> None:
    assert bool(tasks.template(task_id).few) is (sum(tasks.outcomes(task_id)) < 20)
