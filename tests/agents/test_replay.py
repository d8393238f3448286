"""A recording is played again to the same end, and where it goes another way is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from fake_openai import FakeOpenAI, Says
from playing import TASK, Played, Room
from sitegym.errors import EnvironmentFault, UsageError


def moves(played: Played) -> list[Any]:
    return [(step["tool_calls"][0]["function_name"], step["extra"]["error"]) for step in played.steps]


def edited(played: Played, to: Path, change: Any) -> Path:
    """A copy of a recording with one thing changed."""
    shutil.copytree(played.folder, to)
    recording = json.loads((to / "trajectory.json").read_text())
    change(recording["steps"])
    (to / "trajectory.json").write_text(json.dumps(recording))
    return to


def test_a_recording_comes_to_the_same_end(room: Room) -> None:
    first = room.play("oracle")
    again = room.play(f"replay:run={first.folder}")
    assert (again.result.reward, again.result.hashes) == (first.result.reward, first.result.hashes)
    assert moves(again) == moves(first)
    assert not any("reasoning_content" in step for step in again.steps)


def test_what_was_unreadable_and_what_stopped_it_are_played_again_too(room: Room) -> None:
    said = [Says(text="click it"), Says(calls=[("finish", {"outcome": "NOT_FOUND"})])]
    with FakeOpenAI(said) as server:
        first = room.play(f"llm:model=m,base_url={server.url}")
    with FakeOpenAI([Says(calls=[("reload", {})])]) as server:
        few = room.play(f"llm:model=m,base_url={server.url},budget_tokens=1")
    assert first.steps[0]["tool_calls"][0]["function_name"] == "unreadable"
    assert moves(room.play(f"replay:run={first.folder}")) == moves(first)
    again = room.play(f"replay:run={few.folder}")
    assert (again.result.outcome, again.result.steps) == (few.result.outcome, few.result.steps) == ("budget_tokens", 1)


def test_the_first_divergence_is_a_fault_that_names_it(room: Room, tmp_path: Path) -> None:
    first = room.play("oracle")

    def retitle(steps: list[dict[str, Any]]) -> None:
        content = steps[3]["observation"]["results"][0]["content"][0]
        content["text"] = content["text"].replace("- ", "- odd ", 1)

    copy = edited(first, tmp_path / "copy", retitle)
    with pytest.raises(
        EnvironmentFault, match=r"after step 2, line \d+ of the tree was \"- odd .* and is \"- "
    ) as fault:
        room.play(f"replay:run={copy}")
    assert (fault.value.cause, fault.value.retry) == ("replay_diverged", False)
    lenient = room.play(f"replay:run={copy},strict=false")
    told = [step.get("reasoning_content") for step in lenient.steps]
    assert (lenient.result.reward, sum(note is not None for note in told)) == (first.result.reward, 1)
    assert told[2].startswith("Diverged: after step 2")


def test_another_way_is_noticed_at_the_next_page(room: Room, tmp_path: Path) -> None:
    first = room.play("oracle")

    def reload(steps: list[dict[str, Any]]) -> None:
        steps[2]["tool_calls"][0] = {"tool_call_id": "call_1", "function_name": "reload", "arguments": {}}

    with pytest.raises(EnvironmentFault, match="after step 1, "):
        room.play(f"replay:run={edited(first, tmp_path / 'copy', reload)}")


def test_a_task_without_a_recording_is_a_fault(room: Room, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"episodes": []}))
    with pytest.raises(EnvironmentFault, match=f"holds no recording of {TASK}:0"):
        room.play(f"replay:run={tmp_path}")
    with pytest.raises(UsageError, match="which is no folder"):
        room.play("replay:run=nowhere")
