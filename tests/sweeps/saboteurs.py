"""Agents that kill a part of the machinery in the middle of an episode, once or each time."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from sitegym.verifiers.answers import Answer

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


def ancestor_of(pid: int, program: bytes) -> int:
    """The process that `pid` descends from and that runs a program of this name."""
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        if Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].endswith(program):
            return pid
    raise LookupError(f"no {program!r} above")


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


class KillsWorkerAlways(KillsWorker):
    """Kills its own process at each try."""

    always = True


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


class KillsNode(Saboteur):
    """Kills the node of a Ray cluster that its worker is on; once in a sweep."""

    def act(self, observation: Any) -> Any:
        """A harmless action first, then the deed, after which nothing comes any more."""
        self.steps += 1
        if self.steps == 1:
            return {"action": "scroll", "direction": "down"}
        try:
            self.mark.with_name(type(self).__name__).touch(exist_ok=False)
        except FileExistsError:
            return {"action": "finish"}
        os.kill(ancestor_of(os.getpid(), b"raylet"), signal.SIGKILL)
        threading.Event().wait()
        raise AssertionError


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


class Breaks(Saboteur):
    """Breaks what the verdict depends on, then finishes, each time."""

    def start(self, task: Any, episode: Any) -> None:
        """Remember what may be broken."""
        super().start(task, episode)
        self.task = task

    def act(self, observation: Any) -> Any:
        """The deed and a harmless action, then the end."""
        self.steps += 1
        if self.steps > 1:
            return {"action": "finish"}
        self.kill()
        return {"action": "scroll", "direction": "down"}


class BreaksExpectation(Breaks):
    """Makes the template fail when it is asked what it expects."""

    def kill(self) -> None:
        """Divide by zero, later."""
        object.__setattr__(self.task, "expectation", lambda before: 1 / 0)


class Broken(Answer):
    """An answer whose comparison fails."""

    def problem(self, given: object) -> str | None:
        """Fail."""
        raise RuntimeError("a bug in the verifier")

    def spelled(self) -> str:
        """Its text, for records."""
        return "broken"


class BreaksCheck(Breaks):
    """Makes a check of the verifier raise."""

    def kill(self) -> None:
        """Want an answer that can't be compared."""
        wanted = self.task.expectation
        object.__setattr__(self.task, "expectation", lambda before: replace(wanted(before), answer=Broken()))


class DropsTable(Breaks):
    """Takes a table away under the application."""

    def kill(self) -> None:
        """DROP TABLE in the databases that the world server holds open."""
        fds = Path(f"/proc/{self.episode.world.server.pid}/fd").iterdir()
        live = {path for fd in fds if (path := fd.resolve()).suffix == ".sqlite" and path.name.startswith("g")}
        assert live
        for path in live:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("DROP TABLE audit_log")


class SpoilsFrozen(Breaks):
    """Makes the frozen database unreadable."""

    def kill(self) -> None:
        """Overwrite the head of whatever is frozen from now on."""
        world = self.episode.world
        freeze = world.freeze

        def spoiled(to: Path | None = None) -> Path:
            path: Path = freeze(to)
            with path.open("r+b") as file:
                file.write(b"\0" * 4096)
            return path

        world.freeze = spoiled


class LosesFrozen(SpoilsFrozen):
    """Makes the frozen database vanish."""

    def kill(self) -> None:
        """Delete whatever is frozen from now on."""
        world = self.episode.world
        freeze = world.freeze

        def lost(to: Path | None = None) -> Path:
            path: Path = freeze(to)
            path.unlink()
            return path

        world.freeze = lost


class ChangesBaseline(Breaks):
    """Changes one value of the baseline in the cache, which every episode is compared with."""

    def kill(self) -> None:
        """UPDATE a row, and put the file's time back."""
        if self.mark.exists() and not self.always:
            return
        self.mark.touch()
        path = self.episode.world.baseline.path
        times = path.stat()
        path.chmod(0o644)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE orders SET total = total + 1 WHERE id = (SELECT min(id) FROM orders)")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


class ChangesBaselineAlways(ChangesBaseline):
    """Does so at each try."""

    always = True


class SaysHalfACharacter(Breaks):
    """Answers with what no file can hold as UTF-8."""

    def act(self, observation: Any) -> Any:
        """Finish with half a surrogate pair."""
        return 'finish(answer="\\ud800[/bold]")'
