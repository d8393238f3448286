"""No call of a model is lost from the record: not one that led to the end, not one whose turn ended in a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_openai import Fails, FakeOpenAI, Says
from fake_vendors import Answers, FakeAnthropic
from playing import Played, Room
from sitegym.agents import Decision, ModelCall, Stop, Usage
from sitegym.errors import EnvironmentFault
from sitegym.sweeps.calls import read_calls

LOOK = ("computer", {"action": "screenshot"})


class Stopping:
    """Asks a model once, and ends the episode upon its answer."""

    call = ModelCall(
        model="own", messages=[{"role": "user", "content": "Go on?"}], answer={"content": "No."},
        usage=Usage(prompt_tokens=3, completion_tokens=2), prompt_token_ids=(5, 6, 7), completion_token_ids=(8, 9),
        logprobs=(-0.5, -0.25),
    )  # fmt: skip

    def start(self, task: Any, episode: Any) -> None:
        """Nothing to prepare."""

    def act(self, observation: Any) -> Decision:
        """The end, and the call that led to it."""
        return Decision(move=Stop(outcome="had_enough", reason="the model wants no more"), calls=(self.call,))


def test_the_tokens_of_a_call_that_led_to_the_end_are_kept(room: Room) -> None:
    (told,) = room.play("own", ready=Stopping()).calls
    ids = ("prompt_token_ids", "completion_token_ids", "logprobs")
    assert [told[name] for name in ids] == [list(getattr(Stopping.call, name)) for name in ids]
    assert (told["step"], told["messages"]) == (1, list(Stopping.call.messages))


def faulted(room: Room, agent: str) -> tuple[EnvironmentFault, list[dict[str, Any]]]:
    """How an episode ended that had to end in a fault, and the calls in its record."""
    with pytest.raises(EnvironmentFault) as fault:
        room.play(agent)
    folder = max(room.folder.iterdir(), key=lambda one: int(one.name))
    assert json.loads((folder / "verdict.json").read_text())["reward"] is None
    return fault.value, list(read_calls(folder))


def test_looks_before_a_fault_in_the_middle_of_a_turn_are_kept(room: Room) -> None:
    answers: list[Answers | Fails] = [Answers([LOOK], text="Let me see."), Answers([LOOK]), Fails(401, "wrong key")]
    with FakeAnthropic(lambda request: answers.pop(0)) as server:
        fault, calls = faulted(room, f"cua:vendor=anthropic,model=fake,base_url={server.address}")
    assert (fault.cause, server.count) == ("model_refused", 2)
    assert [call["step"] for call in calls] == [1, 1]
    assert calls[0]["answer"]["content"][0]["text"] == "Let me see."
    assert [len(call["messages"]) for call in calls] == [2, 4]


def test_a_call_that_is_no_use_to_a_budget_is_kept(room: Room) -> None:
    with FakeOpenAI(lambda request: Says(calls=[("reload", {})], usage=False)) as server:
        fault, calls = faulted(room, f"llm:model=m,base_url={server.url},budget_tokens=100")
    assert fault.cause == "no_usage"
    assert [call["answer"] for call in calls] == [one["choices"][0]["message"] for one in server.answers]


class Leaving(Stopping):
    """Asks a model for a step that the world does not live to see."""

    def start(self, task: Any, episode: Any) -> None:
        """Take what it will close."""
        self.episode = episode

    def act(self, observation: Any) -> Decision:
        """A harmless move in an episode that is closed meanwhile."""
        self.episode.close()
        return Decision(move="reload()", calls=(self.call,))


def test_the_call_behind_an_action_that_ended_in_a_fault_is_kept(room: Room) -> None:
    with pytest.raises(EnvironmentFault, match="without a verdict"):
        room.play("own", ready=Leaving())
    (folder,) = room.folder.iterdir()
    (told,) = read_calls(folder)
    assert (told["step"], told["completion_token_ids"]) == (1, [8, 9])


def test_calls_are_still_told_once(room: Room) -> None:
    with FakeAnthropic(lambda request: Answers([LOOK if len(request["messages"]) < 4 else ("finish", {})])) as server:
        played: Played = room.play(f"cua:vendor=anthropic,model=fake,base_url={server.address}")
    assert len(played.calls) == server.count == played.result.usage["calls"]
