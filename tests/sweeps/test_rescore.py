"""Stored databases are graded again: the same verifiers say the same, others say what changed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sitegym.errors import UsageError
from sitegym.sweeps.files import read_json, write_json
from sitegym.sweeps.rescore import rescore
from sitegym.sweeps.run_folder import RunFolder
from sitegym.tasks import Task
from sitegym.verifiers import Expectation, Snapshot

ORACLE = "store.admin.cancel-order-0-oracle"


@pytest.fixture
def copy(sweep: RunFolder, tmp_path: Path) -> RunFolder:
    """The shared run, in a folder of its own."""
    shutil.copytree(sweep.path, tmp_path / "run")
    return RunFolder.open(tmp_path / "run")


def test_the_same_verifiers_say_the_same_of_every_episode(copy: RunFolder) -> None:
    graded = [result for result in copy.results().values() if result.graded]
    assert {result.reward for result in graded} == {0.0, 1.0}
    found = rescore(copy.path, quiet=True)
    assert (found.graded, found.changes, found.broken, found.exit_code) == (len(graded), [], {}, 0)


def test_a_verdict_that_was_wrong_is_told_before_and_now(copy: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    result = copy.results()[ORACLE]
    assert result.reward == 1.0
    copy.write(replace(result, reward=0.0, goal_met=False))
    found = rescore(copy.path)
    (change,) = found.changes
    assert (change.id, change.facts) == (ORACLE, {"reward": (0.0, 1.0), "goal_met": (False, True)})
    assert f"{ORACLE}: reward 0.0 → 1.0, goal_met False → True" in capsys.readouterr().out
    assert copy.results()[ORACLE].reward == 0.0
    assert read_json(copy.path / "rescored.json")["graded"] == found.graded


def test_a_task_that_asks_for_something_else_today_is_refused_unless_told(
    copy: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Task.expectation

    def other(task: Task, before: Snapshot) -> Expectation:
        found = wanted(task, before)
        return replace(found, must=()) if task.id == "store.admin/cancel-order" else found

    monkeypatch.setattr(Task, "expectation", other)
    with pytest.raises(UsageError, match=r"3 episodes of .* ask for something else today, .*--other-versions"):
        rescore(copy.path, quiet=True)
    assert not (copy.path / "rescored.json").exists()
    found = rescore(copy.path, other_versions=True, quiet=True)
    assert len(found.other_versions) == 3
    assert ORACLE in {change.id for change in found.changes}


@pytest.mark.parametrize("broken", ["changes", "gone"])
def test_evidence_that_leads_elsewhere_is_told_and_the_others_are_graded(copy: RunFolder, broken: str) -> None:
    path = copy.episode(ORACLE) / "changes.json"
    changes: dict[str, Any] = read_json(path)
    if broken == "gone":
        path.unlink()
    else:
        changes["tables"].pop(next(iter(changes["tables"])))
        write_json(path, changes)
    found = rescore(copy.path, quiet=True)
    assert list(found.broken) == [ORACLE]
    assert found.graded == len(copy.results()) - 1 - sum(not one.graded for one in copy.results().values())
    assert found.exit_code == 1
