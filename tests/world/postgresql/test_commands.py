"""Commands and environments with `--database`: tried before they begin, played there, and verified on files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import gymnasium as gym
import pytest
from own_server import PASSWORD, OwnServer
from sitegym.cli import main
from sitegym.sites.world.database_choice import VARIABLE

TASKS = ("store.admin/cancel-order", "store.admin/orders-by-status", "store.admin/ship-part")


@pytest.mark.parametrize("command", ["eval", "prove", "serve", "verify run", f"demo {TASKS[0]} --headless"])
def test_a_database_that_cant_be_used_is_told_before_anything_begins(
    postgresql: OwnServer,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    words = command.split()
    assert main([*words, "--database", postgresql.url(password="wrong")]) == 1
    assert main([*words, "--database", "mysql://x"]) == 2
    told = capsys.readouterr()
    assert "password authentication failed" in told.err
    assert "named like postgresql://" in told.err
    assert "wrong@" not in told.err
    assert list(tmp_path.iterdir()) == []
    assert VARIABLE not in os.environ


@pytest.mark.long
def test_a_run_that_was_played_on_postgresql_is_verified_on_files(postgresql: OwnServer, tmp_path: Path) -> None:
    run = tmp_path / "run"
    before = postgresql.owners()
    words = [word for task in TASKS for word in ("--task", task)]
    assert main(["eval", "--agent", "oracle", *words, "-n", "2", "--data", "tiny", "-w", "1", "--out", str(run),
                 "--database", postgresql.url()]) == 0  # fmt: skip
    results = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
    assert [result["reward"] for result in results] == [1.0] * 2 * len(TASKS)
    secret = PASSWORD.replace(" ", "%20").encode()
    assert [path for path in run.rglob("*") if path.is_file() and secret in path.read_bytes()] == []
    assert postgresql.owners() == before
    assert main(["verify", str(run)]) == 0
    assert main(["verify", str(run), "--database", postgresql.url()]) == 0


@pytest.mark.long
def test_an_environment_plays_on_postgresql_as_it_does_on_files(postgresql: OwnServer) -> None:
    seen = []
    for database in (postgresql.url(), "sqlite"):
        env = gym.make("sitegym:ShopAdmin-v0", task=TASKS[0], data="tiny", database=database).unwrapped
        first, _ = env.reset(seed=3)
        kept = env.checkpoint()
        second, *_ = env.step('navigate("/customers")')
        again, info = env.restore(kept)
        seen.append([first["axtree"], second["axtree"], again["axtree"], info["restored"]])
        env.close()
    assert seen[0] == seen[1]
