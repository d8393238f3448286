"""An episode read back from its folder, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...agents import HUMAN
from ...errors import UsageError
from ..faults import CAUSES, Cause
from ..files import read_json
from ..plan import EpisodeSpec
from ..results import EpisodeResult, Status
from ..trajectory import read_trajectory
from .changes import Changes, sort_changes
from .drawing import drawing, line_of, sentence
from .packing import Lines, packed

FILES = ("trajectory.json", "verdict.json", "changes.json", "result.json")
"""What a page links to."""
PHASES = ("model", "browser", "site", "observe", "grading", "recording")
"""In the order in which time is shown."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How an episode ended, in a word and a colour."""

    word: str
    kind: str
    """pass, fail, fault or open: also the class in the style sheet."""


@dataclass(frozen=True, kw_only=True)
class EpisodePage:
    """All that the page of one episode shows."""

    spec: EpisodeSpec
    result: EpisodeResult | None
    outcome: Outcome
    goal: str
    frames: list[dict[str, Any]]
    """One a step: picture, action, drawing, tree …; the last has no action."""
    checks: list[dict[str, Any]]
    changes: Changes
    timings: list[tuple[str, float]]
    """Phase and seconds, those above zero, in the order of `PHASES`."""
    files: list[str]
    """Names of the evidence in the episode's folder."""
    trouble: str
    """Why something of the evidence can't be shown; empty where all of it can."""
    cause: Cause | None = None
    """What the cause of its fault means, or of its end in a budget."""

    @property
    def packed(self) -> dict[str, Any]:
        """The frames as the page's script reads them."""
        lines = Lines()
        frames = packed(self.frames, lines)
        return {"lines": lines.all(), "frames": frames}


def outcome_of(spec: EpisodeSpec, result: EpisodeResult | None) -> Outcome:
    """The badge of an episode."""
    if result is None:
        return Outcome(word="Not run yet", kind="open")
    if result.status == Status.FAULT:
        return Outcome(word="Fault", kind="fault")
    if result.success:
        return Outcome(word="Success", kind="pass")
    if result.status == Status.TRUNCATED:
        gave_up = result.agent == HUMAN and result.steps < (spec.max_steps or 0)
        return Outcome(word="Given up" if gave_up else _ENDED.get(result.outcome or "", "Out of steps"), kind="fail")
    return Outcome(word="Damage" if result.goal_met else "Failed", kind="fail")


_ENDED = {
    "budget_time": "Out of time", "budget_tokens": "Out of tokens", "budget_cost": "Out of money",
    "context_length": "Out of context",
}  # fmt: skip
"""What the outcomes of episodes that ended without a finish are called."""


def read_episode(folder: Path, spec: EpisodeSpec, result: EpisodeResult | None, *, pictures: str) -> EpisodePage:
    """What the folder holds; `pictures` is the address of the folder, relative to the page.

    Evidence that is missing or cut short is said on the page (`trouble`), and the rest is shown.
    """
    trouble: list[str] = []
    trajectory = _read(folder / "trajectory.json", read_trajectory, trouble) if folder.exists() else {}
    verdict = _read(folder / "verdict.json", read_json, trouble) if result and result.graded else {}
    changes = _read(folder / "changes.json", read_json, trouble) if result and result.graded else {}
    steps = trajectory.get("steps", [])
    return EpisodePage(
        spec=spec,
        result=result,
        outcome=outcome_of(spec, result),
        goal=str(steps[0]["message"]) if steps else "",
        frames=list(_frames(steps, pictures)),
        checks=verdict.get("checks", []),
        changes=sort_changes(changes.get("tables", {}), verdict),
        timings=timings_of(result),
        files=[name for name in FILES if (folder / name).exists()],
        trouble=" ".join(trouble),
        cause=CAUSES.get(cause_of_end(result) or ""),
    )


def cause_of_end(result: EpisodeResult | None) -> str | None:
    """The name of the fault or of the budget that ended an episode; None where the agent ended it."""
    if result is None:
        return None
    if result.status == Status.FAULT:
        return result.faults[-1].cause if result.faults else "unknown"
    return result.outcome if result.status == Status.TRUNCATED else None


def timings_of(result: EpisodeResult | None) -> list[tuple[str, float]]:
    """Seconds by phase in the order of `PHASES`, what is not in it last."""
    if result is None:
        return []
    known = [(name, result.timings[name]) for name in PHASES if name in result.timings]
    rest = [(name, seconds) for name, seconds in result.timings.items() if name not in PHASES]
    return [(name, seconds) for name, seconds in known + rest if seconds > 0]


def _read(path: Path, read: Any, trouble: list[str]) -> Any:
    try:
        return read(path)
    except UsageError as error:
        trouble.append(f"{error}.")
        return {}


def _frames(steps: list[dict[str, Any]], pictures: str) -> Iterator[dict[str, Any]]:
    """What was on screen before each action with the action drawn on it, and at the end the last page."""
    pages = [step for step in steps if step.get("observation")]
    for index, page in enumerate(pages):
        action = pages[index + 1] if index + 1 < len(pages) else None
        yield {**_page(page, pictures), **(_action(action, _tree(page)) if action else {"words": "The end", "raw": ""})}


def _page(step: Mapping[str, Any], pictures: str) -> dict[str, Any]:
    extra = step.get("extra") or {}
    image = next((part["source"]["path"] for part in _parts(step) if part["type"] == "image"), None)
    return {
        "image": f"{pictures}/{image}" if image else None,
        "tree": _tree(step),
        "more": dict(_more(step, pictures)),
        "url": extra.get("url") or "",
        "time": extra.get("time") or "",
        "dialog": extra.get("dialog"),
    }


def _action(step: Mapping[str, Any], tree: str) -> dict[str, Any]:
    call, extra = step["tool_calls"][0], step.get("extra") or {}
    name, arguments = call["function_name"], call["arguments"]
    return {
        "words": sentence(name, arguments, tree),
        "raw": extra.get("action") or step["message"],
        "error": extra.get("error") or "",
        "refused": extra.get("refused") or [],
        "draw": drawing(name, arguments, extra.get("box")),
        "line": line_of(tree, arguments.get("ref")),
        "seconds": extra.get("seconds") or {},
        "thought": step.get("reasoning_content") or "",
    }


def _tree(step: Mapping[str, Any]) -> str:
    return next((str(part["text"]) for part in _parts(step) if part["type"] == "text"), "")


def _more(step: Mapping[str, Any], pictures: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The other kinds of observation that the agent was given, by name."""
    names = (step.get("extra") or {}).get("kinds") or []
    for name, part in zip(names, _parts(step)[len(_parts(step)) - len(names) :], strict=True):
        text = part["type"] == "text"
        yield name, {"text": part["text"]} if text else {"image": f"{pictures}/{part['source']['path']}"}


def _parts(step: Mapping[str, Any]) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = step["observation"]["results"][0]["content"]
    return content
