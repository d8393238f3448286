"""The system prompt says what holds for what the model sees, in whole paragraphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sitegym.agents import load


def prompt(**options: object) -> str:
    given = {"model": "m", "base_url": "http://127.0.0.1:1/v1", **options}
    agent: Any = load("llm:" + ",".join(f"{name}={value}" for name, value in given.items()))
    text: str = agent.options.system()
    return text


@pytest.mark.parametrize(
    ("options", "told", "untold"),
    [
        ({}, ["[ref=e12]", "newest 3 pages"], ["picture", "pixels", "frame"]),
        ({"see": "axtree+screenshot"}, ["[ref=e12]", "picture", "pixels"], ["frame"]),
        ({"see": "screenshot_marked", "history": 1}, ["picture", "frame", "Only the newest page is"], ["[ref=e12]"]),
        ({"see": "screenshot", "actions": "click+finish"}, ["picture"], ["pixels", "frame", "[ref=e12]"]),
    ],
)
def test_it_says_what_holds(options: dict[str, object], told: list[str], untold: list[str]) -> None:
    text = prompt(**options)
    assert [words for words in told if words not in text] == []
    assert [words for words in untold if words in text] == []
    assert "{" not in text
    assert "\n\n\n" not in text
    assert all(paragraph[0].isupper() or paragraph.startswith("- `") for paragraph in text.split("\n\n"))
    assert all(len(line) <= 120 for line in text.splitlines())


def test_a_prompt_of_ones_own_takes_its_place(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("Be brief. {{ history }} pages.")
    assert prompt(prompt=tmp_path / "mine.md", history=2) == "Be brief. 2 pages."
