"""Harness and browser in containers: an episode is played there, watched in a web page, and neither reaches more."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright
from sitegym.envs.discovery import launch_options
from sitegym.errors import UsageError
from sitegym.sites.world.content import content_hash
from sitegym.sites.world.engine import docker
from sitegym.sites.world.harness import Harness, writable
from sitegym.sites.world.stack import Stack, held, known

from .conftest import ROOT, id_of

SERVICES = ("browser", "runner")
TASK = "store.admin/cancel-order"
COLOUR = (12, 200, 34)
SHOW = f"""
import os, signal
from sitegym.envs.distant import endpoint
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    page = playwright.chromium.connect(endpoint()).new_page()
    page.set_content("<body style='background: rgb{COLOUR}'>")
    print("shown", flush=True)
    signal.pause()
"""
SEEN = """colour => {
  const canvas = document.querySelector("canvas");
  if (!canvas || !canvas.width) return false;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) if (colour.every((part, i) => data[at + i] === part)) found++;
  return found > data.length / 4 / 2;
}"""


@dataclass(frozen=True)
class Rig:
    """A watched browser, and a runner that waits, beside a set of containers."""

    stack: Stack
    harness: Harness
    runs: Path
    ids: dict[str, str]

    def inside(self, service: str, script: str) -> subprocess.CompletedProcess[str]:
        """Run Python there."""
        command = ["docker", "exec", self.ids[service], "python", "-I", "-c", script]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def rig(images: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    runs = tmp_path_factory.mktemp("harness") / "runs"
    with held() as project:
        stack = known(project)
        found = Harness(stack, runs, watched=True)
        found.up()
        waiting = ("run", "--detach", "--no-deps", "--entrypoint", "python", "runner", "-c")
        runner = docker(*stack.command(*waiting, "import signal; signal.pause()"), env=found.environment)
        yield Rig(stack, found, runs, {"browser": id_of(project, "browser"), "runner": runner.splitlines()[-1]})


def test_a_sweep_is_played_from_the_runner_in_the_browser_and_graded_apart(rig: Rig) -> None:
    words = ["eval", "--agent", "oracle", "--agent", "noop", "--task", TASK, "--data", "tiny", "--workers", "1"]
    assert rig.harness.run([*words, "--out", "played"]) == 0
    lines = (rig.runs / "played" / "results.jsonl").read_text().splitlines()
    assert {told["agent"]: told["reward"] for told in map(json.loads, lines)} == {"oracle": 1.0, "noop": 0.0}
    kept = docker("exec", id_of(rig.stack.project, "grader"), "sh", "-c", "cat /verdicts/*")
    assert kept.count('"verdict"') >= len(lines)


def ask(url: str, **headers: str) -> tuple[int, http.client.HTTPMessage]:
    """Status and headers of an answer, which is not followed."""
    parts = urlsplit(url)
    with closing(http.client.HTTPConnection(parts.netloc, timeout=30)) as connection:
        connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
        with connection.getresponse() as answer:
            return answer.status, answer.headers


def test_the_screen_is_for_who_has_its_token(rig: Rig) -> None:
    root, _, _ = rig.harness.screen.partition("/?")
    assert urlsplit(root).hostname == "127.0.0.1"
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    for path in ("/", "/vnc.html", "/core/rfb.js", f"/?token={'0' * 64}", "/?token=", "/screen"):
        assert ask(root + path)[0] == 401, path
    assert ask(f"{root}/screen", **upgrade)[0] == 401
    status, headers = ask(rig.harness.screen)
    cookie = headers["Set-Cookie"].partition(";")[0]
    assert (status, "HttpOnly" in headers["Set-Cookie"]) == (303, True)
    assert ask(root + headers["Location"], Cookie=cookie)[0] == 200
    assert ask(f"{root}/../../etc/passwd", Cookie=cookie)[0] == 404
    assert ask(f"{root}/screen", **upgrade, Cookie=cookie, Origin="http://127.0.0.1:1")[0] == 403
    assert ask(f"{root}/screen", **upgrade, Cookie=cookie, Origin=root)[0] == 101


def test_the_page_shows_what_the_headed_browser_shows(rig: Rig) -> None:
    command = ["docker", "exec", rig.ids["runner"], "python", "-c", SHOW]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown, sync_playwright() as playwright:
        try:
            assert shown.stdout is not None
            assert shown.stdout.readline() == "shown\n"
            page = playwright.chromium.launch(**launch_options()).new_page()
            page.goto(rig.harness.screen, wait_until="commit")
            page.wait_for_function(SEEN, arg=list(COLOUR), timeout=120_000)
        finally:
            shown.kill()


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_has_no_rights_but_to_compute(rig: Rig, service: str) -> None:
    told = rig.inside(
        service,
        "import os; s = dict(l.split(':', 1) for l in open('/proc/self/status'))\n"
        "caps = [int(s[name], 16) for name in ('CapEff', 'CapPrm', 'CapBnd')]\n"
        "print(os.getuid(), os.getgid(), *caps, s['NoNewPrivs'].strip())",
    )
    assert told.stdout.split() == ["10001", "10001", "0", "0", "0", "1"], told.stderr
    (facts,) = json.loads(docker("inspect", rig.ids[service]))
    host = facts["HostConfig"]
    assert (host["ReadonlyRootfs"], host["CapDrop"], host["Privileged"], host["Init"]) == (True, ["ALL"], False, True)
    assert 0 < host["Memory"] <= 4 << 30
    assert 0 < host["PidsLimit"] <= 2048
    assert host["PortBindings"] == {}
    for path in ("/etc/x", "/opt/sitegym/x", "/usr/bin/x"):
        tried = rig.inside(service, f"open({path!r}, 'w')")
        assert "Read-only file system" in tried.stderr or "Permission denied" in tried.stderr, tried
    content = docker("image", "inspect", facts["Image"], "--format", '{{index .Config.Labels "org.sitegym.content"}}')
    assert content == content_hash()


def test_neither_is_on_a_network_nor_finds_a_name(rig: Rig) -> None:
    (network,) = json.loads(docker("inspect", id_of(rig.stack.project, "gateway")))[0]["NetworkSettings"][
        "Networks"
    ].values()
    at = [(network["IPAddress"], port) for port in (7000, 7001, 7002)]
    at.append((network["Gateway"], rig.stack.address.port))
    script = (
        "import os, socket\n"
        "print(sorted(os.listdir('/sys/class/net')))\n"
        f"for place in {at!r} + [(name, 80) for name in ('gateway', 'site', 'host.docker.internal', 'example.com')]:\n"
        "    try:\n        socket.create_connection(place, 3)\n"
        "    except OSError as error:\n        print('no', type(error).__name__, error)\n"
        "    else:\n        print('REACHED', place)"
    )
    for service in SERVICES:
        first, *others = rig.inside(service, script).stdout.splitlines()
        assert first == "['lo']"
        assert len(others) == len(at) + 4
        assert all(line.startswith("no") for line in others), others
        assert all("unreachable" in line for line in others[: len(at)]), others


def test_a_browser_reaches_no_control_and_no_world_but_by_its_own_door(rig: Rig) -> None:
    """Their sockets are not in its container, and worlds listen on the loopback of another one."""
    wanted = ["/run/control", "/run/grading", "/run/database", "/run/secrets/token", "/run/secrets/database", "/runs"]
    wanted += ["/var/run/docker.sock", "/run/docker.sock", str(ROOT)]
    found = rig.inside("browser", f"import os; print([path for path in {wanted!r} if os.path.exists(path)])")
    assert found.stdout == "[]\n", found
    listening = rig.inside("browser", "print(open('/proc/net/tcp').read())").stdout.splitlines()[1:]
    ports = {int(line.split()[1].rpartition(":")[2], 16) for line in listening if line.split()[3:4] == ["0A"]}
    assert ports == {9333}, listening


def test_a_runner_has_worlds_and_grader_and_nothing_else(rig: Rig) -> None:
    wanted = ["/run/control/sock", "/run/grading/sock", "/run/database", "/run/secrets/screen", "/run/secrets/database"]
    wanted += ["/verdicts", "/var/run/docker.sock", "/run/docker.sock", str(ROOT)]
    found = rig.inside("runner", f"import os; print([path for path in {wanted!r} if os.path.exists(path)])")
    assert json.loads(found.stdout.replace("'", '"')) == wanted[:2], found


def test_a_folder_that_the_runner_cant_write_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with pytest.raises(UsageError, match="chmod 1777"):
        writable(tmp_path)
    assert writable(tmp_path / "new").stat().st_mode & 0o1777 == 0o1777
