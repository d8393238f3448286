"""Whatever dies, no episode is scored by a fault: reward null, tried once more, recorded with its name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from sitegym.sweeps import Run, evaluate
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.table import footnotes, lines

TASK = "store.admin/cancel-order"


@pytest.fixture(autouse=True)
def saboteurs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes find the agents of this folder."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setenv("SITEGYM_TEST_MARKS", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def sweep(agent: str, **more: object) -> Run:
    arguments: dict[str, object] = {"instances": 1, "workers": 1, "data": "tiny", "quiet": True, **more}
    return evaluate(agents=(f"saboteurs:{agent}",), tasks=TASK, out="run", **arguments)  # type: ignore[arg-type]


def only(run: Run) -> EpisodeResult:
    (result,) = run.results.values()
    return result


@pytest.mark.parametrize(
    ("agent", "cause"),
    [
        pytest.param("KillsWorker", "worker_killed", id="worker"),
        pytest.param("KillsBrowser", "browser_died", id="browser"),
        pytest.param("KillsWorld", "server_died", id="world-server"),
    ],
)
def test_what_was_killed_once_is_a_fault_and_the_episode_is_tried_again(agent: str, cause: str) -> None:
    run = sweep(agent)
    result = only(run)
    assert (result.status, result.reward, result.attempts) == (Status.FINISHED, 0.0, 2)
    assert [(fault.cause, fault.attempt) for fault in result.faults] == [(cause, 1)]
    aside = run.path / "set-aside" / f"{result.id}.1"
    assert len(json.loads((aside / "trajectory.json").read_text())["steps"]) == 3
    assert footnotes(run.plan, run.results) == ["1 episode had a fault first and went well when tried again."]


def test_what_is_killed_each_time_has_no_reward_and_stays_in_the_denominator() -> None:
    run = sweep("KillsBrowserAlways")
    result = only(run)
    assert (result.status, result.reward, result.goal_met, result.attempts) == (Status.FAULT, None, None, 2)
    assert [fault.cause for fault in result.faults] == ["browser_died", "browser_died"]
    line = lines(run.plan, run.results)[0]
    assert (line.planned, line.graded, line.faults, line.success) == (1, 0, 1, 0)
    (stored,) = [json.loads(text) for text in (run.path / "results.jsonl").read_text().splitlines()]
    assert stored["reward"] is None


def test_resuming_tries_what_ended_in_a_fault_once_more_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    run = sweep("Raises")
    assert only(run).faults[-1].cause == "agent_raised"
    assert "ZeroDivisionError: a bug in the agent" in only(run).reason
    again = evaluate(resume=run.path, workers=1, quiet=True)
    assert only(again).attempts == 2
    assert len(list((run.path / "set-aside").iterdir())) == 3
    assert len((run.path / "results.jsonl").read_text().splitlines()) == 1


def test_an_episode_that_hangs_is_ended_and_tried_again() -> None:
    run = sweep("Hangs", episode_timeout_s=30.0)
    result = only(run)
    assert "saboteurs.py" in (run.path / "logs" / "worker-0.log").read_text()
    assert [fault.cause for fault in result.faults] == ["timed_out"]
    assert result.reward == 0.0


def test_the_others_go_on_while_one_worker_dies() -> None:
    run = sweep("KillsWorker", instances=4, workers=2)
    assert len(run.results) == 4
    assert {result.status for result in run.results.values()} == {Status.FINISHED}
    assert {result.attempts for result in run.results.values()} == {2}
