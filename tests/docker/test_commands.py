"""`prove`, `verify` and `demo` in containers: as `eval` does it, and nothing is left of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sitegym.cli import main
from sitegym.sites.world import engine, stack
from sitegym.sites.world.engine import docker
from sitegym.sites.world.remote import RemoteServer

TASK = "store.admin/cancel-order"


def mine(owner: str | None = None) -> list[str]:
    """All that belongs to a process: this one, or the one that is named."""
    mark = ("--filter", f"label={stack.OWNER}={owner or stack._owner()}")
    return [
        *docker("container", "ls", "--all", "--quiet", *mark).split(),
        *docker("network", "ls", "--quiet", *mark).split(),
        *docker("volume", "ls", "--quiet", *mark).split(),
    ]


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What graders are asked for by this process."""
    asked, ask = list[str](), RemoteServer.ask

    def asking(self: RemoteServer, op: str, **fields: object) -> object:
        asked.append(op)
        return ask(self, op, **fields)

    monkeypatch.setattr(RemoteServer, "ask", asking)
    return asked


def test_a_demo_in_containers_is_a_run_that_is_verified_in_others(
    images: None, tmp_path: Path, graded: list[str]
) -> None:
    run, before = tmp_path / "run", mine()
    words = ["demo", TASK, "--headless", "--pace", "0", "--data", "tiny", "--out", str(run)]
    assert main([*words, "--runtime", "docker"]) == 0
    (result,) = map(json.loads, (run / "results.jsonl").read_text().splitlines())
    assert result["reward"] == 1.0
    assert graded.count("grade") == 1
    assert mine() == before
    assert main(["verify", str(run), "-w", "1", "--runtime", "docker"]) == 0
    told = json.loads((run / "verified.json").read_text())
    assert (told["reproduced"], told["of"], told["faults"]) == (1, 1, {})
    assert mine() == before


def test_a_task_is_proven_in_containers(images: None, tmp_path: Path) -> None:
    before = mine()
    words = ["prove", "--task", TASK, "-n", "1", "--data", "tiny", "-w", "1", "--out", str(tmp_path / "proof")]
    assert main([*words, "--runtime", "docker"]) == 0
    told = json.loads((tmp_path / "proof" / "proof.json").read_text())
    (instance,) = told["instances"]
    assert told["holds"]
    assert {"oracle", "service", "noop", "near_miss", "mutation"} <= {one["kind"] for one in instance["tried"]}
    assert mine() == before


def test_a_proof_that_is_ended_leaves_no_containers(images: None, tmp_path: Path) -> None:
    words = ["prove", "--task", TASK, "--data", "tiny", "-w", "1", "--out", str(tmp_path / "proof")]
    with subprocess.Popen([sys.executable, "-m", "sitegym", *words, "--runtime", "docker"]) as proving:
        owner = f"{proving.pid}-{stack._born(proving.pid)}"
        while not mine(owner):
            assert proving.poll() is None
        proving.terminate()
        assert proving.wait(120) == 130
    assert mine(owner) == []


@pytest.mark.parametrize("command", [["prove"], ["verify", "run"], ["demo", TASK, "--headless"]], ids=lambda c: c[0])
def test_what_is_missing_is_told_before_anything_begins(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "__version__", "0.0.0")
    assert main([*command, "--runtime", "docker"]) == 2
    assert "there is no image sitegym-site:0.0.0: build it with" in capsys.readouterr().err
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'none.sock'}")
    assert main([*command, "--runtime", "docker"]) == 2
    assert "no container engine runs" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
