"""Worlds in containers that keep their rows in PostgreSQL: the same pages, and a database that only sites reach."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

import pytest
from sitegym.errors import UsageError
from sitegym.sites.world import WorldServer
from sitegym.sites.world.content import content_hash
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import DATABASE, ContainerServer

from .conftest import container_of, facts_of, left_of
from .test_episodes import page

CONNECT = """
import psycopg
with psycopg.connect("host=/run/database user=sitegym dbname=worlds", password={password}) as it:
    print(*(row[0] for row in it.execute("SELECT datname FROM pg_database")))
"""


@pytest.fixture(scope="module")
def rows(images: None) -> Iterator[ContainerServer]:
    """Worlds whose rows are in PostgreSQL."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATABASE, "postgresql")
        with ContainerServer() as server:
            yield server
    assert left_of(server.stack.project) == []


def inside(server: ContainerServer, service: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command there."""
    command = ["docker", "exec", container_of(server, service), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_pages_and_rows_are_those_of_sqlite_and_are_reset(rows: ContainerServer) -> None:
    with WorldServer() as here, here.open("store", "tiny") as near, rows.open("store", "tiny") as far:
        assert page(far) == page(near)
        start = far.freeze().read_bytes()
        far.sign_in("manager")
        assert far.freeze().read_bytes() != start
        far.reset()
        assert far.freeze().read_bytes() == start
        password = "open('/run/secrets/database').read()"
        told = inside(rows, "site", "python", "-c", CONNECT.format(password=password))
        assert sum(name.startswith("sitegym_") for name in told.stdout.split()) >= 2, told


def test_nobody_gets_in_without_the_password(rows: ContainerServer) -> None:
    tried = inside(rows, "site", "python", "-c", CONNECT.format(password="'0' * 64"))
    assert "password authentication failed" in tried.stderr, tried
    super_user = ("psql", "--host", "/run/database", "--username", "keeper", "--no-password", "--list")
    assert "no password supplied" in inside(rows, "database", *super_user).stderr


@pytest.mark.parametrize("service", ["grader", "gateway"])
def test_no_other_container_has_its_socket(rows: ContainerServer, service: str) -> None:
    wanted = ["/run/database", "/run/secrets/database"]
    script = f"import os; print([path for path in {wanted!r} if os.path.exists(path)])"
    assert inside(rows, service, "python", "-I", "-c", script).stdout == "[]\n"


def test_the_database_is_on_no_network_and_has_no_rights(rows: ContainerServer) -> None:
    facts = facts_of(rows, "database")
    host = facts["HostConfig"]
    assert (host["NetworkMode"], host["ReadonlyRootfs"], host["CapDrop"]) == ("none", True, ["ALL"])
    assert (facts["Config"]["User"], host["Init"], host["PortBindings"]) == ("10001:10001", True, {})
    assert "no-new-privileges:true" in host["SecurityOpt"]
    told = inside(
        rows, "database", "sh", "-c", "ls /sys/class/net; id -u; ls /run/control /run/grading /run/docker.sock"
    )
    assert told.stdout.split() == ["lo", "10001"]
    assert told.stderr.count("No such file") == 3
    listening = inside(rows, "database", "cat", "/proc/net/tcp").stdout.splitlines()[1:]
    assert listening == []
    status = dict(
        line.split(":", 1) for line in inside(rows, "database", "cat", "/proc/self/status").stdout.splitlines()
    )
    assert [int(status[name], 16) for name in ("CapEff", "CapBnd")] == [0, 0]
    label = '{{json (index .Config.Labels "org.sitegym.content")}}'
    assert json.loads(docker("image", "inspect", facts["Image"], "--format", label)) == content_hash()


def test_a_database_that_there_is_none_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATABASE, "oracle")
    with pytest.raises(UsageError, match="postgresql, or sqlite"):
        ContainerServer()
