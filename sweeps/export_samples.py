"""The samples of one episode for training: one a call of the model, exactly as it saw it, else one a step.

A sample's `messages` are what was sent, in the vendor's form, and `answer` is what came back. `actions` are the moves
that followed from it, `observations` what was seen after each. Pictures are paths below `folder`, the episode's own.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .calls import read_calls
from .export_select import Chosen
from .trajectory import read_trajectory

Sample = dict[str, Any]
TOKENS = ("prompt_token_ids", "completion_token_ids", "logprobs")
CALL, STEP = "call", "step"


def samples(one: Chosen, split: str, beside: Path) -> Iterator[Sample]:
    """The samples of an episode in their order; `beside` is the folder that the export lies in.

    The last one is `done` and has the episode's reward, the others 0. Raises `UsageError` where the record is broken.
    """
    path = one.folder / "trajectory.json"
    trajectory = read_trajectory(path)
    common = _common(one, split, trajectory, path, beside)
    waiting: Sample | None = None
    for number, sample in enumerate(_each(one, trajectory)):
        if waiting is not None:
            yield waiting
        waiting = {"id": f"{common['run']}/{one.spec.id}/{number}", **common, **sample, "reward": 0.0, "done": False}
    if waiting is not None:
        yield {**waiting, "reward": one.result.reward, "done": True}


def tools(trajectory_agent: Mapping[str, Any]) -> list[Any]:
    """What the model could call, as its server was told."""
    return list(trajectory_agent.get("tool_definitions", ()))


def _common(one: Chosen, split: str, trajectory: Mapping[str, Any], path: Path, beside: Path) -> Sample:
    spec, result, agent = one.spec, one.result, trajectory["agent"]
    return {
        "run": one.run.path.resolve().name,
        "episode": spec.id,
        "folder": os.path.relpath(one.folder.resolve(), beside.resolve()),
        "agent": spec.agent,
        "model": agent.get("model_name"),
        "tools": tools(agent),
        "task": spec.task,
        "task_seed": spec.task_seed,
        "repeat": spec.repeat,
        "data": spec.data,
        "data_seed": spec.data_seed,
        "split": split,
        "steps": result.steps,
        "status": str(result.status),
        "outcome": result.outcome,
        "final_answer": result.answer,
        "success": result.success,
        "goal_met": result.goal_met,
        "clean": result.clean,
        "damage": result.damage,
        "episode_reward": result.reward,
        "hashes": {**result.hashes, "trajectory": hashlib.sha256(path.read_bytes()).hexdigest()},
    }


def _each(one: Chosen, trajectory: Mapping[str, Any]) -> Iterator[Sample]:
    goal = next((step["message"] for step in trajectory["steps"] if step["source"] == "user"), "")
    pages = [step for step in trajectory["steps"] if "observation" in step]
    moves = [step for step in pages if step["source"] == "agent"]
    first = pages[: len(pages) - len(moves)]
    seen = [_seen(step) for step in [*first[-1:], *moves]]
    calls = list(read_calls(one.folder))
    begins = calls[0]["step"] if calls else len(moves) + 1
    for at in range(min(begins - 1, len(moves))):
        yield _of_step(goal, moves[at], seen[at], seen[at + 1], at + 1)
    for number, call in enumerate(calls):
        until = calls[number + 1]["step"] if number + 1 < len(calls) else len(moves) + 1
        yield _of_call(call, moves, seen, until, alone=sum(other["step"] == call["step"] for other in calls) == 1)


def _of_call(
    call: Mapping[str, Any], moves: Sequence[Mapping[str, Any]], seen: Sequence[Any], until: int, *, alone: bool
) -> Sample:
    """What a call led to: the moves from its step on, up to the step `until` that the next one led to."""
    step = call["step"]
    mine = moves[step - 1 : until - 1]
    metrics = moves[step - 1].get("metrics", {}) if alone and step <= len(moves) else {}
    return {
        "kind": CALL,
        "step": step,
        "messages": call["messages"],
        "answer": call.get("answer"),
        "images": pictures(call["messages"]),
        "observation": seen[min(step, len(seen)) - 1] if seen else None,
        "actions": [_action(move) for move in mine],
        "observations": list(seen[step : step + len(mine)]),
        "reasoning": mine[0].get("reasoning_content") if mine else None,
        "call_model": call.get("model"),
        "finish": call.get("finish"),
        "usage": call.get("usage"),
        "cost_usd": call.get("cost_usd"),
        "seconds": call.get("seconds"),
        **{name: call.get(name, metrics.get(name)) for name in TOKENS},
    }


def _of_step(goal: str, move: Mapping[str, Any], before: Any, after: Any, number: int) -> Sample:
    """A move of an agent that told of no call: goal and page as messages, the action's text as the answer."""
    content = [{"type": "text", "text": goal}, *before["content"]]
    action = _action(move)
    return {
        "kind": STEP,
        "step": number,
        "messages": [{"role": "user", "content": content}],
        "answer": {"role": "assistant", "content": action["text"]},
        "images": pictures(content),
        "observation": before,
        "actions": [action],
        "observations": [after],
        "reasoning": move.get("reasoning_content"),
        **dict.fromkeys(("call_model", "finish", "usage", "cost_usd", "seconds", *TOKENS)),
    }


def _action(move: Mapping[str, Any]) -> dict[str, Any]:
    (call,) = move["tool_calls"]
    return {
        "name": call["function_name"],
        "arguments": call["arguments"],
        "text": move["extra"]["action"],
        "box": move["extra"].get("box"),
    }


def _seen(step: Mapping[str, Any]) -> dict[str, Any]:
    (shown,) = step["observation"]["results"]
    extra = step["extra"]
    told = {name: extra.get(name) for name in ("url", "title", "error", "dialog", "steps_left", "state")}
    return {"content": [*map(_part, shown["content"])], **told}


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Tree or picture; a picture by its path."""
    if part["type"] == "image":
        return {"type": "image", "image": part["source"]["path"]}
    return dict(part)


def pictures(value: Any) -> list[str]:
    """Every picture that messages name, in their order, again where it comes again."""
    if isinstance(value, str):
        return [value] if value.startswith("screens/") and value.endswith((".webp", ".png")) else []
    if isinstance(value, Mapping):
        return [path for name, item in value.items() if name != "text" for path in pictures(item)]
    if isinstance(value, list | tuple):
        return [path for item in value for path in pictures(item)]
    return []
