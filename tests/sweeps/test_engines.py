"""What engines are made of, without a cluster: names and packages that are missing, folders that are mirrored."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sweeps import evaluate
from sitegym.sweeps.engines.base import EngineWorker, Loss
from sitegym.sweeps.engines.mirror import SETTLED_NS, Mirror, write
from sitegym.sweeps.engines.relay import PREFIX, YOUNG_S, Relay, clear_strays
from sitegym.sweeps.pool import Job


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_mirrored_folder_is_the_same_after_any_changes(tmp_path: Path) -> None:
    here, there, chance = tmp_path / "here", tmp_path / "there", random.Random(3)
    mirror = Mirror(here)
    assert mirror.changes() == {}
    for _ in range(50):
        path = here / chance.choice(["a", "b/c", "b/d/e"]) / f"{chance.randint(0, 3)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(chance.choice([3, 3, 3, 4000])))  # often the same size in the same instant
        (path.parent / ".half").write_bytes(b"not finished")
        write(there, mirror.changes())
    finished = {name: text for name, text in contents(here).items() if not name.endswith(".half")}
    assert contents(there) == finished


def test_what_has_settled_is_sent_once(tmp_path: Path) -> None:
    file = tmp_path / "picture.webp"
    file.write_bytes(b"picture")
    old = time.time_ns() - 2 * SETTLED_NS
    os.utime(file, ns=(old, old))
    mirror = Mirror(tmp_path)
    assert mirror.changes() == {"picture.webp": b"picture"}
    assert mirror.changes() == {}


@pytest.mark.parametrize("name", ["../a", "/a", "b/../../a"])
def test_nothing_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="leads out of"):
        write(tmp_path / "inside", {name: b""})
    assert contents(tmp_path) == {}


def test_the_folder_of_a_killed_relay_is_removed_and_one_in_use_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    relay = Relay(0, {"headless": True, "caps": {}}, str(tmp_path), [])
    (used,) = tmp_path.glob(f"{PREFIX}*")
    left = tmp_path / f"{PREFIX}left"
    left.mkdir()
    (left / "lock").touch()
    for folder in (used, left):
        long_ago = time.time() - 2 * YOUNG_S
        os.utime(folder, (long_ago, long_ago))
    clear_strays()
    assert list(tmp_path.glob(f"{PREFIX}*")) == [used]
    relay.end()
    assert list(tmp_path.glob(f"{PREFIX}*")) == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"engine": "rya"}, "no engine 'rya'; known: local, ray"),
        ({"ray_address": "auto"}, "ray_address is for the engine ray"),
        ({"engine": "ray"}, f"needs the package 'ray': {sys.executable} -m pip install ray"),
    ],
)
def test_an_engine_that_can_not_be_is_told_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], sentence: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None if name == "ray" else find(name, *more))
    with pytest.raises(UsageError) as told:
        evaluate(agents=("noop",), tasks="store.admin/cancel-order", data="tiny", out=tmp_path / "run", **given)
    assert sentence in str(told.value)
    assert not (tmp_path / "run").exists()


class Idle(EngineWorker):
    """A worker that nobody reads from."""

    def tell(self, message: dict[str, Any]) -> None:
        """Nothing."""

    def receive(self) -> list[dict[str, Any]] | None:
        """Nothing."""
        return []

    def loss(self) -> Loss:
        """None."""
        raise AssertionError

    def ask_where_it_is(self) -> None:
        """Nothing."""


def test_the_clock_of_a_job_begins_again_when_it_gets_any_further(tmp_path: Path) -> None:
    worker = Idle(0, tmp_path / "log")
    worker.give(Job({"id": "a"}))
    given = worker.begun["a"]
    worker.moved({"a": "starting 0", "of-another": "playing 3"})
    moved = worker.begun["a"]
    assert moved > given
    worker.moved({"a": "starting 0"})
    assert worker.begun == {"a": moved}
    worker.moved({"a": "playing 0"})
    assert worker.begun["a"] > moved
    assert worker.took("a").id == "a"
    assert worker.begun == {}


def test_a_node_with_other_versions_is_refused(tmp_path: Path) -> None:
    from sitegym.sweeps.engines.on_ray import same_versions

    same_versions("there", {"sitegym": "1", "browser": "b 2", "python": "3.11"}, {"sitegym": "1", "browser": "b 2"})
    with pytest.raises(
        EnvironmentFault, match=r"node there has browser b 3, where this run is played with b 2"
    ) as told:
        same_versions("there", {"sitegym": "1", "browser": "b 2"}, {"sitegym": "1", "browser": "b 3"})
    assert told.value.cause == "worker_start"
