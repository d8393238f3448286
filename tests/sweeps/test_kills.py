"""Whatever is killed at any moment: after `--resume` every planned episode is there once, none scored by a fault."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from saboteurs import browser_of, descendants
from served import Served
from sitegym.sweeps.results import Status
from sitegym.sweeps.run_folder import RunFolder
from test_interrupt import lines, sitegym

MAIN, WORKER, BROWSER, WORLD, MODEL, DISK = "main", "worker", "browser", "world", "model", "disk"
PATIENCE_S = 600.0
SWEEP = ["eval", "--task", "store.admin/cancel-order", "--agent", "oracle", "--agent", "noop", "--data", "tiny"]
SWEEP += ["--workers", "2", "--at-once", "2"]


def running(module: str, pid: int) -> list[int]:
    """Processes below `pid` that run a module of ours."""
    found = []
    for child in descendants(pid):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if module.encode() in words:
            found.append(child)
    return found


def victims(kind: str, pid: int) -> list[int]:
    """Processes of a sweep that may be killed."""
    workers = running("sitegym.sweeps.worker", pid)
    if kind == MAIN:
        return [pid]
    if kind in (WORKER, DISK):
        return workers
    if kind == WORLD:
        return running("sitegym.sites.world.server", pid)
    found = []
    for worker in workers:
        try:
            found.append(browser_of(worker))
        except (LookupError, OSError):
            continue  # it has not begun yet, or is just gone
    return found


def strike(kind: str, process: subprocess.Popen[str], model: Served, chance: Random) -> bool:
    """Kill one of its kind; False where the sweep ended before there was one."""
    if kind == MODEL and process.poll() is None:
        model.kill()
        time.sleep(chance.uniform(0.0, 1.0))
        model.start()
        return True
    deadline = time.monotonic() + PATIENCE_S
    while process.poll() is None:
        if found := victims(kind, process.pid):
            if kind == DISK:
                fill_disk(found)
                process.communicate(timeout=PATIENCE_S)
                return True
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            if kind == MAIN:
                process.communicate()
            return True
        assert time.monotonic() < deadline, f"no {kind} to kill"
        time.sleep(0.02)
    return False


def wait_for_more(run: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until so many results more are on disk, or the sweep is over."""
    wanted, deadline = len(lines(run)) + count, time.monotonic() + PATIENCE_S
    while len(lines(run)) < wanted and process.poll() is None:
        assert time.monotonic() < deadline, "no results came"
        time.sleep(0.02)


def fill_disk(workers: list[int]) -> None:
    """As if the disk were full: these can write no file of more than a few kB any more."""
    for worker in workers:
        with suppress(ProcessLookupError):
            resource.prlimit(worker, resource.RLIMIT_FSIZE, (4_000, 4_000))


