"""Stopping a sweep at any moment loses no finished episode, and `--resume` completes the rest without repeating."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from saboteurs import descendants
from sitegym.sweeps import evaluate
from sitegym.sweeps.results import EpisodeResult
from sitegym.sweeps.run_folder import RunFolder

SWEEP = ["eval", "--task", "store.admin/cancel-order", "--agent", "oracle", "--agent", "noop"]
MORE = ["--instances", "4", "--workers", "2", "--data", "tiny"]


def sitegym(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """The command line in a process group of its own, so that nothing but it gets the signal.

    A suite that a shell runs in the background ignores Ctrl-C, and so would what it starts: that is undone first.
    """
    command = [sys.executable, "-m", "sitegym.cli", *arguments]
    return subprocess.Popen(
        command,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def lines(run: Path) -> list[str]:
    """Results that are on disk now."""
    path = run / "results.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def wait_for(count: int, run: Path, process: subprocess.Popen[str]) -> None:
    """Until so many results are on disk."""
    deadline = time.monotonic() + 120
    while len(lines(run)) < count:
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline, "no results came"
        time.sleep(0.02)


def complete(run: Path, cwd: Path) -> str:
    """Resume to the end; what was printed."""
    process = sitegym("eval", "--resume", str(run), cwd=cwd)
    output, _ = process.communicate(timeout=240)
    assert process.returncode == 0, output
    return output


def assert_whole(run: Path, before: list[str]) -> None:
    """Every planned episode once, with those that were over before unchanged."""
    after = lines(run)
    ids = [json.loads(line)["id"] for line in after]
    planned = [spec["id"] for spec in json.loads((run / "run.json").read_text())["episodes"]]
    assert sorted(ids) == sorted(planned)
    assert set(before) <= set(after)
    assert all(json.loads(line)["reward"] is not None for line in after)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, id="ctrl-c"),
        pytest.param(signal.SIGTERM, id="terminate", marks=pytest.mark.long),
    ],
)
def test_a_signal_stops_cleanly_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    run = tmp_path / "run"
    process = sitegym(*SWEEP, *MORE, "--out", str(run), cwd=tmp_path)
    wait_for(2, run, process)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130, output
    before = lines(run)
    assert 2 <= len(before) < 8
    assert f"Stopped after {len(before)} of 8 episodes" in output
    assert f"sitegym eval --resume {run}" in output
    assert json.loads((run / "run.json").read_text())["state"] == "interrupted"
    assert (run / "report" / "index.html").exists()
    complete(run, tmp_path)
    assert_whole(run, before)


def test_what_was_written_when_the_interrupt_came_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = RunFolder.write

    def interrupted(self: RunFolder, *results: EpisodeResult) -> None:
        write(self, *results)
        raise KeyboardInterrupt

    monkeypatch.setattr(RunFolder, "write", interrupted)
    task, path = "store.admin/cancel-order", tmp_path / "run"
    run = evaluate(agents="noop", tasks=task, instances=2, workers=1, data="tiny", out=path, quiet=True)
    assert run.interrupted
    assert len(run.results) == 1
    assert [json.loads(line)["id"] for line in lines(path)] == list(run.results)


def test_killing_the_sweep_leaves_no_process_and_loses_no_result(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = sitegym(*SWEEP, *MORE, "--out", str(run), cwd=tmp_path)
    wait_for(3, run, process)
    children = descendants(process.pid)
    assert children
    process.kill()
    process.communicate()
    before = lines(run)
    deadline = time.monotonic() + 10
    while alive := [pid for pid in children if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, f"still there: {alive}"
        time.sleep(0.05)
    with (run / "results.jsonl").open("a") as file:
        file.write('{"id": "half a li')
    complete(run, tmp_path)
    assert_whole(run, before)


def test_a_finished_run_is_resumed_without_playing_anything(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = sitegym(*SWEEP, "--instances", "1", "--data", "tiny", "--out", str(run), cwd=tmp_path)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    before = lines(run)
    stamps = {path: path.stat().st_mtime_ns for path in (run / "episodes").rglob("*")}
    complete(run, tmp_path)
    assert sorted(lines(run)) == sorted(before)
    assert {path: path.stat().st_mtime_ns for path in (run / "episodes").rglob("*")} == stamps


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--resume", "nowhere"], "nowhere is not a run folder: there is no such folder"),
        (["--agent", "oracel"], "no agent 'oracel': did you mean 'oracle'?"),
        (["--task", "store.admin/cancel-ordr"], "did you mean 'store.admin/cancel-order'?"),
        (["--split", "trian"], "did you mean 'train'?"),
        (["--out", "."], "exists and is not empty; choose another folder"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "something").touch()
    data = [] if "--resume" in arguments else ["--data", "tiny"]
    process = sitegym("eval", *data, *arguments, cwd=tmp_path)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 2, output
    assert sentence in " ".join(output.split())
    assert "Traceback" not in output
    assert [path.name for path in tmp_path.iterdir()] == ["something"]
