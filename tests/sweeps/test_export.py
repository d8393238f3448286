"""An export holds what the model was sent and gave, nothing that was filtered, and never two splits by accident."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sitegym import tasks
from sitegym.cli import main
from sitegym.errors import UnknownSplit, UsageError
from sitegym.sweeps import evaluate
from sitegym.sweeps.export import MANIFEST, export
from sitegym.sweeps.export_writers import COLUMNS, digest
from sitegym.sweeps.files import read_json, write_json
from sitegym.sweeps.results import EpisodeResult
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.trajectory import read_trajectory

sys.path.insert(0, str(Path(__file__).parents[1] / "agents"))  # for the fake of a model's endpoint

from fake_openai import FakeOpenAI, Says
from solver import Solver

TASK = "store.admin/cancel-order"
JSON = ("tools", "messages", "answer", "observation", "actions", "observations", "usage", "hashes")
Request = dict[str, Any]


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text("utf-8").splitlines()]


def graded(run: RunFolder) -> list[EpisodeResult]:
    return [result for result in run.results().values() if result.graded]


def split(result: EpisodeResult) -> str:
    return tasks.task(result.task, result.task_seed, data="tiny").split or "none"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, FakeOpenAI]]:
    """A sweep of one episode by a model, which first answers with what is no action, and the server that it asked."""
    run = tmp_path_factory.mktemp("asked") / "run"
    with FakeOpenAI(Solver(tasks.task(TASK, 0, data="tiny"), [Says(text="Hm.")], reasoning="Well.")) as server:
        agent = f"llm:model=fake,base_url={server.url},see=axtree+screenshot_marked,history=2,token_ids=true"
        evaluate(agents=(agent,), tasks=TASK, workers=1, data="tiny", out=run, quiet=True)
        yield run, server


@pytest.fixture
def requests(asked: tuple[Path, FakeOpenAI]) -> list[Request]:
    return [request for _, request in asked[1].requests]


def test_a_sample_is_a_call_of_the_model_exactly_as_it_was_made(
    asked: tuple[Path, FakeOpenAI], requests: list[Request], tmp_path: Path
) -> None:
    run, server = asked
    out = tmp_path / "out"
    assert export([run], out, mixed=True, quiet=True).samples == len(requests) > 4
    found = read(out)
    for sample, request, answer in zip(found, requests, server.answers, strict=True):
        assert without_pictures(sample["messages"]) == without_pictures(request["messages"])
        assert [tool["function"]["name"] for tool in sample["tools"]] == [
            tool["function"]["name"] for tool in request["tools"]
        ]
        assert sample["images"]
        assert all((out / sample["folder"] / path).is_file() for path in sample["images"])
        (choice,) = answer["choices"]
        assert sample["prompt_token_ids"] == answer["prompt_token_ids"]
        assert sample["completion_token_ids"] == choice["token_ids"]
        assert sample["logprobs"] == [one["logprob"] for one in choice["logprobs"]["content"]]
        assert sample["usage"]["prompt_tokens"] == answer["usage"]["prompt_tokens"]
    assert [sample["kind"] for sample in found] == ["call"] * len(found)
    assert [action["name"] for action in found[0]["actions"]] == ["unreadable"]
    assert found[0]["observations"][0]["error"]


def test_actions_observations_and_rewards_are_those_of_the_record(
    asked: tuple[Path, FakeOpenAI], tmp_path: Path
) -> None:
    folder = RunFolder.open(asked[0])
    (result,) = graded(folder)
    trajectory = read_trajectory(folder.episode(result.id) / "trajectory.json")
    export([asked[0]], tmp_path / "out", split="test", quiet=True)
    found = read(tmp_path / "out")
    assert result.reward == 1.0
    assert [sample["reward"] for sample in found] == [0.0] * (len(found) - 1) + [1.0]
    assert [sample["done"] for sample in found] == [False] * (len(found) - 1) + [True]
    moves = [step for step in trajectory["steps"] if step["source"] == "agent"]
    assert [action["text"] for one in found for action in one["actions"]] == [step["extra"]["action"] for step in moves]
    pages = [found[0]["observation"], *(page for one in found for page in one["observations"])]
    assert [page["state"] for page in pages] == [
        step["extra"]["state"] for step in trajectory["steps"] if "observation" in step
    ]
    assert [one["observation"] for one in found] == pages[:-1]
    assert {one["split"] for one in found} == {split(result)}
    assert {one["hashes"]["expectation"] for one in found} == {result.hashes["expectation"]}
    assert {one["hashes"]["trajectory"] for one in found} == {digest(folder.episode(result.id) / "trajectory.json")}


def without_pictures(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    copy: list[dict[str, Any]] = json.loads(json.dumps(messages))
    for message in copy:
        for part in message["content"] if isinstance(message["content"], list) else ():
            part.pop("image_url", None)
    return copy


def test_an_agent_that_told_of_no_calls_has_a_sample_for_each_step(sweep: RunFolder, tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported = export([sweep.path], out, mixed=True, quiet=True)
    found = read(out)
    assert exported.episodes == len(graded(sweep))
    assert exported.samples == len(found) == sum(result.steps for result in graded(sweep))
    assert {sample["kind"] for sample in found} == {"step"}
    assert all(set(sample) == set(COLUMNS) for sample in found)
    assert len({sample["id"] for sample in found}) == len(found)
    sample = next(one for one in found if one["agent"] == "oracle" and one["step"] == 2)
    content = sample["messages"][0]["content"]
    assert content[0]["text"] == tasks.task(sample["task"], sample["task_seed"], data="tiny").goal
    assert content[1:] == sample["observation"]["content"]
    assert sample["answer"]["content"] == sample["actions"][0]["text"]
    assert (out / sample["folder"] / sample["images"][0]).is_file()


@pytest.mark.parametrize("only", [(), ("success",), ("clean",), ("success", "clean")])
def test_filters_keep_what_they_say(sweep: RunFolder, tmp_path: Path, only: tuple[str, ...]) -> None:
    wanted = {
        result.id
        for result in graded(sweep)
        if ("success" not in only or result.reward == 1.0) and ("clean" not in only or not result.damage)
    }
    export([sweep.path], tmp_path / "out", only=only, mixed=True, quiet=True)
    assert {sample["episode"] for sample in read(tmp_path / "out")} == wanted


def test_splits_are_never_mixed_by_accident(sweep: RunFolder, tmp_path: Path) -> None:
    splits = {result.id: split(result) for result in graded(sweep)}
    assert {"train", "test"} <= set(splits.values())
    out = tmp_path / "out"
    with pytest.raises(UsageError, match=r"several splits \(.*of test.*of train.*--split train.*--mixed"):
        export([sweep.path], out, quiet=True)
    assert not out.exists()
    export([sweep.path], out, split="train", quiet=True)
    found = read(out)
    assert {sample["split"] for sample in found} == {"train"}
    assert {sample["episode"] for sample in found} == {id for id, name in splits.items() if name == "train"}
    with pytest.raises(UnknownSplit, match="did you mean 'train'"):
        export([sweep.path], tmp_path / "other", split="trian", quiet=True)
    with pytest.raises(UsageError, match="give one of them"):
        export([sweep.path], tmp_path / "other", split="train", mixed=True, quiet=True)


@pytest.mark.parametrize("asked", ["test", None])
def test_what_is_held_out_is_exported_where_it_is_named_alone(
    sweep: RunFolder, tmp_path: Path, asked: str | None
) -> None:
    held = shutil.copytree(sweep.path, tmp_path / "held")
    (held / "index.sqlite").unlink()
    kept = {result.id for result in graded(sweep) if split(result) == "test"}
    for folder in (held / "episodes").iterdir():
        if folder.name not in kept:
            shutil.rmtree(folder)
    if asked is None:
        with pytest.raises(UsageError, match=rf"{len(kept)} episodes\) is of test, which is held out .* --split test"):
            export([held], tmp_path / "out", quiet=True)
        assert not (tmp_path / "out").exists()
    else:
        assert export([held], tmp_path / "out", split=asked, quiet=True).splits == {asked: len(kept)}


def test_an_episode_whose_task_is_another_today_is_of_no_known_split(
    asked: tuple[Path, FakeOpenAI], tmp_path: Path
) -> None:
    shutil.copytree(asked[0], tmp_path / "run")
    folder = RunFolder.open(tmp_path / "run")
    (result,) = graded(folder)
    verdict = folder.episode(result.id) / "verdict.json"
    write_json(verdict, {**read_json(verdict), "goal": "Something else."})
    with pytest.raises(UsageError, match="can't be known"):
        export([folder.path], tmp_path / "out", quiet=True)
    export([folder.path], tmp_path / "out", mixed=True, quiet=True)
    assert {sample["split"] for sample in read(tmp_path / "out")} == {"unknown"}


def test_parquet_holds_the_same_as_json_lines(
    asked: tuple[Path, FakeOpenAI], sweep: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet

    monkeypatch.setattr("sitegym.sweeps.export_writers._GROUP_BYTES", 200_000)
    runs = [asked[0], sweep.path]
    export(runs, tmp_path / "lines", mixed=True, quiet=True)
    export(runs, tmp_path / "columns", format="parquet", mixed=True, quiet=True)
    file = pyarrow.parquet.ParquetFile(tmp_path / "columns" / "samples.parquet")
    assert file.num_row_groups > 1
    rows = file.read().to_pylist()
    for row in rows:
        row |= {name: json.loads(row[name]) for name in JSON if row[name] is not None}
    assert rows == read(tmp_path / "lines")


def test_without_pyarrow_the_error_names_the_extra(
    sweep: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"-m pip install pyarrow .*sitegym\[export\]"):
        export([sweep.path], tmp_path / "out", format="parquet", mixed=True, quiet=True)
    assert not (tmp_path / "out").exists()


def test_the_manifest_says_where_everything_is_from(sweep: RunFolder, tmp_path: Path) -> None:
    shutil.copytree(sweep.path, tmp_path / "again")
    found = export([sweep.path, tmp_path / "again"], tmp_path / "out", only=("success",), mixed=True, quiet=True)
    manifest = read_json(tmp_path / "out" / MANIFEST)
    assert [run["plan"] for run in manifest["runs"]] == [sweep.manifest["plan_of"]["hash"]] * 2
    assert (manifest["only"], manifest["mixed"], manifest["splits"]) == (["success"], True, found.splits)
    assert manifest["file"]["sha256"] == digest(found.file)
    assert found.twice == found.episodes == sum(result.success for result in graded(sweep))
    with pytest.raises(UsageError, match="named twice"):
        export([sweep.path, sweep.path], tmp_path / "other", mixed=True, quiet=True)


def test_the_command_line_says_what_it_did_and_refuses_an_empty_export(
    sweep: RunFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = str(sweep.path), str(tmp_path / "out")
    assert main(["export", run, "--out", out, "--only", "success,clean", "--split", "train"]) == 0
    train = [result for result in graded(sweep) if result.success and split(result) == "train"]
    assert f"of {len(train)} episodes ({len(train)} of split train)" in capsys.readouterr().out
    assert main(["export", run, "--out", out, "--split", "train"]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["export", run, "--out", f"{out}2", "--only", "succes"]) == 2
    assert "no filter 'succes'; known: success, clean" in capsys.readouterr().err
    noop = tmp_path / "noop"
    shutil.copytree(sweep.path, noop)
    (noop / "index.sqlite").unlink()
    for result in graded(sweep):
        if result.agent == "oracle":
            shutil.rmtree(noop / "episodes" / result.id)
    assert main(["export", str(noop), "--out", f"{out}2", "--only", "success"]) == 2
    assert "nothing to export: no graded episode that is success" in capsys.readouterr().err