def chaos(run: Path, cwd: Path, instances: int, kinds: list[str], model: Served, chance: Random) -> list[str]:
    """Play a sweep, killing these one after the other at random moments, then to its end; what was killed."""
    killed, todo, pause = [], list(kinds), max(2, 2 * instances // len(kinds))
    sweep = [*SWEEP, "--agent", model.agent(), "--instances", str(instances), "--out", str(run)]
    process = sitegym(*sweep, cwd=cwd)
    for _ in range(2 * len(kinds)):
        while todo and process.poll() is None:
            wait_for_more(run, chance.randint(0, pause), process)
            if run.is_dir() and strike(todo[0], process, model, chance):
                killed.append(todo.pop(0))
        process.communicate(timeout=PATIENCE_S)
        if not (run / "run.json").exists():  # killed before there was a run
            process = sitegym(*sweep, cwd=cwd)
        elif todo or process.returncode != 0 or any(json.loads(one)["reward"] is None for one in lines(run)):
            process = sitegym("eval", "--resume", str(run), "--workers", "2", "--at-once", "2", cwd=cwd)
        else:
            return killed
        if todo and process.poll() is not None:
            break
    raise AssertionError(f"the run was not completed; killed: {killed}")


def assert_whole(run: Path, episodes: int) -> None:
    """Each planned episode once in folders, list and index; none with a fault's score."""
    folder = RunFolder.open(run)
    planned = [spec.id for spec in folder.plan.episodes]
    assert len(planned) == episodes
    assert sorted(json.loads(line)["id"] for line in lines(run)) == sorted(planned)
    assert sorted(path.name for path in (run / "episodes").iterdir()) == sorted(planned)
    results = folder.index.results()
    assert list(results) == planned
    for id, result in results.items():
        assert json.loads((folder.episode(id) / "result.json").read_text())["reward"] == result.reward
        assert json.loads((folder.episode(id) / "verdict.json").read_text())["reward"] == result.reward
        assert json.loads((folder.episode(id) / "status.json").read_text())["state"] == "over"
        expected = 1.0 if result.agent == "oracle" else 0.0
        assert (result.status, result.reward) == (Status.FINISHED, expected), f"{id}: {result.reason}"


def test_a_small_sweep_survives_a_kill_of_each_part(tmp_path: Path) -> None:
    chance = Random(6)
    kinds = [WORKER, BROWSER, MAIN, WORLD, MODEL]
    chance.shuffle(kinds)
    with Served() as model:
        assert chaos(tmp_path / "run", tmp_path, 5, kinds, model, chance) == kinds
    assert_whole(tmp_path / "run", 15)


def test_a_model_that_never_comes_back_leaves_faults_and_no_reward_and_resuming_with_it_completes(
    tmp_path: Path,
) -> None:
    run = tmp_path / "run"
    with Served() as model:
        agent = ["--agent", model.agent(retries=1, backoff_s=0.05)]
        process = sitegym(*SWEEP[:3], "--data", "tiny", *agent, "--instances", "4", "--out", str(run), cwd=tmp_path)
        wait_for_more(run, 1, process)
        model.kill()
        output, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 1, output  # some have no verdict
        ended = RunFolder.open(run).results().values()
        lost = [result for result in ended if result.status == Status.FAULT]
        assert len(ended) == 4
        assert lost
        for result in lost:
            assert (result.reward, result.attempts) == (None, 2)
            assert {fault.cause for fault in result.faults} == {"model_unreachable"}
        assert {result.reward for result in ended if result not in lost} == {0.0}
        model.start()
        process = sitegym("eval", "--resume", str(run), cwd=tmp_path)
        output, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, output
    assert_whole(run, 4)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_a_sweep_of_two_hundred_survives_two_dozen_kills(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    kinds = 4 * [WORKER, BROWSER, MAIN, WORLD, MODEL, DISK]
    chance.shuffle(kinds)
    with Served() as model:
        assert chaos(tmp_path / "run", tmp_path, 67, kinds, model, chance) == kinds
    assert_whole(tmp_path / "run", 201)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A file system with room for little; None where only root could make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def make_room(place: Path) -> None:
    """More of it."""
    subprocess.run(["mount", "-o", "remount,size=500m", str(place)], check=True)


def test_a_full_disk_stops_the_sweep_and_resuming_it_with_room_completes_it(
    tmp_path: Path, small_disk: Path | None
) -> None:
    run = (small_disk or tmp_path) / "run"
    process = sitegym(*SWEEP, "--instances", "3", "--out", str(run), cwd=tmp_path)
    if small_disk is None:
        while not (workers := running("sitegym.sweeps.worker", process.pid)) or len(lines(run)) < 1:
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.02)
        fill_disk(workers)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1, output
    assert "disk is full" in " ".join(output.split())
    assert f"sitegym eval --resume {run}" in output
    assert all(json.loads(line)["reward"] is not None for line in lines(run) if line.endswith("}"))
    if small_disk is not None:
        make_room(small_disk)
    process = sitegym("eval", "--resume", str(run), cwd=tmp_path)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    assert_whole(run, 6)
