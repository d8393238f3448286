"""Baselines: built once, checked always, built again where damaged, and nothing of anybody else's lost."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from sitegym import sites
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sites import registry
from sitegym.sites.world import Baseline, baseline


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test's own."""
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.usefixtures("cache")
def test_the_same_site_data_and_seed_give_the_same_rows_in_another_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = baseline("micro", "tiny", 1)
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "other"))
    second = baseline("micro", "tiny", 1)
    assert first.path != second.path
    assert first.hash == second.hash
    assert first.hash != baseline("micro", "tiny", 2).hash


@pytest.mark.usefixtures("cache")
def test_a_second_call_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first = baseline("micro", "tiny", 1)
    written = first.path.stat().st_ino
    assert baseline("micro", "tiny", 1) == first
    assert first.path.stat().st_ino == written


def test_processes_that_ask_at_once_build_it_once(cache: Path) -> None:
    program = (
        "import os; from sitegym import sites; from sitegym.sites.world import baseline;"
        "sites.register('micro', 'micro_site:MICRO'); found = baseline('micro', 'six', 7);"
        "print(found.hash, os.stat(found.path).st_ino)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0].strip() for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(answers) == 1
    assert not list((cache / "baselines").glob(".*")), "half-built folders were left"


def flip_a_byte(found: Baseline) -> None:
    content = bytearray(found.path.read_bytes())
    content[5000] ^= 1
    found.path.chmod(0o644)
    found.path.write_bytes(content)


def cut_it_short(found: Baseline) -> None:
    os.truncate(found.path, 4096)


def lose_the_rows(found: Baseline) -> None:
    found.path.unlink()


def lose_the_note(found: Baseline) -> None:
    (found.path.parent / "baseline.json").unlink()


def garble_the_note(found: Baseline) -> None:
    (found.path.parent / "baseline.json").write_text("[1, 2")


def write_another_format(found: Baseline) -> None:
    note = found.path.parent / "baseline.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "format": 99}))
    os.utime(found.path)


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    "damage", [flip_a_byte, cut_it_short, lose_the_rows, lose_the_note, garble_the_note, write_another_format]
)
def test_what_is_damaged_is_built_again(damage: Callable[[Baseline], None], forget_checks: None) -> None:
    before = baseline("micro", "tiny", 1)
    good = before.path.read_bytes()
    damage(before)
    forget()
    after = baseline("micro", "tiny", 1)
    assert after == before
    assert after.path.read_bytes() == good
    assert len(list(after.path.parent.parent.glob("micro-tiny-1-*"))) == 2, "the folder and its lock, nothing else"


def forget() -> None:

    sys.modules["sitegym.sites.world.baseline"]._checked.clear()  # type: ignore[attr-defined]


@pytest.fixture
def forget_checks() -> Iterator[None]:
    """Leave no memory of checked files to other tests."""
    yield
    forget()


@pytest.mark.usefixtures("cache")
def test_a_folder_of_somebody_else_is_moved_aside_and_not_lost() -> None:
    folder = baseline("micro", "tiny", 3).path.parent
    (folder / "thesis.txt").write_text("years of work")
    (folder / "baseline.json").unlink()
    forget()
    baseline("micro", "tiny", 3)
    aside = [path for path in folder.parent.iterdir() if ".foreign-" in path.name]
    assert [(path / "thesis.txt").read_text() for path in aside] == ["years of work"]


def test_a_read_only_cache_serves_what_it_has_and_says_what_to_set_for_the_rest(
    monkeypatch: pytest.MonkeyPatch, forget_checks: None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("SITEGYM_CACHE", folder)
        os.chmod(folder, 0o755)
        had = baseline("micro", "tiny", 1)
        forget()
        os.chmod(had.path.parent.parent, 0o555)
        with as_nobody():
            assert baseline("micro", "tiny", 1) == had
            with pytest.raises(UsageError, match="set SITEGYM_CACHE to a folder that is"):
                baseline("micro", "tiny", 2)
        os.chmod(had.path.parent.parent, 0o755)


def test_a_cache_that_is_a_file_is_refused_with_the_variable_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SITEGYM_CACHE", str(tmp_path / "file"))
    with pytest.raises(UsageError, match="SITEGYM_CACHE"):
        baseline("micro", "tiny", 1)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param("mikro", "tiny", "did you mean 'micro'", id="site"),
        pytest.param("micro", "tine", "did you mean 'tiny'", id="data-set"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(name: str, data: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        baseline(name, data, 1)


@pytest.mark.usefixtures("cache")
def test_a_build_that_takes_long_says_so_and_a_short_one_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    said = SimpleQueue[str]()

    def slow(connection: object, data: str, seed: int) -> None:
        importlib.import_module("micro_site").build(connection, data, seed)
        assert "building the 'tiny' data of micro (seed 2)" in said.get(timeout=60)

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=said.put, flush=lambda: None))
    baseline("micro", "tiny", 1)
    assert said.empty()
    monkeypatch.setattr(importlib.import_module("sitegym.sites.world.baseline"), "_QUIET_S", 0.01)
    other = replace(sites.get("micro"), build=slow)
    monkeypatch.setattr(registry, "load", lambda name, target: other)
    assert baseline("micro", "tiny", 2).path.exists()


def fails(connection: object, data: str, seed: int) -> None:
    raise ZeroDivisionError("in the generator")


def refers_to_nothing(connection: object, data: str, seed: int) -> None:
    importlib.import_module("micro_site").build(connection, data, seed)
    connection.exec_driver_sql("UPDATE notes SET author_id = 77 WHERE id = 3")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        pytest.param(fails, "ZeroDivisionError: in the generator", id="it-raises"),
        pytest.param(refers_to_nothing, "notes row 3 -> people", id="it-refers-to-missing-rows"),
    ],
)
def test_a_generator_that_fails_is_our_fault_and_leaves_nothing(
    build: Callable[[object, str, int], None], message: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(sites.get("micro"), build=build)
    monkeypatch.setattr(registry, "load", lambda name, target: broken)
    with pytest.raises(EnvironmentFault, match=message) as fault:
        baseline("micro", "tiny", 1)
    assert not fault.value.retry
    assert [path.name for path in (cache / "baselines").iterdir() if not path.name.endswith(".lock")] == []


@pytest.mark.usefixtures("cache")
def test_another_text_of_the_generator_makes_another_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for version in ("old", "new"):
        (tmp_path / f"words_{version}.py").write_text(f"WORD = {version!r}\n")
        changed = replace(sites.get("micro"), sources=("micro_site", f"words_{version}"))
        monkeypatch.setattr(registry, "load", lambda name, target, changed=changed: changed)
        found.append(baseline("micro", "tiny", 1))
    assert found[0].path != found[1].path
    assert found[0].hash == found[1].hash
