"""Sealed sets: their file tells nothing, their key plays them, and a run keeps their hash and never the key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sitegym import tasks
from sitegym.cli import main
from sitegym.errors import UsageError
from sitegym.sweeps.files import read_json
from sitegym.sweeps.freeze import seal
from sitegym.sweeps.frozen import clusters_of
from sitegym.sweeps.run_folder import RunFolder
from sitegym.sweeps.sealing import Key, data_seed, first_seed
from sitegym.sweeps.task_set import TaskSet, read_set, write_set
from sitegym.tasks.splits import split_of_data_seed

from .test_sets import CANCEL, MEASURED, STATUS


@pytest.fixture(scope="module")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "set.key"
    Key.make(path)
    return path


@pytest.fixture(scope="module")
def sealed(key_file: Path) -> Path:
    """A pair of twins and two others."""
    about = {"difficulty": MEASURED, "size": 4, "tasks": [CANCEL, STATUS], "data": "tiny", "split": None}
    return seal("hidden", Key.read(key_file), **about, out=key_file.with_name("hidden.json"))


@pytest.fixture(scope="module")
def opened(sealed: Path, key_file: Path) -> TaskSet:
    return read_set(str(sealed), key_file)


def test_the_file_tells_neither_tasks_nor_seeds_nor_the_key(sealed: Path, opened: TaskSet, key_file: Path) -> None:
    text = sealed.read_text()
    assert key_file.stat().st_mode & 0o077 == 0
    assert opened.instances
    secrets = {key_file.read_text().strip(), str(opened.data_seed)}
    secrets |= {secret for one in opened.instances for secret in (one.task, str(one.seed))}
    with_key = {one.goal for one in opened.instances} | {one.expectation for one in opened.instances}
    assert [secret for secret in secrets if secret in text] == []
    assert all(hash in text for hash in with_key), "what is in the file are keyed hashes"
    found = read_json(sealed)
    assert found.keys() == {"format", "version", "hash", "name", "data", "split", "baselines", "key", "instances"}
    assert found["key"] == Key.read(key_file).fingerprint


def test_data_and_instances_are_drawn_by_the_key(opened: TaskSet, key_file: Path, tmp_path: Path) -> None:
    key, other = Key.read(key_file), Key.make(tmp_path / "other.key")
    assert (opened.data_seed, split_of_data_seed(opened.data_seed)) == (data_seed(key), "test")
    assert data_seed(key) != data_seed(other)
    for task in (CANCEL, STATUS):
        start = first_seed(key, task)
        assert [one.seed for one in opened.instances if one.task == task] == [start, start + 1]
        assert start != first_seed(other, task)
    assert sorted(one.feasible for one in opened.instances if one.task == CANCEL) == [False, True]
    for one in opened.instances:
        made = tasks.task(one.task, one.seed, data="tiny", data_seed=opened.data_seed)
        assert one.feasible == made.instance.feasible


def test_who_has_the_key_plays_it_and_the_run_never_holds_the_key(
    sealed: Path, opened: TaskSet, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    typed = ["eval", "--set", str(sealed), "--agent", "noop", "--workers", "1", "--out", str(run)]
    assert main(typed) == 2
    fingerprint = Key.read(key_file).fingerprint
    assert f"is sealed: only whoever has its key (fingerprint {fingerprint}) can" in capsys.readouterr().err
    assert not run.exists()
    assert main([*typed, "--set-key-file", str(key_file)]) == 0
    told = capsys.readouterr().out
    assert f"hash {opened.hash[:12]}, sealed with the key {fingerprint}." in told
    folder = RunFolder.open(run)
    card = {"name": "hidden", "hash": opened.hash, "instances": 4, "key": fingerprint}
    assert folder.manifest["settings"]["set"] == card
    assert clusters_of(folder.plan) == opened.clusters
    assert opened.hash in (run / "report" / "index.html").read_text("utf-8")
    secret = key_file.read_text().strip().encode()
    assert [path for path in run.rglob("*") if path.is_file() and secret in path.read_bytes()] == []


def test_another_key_no_key_and_a_key_too_many_are_refused(sealed: Path, key_file: Path, tmp_path: Path) -> None:
    other, short = tmp_path / "other.key", tmp_path / "short.key"
    Key.make(other)
    short.write_text("letmein\n")
    with pytest.raises(UsageError, match="another key"):
        read_set(str(sealed), other)
    with pytest.raises(UsageError, match="at least 32 characters, not 7") as told:
        read_set(str(sealed), short)
    assert "letmein" not in str(told.value)
    with pytest.raises(UsageError, match="no key can be read"):
        read_set(str(sealed), tmp_path / "none.key")
    with pytest.raises(UsageError, match="no key can be written"):
        Key.make(key_file)
    with pytest.raises(UsageError, match="it needs no key"):
        read_set("core", key_file)
    assert main(["eval", "--set-key-file", str(key_file), "--out", str(tmp_path / "run")]) == 2


def test_what_differs_is_named_to_who_has_the_key(
    sealed: Path, opened: TaskSet, key_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["tasks", "check", str(sealed), "--asked"]
    assert main([*typed, "--set-key-file", str(key_file)]) == 0
    assert "4 of 4 instances behave as frozen" in capsys.readouterr().out
    first, *rest = opened.instances
    changed = replace(opened, instances=(replace(first, goal="0" * 64), *rest))
    path = str(write_set(changed, tmp_path / "changed.json"))
    assert main(["tasks", "check", path, "--asked", "--set-key-file", str(key_file)]) == 1
    assert f"{first.name}  differs: goal\n" in capsys.readouterr().out
    assert main(typed) == 2
    strange = replace(opened, instances=(replace(first, task="own.site/secret"), *rest))
    with pytest.raises(UsageError, match=r"1 instances .* are of sealed templates that are not known here"):
        read_set(str(write_set(strange, tmp_path / "strange.json")), key_file)


def test_a_key_is_neither_shown_nor_pickled(key_file: Path) -> None:
    import pickle

    key = Key.read(key_file)
    assert key_file.read_text().strip() not in f"{key!r} {key}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
