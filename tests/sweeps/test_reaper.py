"""What a killed owner leaves is ended, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sitegym.reaper import Reaper
from sitegym.sweeps.engines.marked import NAME, end_marked, marked

SLEEPS = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"
OWNS = """
import signal, sys
from sitegym.reaper import Reaper
reaper = Reaper("os:mkdir", sys.argv[1])
print("there", flush=True)
signal.pause()
"""


def test_only_what_carries_the_mark_is_ended() -> None:
    mark = f"test-{os.getpid()}"
    with (
        subprocess.Popen(
            [sys.executable, "-c", SLEEPS], env={**os.environ, NAME: mark}, stdout=subprocess.PIPE, text=True
        ) as ours,
        subprocess.Popen(["sleep", "600"], env={**os.environ, NAME: f"{mark}-other"}) as other,
    ):
        try:
            assert ours.stdout is not None
            child = int(ours.stdout.readline())
            assert sorted(marked(mark)) == sorted([ours.pid, child])
            end_marked(mark)
            assert ours.wait(30) == -signal.SIGKILL
            assert marked(mark) == []
            assert other.poll() is None
        finally:
            ours.kill()
            other.kill()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda one: one.name.lower())
def test_the_function_is_called_when_the_owner_is_gone(tmp_path: Path, number: signal.Signals) -> None:
    made = tmp_path / "made"
    with subprocess.Popen([sys.executable, "-P", "-c", OWNS, str(made)], stdout=subprocess.PIPE, text=True) as owner:
        try:
            assert owner.stdout is not None
            assert owner.stdout.readline() == "there\n"
            assert not made.exists()
        finally:
            owner.send_signal(number)
    deadline = time.monotonic() + 30
    while not made.is_dir():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_is_released_is_left_alone(tmp_path: Path) -> None:
    reaper = Reaper("os:mkdir", str(tmp_path / "made"))
    reaper.release()
    assert reaper._process.returncode == 0
    assert not (tmp_path / "made").exists()
