"""Sweeps on a real Ray cluster of several nodes on this machine: what a lost node was at is played again, once."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from ray_nodes import ENVIRONMENT, Nodes
from saboteurs import descendants
from sitegym.sweeps.results import Status
from sitegym.sweeps.run_folder import RunFolder
from test_interrupt import lines, sitegym
from test_kills import PATIENCE_S, assert_whole, wait_for_more

TASK = ["--task", "store.admin/cancel-order", "--data", "tiny"]


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sweeps, nodes and their workers alike: where agents are, and how the cluster is spoken to."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    monkeypatch.setenv("SITEGYM_TEST_MARKS", str(tmp_path))


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    with Nodes(2) as nodes:
        yield nodes


def on(nodes: Nodes) -> list[str]:
    return ["--engine", "ray", "--ray-address", nodes.address, "--workers", "2"]


def test_a_node_that_is_lost_is_a_fault_and_its_episode_is_played_elsewhere(tmp_path: Path, nodes: Nodes) -> None:
    run = tmp_path / "run"
    agents = ["--agent", "saboteurs:KillsNode", "--agent", "oracle", "--instances", "2"]
    process = sitegym("eval", *TASK, *agents, *on(nodes), "--out", str(run), cwd=tmp_path)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    assert_whole(run, 4)
    faults = {id: [fault.cause for fault in one.faults] for id, one in RunFolder.open(run).results().items()}
    assert sorted(faults.values()) == [[], [], [], ["node_lost"]]
    (lost,) = (id for id, causes in faults.items() if causes)
    assert "KillsNode" in lost
    assert sum(Path(f"/proc/{raylet}").exists() and not zombie(raylet) for raylet in nodes.raylets) == 1
    for episode in (run / "episodes").iterdir():
        recorded = json.loads((episode / "trajectory.json").read_text())
        pictures = [
            part["source"]["path"]
            for step in recorded["steps"] if step.get("observation")
            for part in step["observation"]["results"][0]["content"] if part["type"] == "image"
        ]  # fmt: skip
        assert pictures
        assert all((episode / picture).is_file() for picture in pictures)


def zombie(pid: int) -> bool:
    """Whether a process has ended, and its parent has not looked yet."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name.lower())
@pytest.mark.parametrize(("first", "then"), [("ray", "local"), ("local", "ray")])
def test_a_sweep_that_was_stopped_is_completed_by_either_engine(
    tmp_path: Path, number: signal.Signals, first: str, then: str
) -> None:
    run = tmp_path / "run"
    agents = ["--agent", "oracle", "--agent", "noop", "--instances", "5"]
    process = sitegym("eval", *TASK, *agents, "--engine", first, "--out", str(run), cwd=tmp_path)
    wait_for_more(run, 2, process)
    children = descendants(process.pid)
    process.send_signal(number)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (-number if number == signal.SIGKILL else 130), output
    before = lines(run)
    assert 2 <= len(before) < 10
    deadline = time.monotonic() + 30
    while alive := [pid for pid in children if Path(f"/proc/{pid}").exists() and not zombie(pid)]:
        assert time.monotonic() < deadline, f"still there: {alive}"
        time.sleep(0.1)
    process = sitegym("eval", "--resume", str(run), "--engine", then, cwd=tmp_path)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    assert_whole(run, 10)
    assert set(before) <= set(lines(run))


@pytest.mark.long
def test_caps_hold_over_all_nodes(tmp_path: Path, nodes: Nodes) -> None:
    run = tmp_path / "run"
    caps = ["--at-once", "2", "--model-calls", "1", "--gradings", "1"]
    agents = ["--agent", "workers:Logs", "--instances", "6"]
    process = sitegym("eval", *TASK, *agents, *caps, *on(nodes), "--out", str(run), cwd=tmp_path)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    assert_whole(run, 6)
    told = (tmp_path / "log").read_text().split("\n")[:-1]
    assert len(told) == 2 * 3 * 6
    for begin, end in zip(told[::2], told[1::2], strict=True):
        assert (begin.split()[0], end.split()[0]) == ("in", "out")
        assert begin.split()[1] == end.split()[1]


@pytest.mark.long
def test_a_sweep_whose_nodes_come_and_go_has_every_episode_once(tmp_path: Path, nodes: Nodes) -> None:
    run, chance = tmp_path / "run", Random(5)
    agents = ["--agent", "oracle", "--agent", "noop", "--instances", "20"]
    process = sitegym("eval", *TASK, *agents, *on(nodes), "--out", str(run), cwd=tmp_path)
    for _ in range(4):
        wait_for_more(run, chance.randint(1, 5), process)
        assert process.poll() is None, process.communicate()[0]
        nodes.lose(chance.choice(nodes.raylets))
        nodes.add()
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    assert_whole(run, 40)
    results = RunFolder.open(run).results().values()
    assert {fault.cause for one in results for fault in one.faults} <= {"node_lost"}
    assert {one.status for one in results} == {Status.FINISHED}
