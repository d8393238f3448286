"""A run is played again without its agents: what was recorded comes out the same, and what was changed is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps.files import read_json, write_json
from sitegym.sweeps.merge import merge
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.verify import verify
from sitegym.sweeps.verify_job import Verified

ORACLE = "store.admin.cancel-order-0-oracle"
OTHER = "tell another verdict than verdict.json"


@pytest.fixture
def copy(sweep: RunFolder, tmp_path: Path) -> RunFolder:
    """The shared run, in a folder of its own; files are copied, so that they can be changed."""
    shutil.copytree(sweep.path, tmp_path / "run")
    return RunFolder.open(tmp_path / "run")


def keep(folder: RunFolder, *ids: str) -> None:
    """Make all others of a run as if they had not been played."""
    folder.index.reopen(spec.id for spec in folder.plan.episodes if spec.id not in ids)
    for spec in folder.plan.episodes:
        if spec.id not in ids:
            shutil.rmtree(folder.episode(spec.id))


def test_every_graded_episode_of_a_real_run_is_reproduced(copy: RunFolder) -> None:
    found = verify(copy.path, workers=2, quiet=True)
    graded = [result.id for result in copy.results().values() if result.graded]
    assert list(found.episodes) == graded
    assert [one for one in found.episodes.values() if not one.reproduced] == []
    assert (found.exit_code, found.faults) == (0, {})
    assert f"verified {len(graded)}/{len(graded)}" in (copy.path / "report" / "index.html").read_text()
    assert read_json(copy.path / "verified.json")["reproduced"] == len(graded)


def edit_plan(folder: RunFolder, **changes: str) -> None:
    """Say other things of the oracle's one episode in `run.json`."""
    manifest = read_json(folder.path / "run.json")
    for episode in manifest["episodes"]:
        if episode["id"] == ORACLE:
            episode.update(changes)
    write_json(folder.path / "run.json", manifest)


def test_whoever_verifies_needs_no_code_of_the_agents(copy: RunFolder) -> None:
    keep(copy, ORACLE)
    edit_plan(copy, agent="module_of_somebody_else:Agent")
    found = verify(copy.path, workers=1, quiet=True)
    assert (list(found.episodes), found.faults, found.exit_code) == ([ORACLE], {}, 0)


def test_a_run_on_other_data_is_not_verified_though_it_is_complete(copy: RunFolder) -> None:
    assert copy.complete
    manifest = read_json(copy.path / "run.json")
    write_json(copy.path / "run.json", {**manifest, "hashes": {"store": "0" * 64}})
    with pytest.raises(UsageError, match="began on another store"):
        verify(copy.path, quiet=True)


def _step(number: int, change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        trajectory = read_json(folder / "trajectory.json")
        pages = [step for step in trajectory["steps"] if step.get("observation")]
        change(pages[number])
        write_json(folder / "trajectory.json", trajectory)

    return edit


def _tree(page: dict[str, Any]) -> None:
    page["observation"]["results"][0]["content"][0]["text"] += "\n- text: made up"
    page["extra"]["state"] = "0" * 64


def _title(page: dict[str, Any]) -> None:
    page["extra"]["title"] = "Another"
    page["extra"]["state"] = "0" * 64


def _reward(folder: Path) -> None:
    write_json(folder / "verdict.json", {**read_json(folder / "verdict.json"), "reward": 0.0})


def _published(folder: Path) -> None:
    file = folder.parent.parent / "results.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps({**line, "reward": 0.0}) + "\n" for line in lines))


def _damage(folder: Path) -> None:
    write_json(folder / "verdict.json", {**read_json(folder / "verdict.json"), "damage": [{"table": "orders"}]})


def _changes(folder: Path) -> None:
    write_json(folder / "changes.json", {**read_json(folder / "changes.json"), "after": "0" * 64})


@pytest.mark.parametrize(
    ("edit", "step", "what"),
    [
        pytest.param(_step(2, _tree), 2, "tree", id="a-tree"),
        pytest.param(_step(0, _title), 0, "title", id="the-first-page"),
        pytest.param(_changes, None, "changes", id="the-database"),
        pytest.param(_reward, None, f"the index and results.jsonl and result.json {OTHER}", id="the-verdict"),
        pytest.param(_published, None, f"results.jsonl {OTHER}", id="what-is-published"),
        pytest.param(_damage, None, "verdict", id="the-damage"),
    ],
)
def test_a_record_that_was_changed_is_found_out(
    copy: RunFolder, edit: Callable[[Path], None], step: int | None, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(copy, ORACLE)
    edit(copy.episode(ORACLE))
    assert main(["verify", str(copy.path), "--workers", "1"]) == 1
    told = json.loads((copy.path / "verified.json").read_text())
    (found,) = (Verified(**one) for one in told["episodes"])
    assert (found.reproduced, found.step, found.what) == (False, step, what)
    said = " ".join(capsys.readouterr().out.split())
    assert "0/1 0 % of the graded episodes reproduced" in said
    assert ("at its end" if step is None else f"first at step {step}") in said


def test_what_is_played_anew_is_verified_no_longer(copy: RunFolder, tmp_path: Path) -> None:
    copy.note(verified={"reproduced": 1, "of": 1, "at": "today"})
    assert "verified" not in merge([copy.path], tmp_path / "merged").manifest
