"""What containers can't do: each tries it from inside, and the engine's own account says the same."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from sitegym.sites.world.content import content_hash
from sitegym.sites.world.engine import docker
from sitegym.sites.world.stack import ContainerServer

from .conftest import ROOT, container_of, facts_of

SERVICES = ("site", "grader", "gateway")
OFFLINE = ("site", "grader")
Inside = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_has_no_rights_but_to_compute(server: ContainerServer, inside: Inside, service: str) -> None:
    told = inside(
        service,
        "import os; s = dict(l.split(':', 1) for l in open('/proc/self/status'))\n"
        "caps = [int(s[name], 16) for name in ('CapEff', 'CapPrm', 'CapBnd')]\n"
        "print(os.getuid(), os.getgid(), *caps, s['NoNewPrivs'].strip())",
    )
    assert told.stdout.split() == ["10001", "10001", "0", "0", "0", "1"], told.stderr
    facts = facts_of(server, service)["HostConfig"]
    assert facts["ReadonlyRootfs"]
    assert facts["CapDrop"] == ["ALL"]
    assert not facts["Privileged"]
    assert facts["Init"]
    assert 0 < facts["Memory"] <= 4 << 30
    assert 0 < facts["PidsLimit"] <= 4096
    assert facts["PidMode"] != "host"
    assert facts["IpcMode"] != "host"


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("path", ["/etc/x", "/opt/sitegym/x", "/usr/bin/x", "/srv/x"])
def test_nothing_of_the_image_can_be_changed(inside: Inside, service: str, path: str) -> None:
    tried = inside(service, f"open({path!r}, 'w')")
    assert "Read-only file system" in tried.stderr or "Permission denied" in tried.stderr


@pytest.mark.parametrize("service", SERVICES)
def test_the_engine_and_the_machine_are_not_in_there(server: ContainerServer, inside: Inside, service: str) -> None:
    wanted = ["/var/run/docker.sock", "/run/docker.sock", str(ROOT)]
    found = inside(service, f"import os; print([path for path in {wanted!r} if os.path.exists(path)])")
    assert found.stdout == "[]\n", found.stderr
    mounts = facts_of(server, service)["Mounts"]
    assert {mount["Destination"] for mount in mounts if mount["Type"] == "bind"} <= {"/run/secrets/token"}
    assert all(not mount["RW"] for mount in mounts if mount["Type"] == "bind")


@pytest.mark.parametrize("service", OFFLINE)
def test_worlds_and_graders_are_on_no_network(inside: Inside, service: str) -> None:
    told = inside(service, "import os; print(sorted(os.listdir('/sys/class/net')))")
    assert told.stdout == "['lo']\n", told.stderr


@pytest.mark.parametrize("service", OFFLINE)
@pytest.mark.parametrize("name", ["gateway", "site", "host.docker.internal", "example.com"])
def test_no_name_means_anything_there(inside: Inside, service: str, name: str) -> None:
    tried = inside(service, f"import socket; socket.getaddrinfo({name!r}, 80)")
    assert "gaierror" in tried.stderr


@pytest.mark.parametrize("service", OFFLINE)
def test_no_address_is_reached_from_there(server: ContainerServer, inside: Inside, service: str) -> None:
    """Neither the gateway's nor this machine's, where somebody listens at each."""
    (network,) = facts_of(server, "gateway")["NetworkSettings"]["Networks"].values()
    for host, port in [
        (network["IPAddress"], 7000),
        (network["IPAddress"], 7001),
        (network["Gateway"], server.at.port),
    ]:
        tried = inside(service, f"import socket; socket.create_connection(({host!r}, {port}), 3)")
        assert "Network is unreachable" in tried.stderr, (host, port, tried)


def test_the_gateway_has_no_way_out(server: ContainerServer, inside: Inside) -> None:
    """It needs a network to be published on; nothing beyond this machine answers it."""
    tried = inside("gateway", "import socket; socket.getaddrinfo('example.com', 80)")
    assert "gaierror" in tried.stderr, tried


@pytest.mark.parametrize(("service", "socket"), [("site", "/run/grading/sock"), ("grader", "/run/control/sock")])
def test_worlds_and_graders_do_not_reach_each_other(inside: Inside, service: str, socket: str) -> None:
    tried = inside(service, f"import socket; socket.socket(socket.AF_UNIX).connect({socket!r})")
    assert "FileNotFoundError" in tried.stderr


def test_another_stack_shares_nothing(server: ContainerServer, own: Callable[[], ContainerServer]) -> None:
    other = own()
    for service in SERVICES:
        mine, its = (facts_of(one, service) for one in (server, other))
        volumes = [{m.get("Name") for m in one["Mounts"] if m["Type"] == "volume"} for one in (mine, its)]
        assert not volumes[0] & volumes[1]
    (network,) = facts_of(other, "gateway")["NetworkSettings"]["Networks"].values()
    tried = subprocess.run(
        ["docker", "exec", container_of(server, "gateway"), "python", "-I", "-c",
         f"import socket; socket.create_connection(({network['IPAddress']!r}, 7000), 3)"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert tried.returncode == 1, tried


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_is_small_and_says_what_it_was_built_of(server: ContainerServer, service: str) -> None:
    image = facts_of(server, service)["Image"]
    size, content = docker(
        "image", "inspect", image, "--format", '{{.Size}} {{index .Config.Labels "org.sitegym.content"}}'
    ).split()
    assert content == content_hash()
    assert int(size) <= 250_000_000
