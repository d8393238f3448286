"""A container whose disk is full: a named fault that says what helps, never a reward, and nothing left running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gymnasium
import pytest
import sitegym  # noqa: F401  (registers the environments)
from sitegym.errors import EnvironmentFault
from sitegym.sites.world import World
from sitegym.sites.world.baseline import baseline
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import ContainerServer
from sitegym.sweeps import evaluate

from .conftest import container_of, left_of
from .test_failures import left_of_mine

TASK = "store.admin/cancel-order"
FILL = """
import os
with open("/tmp/fill", "wb", buffering=0) as file:
    for size in (2**20, 4096):
        try:
            while True:
                file.write(bytes(size))
        except OSError as error:
            print(error.strerror)
"""


def fill(server: ContainerServer, service: str) -> str:
    """Leave no room on the disk of a container; returns its id."""
    container = container_of(server, service)
    assert docker("exec", container, "python", "-I", "-c", FILL) == "\n".join(2 * ["No space left on device"])
    return container


@pytest.mark.parametrize("service", ["site", "grader"])
def test_a_disk_that_is_full_in_mid_episode_is_a_fault_without_a_reward(
    images: None, service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEGYM_SITE_DISK", "64m")
    env = gymnasium.make("ShopAdmin-v0", task=TASK, data="tiny", runtime="docker", disable_env_checker=True)
    try:
        env.reset(seed=1)
        episode = env.unwrapped.episode
        server = episode.world.server
        assert env.step("finish()")[1] == 0.0
        env.reset(seed=1)
        container = fill(server, service)
        with pytest.raises(EnvironmentFault, match="SITEGYM_SITE_DISK") as fault:
            env.step("finish()")
        assert (fault.value.cause, fault.value.retry) == ("out_of_disk", False)
        assert episode.verdict is None
        docker("exec", container, "rm", "/tmp/fill")
        env.reset(seed=1)
        assert env.step("finish()")[1] == 0.0
    finally:
        env.close()
    assert left_of(server.stack.project) == []


def test_rows_that_find_no_room_are_a_fault(
    own: Callable[[], ContainerServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEGYM_SITE_DISK", "64m")
    world = own().open("store", "tiny")
    fill(world.server, "site")
    assert sign_in_until_it_fails(world) == "out_of_disk"
    with pytest.raises(EnvironmentFault, match="SITEGYM_SITE_DISK") as fault:
        world.checkpoint()
    assert fault.value.cause == "out_of_disk"


def sign_in_until_it_fails(world: World) -> str:
    """Add rows until the database's file would have to grow; the cause of the fault."""
    for _ in range(5000):
        try:
            world.sign_in("manager")
        except EnvironmentFault as fault:
            return fault.cause
    return "none"


def test_a_disk_that_is_too_small_stops_a_sweep_and_says_what_helps(
    images: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, run = left_of_mine(), tmp_path / "run"
    half = baseline("store", "tiny", 1).path.stat().st_size // 2
    monkeypatch.setenv("SITEGYM_SITE_DISK", f"{half // 1024}k")
    with pytest.raises(EnvironmentFault, match=r"SITEGYM_SITE_DISK.*continue with") as fault:
        evaluate(agents=("noop",), tasks=TASK, data="tiny", runtime="docker", workers=1, out=run, quiet=True)
    assert fault.value.cause == "out_of_disk"
    assert [file for file in run.rglob("verdict.json") if '"reward": 0' in file.read_text()] == []
    assert left_of_mine() == before
