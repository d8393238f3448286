"""The index of a run: tables, resume and report are made of it, and it is made anew where it does not hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sitegym.sweeps import evaluate, write_report
from sitegym.sweeps.beginning import begin_run
from sitegym.sweeps.plan import make_plan
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.run_folder import RunFolder
from sitegym.tasks import registry

EPISODES = 5_000


def begin(path: Path, episodes: int) -> RunFolder:
    """A run of so many episodes of every template, of which none was played yet."""
    tasks = sorted(registry.templates())
    plan = make_plan(tasks=tasks, agents=("noop",), instances=-(-episodes // len(tasks)), data="tiny")
    return begin_run(plan, versions={"sitegym": "0"}, out=path, screenshots=True)


def results(folder: RunFolder) -> Iterator[EpisodeResult]:
    for number, spec in enumerate(folder.plan.episodes):
        yield EpisodeResult(
            id=spec.id,
            task=spec.task,
            task_seed=spec.task_seed,
            agent=spec.agent,
            status=Status.FINISHED,
            reward=float(number % 3 == 0),
            goal_met=number % 3 == 0,
            clean=True,
            reason="a reason",
            steps=number % 40,
            timings={"browser": 1.5, "model": 0.25},
        )


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = begin(tmp_path / "run", 1)
    folder.write(*results(folder))
    return folder


def test_a_finished_run_of_thousands_is_resumed_without_a_look_at_any_episode(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", EPISODES)
    folder.write(*results(folder))
    (folder.path / "report").mkdir()
    (folder.path / "report" / "index.html").write_text("the report")
    folder.index.wrote(spec.id for spec in folder.plan.episodes)
    folder.note(state="over")
    hidden = folder.path / "episodes"
    hidden.rename(folder.path / "elsewhere")
    again = evaluate(resume=folder.path, quiet=True)
    assert len(again.results) == len(folder.plan.episodes) >= EPISODES
    assert list(again.results.values()) == list(results(folder))
    assert again.report.read_text() == "the report"
    assert not hidden.exists()


@pytest.mark.parametrize("damage", ["deleted", "cut-short", "of-another-format"])
def test_an_index_that_does_not_hold_is_made_anew_from_the_folders(run: RunFolder, damage: str) -> None:
    before = run.results()
    if damage == "deleted":
        run.index.path.unlink()
    elif damage == "cut-short":
        run.index.path.write_bytes(run.index.path.read_bytes()[:5000])
    else:
        run.index.path.write_bytes(b"")
    opened = RunFolder.open(run.path)
    assert opened.results() == before
    assert opened.index.whole
    assert opened.index.results() == before


def test_a_result_that_a_kill_kept_from_the_index_is_found_in_its_folder(run: RunFolder) -> None:
    lost = run.plan.episodes[3].id
    run.index.reopen([lost])
    assert lost not in run.index.results()
    assert lost in run.results()
    assert list(run.index.results()) == [spec.id for spec in run.plan.episodes]


def test_the_index_says_what_is_being_played(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run", 1)
    first, second = (spec.id for spec in folder.plan.episodes[:2])
    folder.index.began(first, second)
    assert folder.index.running() == [first, second]
    folder.write(next(results(folder)))
    assert folder.index.running() == [second]
    folder.reopen([second])
    assert folder.index.running() == []


def test_only_pages_of_episodes_that_changed_are_written_again(run: RunFolder) -> None:
    for spec in run.plan.episodes:  # evidence that a graded episode must have
        for name, value in (("verdict", {"reward": 0.0}), ("changes", {"tables": {}})):
            (run.episode(spec.id) / f"{name}.json").write_text(json.dumps(value))
        head = {"schema_version": "ATIF-v1.8", "steps": []}
        (run.episode(spec.id) / "trajectory.json").write_text(json.dumps(head))
    write_report(run.path)
    pages = run.path / "report" / "episodes"
    for page in pages.iterdir():
        page.write_text("old")
    changed = run.plan.episodes[1].id
    run.index.put(run.results()[changed])
    write_report(run.path, only_new=True)
    assert [page.stem for page in pages.iterdir() if page.read_text() != "old"] == [changed]
    write_report(run.path)
    assert [page.stem for page in pages.iterdir() if page.read_text() == "old"] == []
