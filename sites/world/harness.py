"""The harness in containers: agents and sweeps in one, their browser in another, beside worlds and grader.

Runner and browser have one loopback in common. The sockets of worlds and grader are files that only the runner has.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...errors import UsageError
from . import engine
from .stack import Stack, held, known

START_S = 120.0
SCREEN = 7002
"""The gateway's port of the browser's screen."""


class Harness:
    """A browser beside a set of containers, and commands that are run with both.

    `runs` is the folder here that commands find as their working directory; `watched` shows the browser's windows.
    """

    def __init__(self, stack: Stack, runs: Path, *, watched: bool = False) -> None:
        self._stack = stack
        if watched:
            stack.files.append("watched.yaml")
        self.environment = {**stack.environment, "SITEGYM_RUNS": str(writable(runs))}

    def up(self) -> None:
        """Start the browser, until it can be used."""
        words = ("up", "--detach", "--no-build", "--no-deps", "--pull", "never", "--wait", "browser")
        engine.docker(*self._stack.command(*words), env=self.environment, timeout_s=START_S)

    @property
    def screen(self) -> str:
        """The page that shows the browser's windows; the token in it is all that one needs."""
        token = (self._stack.token_file.parent / "screen").read_text()
        return f"http://{self._stack.published(SCREEN)}/?token={token}"

    def run(self, words: Sequence[str]) -> int:
        """Run `sitegym WORDS` in a container of its own, its output here; returns the exit code."""
        command = self._stack.command("run", "--rm", "--no-deps", "--no-TTY", "--quiet-pull", "runner", *words)
        docker = shutil.which("docker")
        assert docker is not None  # `up` used it
        return subprocess.run(
            [docker, *command], env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL
        ).returncode


@contextmanager
def harness(runs: Path, *, watched: bool = False) -> Iterator[Harness]:
    """A browser that is up inside the block, with everybody's containers, else with a set that goes at its end."""
    engine.check_images("browser", "runner")
    with held() as project:
        stack = known(project)
        found = Harness(stack, runs, watched=watched)
        try:
            found.up()
            yield found
        finally:
            engine.docker(*stack.command("rm", "--force", "--stop", "browser", "runner"), env=found.environment)


def writable(runs: Path) -> Path:
    """The folder for results, made where it is missing. Raises `UsageError` where the runner can't write there."""
    made = not runs.exists()
    runs.mkdir(parents=True, exist_ok=True)
    if made:
        runs.chmod(0o1777)
    if not (runs.stat().st_mode & 0o002 or runs.stat().st_uid == 10001):
        raise UsageError(
            f"the runner's user (10001) can't write to {runs}: `chmod 1777 {runs}`, or name a new folder with --results"
        )
    return runs.resolve()
