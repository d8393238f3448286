"""Agents by name: the built-in ones, your own, and what is said when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from sitegym.agents import BUILT_IN, Agent, load
from sitegym.errors import UnknownAgent, UsageError

MODULE = """
def clicker(observation):
    return 'click("e1")'

class Careful:
    def start(self, task, episode):
        self.seen = 0

    def act(self, observation):
        self.seen += 1
        return {"action": "finish"}

ready = Careful()
number = 7
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_agents_for_loading.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("name", [*BUILT_IN, *(f"own_agents_for_loading:{n}" for n in ("clicker", "Careful", "ready"))])
def test_every_known_name_gives_an_agent(name: str) -> None:
    assert isinstance(load(name), Agent)


def test_each_episode_gets_a_fresh_agent() -> None:
    assert load("own_agents_for_loading:Careful") is not load("own_agents_for_loading:Careful")
    assert load("random") is not load("random")


def test_a_function_answers_each_observation() -> None:
    assert load("own_agents_for_loading:clicker").act(None) == 'click("e1")'  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("oracel", UnknownAgent, "no agent 'oracel': did you mean 'oracle'?"),
        ("gpt", UnknownAgent, "no agent 'gpt': known: human, noop, oracle, random"),
        ("own_agents_for_loading:Carefull", UnknownAgent, "did you mean 'own_agents_for_loading:Careful'"),
        ("nowhere_at_all:Agent", UsageError, "there is no module 'nowhere_at_all' in this folder or installed"),
        (
            "own_agents_for_loading:number",
            UsageError,
            r"is a int; it needs start\(task, episode\) and act\(observation",
        ),
    ],
)
def test_what_is_no_agent_is_named_with_a_hint(name: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        load(name)


def test_an_error_inside_your_module_is_shown_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "broken_agent.py").write_text("import a_library_that_is_missing")
    with pytest.raises(ModuleNotFoundError, match="a_library_that_is_missing"):
        load("broken_agent:Agent")
