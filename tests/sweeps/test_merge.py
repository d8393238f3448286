"""Shards put together are the run that one machine would have made; what contradicts itself is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps import evaluate
from sitegym.sweeps.beginning import begin_run
from sitegym.sweeps.merge import merge
from sitegym.sweeps.plan import make_plan
from sitegym.sweeps.results import EpisodeResult, Fault, Status
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.shards import Shard

TASK = "store.admin/cancel-order"


def begin(path: Path, shard: str | None = None, instances: int = 3) -> RunFolder:
    plan = make_plan(tasks=TASK, agents=("oracle", "noop"), instances=instances, data="tiny")
    of = None if shard is None else Shard.parse(shard)
    return begin_run(plan, versions={"sitegym": "0"}, out=path, screenshots=False, shard=of)


def fill(folder: RunFolder, **more: object) -> None:
    for spec in folder.plan.episodes:
        result = EpisodeResult(
            id=spec.id, task=spec.task, task_seed=spec.task_seed, agent=spec.agent, status=Status.FINISHED, reward=0.0
        )
        folder.write(replace(result, **more))  # type: ignore[arg-type]
        (folder.episode(spec.id) / "trajectory.json").write_text(f'"{folder.path.name}"')


def test_shards_that_were_really_played_become_one_run_in_plan_order(tmp_path: Path) -> None:
    for number in (2, 1):
        evaluate(
            agents=("noop",), tasks=TASK, instances=3, workers=1, data="tiny", screenshots=False, quiet=True,
            shard=f"{number}/2", out=tmp_path / str(number),
        )  # fmt: skip
    assert main(["merge", str(tmp_path / "2"), str(tmp_path / "1"), "--out", str(tmp_path / "whole")]) == 0
    whole = RunFolder.open(tmp_path / "whole")
    assert [spec.task_seed for spec in whole.plan.episodes] == [0, 1, 2]
    assert list(whole.results()) == [spec.id for spec in whole.plan.episodes]
    assert whole.manifest["state"] == "over"
    for spec in whole.plan.episodes:
        assert json.loads((whole.episode(spec.id) / "verdict.json").read_text())["reward"] == 0.0
    assert (tmp_path / "whole" / "report" / "index.html").is_file()
    assert len((tmp_path / "whole" / "results.jsonl").read_text().splitlines()) == 3


def test_a_merged_part_of_a_plan_can_be_merged_again(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        fill(begin(tmp_path / str(number), f"{number}/3"))
    two = merge([tmp_path / "1", tmp_path / "3"], tmp_path / "two")
    assert len(two.plan.episodes) == 4
    three = merge([two.path, tmp_path / "2"], tmp_path / "three")
    assert three.plan == make_plan(tasks=TASK, agents=("oracle", "noop"), instances=3, data="tiny")
    assert "positions" not in three.manifest["plan_of"]


def test_runs_of_different_plans_are_refused(tmp_path: Path) -> None:
    begin(tmp_path / "a", instances=3), begin(tmp_path / "b", instances=4)
    with pytest.raises(UsageError, match="are runs of different plans"):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_one_episode_with_two_results_is_refused_and_with_one_result_twice_is_fine(tmp_path: Path) -> None:
    for name, reward in (("a", 0.0), ("b", 0.0), ("c", 1.0)):
        fill(begin(tmp_path / name), reward=reward, seconds=float(ord(name)))
    assert len(merge([tmp_path / "a", tmp_path / "b"], tmp_path / "ab").results()) == 6
    first = re.escape(begin(tmp_path / "d").plan.episodes[0].id)
    with pytest.raises(UsageError, match=rf"both hold {first}, with different results \(reward\)"):
        merge([tmp_path / "a", tmp_path / "c"], tmp_path / "ac")


def test_a_verdict_counts_rather_than_a_fault_or_nothing(tmp_path: Path) -> None:
    fault = Fault(cause="browser_died", message="gone", attempt=1)
    fill(begin(tmp_path / "a"), status=Status.FAULT, reward=None, faults=(fault,))
    fill(begin(tmp_path / "b"))
    begin(tmp_path / "c")
    merged = merge([tmp_path / "c", tmp_path / "a", tmp_path / "b"], tmp_path / "all")
    assert {result.status for result in merged.results().values()} == {Status.FINISHED}
    trajectory = merged.episode(merged.plan.episodes[0].id) / "trajectory.json"
    assert trajectory.read_text() == '"b"'
    open_one = merge([tmp_path / "c"], tmp_path / "open")
    assert (open_one.results(), open_one.manifest["state"]) == ({}, "interrupted")
