"""Agents that kill a part of the machinery in the middle of an episode, once or each time."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

MARKS = "SITEGYM_TEST_MARKS"
"""Folder (environment variable) where an agent notes what it has already done."""


def descendants(pid: int) -> list[int]:
    """Processes that descend from `pid`, as /proc tells."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it ended while we looked
    found, front = [], [pid]
    while front:
        front = [child for child, parent in parents.items() if parent in front]
        found += front
    return found


def browser_of(pid: int) -> int:
    """The main process of the browser that descends from `pid`: the one that no `--type=` makes a helper."""
    for child in descendants(pid):
        words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        is_browser = any(word.startswith(b"--remote-debugging") for word in words)
        if is_browser and not any(word.startswith(b"--type=") for word in words) and b"sh" not in words[0][-3:]:
            return child
    raise LookupError(f"process {pid} has no browser")


class Saboteur:
    """Looks once, then kills; on a second try (where it is meant to spare it) it just finishes."""

    always = False

    def start(self, task: Any, episode: Any) -> None:
        """Remember what may be killed."""
        self.episode = episode
        self.mark = Path(os.environ[MARKS]) / f"{type(self).__name__}-{task.task_seed}"
        self.steps = 0

    def act(self, observation: Any) -> Any:
        """A harmless action first, then the deed."""
        self.steps += 1
        if self.steps == 1:
            return {"action": "scroll", "direction": "down"}
        if self.always or not self.mark.exists():
            self.mark.touch()
            self.kill()
            return {"action": "reload"}
        return {"action": "finish"}

    def kill(self) -> None:
        """What this saboteur does."""
        raise NotImplementedError


class KillsWorker(Saboteur):
    """Kills its own process."""

    def kill(self) -> None:
        """kill -9 of the worker."""
        os.kill(os.getpid(), signal.SIGKILL)


class KillsBrowser(Saboteur):
    """Kills the browser."""

    def kill(self) -> None:
        """kill -9 of Chromium."""
        os.kill(browser_of(os.getpid()), signal.SIGKILL)


class KillsWorld(Saboteur):
    """Kills the world server."""

    def kill(self) -> None:
        """kill -9 of the world server."""
        os.kill(self.episode.world.server.pid, signal.SIGKILL)


class KillsBrowserAlways(KillsBrowser):
    """Kills the browser at each try."""

    always = True


class Raises(Saboteur):
    """Has a bug of its own."""

    always = True

    def kill(self) -> None:
        """Divide by zero."""
        raise ZeroDivisionError("a bug in the agent")


class Hangs(Saboteur):
    """Never answers, on the first try."""

    def kill(self) -> None:
        """Wait for a signal that does not come."""
        signal.pause()
