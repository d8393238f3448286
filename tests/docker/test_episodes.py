"""Episodes in worlds that run in containers: the same as those of a process here, graded apart."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import gymnasium
import sitegym  # noqa: F401  (registers the environments)
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import ContainerServer
from sitegym.sweeps import evaluate

from .conftest import container_of, left_of

TASK = "store.admin/cancel-order"


def page(world: World, path: str = "/login") -> tuple[str, bytes]:
    """What a world answers, all headers included."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": world.address}))
    with opener.open(f"http://admin.shop.localhost{path}", timeout=60) as answer:
        return str(answer.headers), answer.read()


def test_a_world_in_a_container_is_the_same_to_the_byte_and_is_reset(server: ContainerServer) -> None:
    with WorldServer() as here, here.open("store", "tiny") as near, server.open("store", "tiny") as far:
        assert page(far) == page(near)
        start = far.freeze().read_bytes()
        assert start == near.freeze().read_bytes()
        far.advance(1000)
        far.sign_in("manager")
        assert far.freeze().read_bytes() != start
        far.reset()
        assert far.freeze().read_bytes() == start


def test_the_oracle_earns_1_and_who_does_nothing_0(server: ContainerServer, tmp_path: Path) -> None:
    run = evaluate(
        agents=("oracle", "noop"),
        tasks=TASK,
        data="tiny",
        runtime="docker",
        workers=1,
        out=tmp_path / "run",
        quiet=True,
    )
    rewards = {result.agent: result.reward for result in run.results.values()}
    assert rewards == {"oracle": 1.0, "noop": 0.0}
    assert [name for name in projects() if name != server.stack.project] == []


def test_an_environment_in_containers_is_graded_by_the_grader(images: None) -> None:
    env = gymnasium.make("ShopAdmin-v0", task=TASK, data="tiny", runtime="docker", disable_env_checker=True)
    try:
        env.reset(seed=1)
        server = env.unwrapped.episode.world.server
        assert isinstance(server, ContainerServer)
        _, reward, terminated, _, info = env.step("finish()")
        assert (reward, terminated) == (0.0, True)
        kept = docker(
            "exec", container_of(server, "grader"), "python", "-I", "-c",
            "import pathlib; print('[' + ','.join(p.read_text() for p in pathlib.Path('/verdicts').iterdir()) + ']')",
        )  # fmt: skip
        (written,) = json.loads(kept)
        assert written["verdict"]["reward"] == reward
        assert written["verdict"]["reason"] == info["reason"]
        assert written["asked"]["task"] == TASK
    finally:
        env.close()
    assert left_of(server.stack.project) == []


def projects() -> list[str]:
    """Projects of ours that have containers."""
    form = '{{.Label "com.docker.compose.project"}}'
    named = docker("ps", "--all", "--filter", "label=org.sitegym.owner", "--format", form)
    return sorted(set(named.split()))


def test_several_workers_share_one_stack(images: None, tmp_path: Path) -> None:
    run = evaluate(
        agents=("noop",), tasks="store.admin/cancel-*", data="tiny", runtime="docker", workers=2,
        out=tmp_path / "run", quiet=True,
    )  # fmt: skip
    assert {result.reward for result in run.results.values()} == {0.0}
