"""A pack tells solvers what is asked for and where, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sitegym import tasks
from sitegym.audit.packing import make_pack
from sitegym.audit.places import OPEN, Pack, open_pack
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps.files import read_json

from .conftest import TASKS, Typed


def test_each_instance_has_a_sheet_with_its_goal_and_its_address(pack: Pack) -> None:
    key = pack.key()["attempts"]
    assert list(key) == list(pack.names) == ["01", "02", "03", "04", "05", "06"]
    assert sorted((one["task"], one["seed"]) for one in key.values()) == sorted((id, n) for id in TASKS for n in (0, 1))
    for name, one in key.items():
        task = tasks.task(one["task"], one["seed"], data="tiny")
        place = f"You are signed in already, and the browser opens on {task.start_url}."
        assert pack.text(name) == f"# Attempt {name}\n\n{task.goal}\n\n{place}\n"


def test_nothing_in_the_pack_tells_template_parameters_expectation_or_results(pack: Pack) -> None:
    files = [path for path in pack.path.rglob("*") if path.is_file()]
    assert {path.relative_to(pack.path).parts[0] for path in files} <= {"README.md", "index.json", "attempts", ".open"}
    everything = "\n".join(path.read_text() for path in files)
    for task in TASKS:
        assert task not in everything
        assert task.partition("/")[2] not in everything
    assert str(pack.results) not in everything
    assert not re.search(r"task_seed|params|expect|oracle|reward|verdict", everything)
    assert read_json(pack.path / "index.json").keys() == {"format", "version", "id", "attempts"}


def test_names_follow_no_order_of_templates(pack: Pack) -> None:
    order = [one["task"] for one in pack.key()["attempts"].values()]
    assert order != sorted(order)


def test_the_same_call_makes_the_same_pack(pack: Pack, tmp_path: Path) -> None:
    again = make_pack(tmp_path / "pack", tasks=TASKS, data="tiny")
    assert again.key()["attempts"] == pack.key()["attempts"]
    assert again.id != pack.id


def test_a_pack_finds_its_results_and_says_what_is_missing_where_it_can_not(pack: Pack, tmp_path: Path) -> None:
    assert open_pack(pack.path) == pack
    assert {pack.state(name) for name in names_untouched(pack)} == {OPEN}
    with pytest.raises(UsageError, match="is not an audit pack"):
        open_pack(tmp_path)
    with pytest.raises(UsageError, match="must not lie in the pack"):
        make_pack(tmp_path / "p", tasks=TASKS, data="tiny", results=tmp_path / "p" / "results")
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / "index.json").write_text((pack.path / "index.json").read_text().replace(pack.id, "0" * 12))
    with pytest.raises(UsageError, match="--results"):
        open_pack(moved)
    assert open_pack(moved, pack.results).results == pack.results


def names_untouched(pack: Pack) -> list[str]:
    return [name for name in pack.names if not pack.attempt(name).exists()]


def test_the_command_line_makes_one_by_both_names(
    typed: Typed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, _ = typed("pack", "--out", tmp_path / "a", "--data", "tiny", "-t", TASKS[0], "-n", 1)
    assert (code, said.splitlines()[0]) == (0, f"1 attempt, 01 to 01: {tmp_path / 'a'}")
    assert main(["audit-pack", "--out", str(tmp_path / "b"), "--data", "tiny", "-t", TASKS[0], "--split", "train"]) == 0
    assert "attempts, 01 to" in capsys.readouterr().out
    code, _, error = typed("pack", "--out", tmp_path / "a", "--data", "tiny", "-t", TASKS[0])
    assert code == 2
    assert "not empty" in error
