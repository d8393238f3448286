"""The agent on computer-use models, against servers that speak the vendors' protocols, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from clicker import OWN, Clicker, Shown
from fake_openai import Fails
from fake_vendors import Answers, FakeAnthropic, FakeGoogle, FakeResponses, FakeVendor
from playing import TASK, Played, Room
from sitegym import tasks
from sitegym.agents import load
from sitegym.errors import EnvironmentFault
from sitegym.sweeps.results import Status

Calls = list[tuple[str, dict[str, Any]]]


def anthropic(step: tuple[Any, ...]) -> Calls:
    match step:
        case ("click", x, y):
            return [("computer", {"action": "left_click", "coordinate": [x, y]})]
        case ("keys", chord):
            return [("computer", {"action": "key", "text": chord})]
        case ("write", text):
            return [("computer", {"action": "type", "text": text})]
    return [(step[1], step[2])]


def openai(step: tuple[Any, ...]) -> Calls:
    match step:
        case ("click", x, y):
            return [("computer", {"actions": [{"type": "click", "button": "left", "x": x, "y": y}]})]
        case ("keys", chord):
            return [("computer", {"actions": [{"type": "keypress", "keys": chord.upper().split("+")}]})]
        case ("write", text):
            return [("computer", {"actions": [{"type": "type", "text": text}]})]
    return [(step[1], step[2])]


def google(step: tuple[Any, ...]) -> Calls:
    match step:
        case ("click", x, y):
            return [("click", {"x": -(-x * 1000 // 1280), "y": -(-y * 1000 // 800)})]
        case ("keys", chord):
            return [("hotkey", {"keys": chord.upper().split("+")})]
        case ("write", text):
            return [("type", {"text": text})]
    return [(step[1], step[2])]


LOOK: dict[str, Calls] = {
    "anthropic": [("computer", {"action": "screenshot"})],
    "openai": [("computer", {"actions": [{"type": "screenshot"}]})],
    "google": [("take_screenshot", {})],
}
BAD: dict[str, Calls] = {
    "anthropic": [("computer", {"action": "left_click", "coordinate": [5000, 10]})],
    "openai": [("computer", {"actions": [{"type": "click", "button": "left", "x": 5000, "y": 10}]})],
    "google": [("click", {"x": 5000, "y": 10})],
}
VENDORS: dict[str, tuple[type[FakeVendor], Callable[[tuple[Any, ...]], Calls], str]] = {
    "anthropic": (FakeAnthropic, anthropic, ""),
    "openai": (FakeResponses, openai, "/v1"),
    "google": (FakeGoogle, google, ""),
}


class Script:
    """Answers with what is in `first`, then does the task. `width` is that of the pictures it is shown."""

    def __init__(self, vendor: str, *first: Answers | Fails, width: int = 1280) -> None:
        self.clicker = Clicker(tasks.task(TASK, 0, data="tiny"))
        self.first, self.form = list(first), VENDORS[vendor][1]
        self.scale = 1 if vendor == "google" else width / 1280  # Google's points are on a grid, whatever the picture

    def __call__(self, request: dict[str, Any]) -> Answers | Fails:
        if self.first:
            return self.first.pop(0)
        name, *rest = self.clicker.next()
        step = (name, *(round(at * self.scale) for at in rest)) if name == "click" else (name, *rest)
        return Answers(self.form(step), thought="On the way.")


def played(room: Room, vendor: str, server: FakeVendor, **options: object) -> Played:
    given = {
        "model": "fake",
        "base_url": server.address + VENDORS[vendor][2],
        "backoff_s": 0.01,
        "also": OWN,
        **options,
    }
    name = f"cua:vendor={vendor}," + ",".join(f"{key}={value}" for key, value in given.items())
    script: Any = server.brain
    return room.play(name, ready=Shown(load(name), script.clicker))


ONE_OF_ALL = pytest.mark.parametrize(
    "vendor", [pytest.param(name, marks=[pytest.mark.long] if number else []) for number, name in enumerate(VENDORS)]
)
"""For what does not depend on the vendor."""


@pytest.fixture(params=list(VENDORS))
def vendor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_model_that_does_the_task_right_earns_1(room: Room, vendor: str) -> None:
    script = Script(vendor, Answers(LOOK[vendor], text="Let me see."), Fails(529, "overloaded"))
    with VENDORS[vendor][0](script) as server:
        episode = played(room, vendor, server)
    result, told = episode.result, episode.steps
    assert (result.status, result.reward, server.refused) == (Status.FINISHED, 1.0, [])
    assert (result.usage["calls"], result.usage["retries"]) == (server.count, 1)
    assert sum(step.get("llm_call_count", 0) for step in told) == server.count
    assert told[0]["llm_call_count"] == 2  # the look costs no step
    assert told[1]["reasoning_content"] == "On the way."
    assert any(step["tool_calls"][0]["function_name"] == "mouse_click" for step in told)
    assert [call["step"] for call in episode.calls][:3] == [1, 1, 2]


def test_what_cannot_be_read_costs_a_step_and_is_told(room: Room, vendor: str) -> None:
    script = Script(vendor, Answers(BAD[vendor]), Answers(text="I am done."))
    with VENDORS[vendor][0](script) as server:
        episode = played(room, vendor, server)
    first, second = episode.steps[:2]
    assert (episode.result.reward, server.refused) == (1.0, [])
    assert {first["tool_calls"][0]["function_name"], second["tool_calls"][0]["function_name"]} == {"unreadable"}
    assert first["extra"]["error"] in str(server.requests[1][1])
    assert second["message"] == "I am done."
    assert "your answer holds no call of a tool" in str(server.requests[2][1])


@ONE_OF_ALL
def test_looking_for_ever_costs_steps(room: Room, vendor: str) -> None:
    script = Script(vendor, *[Answers(LOOK[vendor])] * 11)
    with VENDORS[vendor][0](script) as server:
        episode = played(room, vendor, server)
    assert (episode.result.reward, server.refused) == (1.0, [])
    assert "you have looked 10 times" in episode.steps[0]["extra"]["error"]
    assert episode.steps[0]["llm_call_count"] == 11


def test_only_the_newest_pictures_are_sent_again(room: Room, vendor: str) -> None:
    script = Script(vendor, width=640)
    with VENDORS[vendor][0](script) as server:
        episode = played(room, vendor, server, history=2, width=640)
    assert (episode.result.reward, server.refused) == (1.0, [])
    pictures = [str(body).count("iVBORw0KGgo") for _, body in server.requests]
    assert max(pictures) == (2 if vendor != "openai" else 1)


@ONE_OF_ALL
def test_a_budget_ends_the_episode_and_a_model_that_is_gone_is_a_fault(room: Room, vendor: str) -> None:
    with VENDORS[vendor][0](Script(vendor)) as server:
        episode = played(room, vendor, server, budget_tokens=1001)
        assert (episode.result.outcome, episode.result.reward, server.count) == ("budget_tokens", 0.0, 1)
        server.close()
        with pytest.raises(EnvironmentFault) as fault:
            played(room, vendor, server, retries=1)
    assert fault.value.cause == "model_unreachable"
