"""What a real sweep leaves behind: every episode there once, explained, and provable from its own folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from atif import Trajectory
from PIL import Image
from sitegym import sites, tasks
from sitegym.sites.world import baseline
from sitegym.sweeps.evidence import hash_after
from sitegym.sweeps.files import read_json
from sitegym.sweeps.results import EpisodeResult, Status
from sitegym.sweeps.rowdiff import rebuild
from sitegym.sweeps.run_folder import RunFolder
from sitegym.verifiers import Finish, Snapshot, grade

from .conftest import TASKS


@pytest.fixture(scope="module")
def results(sweep: RunFolder) -> dict[str, EpisodeResult]:
    return sweep.results()


def test_every_planned_episode_is_there_exactly_once(sweep: RunFolder) -> None:
    lines = [json.loads(line) for line in (sweep.path / "results.jsonl").read_text().splitlines()]
    planned = [spec.id for spec in sweep.plan.episodes]
    assert len(planned) == len(TASKS) * 3
    assert sorted(line["id"] for line in lines) == sorted(planned)
    assert sweep.manifest["state"] == "over"


def test_the_oracle_earns_1_and_doing_nothing_earns_0(results: dict[str, EpisodeResult]) -> None:
    rewards = {agent: {r.reward for r in results.values() if r.agent == agent} for agent in ("oracle", "noop")}
    assert rewards == {"oracle": {1.0}, "noop": {0.0}}


def test_no_episode_of_a_quiet_sweep_has_a_fault(results: dict[str, EpisodeResult]) -> None:
    assert [(r.id, r.faults, r.reason) for r in results.values() if r.faults or r.status == Status.FAULT] == []


def test_a_result_says_how_long_each_phase_took_and_what_it_depends_on(results: dict[str, EpisodeResult]) -> None:
    for result in results.values():
        assert {"model", "browser", "site", "observe", "grading", "recording"} <= result.timings.keys()
        assert sum(result.timings.values()) <= result.seconds + 0.001  # half a millisecond and six times 0.05 rounded
        assert {"sitegym", "python", "playwright", "browser"} <= result.versions.keys()
        assert {"baseline", "after", "expectation"} <= result.hashes.keys()


def test_every_trajectory_validates_against_the_published_schema(sweep: RunFolder) -> None:
    for spec in sweep.plan.episodes:
        path = sweep.episode(spec.id) / "trajectory.json"
        found = Trajectory.model_validate_json(path.read_text(encoding="utf-8"))
        assert found.trajectory_id == spec.id
        assert [step.source for step in found.steps[:3]] == ["user", "system", "agent"]
        assert found.steps[-1].tool_calls is not None
        assert found.final_metrics is not None
        assert found.final_metrics.total_steps == len(found.steps) - 2


def test_every_picture_of_a_trajectory_is_a_whole_file(sweep: RunFolder) -> None:
    pictures = 0
    for spec in sweep.plan.episodes:
        folder = sweep.episode(spec.id)
        for step in read_json(folder / "trajectory.json")["steps"][1:]:
            for part in step["observation"]["results"][0]["content"]:
                if part["type"] == "image":
                    with Image.open(folder / part["source"]["path"]) as picture:
                        assert picture.size == (1280, 800)
                        picture.load()
                    pictures += 1
    assert pictures > len(sweep.plan.episodes)


def test_the_verdict_can_be_had_again_from_baseline_and_row_difference(sweep: RunFolder, tmp_path: Path) -> None:
    site = sites.get("store")
    begin = baseline("store", "tiny", 1)
    for number, spec in enumerate(sweep.plan.episodes):
        folder = sweep.episode(spec.id)
        changes, verdict = read_json(folder / "changes.json"), read_json(folder / "verdict.json")
        assert changes["before"] == begin.hash
        assert changes["after"] == hash_after(begin.hash, changes["tables"])
        rebuilt = rebuild(begin.path, changes["tables"], tmp_path / f"{number}.db")
        task = tasks.task(spec.task, spec.task_seed, data="tiny", data_seed=1)
        said = verdict["said"]
        finish = None if verdict["truncated"] else Finish(said["answer"], said["outcome"])
        with Snapshot(begin.path, site.metadata) as before, Snapshot(rebuilt, site.metadata) as after:
            again = grade(task.expectation(before), before, after, finish, None, site.recompute)
        assert [damage.to_json() for damage in again.damage] == verdict["damage"]
        assert again.clean == verdict["clean"]
        if task.expectation(Snapshot(begin.path, site.metadata)).view is None:
            assert again.reward == verdict["reward"]


def test_the_heartbeat_says_that_each_episode_is_over(sweep: RunFolder) -> None:
    for spec in sweep.plan.episodes:
        status = read_json(sweep.episode(spec.id) / "status.json")
        assert status["state"] == "over"
        assert status["heartbeat"] >= status["started"]


def test_an_episode_takes_a_few_kilobytes_beside_its_pictures(sweep: RunFolder) -> None:
    for spec in sweep.plan.episodes:
        assert (sweep.episode(spec.id) / "changes.json").stat().st_size < 60_000
