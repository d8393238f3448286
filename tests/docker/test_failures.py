"""What goes wrong with containers: a clear error or a named fault, never a reward, and nothing left running."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import pytest
import sitegym  # noqa: F401  (registers the environments)
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sites.world import engine, stack
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import ContainerServer

from .conftest import container_of, left_of

Own = Callable[[], ContainerServer]
TASK = "store.admin/cancel-order"


def test_a_container_that_is_killed_in_mid_episode_is_a_fault_without_a_reward(own: Own) -> None:
    env = gymnasium.make("ShopAdmin-v0", task=TASK, data="tiny", runtime="docker", disable_env_checker=True)
    try:
        env.reset(seed=1)
        episode = env.unwrapped.episode
        docker("kill", container_of(episode.world.server, "site"))
        with pytest.raises(EnvironmentFault) as fault:
            env.step("finish()")
        assert fault.value.cause in ("container_died", "site_unreachable")
        assert episode.verdict is None
        observation, _ = env.reset(seed=1)
        assert observation["goal"]
    finally:
        env.close()


@pytest.mark.parametrize("service", ["site", "gateway"])
def test_which_container_died_is_named(own: Own, service: str) -> None:
    server = own()
    world = server.open("store", "tiny")
    docker("kill", container_of(server, service))
    with pytest.raises(EnvironmentFault, match=f"container {service} .* ended") as fault:
        world.reset()
    assert fault.value.cause == "container_died"


def test_a_network_that_is_cut_is_a_fault(own: Own) -> None:
    server = own()
    world = server.open("store", "tiny")
    server._timeout_s = 3
    docker("pause", container_of(server, "gateway"))
    with pytest.raises(EnvironmentFault) as fault:
        world.reset()
    assert fault.value.cause in ("server_hung", "server_lost")
    docker("unpause", container_of(server, "gateway"))


def test_a_grader_that_died_is_a_fault_and_no_verdict(own: Own, tmp_path: Path) -> None:
    server = own()
    docker("kill", container_of(server, "grader"))
    assert server.grader is not None
    with pytest.raises(EnvironmentFault) as fault:
        server.grader.ask("grade", blob=b"")
    assert fault.value.cause == "server_lost"


def driver(then: str = "") -> subprocess.Popen[str]:
    """A program that has containers of its own, tells their project, and waits."""
    script = (
        "from sitegym.sites.world.stack import ContainerServer\n"
        f"import signal; s = ContainerServer(); {then}print(s.stack.project, flush=True); signal.pause()"
    )
    return subprocess.Popen([sys.executable, "-P", "-c", script], stdout=subprocess.PIPE, text=True)


def project_of(driver: subprocess.Popen[str]) -> str:
    assert driver.stdout is not None
    return driver.stdout.readline().strip()


def assert_removed(project: str) -> None:
    """The reaper does it, and nobody else here."""
    deadline = time.monotonic() + 60
    while left := left_of(project):
        assert time.monotonic() < deadline, left
        time.sleep(0.2)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda one: one.name.lower())
def test_nothing_is_left_of_a_driver_that_was_killed(images: None, number: signal.Signals) -> None:
    with driver() as process:
        project = project_of(process)
        assert len(left_of(project)) >= 4
        process.send_signal(number)
    assert_removed(project)


def test_nothing_is_left_of_a_driver_that_was_killed_while_its_containers_were_starting(images: None) -> None:
    with driver() as process:
        named = (
            "--filter",
            f"name={stack.SHARED}-{process.pid}-",
            "--format",
            '{{.Label "com.docker.compose.project"}}',
        )
        deadline = time.monotonic() + 60
        while not (found := docker("network", "ls", *named).split()):
            assert process.poll() is None
            assert time.monotonic() < deadline
        process.kill()
    assert_removed(found[0])
    time.sleep(3)  # what was still being started would be there by now
    assert left_of(found[0]) == []


def test_what_is_left_all_the_same_is_removed_by_the_next(images: None) -> None:
    with driver("s.stack.reaper.release(); ") as process:
        project = project_of(process)
        process.kill()
    assert stack.collect() == [project]
    assert left_of(project) == []


def test_what_a_living_driver_has_is_not_collected(server: ContainerServer) -> None:
    assert server.stack.project not in stack.collect()
    assert server.alive


def test_containers_that_are_up_are_used_and_left_alone(images: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "SHARED", f"sitegym-test-{os.getpid()}")
    shared = stack.begin_shared(0)
    try:
        with ContainerServer() as server:
            assert server.stack.project == shared.project
        assert len(left_of(shared.project)) >= 4
        assert stack.collect() == []
    finally:
        stack.remove(shared.project)
    assert left_of(shared.project) == []


def test_a_port_that_is_taken_is_named(images: None, monkeypatch: pytest.MonkeyPatch) -> None:
    before = left_of_mine()
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        monkeypatch.setenv("SITEGYM_PORT", str(held.getsockname()[1]))
        with pytest.raises(UsageError, match="SITEGYM_PORT"):
            ContainerServer()
    assert left_of_mine() == before


def left_of_mine() -> list[str]:
    """Containers that belong to this process."""
    return docker("ps", "--all", "--quiet", "--filter", f"label={stack.OWNER}={stack._owner()}").split()


def test_an_image_of_other_code_is_refused(images: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "content_hash", lambda: "0" * 64)
    with pytest.raises(UsageError, match=r"built from other code.*containers build"):
        ContainerServer()


def test_an_image_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "__version__", "0.0.0")
    with pytest.raises(UsageError, match=r"no image sitegym-site:0\.0\.0: build it"):
        ContainerServer()


def test_no_engine_is_an_error_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'none.sock'}")
    with pytest.raises(UsageError, match="no container engine runs"):
        ContainerServer()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="no command `docker`"):
        ContainerServer()


def test_an_engine_that_may_not_be_used_is_an_error_with_what_to_do() -> None:
    """A socket without rights for its user, who must not be root."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as engine_socket:
        path = Path(folder, "engine.sock")
        engine_socket.bind(str(path))
        engine_socket.listen()
        path.chmod(0)
        os.chmod(folder, 0o755)
        script = (
            "from sitegym.sites.world import engine\nimport os, subprocess\n"
            "os.getuid() or (os.setgroups([]), os.setgid(65534), os.setuid(65534))\n"
            "try:\n    engine.docker('ps')\nexcept Exception as error:\n    print(type(error).__name__, error)"
        )
        env = {**os.environ, "DOCKER_HOST": f"unix://{path}", "HOME": folder}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env)
    assert done.stdout.startswith("UsageError the container engine runs, but you may not use it"), done
