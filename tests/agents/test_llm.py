"""The agent on a language model, against a server that speaks the protocol, with a real browser and a real task."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from fake_openai import Fails, FakeOpenAI, Says, picture
from playing import TASK, Room
from sitegym import tasks
from sitegym.envs.actions import specs
from sitegym.errors import EnvironmentFault
from sitegym.sweeps import evaluate
from sitegym.sweeps.results import Status
from solver import Solver


def solver(*first: Says | Fails, **about: Any) -> Solver:
    return Solver(tasks.task(TASK, 0, data="tiny"), list(first), **about)


def agent_of(server: FakeOpenAI | str, **options: object) -> str:
    url = server if isinstance(server, str) else server.url
    given = {"model": "fake", "base_url": url, "backoff_s": 0.01, **options}
    return "llm:" + ",".join(f"{name}={value}" for name, value in given.items())


def texts(request: dict[str, Any]) -> Iterable[str]:
    for message in request["messages"]:
        content = message["content"]
        yield from [content] if isinstance(content, str) else [part.get("text", "") for part in content or ()]


@pytest.mark.parametrize("stream", ["false", "true"])
def test_a_model_that_does_the_task_right_earns_1(room: Room, stream: str) -> None:
    with FakeOpenAI(solver(reasoning="The order first.", text="On my way.")) as server:
        played = room.play(agent_of(server, stream=stream))
    result = played.result
    assert (result.status, result.reward, server.refused) == (Status.FINISHED, 1.0, [])
    told = played.steps
    assert {(step["message"], step["reasoning_content"]) for step in told} == {("On my way.", "The order first.")}
    usages = [answer["usage"] for answer in server.answers]
    assert [step["metrics"]["prompt_tokens"] for step in told] == [usage["prompt_tokens"] for usage in usages]
    assert result.usage["completion_tokens"] == sum(usage["completion_tokens"] for usage in usages)
    names = [name for name in specs() if not name.startswith("mouse_")]
    assert [tool["function"]["name"] for tool in server.requests[0][1]["tools"]] == names
    assert [tool["function"]["name"] for tool in played.trajectory["agent"]["tool_definitions"]] == names


def test_the_record_rebuilds_each_request_word_by_word(room: Room) -> None:
    with FakeOpenAI(solver()) as server:
        played = room.play(agent_of(server, see="axtree+screenshot_marked", history=2))
    calls = played.calls
    assert [call["step"] for call in calls] == list(range(1, len(server.requests) + 1))
    for call, (_, request) in zip(calls, server.requests, strict=True):
        for part in _parts(request["messages"]):
            if part["type"] == "image_url":
                assert picture(part["image_url"]["url"]).size == (1280, 800)
        assert _without_pictures(call["messages"]) == _without_pictures(request["messages"])
    paths = [part["image_url"]["url"] for part in _parts(calls[-1]["messages"]) if part["type"] == "image_url"]
    assert len(paths) == 2
    assert all((played.folder / path).is_file() for path in paths)


def _parts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for message in messages if isinstance(message["content"], list) for part in message["content"]]


def _without_pictures(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    copy: list[dict[str, Any]] = json.loads(json.dumps(messages))
    for part in _parts(copy):
        part.pop("image_url", None)
    return copy


def test_only_the_newest_pages_are_shown_in_full(room: Room) -> None:
    with FakeOpenAI(solver()) as server:
        room.play(agent_of(server, history=2))
    shown = [sum("Steps left:" in text for text in texts(request)) for _, request in server.requests]
    assert shown == [min(2, number) for number in range(1, len(shown) + 1)]
    assert len(shown) > 3
    short = [text for text in texts(server.requests[-1][1]) if "left out: it is old" in text]
    assert len(short) == len(shown) - 2
    assert all(len(text) < 1000 for text in short)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        pytest.param(Says(calls=[("click", '{"ref": "e1')]), "the arguments of click are no JSON object", id="json"),
        pytest.param(Says(calls=[("clik", {"ref": "e1"})]), "no tool 'clik' (did you mean 'click'?)", id="name"),
        pytest.param(Says(calls=[("click", {"rf": "e1"})]), "click has no argument 'rf'", id="argument"),
        pytest.param(
            Says(calls=[("back", {}), ("reload", {})]),
            "one call at a time: this answer holds 2 (back, re",
            id="two",
        ),
        pytest.param(Says(text="I would click the button."), "your answer holds no call", id="text"),
        pytest.param(Says(text='click("e1")', finish="length"), "it was too long and was cut off", id="cut"),
        pytest.param(Says(), "your answer holds no call", id="nothing"),
    ],
)
def test_a_malformed_answer_costs_a_step_and_is_told(room: Room, bad: Says, told: str) -> None:
    brain = solver(bad)
    with FakeOpenAI(brain) as server:
        played = room.play(agent_of(server))
    result = played.result
    assert (result.reward, result.faults, server.refused) == (1.0, (), [])
    first, *rest = played.steps
    assert (first["tool_calls"][0]["function_name"], len(rest) + 1) == ("unreadable", result.steps)
    assert told in first["extra"]["error"]
    assert f"Refused: {first['extra']['error']}" in brain.seen[1]
    assert len(server.requests) == result.steps


def test_what_passes_is_tried_again_and_leaves_the_reward_alone(room: Room) -> None:
    busy = Fails(429, headers={"Retry-After": "0.01"})
    with FakeOpenAI(solver(busy, busy, Fails(503))) as server:
        played = room.play(agent_of(server))
    result = played.result
    assert (result.reward, result.faults, result.usage["retries"]) == (1.0, (), 3)
    retries = played.steps[0]["metrics"]["extra"]["retries"]
    assert [retry["cause"] for retry in retries] == ["429", "429", "503"]
    assert len(server.requests) == result.steps + 3


@pytest.mark.parametrize("stream", ["false", "true"])
def test_an_answer_that_breaks_off_is_asked_for_again(room: Room, stream: str) -> None:
    with FakeOpenAI(solver(Says(text="half of it", broken=True))) as server:
        played = room.play(agent_of(server, stream=stream))
    assert (played.result.reward, played.result.usage["retries"]) == (1.0, 1)


def test_a_model_that_is_gone_is_a_fault_and_no_reward(tmp_path: Path) -> None:
    with FakeOpenAI(lambda request: Says(text="half of it", broken=True)) as server:
        gone = agent_of(server, retries=1)
        run = evaluate(agents=(gone,), tasks=TASK, workers=1, data="tiny", out=tmp_path / "run", quiet=True)
    (result,) = run.results.values()
    assert (result.status, result.reward) == (Status.FAULT, None)
    assert [fault.cause for fault in result.faults] == ["model_unreachable"] * 2
    assert "was not reached in 2 tries (connection)" in result.reason


def test_a_model_that_never_answers_is_a_fault(room: Room) -> None:
    never = threading.Event()
    with FakeOpenAI(lambda request: Says(text="late", after=never)) as server:
        with pytest.raises(EnvironmentFault, match=r"\(timeout\)") as fault:
            room.play(agent_of(server, retries=0, timeout_s=0.2))
        never.set()
    assert (fault.value.cause, fault.value.retry) == ("model_unreachable", True)


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(Fails(401, "wrong key"), id="key"),
        pytest.param(Fails(429, "you exceeded your plan", "insufficient_quota"), id="quota"),
    ],
)
def test_a_call_that_is_refused_is_not_tried_again(room: Room, refusal: Fails) -> None:
    with FakeOpenAI(lambda request: refusal) as server, pytest.raises(EnvironmentFault, match=refusal.message) as fault:
        room.play(agent_of(server))
    assert (fault.value.cause, fault.value.retry, len(server.requests)) == ("model_refused", False, 1)


@pytest.mark.parametrize(
    ("budget", "outcome"),
    [
        ({"budget_tokens": 10}, "budget_tokens"),
        ({"budget_cost": 0.0001, "price_in": 2.0, "price_out": 8.0, "price_cached": 0.5}, "budget_cost"),
    ],
)
def test_a_budget_ends_the_episode_with_an_outcome_of_its_own(
    room: Room, budget: dict[str, object], outcome: str
) -> None:
    with FakeOpenAI(solver()) as server:
        played = room.play(agent_of(server, **budget))
    result = played.result
    assert (result.status, result.outcome, result.reward, result.faults) == (Status.TRUNCATED, outcome, 0.0, ())
    assert (result.steps, len(server.requests)) == (1, 1)  # the first call is over it, and its move is still taken
    assert "of a budget of" in result.reason
    if outcome == "budget_cost":
        usage = server.answers[0]["usage"]
        cached = usage["prompt_tokens_details"]["cached_tokens"]
        cost = (usage["prompt_tokens"] - cached) * 2.0 + cached * 0.5 + usage["completion_tokens"] * 8.0
        assert result.usage["cost_usd"] == pytest.approx(cost / 1e6)
        assert played.steps[0]["metrics"]["cost_usd"] == pytest.approx(cost / 1e6)


def test_a_prompt_that_is_too_long_ends_the_episode_with_an_outcome_of_its_own(room: Room) -> None:
    long = Fails(400, "this model's maximum context length is 10 tokens", "context_length_exceeded")
    with FakeOpenAI(solver(Says(calls=[("reload", {})]), long)) as server:
        played = room.play(agent_of(server))
    assert (played.result.status, played.result.outcome, played.result.reward) == (
        Status.TRUNCATED,
        "context_length",
        0.0,
    )
    assert played.result.steps == 1


def test_a_budget_without_usage_is_a_fault(room: Room) -> None:
    with FakeOpenAI(solver(usage=False)) as server, pytest.raises(EnvironmentFault) as fault:
        room.play(agent_of(server, budget_tokens=1000))
    assert fault.value.cause == "no_usage"


@pytest.mark.parametrize("stream", ["false", "true"])
def test_token_ids_and_logprobs_are_kept_as_the_server_gave_them(room: Room, stream: str) -> None:
    with FakeOpenAI(solver()) as server:
        played = room.play(agent_of(server, token_ids="true", stream=stream), max_steps=3)
    for step, answer in zip(played.steps, server.answers, strict=True):
        (choice,) = answer["choices"]
        assert step["metrics"]["prompt_token_ids"] == answer["prompt_token_ids"]
        assert step["metrics"]["completion_token_ids"] == choice["token_ids"]
        assert step["metrics"]["logprobs"] == [one["logprob"] for one in choice["logprobs"]["content"]]


def test_thinking_blocks_and_fields_are_told_apart_from_what_is_said(room: Room) -> None:
    shown = Says(calls=[("reload", {})], text="<think>Hm.</think>Reload.")
    field = Says(calls=[("reload", {})], reasoning="Again.", reasoning_field="reasoning")
    with FakeOpenAI([shown, field, Says(calls=[("finish", {"outcome": "NOT_FOUND"})])]) as server:
        played = room.play(agent_of(server))
    told = [(step["message"], step.get("reasoning_content")) for step in played.steps]
    assert told == [("Reload.", "Hm."), ("reload()", "Again."), ('finish(outcome="NOT_FOUND")', None)]
    assert not any("Hm." in text or "Again." in text for text in texts(server.requests[-1][1]))
