"""Several episodes in one browser, caps over all workers, and budgets with outcomes of their own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from sitegym.sweeps import Run, evaluate
from sitegym.sweeps.budget import Aside, Budget, OutOfTime
from sitegym.sweeps.permits import Caps
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.tally import Tally

TASK = "store.admin/cancel-order"


@pytest.fixture(autouse=True)
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes find the agents of this folder."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    monkeypatch.setenv("SITEGYM_TEST_MARKS", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def sweep(agent: str, **more: object) -> Run:
    arguments: dict[str, object] = {"instances": 1, "workers": 1, "data": "tiny", "quiet": True, **more}
    return evaluate(agents=(f"workers:{agent}",), tasks=TASK, out="run", screenshots=False, **arguments)  # type: ignore[arg-type]


def only(run: Run) -> EpisodeResult:
    (result,) = run.results.values()
    return result


def test_one_worker_plays_two_episodes_at_once() -> None:
    run = sweep("Meets", instances=2, at_once=2)
    assert [result.status for result in run.results.values()] == [Status.FINISHED] * 2
    pids = {json.loads(path.read_text())["pid"] for path in run.path.glob("episodes/*/status.json")}
    assert len(pids) == 1


def test_no_more_models_are_called_at_once_than_were_allowed(tmp_path: Path) -> None:
    run = sweep("Logs", instances=4, workers=2, at_once=2, model_calls=1, gradings=1)
    assert [result.status for result in run.results.values()] == [Status.FINISHED] * 4
    lines = (tmp_path / "log").read_text().split("\n")[:-1]
    assert len(lines) == 2 * 3 * 4
    for begin, end in zip(lines[::2], lines[1::2], strict=True):
        assert (begin.split()[0], end.split()[0]) == ("in", "out")
        assert begin.split()[1] == end.split()[1]


@pytest.mark.parametrize(
    ("budget", "outcome", "steps"),
    [
        pytest.param({"max_steps": 2}, "budget_steps", 2, id="steps"),
        pytest.param({"max_tokens": 2500}, "budget_tokens", 3, id="tokens"),
        pytest.param({"max_cost_usd": 0.04}, "budget_cost", 2, id="money"),
    ],
)
def test_a_budget_that_is_used_up_ends_the_episode_with_its_own_outcome(
    budget: dict[str, object], outcome: str, steps: int
) -> None:
    result = only(sweep("Spends", **budget))
    assert (result.status, result.reward, result.outcome, result.steps) == (Status.TRUNCATED, 0.0, outcome, steps)
    assert result.usage["prompt_tokens"] == 600 * steps
    assert Tally([result]).spent() == f"${0.02 * steps:.2f}"


def test_an_agent_that_never_answers_is_out_of_time_and_graded() -> None:
    run = sweep("Ponders", max_seconds=2.0)
    result = only(run)
    assert (result.status, result.reward, result.outcome, result.steps) == (Status.TRUNCATED, 0.0, "budget_time", 1)
    assert result.faults == ()
    said = json.loads((run.path / "episodes" / result.id / "verdict.json").read_text())["said"]
    assert said["outcome"] == "budget_time"


def test_grading_that_takes_too_long_is_a_fault_and_no_failure() -> None:
    result = only(sweep("SlowToGrade", grading_seconds=1.0))
    assert (result.status, result.reward) == (Status.FAULT, None)
    assert [fault.cause for fault in result.faults] == ["grading_timed_out"] * 2


def test_caps_are_given_out_in_turn_and_come_back_from_the_dead() -> None:
    caps = Caps({"model": 2})
    assert caps.want("model", 1, 1) == [(1, 1)]
    assert caps.want("model", 1, 2) == [(1, 2)]
    assert caps.want("model", 2, 1) == caps.want("model", 3, 1) == caps.want("model", 1, 3) == []
    assert caps.give_back("model", 1, 1) == [(2, 1)]
    assert caps.lost(1) == [(3, 1)]
    assert caps.lost(2) == []
    assert caps.want("model", 4, 1) == [(4, 1)]


def test_a_budget_says_what_was_used_of_what() -> None:
    budget = Budget(seconds=10, tokens=100, cost_usd=1)
    assert budget.over(9.9, {"prompt_tokens": 50, "completion_tokens": 49, "cost_usd": 0.99}) is None
    for seconds, usage, outcome in (
        (10.0, {}, "budget_time"),
        (0.0, {"prompt_tokens": 60, "completion_tokens": 40}, "budget_tokens"),
        (0.0, {"cost_usd": 1.0}, "budget_cost"),
    ):
        stop = budget.over(seconds, usage)
        assert stop is not None
        assert stop.outcome == outcome


def test_what_is_called_aside_answers_raises_and_can_be_left() -> None:
    aside = Aside()
    assert aside.call(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        aside.call(lambda: 1 // 0)
    import threading

    until = threading.Event()
    with pytest.raises(OutOfTime):
        aside.call(until.wait, 0.01)
    until.set()
    assert aside.call(lambda: 4) == 4
    aside.close()
