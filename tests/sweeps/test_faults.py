"""Whatever dies, no episode is scored by a fault: reward null, tried once more, recorded with its name."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from sitegym.sweeps import Run, evaluate
from sitegym.sweeps.plan import make_plan
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
def test_what_was_killed_once_is_a_fault_and_the_episode_is_tried_again(
    agent: str, cause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = sweep(agent, quiet=False)
    assert f"1 attempt with a fault ({cause} 1), none of them the last" in " ".join(capsys.readouterr().out.split())
    result = only(run)
    assert (result.status, result.reward, result.attempts) == (Status.FINISHED, 0.0, 2)
    assert [(fault.cause, fault.attempt) for fault in result.faults] == [(cause, 1)]
    aside = run.path / "set-aside" / f"{result.id}.1"
    assert len(json.loads((aside / "trajectory.json").read_text())["steps"]) == 3
    assert footnotes(run.plan, run.results) == ["1 episode had a fault first and went well when tried again."]


def test_what_is_killed_each_time_has_no_reward_and_stays_in_the_denominator(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = sweep("KillsBrowserAlways", quiet=False)
    told = " ".join(capsys.readouterr().out.split())
    assert "2 attempts with a fault (browser_died 2), 1 episode without a verdict" in told
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


@pytest.mark.parametrize(
    ("agent", "cause", "reason"),
    [
        pytest.param("BreaksExpectation", "verifier_raised", "ZeroDivisionError", id="the-expectation-raises"),
        pytest.param("BreaksCheck", "verifier_raised", "RuntimeError: a bug in the verifier", id="a-check-raises"),
        pytest.param("DropsTable", "verifier_raised", "audit_log", id="a-table-is-missing"),
        pytest.param("SpoilsFrozen", "snapshot_unreadable", "can't read the database", id="the-copy-is-unreadable"),
        pytest.param("LosesFrozen", "snapshot_unreadable", "can't read the database", id="the-copy-is-gone"),
        pytest.param("ChangesBaselineAlways", "baseline_changed", "was changed", id="the-baseline-was-changed"),
    ],
)
def test_what_can_not_be_graded_has_no_reward_and_says_why_and_the_sweep_goes_on(
    agent: str, cause: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "Baseline" in agent:
        monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))
    run = evaluate(
        agents=(f"saboteurs:{agent}", "noop"), tasks=TASK, out="run", instances=1, workers=1, data="tiny", quiet=True
    )
    broken, other = (run.results[spec.id] for spec in run.plan.episodes)
    assert (other.status, other.reward) == (Status.FINISHED, 0.0)
    assert (broken.status, broken.reward, broken.goal_met, broken.clean) == (Status.FAULT, None, None, None)
    assert {fault.cause for fault in broken.faults} == {cause}
    folder = run.path / "episodes" / broken.id
    verdict, status = (json.loads((folder / name).read_text()) for name in ("verdict.json", "status.json"))
    assert (verdict["reward"], verdict["cause"], verdict["checks"], status["state"]) == (None, cause, [], "fault")
    for told in (broken.reason, verdict["reason"], status["reason"], *footnotes(run.plan, run.results)[1:]):
        assert cause in told
        assert reason in told
    line = lines(run.plan, run.results)[0]
    assert (line.planned, line.graded, line.faults, line.success) == (1, 0, 1, 0)
    if agent in ("BreaksExpectation", "BreaksCheck"):
        assert "orders" not in json.loads((folder / "changes.json").read_text())["tables"]


def test_a_baseline_that_was_changed_is_made_anew_for_the_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))
    result = only(sweep("ChangesBaseline"))
    assert [(fault.cause, fault.attempt) for fault in result.faults] == [("baseline_changed", 1)]
    assert (result.status, result.reward, result.clean, result.attempts) == (Status.FINISHED, 0.0, True, 2)


def test_no_answer_can_break_the_record_and_so_escape_its_verdict() -> None:
    run = sweep("SaysHalfACharacter")
    result = only(run)
    assert (result.status, result.reward, result.answer) == (Status.FINISHED, 0.0, "\ud800[/bold]")
    said = json.loads((run.path / "episodes" / result.id / "verdict.json").read_text())["said"]
    assert said["answer"] == "\ud800[/bold]"
    assert run.report.is_file()


def test_an_episode_whose_worker_was_killed_each_time_has_its_reason_in_the_record() -> None:
    run = sweep("KillsWorkerAlways")
    folder = run.path / "episodes" / only(run).id
    verdict = json.loads((folder / "verdict.json").read_text())
    assert (verdict["reward"], verdict["cause"]) == (None, "worker_killed")


def test_an_oracle_that_fails_is_the_tasks_fault() -> None:
    plan = make_plan(agents=("oracle", "noop"), tasks=TASK, instances=2, data="tiny")
    ends = {"oracle": [0.0, 1.0], "noop": [0.0, 0.0]}
    results = {
        spec.id: EpisodeResult(
            id=spec.id, task=TASK, task_seed=spec.task_seed, agent=spec.agent, status=Status.FINISHED,
            reward=ends[spec.agent].pop(),
        )
        for spec in plan.episodes
    }  # fmt: skip
    (note,) = footnotes(plan, results)
    assert note.startswith(f"The oracle failed at {TASK}: ")
    assert f"prove --task {TASK}" in note
    (oracles,) = (one for one in results.values() if one.agent == "oracle" and one.reward == 0)
    results[oracles.id] = replace(oracles, status=Status.TRUNCATED, outcome="budget_steps")  # says nothing of the task
    assert footnotes(plan, results) == [
        "1 episode used up a budget before the agent had finished (steps 1): graded as 0."
    ]
