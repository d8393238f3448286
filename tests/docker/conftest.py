"""A real engine, and the images that are built of this checkout: `./run test-docker`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sitegym.sites.world import engine, stack
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import ContainerServer

ROOT = Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All that is in this folder needs an engine."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.docker)


@pytest.fixture(scope="session")
def images() -> None:
    """The images of this very code."""
    engine.build()


@pytest.fixture(scope="module")
def server(images: None) -> Iterator[ContainerServer]:
    """Worlds in containers of their own, which tests may not break."""
    with ContainerServer() as running:
        yield running


@pytest.fixture
def inside(server: ContainerServer) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python in a container of the stack: `inside("site", "print(1)")`."""

    def run(service: str, script: str) -> subprocess.CompletedProcess[str]:
        command = ["docker", "exec", container_of(server, service), "python", "-I", "-c", script]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    return run


def container_of(server: ContainerServer, service: str) -> str:
    """The id of a service's container."""
    return id_of(server.stack.project, service)


def id_of(project: str, service: str) -> str:
    """The same by the name of a project."""
    named = ("--filter", f"label=com.docker.compose.project={project}")
    return docker("ps", "--all", "--quiet", *named, "--filter", f"label=com.docker.compose.service={service}")


def facts_of(server: ContainerServer, service: str) -> dict[str, Any]:
    """What the engine knows of it."""
    (facts,) = json.loads(docker("inspect", container_of(server, service)))
    return dict(facts)


def left_of(project: str) -> list[str]:
    """All that carries the name of a project."""
    named = ("--filter", f"label=com.docker.compose.project={project}", "--quiet")
    return [
        *docker("container", "ls", "--all", *named).split(),
        *docker("network", "ls", *named).split(),
        *docker("volume", "ls", *named).split(),
    ]


@pytest.fixture
def own(images: None) -> Iterator[Callable[[], ContainerServer]]:
    """Makes stacks that a test may break; all are gone at its end."""
    made: list[ContainerServer] = []

    def make() -> ContainerServer:
        made.append(ContainerServer())
        return made[-1]

    yield make
    for one in made:
        one.close()
        stack.remove(one.stack.project)
        assert left_of(one.stack.project) == []
