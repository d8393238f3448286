"""A run's folder: who may open it, what is left to do, and that nothing is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sitegym.errors import UsageError
from sitegym.sweeps import evaluate
from sitegym.sweeps.plan import EpisodeSpec, Plan, episode_id
from sitegym.sweeps.progress import many
from sitegym.sweeps.results import EpisodeResult, Fault, Status
from sitegym.sweeps.run_folder import RunFolder

TASK = "store.admin/cancel-order"


def plan(count: int = 3, agent: str = "noop") -> Plan:
    return Plan(
        episodes=tuple(
            EpisodeSpec(
                id=episode_id(TASK, seed, agent),
                task=TASK,
                task_seed=seed,
                agent=agent,
                data="tiny",
                data_seed=1,
                split=None,
                max_steps=None,
            )
            for seed in range(count)
        )
    )


def result(spec: EpisodeSpec, **more: Any) -> EpisodeResult:
    fields = {"status": Status.FINISHED, "reward": 0.0, "goal_met": False, "clean": True, **more}
    return EpisodeResult(id=spec.id, task=spec.task, task_seed=spec.task_seed, agent=spec.agent, **fields)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", plan(), versions={"sitegym": "0.1.0"})


def test_what_is_written_is_read_back(run: RunFolder) -> None:
    fault = Fault(cause="browser_died", message="gone", attempt=1)
    wrote = result(run.plan.episodes[1], faults=(fault,), attempts=2, timings={"site": 0.5})
    run.write(wrote)
    opened = RunFolder.open(run.path)
    assert opened.plan == run.plan
    assert opened.results() == {wrote.id: wrote}
    assert [spec.task_seed for spec in opened.remaining(opened.results())] == [0, 2]


def test_a_line_that_was_cut_short_loses_no_result(run: RunFolder) -> None:
    for spec in run.plan.episodes[:2]:
        run.write(result(spec))
    lines = run.path / "results.jsonl"
    lines.write_bytes(lines.read_bytes()[:-20])
    run.rewrite_list(run.results())
    assert [json.loads(line)["task_seed"] for line in lines.read_text().splitlines()] == [0, 1]


def test_what_an_unfinished_attempt_wrote_is_kept_aside(run: RunFolder) -> None:
    id = run.plan.episodes[0].id
    for number in (1, 2):
        run.episode(id).mkdir()
        (run.episode(id) / "trajectory.json").write_text(f"half {number}")
        run.set_aside(id)
    assert (run.path / "set-aside" / f"{id}.1" / "trajectory.json").read_text() == "half 1"
    assert (run.path / "set-aside" / f"{id}.2" / "trajectory.json").read_text() == "half 2"
    assert run.set_aside(id) is None


def test_a_folder_that_holds_something_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"exists and is not empty; choose another folder, or continue a run with"):
        RunFolder.create(tmp_path, plan())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(None, "is not a run folder: it has no run.json", id="foreign-folder"),
        pytest.param('{"format": "sitegym-run", "ver', "is not whole JSON", id="cut-short"),
        pytest.param('{"format": "other"}', "is not of a sitegym run: its format is 'other'", id="foreign-json"),
        pytest.param("[1]", "is not of a sitegym run", id="not-an-object"),
        pytest.param(
            '{"format": "sitegym-run", "version": 99, "versions": {"sitegym": "9.0"}}',
            r"format version 99 \(sitegym 9\.0\); this sitegym reads version 1",
            id="later-version",
        ),
        pytest.param('{"format": "sitegym-run", "version": 1}', "has no plan that this version can read", id="no-plan"),
    ],
)
def test_a_folder_that_is_no_run_is_refused_with_a_sentence(tmp_path: Path, text: str | None, sentence: str) -> None:
    if text is not None:
        (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=sentence):
        RunFolder.open(tmp_path)


def test_a_result_of_another_version_is_refused_with_a_sentence(run: RunFolder) -> None:
    folder = run.episode(run.plan.episodes[0].id)
    folder.mkdir()
    (folder / "result.json").write_text('{"id": "x", "score": 3}')
    with pytest.raises(UsageError, match="not an episode's result of this version"):
        run.results()


def test_two_sweeps_can_not_write_to_one_run(run: RunFolder) -> None:
    with run.locked(), pytest.raises(UsageError, match=r"is in use by another sweep \(process \d+\)"), run.locked():
        raise AssertionError("the second lock was granted")
    with run.locked():
        pass


def test_ids_are_safe_as_folders_and_differ_where_names_do() -> None:
    names = ["oracle", "my.agents:Best", "my/agents:Best", "my.agents.Best", "ünïcode agent"]
    ids = {episode_id(TASK, 7, name) for name in names}
    assert len(ids) == len(names)
    assert all(set(id) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") for id in ids)
    assert episode_id(TASK, 7, "oracle") == "store.admin.cancel-order-7-oracle"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"data": "huge"}, "no data set 'huge': known: base, tiny"),
        ({"data": "base"}, "episodes on two data sets, 'tiny' (seed 1) and 'base' (seed 1), don't compare"),
        ({"data_seed": -3}, "data_seed is a whole number from 0, not -3"),
        ({"task": "store.admin/cancel-ordr"}, "did you mean 'store.admin/cancel-order'?"),
        ({"split": "trian"}, "no split 'trian': did you mean 'train'?"),
        ({"agent": "oracel"}, "no agent 'oracel': did you mean 'oracle'?"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_run_that_was_edited_into_what_cannot_be_played_is_refused_at_once(
    run: RunFolder, changes: dict[str, Any], sentence: str
) -> None:
    manifest = json.loads((run.path / "run.json").read_text())
    manifest["settings"] = {"screenshots": True}
    manifest["episodes"][1].update(changes)
    (run.path / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError) as refused:
        evaluate(resume=run.path, quiet=True)
    assert str(refused.value).startswith(f"{run.path / 'run.json'} can't be played: ")
    assert sentence in str(refused.value)
    assert not any((run.path / "episodes").iterdir())


@pytest.mark.parametrize(("number", "said"), [(0, "0 episodes"), (1, "1 episode"), (2000, "2,000 episodes")])
def test_one_is_one(number: int, said: str) -> None:
    assert many(number, "episode") == said
