"""Agents by name: the built-in ones, your own, and what is said when there is none."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from sitegym.agents import BUILT_IN, Agent, load
from sitegym.errors import UnknownAgent, UsageError

MODULE = """
import asyncio

def clicker(observation):
    return 'click("e1")'

class Careful:
    def start(self, task, episode):
        self.seen = 0

    def act(self, observation):
        self.seen += 1
        return {"action": "finish"}

class Tuned:
    def __init__(self, depth: int, share: float = 0.5, name: str = "", greedy: bool = False, see: tuple[str, ...] = ()):
        self.depth, self.share, self.name, self.greedy, self.see = depth, share, name, greedy, see

    def start(self, task, episode):
        pass

    def act(self, observation):
        return {"action": "finish"}

class Guessed:
    def __init__(self, value, more=None):
        self.value, self.more = value, more

    start = act = lambda self, *_: None

async def waiting(observation):
    await asyncio.sleep(0)
    return 'click("e2")'

class Client:
    closed = False

    async def start(self, task, episode):
        self.loop = asyncio.get_running_loop()

    async def act(self, observation):
        assert asyncio.get_running_loop() is self.loop
        return 'click("e3")'

    async def close(self):
        assert asyncio.get_running_loop() is self.loop
        self.closed = True

ready = Careful()
number = 7
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_agents_for_loading.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


NEEDED = {
    "llm": ":model=m,base_url=http://127.0.0.1:1/v1",
    "replay": ":run=.",
    "cua": ":vendor=anthropic,model=m,base_url=http://127.0.0.1:1",
}
OWN = ("clicker", "Careful", "ready", "waiting", "Client", "Tuned:depth=1", "Guessed:value=x")


@pytest.mark.parametrize(
    "name", [*(name + NEEDED.get(name, "") for name in BUILT_IN), *(f"own_agents_for_loading:{one}" for one in OWN)]
)
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
        ("gpt", UnknownAgent, "no agent 'gpt': known: " + ", ".join(sorted([*BUILT_IN, "human"]))),
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


def own_agent(text: str) -> Any:
    return load(f"own_agents_for_loading:{text}")


def test_options_come_as_the_types_that_the_class_names() -> None:
    made = own_agent("Tuned:depth=3,share=1,name=a=b:c/d,greedy=true,see=axtree+html")
    assert (made.depth, made.share, made.name, made.greedy, made.see) == (3, 1.0, "a=b:c/d", True, ("axtree", "html"))
    assert isinstance(made.share, float)
    assert own_agent('Tuned:depth=3,name="a, b"').name == "a, b"


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("0.5", 0.5), ("true", True), ("qwen/qwen3:8b", "qwen/qwen3:8b"), ('{"a": [1, 2]}', {"a": [1, 2]})],
)
def test_options_without_a_type_are_numbers_where_they_look_like_it(text: str, value: object) -> None:
    made = own_agent(f"Guessed:value={text},more=1")
    assert (made.value, made.more) == (value, 1)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("own_agents_for_loading:Tuned", "needs depth: own_agents_for_loading:Tuned:depth=…"),
        ("own_agents_for_loading:Tuned:depht=3", "no option 'depht' (did you mean 'depth'?); there are: depth, greedy"),
        ("own_agents_for_loading:Tuned:depth=many", "depth is a whole number, not 'many'"),
        ("own_agents_for_loading:Tuned:depth=1,greedy=maybe", "greedy is true or false, not 'maybe'"),
        ("own_agents_for_loading:Tuned:depth=1,depth=2", "option 'depth' is given twice"),
        ("own_agents_for_loading:Tuned:depth", "options are name=value,name=value; 'depth' in 'depth' is none"),
        ("own_agents_for_loading:clicker:depth=1", "is no class, so it takes no options"),
        ("noop:depth=1", "agent 'noop' has no option 'depth'; it takes none"),
        ("llm", "agent 'llm' needs model: llm:model=…"),
        ("llm:model=m,base_url=x,temperature=warm", "temperature is a number, not 'warm'"),
        ("llm:model=m,base_url=x,timeout_s=inf", "timeout_s is a number, not 'inf'"),
        ("llm:model=m,base_url=x,api_key=secret", "has no option 'api_key'"),
        ("llm:model=m,base_url=x,see=tree", "no observation 'tree'"),
        ("llm:model=m,base_url=x,history=0", "history is at least 1"),
        ("llm:model=m,base_url=x,extra_body={1}", "option 'extra_body' begins as JSON, and is none"),
        ("llm:model=m,base_url=x,budget_cost=1", "budget_cost needs price_in and price_out"),
        ("cua:vendor=acme,model=m", "vendor is one of openai, anthropic, google, not 'acme'"),
        ("cua:vendor=google,model=m,format=openai/computer", "google has the formats gemini/3.5, gemini/2.5, not open"),
        ("cua:vendor=openai,model=m,base_url=x,also=click", "'click' is a call of OpenAI's `computer` already"),
        ("cua:vendor=anthropic,model=m", "the environment variable ANTHROPIC_API_KEY holds no key"),
        ("llm:model=m", "the environment variable OPENAI_API_KEY holds no key, and no base_url names a server"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_what_would(name: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        load(name)


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        UsageError, match=re.escape(f"needs the package 'openai': {sys.executable} -m pip install openai")
    ):
        load("llm:model=m,base_url=x")


def test_coroutines_share_one_event_loop_until_the_agent_is_closed() -> None:
    agent = own_agent("Client")
    agent.start(None, None)
    assert [agent.act(None), agent.act(None)] == ['click("e3")'] * 2
    agent.close()
    assert agent.closed
    waiting = own_agent("waiting")
    assert waiting.act(None) == 'click("e2")'
    waiting.close()
