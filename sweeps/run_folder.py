"""A run's folder: what it holds, who may write to it, and what is left to do in it.

run.json        what was planned, by which versions, on which baseline
index.sqlite    what became of each planned episode, so that no table and no report has to walk the folders
results.jsonl   one line an episode, appended as they end
episodes/<id>/  one folder an episode; `result.json` in it says that the episode is over
set-aside/      attempts that ended in a fault or were interrupted, kept as evidence
logs/           what the workers printed
report/         the HTML pages
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .faults import without_reward
from .files import append_lines, json_bytes, read_json, write_json
from .index import RunIndex
from .plan import EpisodeSpec, Plan
from .results import EpisodeResult, Fault, read_result

FORMAT, VERSION = "sitegym-run", 1


class RunFolder:
    """An open run folder. `create` and `open` are the two ways to one."""

    def __init__(self, path: Path, manifest: dict[str, Any], plan: Plan) -> None:
        self.path = path
        self.manifest = manifest
        self.plan = plan
        self.index = RunIndex(path)

    @classmethod
    def create(cls, path: Path, plan: Plan, **about: Any) -> RunFolder:
        """Begin a run in `path`, a new or empty folder; `about` (versions, hashes …) is stored with the plan."""
        new_folder(path)
        for name in ("episodes", "set-aside", "logs"):
            (path / name).mkdir()
        manifest = {"format": FORMAT, "version": VERSION, **about, "episodes": plan.to_json()}
        self = cls(path, manifest, plan)
        self.index.make(plan.episodes)
        write_json(path / "run.json", manifest)
        return self

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The run in `path`; raises `UsageError` where it is no run, or a run of another version."""
        if not (path / "run.json").is_file():
            why = "it has no run.json" if path.is_dir() else "there is no such folder"
            raise UsageError(f"{path} is not a run folder: {why}")
        manifest = read_json(path / "run.json")
        found = manifest.get("format") if isinstance(manifest, dict) else None
        if found != FORMAT:
            raise UsageError(f"{path / 'run.json'} is not of a sitegym run: its format is {found!r}")
        if manifest.get("version") != VERSION:
            raise UsageError(
                f"{path} is a run of format version {manifest.get('version')} (sitegym "
                f"{manifest.get('versions', {}).get('sitegym', 'unknown')}); this sitegym reads version {VERSION}"
            )
        try:
            return cls(path, manifest, Plan.from_json(manifest["episodes"]))
        except (KeyError, TypeError) as cause:
            raise UsageError(f"{path / 'run.json'} has no plan that this version can read: {cause}") from cause

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against a second sweep; raises `UsageError` where one is at work in it."""
        with (self.path / "lock").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as cause:
                file.seek(0)
                raise UsageError(
                    f"{self.path} is in use by another sweep (process {file.read() or 'unknown'})"
                ) from cause
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def episode(self, episode: str) -> Path:
        """The folder of an episode, whether it exists yet or not."""
        return self.path / "episodes" / episode

    def results(self) -> dict[str, EpisodeResult]:
        """Results of the episodes that are over, by id in plan order.

        From the index; the folders of episodes are looked at only where it says that they are not over.
        """
        whole = self.index.whole
        known = self.index.results() if whole else {}
        missing = [self.episode(spec.id) / "result.json" for spec in self.plan.episodes if spec.id not in known]
        found = {result.id: result for result in (read_result(path) for path in missing if path.is_file())}
        if whole and not found:
            return known
        known |= found
        with suppress(sqlite3.Error, OSError):  # a run that may only be read is read all the same
            if whole:
                self.index.put(*found.values())
            else:
                self.index.make(self.plan.episodes, known.values())
        return {spec.id: known[spec.id] for spec in self.plan.episodes if spec.id in known}

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play, as far as the index knows; it may be missing or damaged."""
        return self.index.whole and self.index.left() == 0

    def remaining(self, done: dict[str, EpisodeResult]) -> list[EpisodeSpec]:
        """Planned episodes that are not over."""
        return [spec for spec in self.plan.episodes if spec.id not in done]

    def write(self, *results: EpisodeResult) -> None:
        """Say that episodes are over: in their folders first, then in the list and the index."""
        for result in results:
            folder = self.episode(result.id)
            folder.mkdir(parents=True, exist_ok=True)
            write_json(folder / "result.json", result.to_json())
        append_lines(self.path / "results.jsonl", [result.to_json() for result in results])
        self.index.put(*results)

    def write_fault(self, episode: str, fault: Fault) -> None:
        """Say in an episode's `verdict.json` why it has no reward, where its worker could not (it was killed)."""
        folder = self.episode(episode)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "verdict.json").exists():
            write_json(folder / "verdict.json", without_reward(fault.cause, fault.message))

    def rewrite_list(self, results: dict[str, EpisodeResult]) -> None:
        """Make `results.jsonl` hold exactly these, whatever a kill left of it."""
        path = self.path / "results.jsonl"
        text = path.read_bytes() if path.is_file() else b""
        if text.count(b"\n") == len(results) and text.endswith(b"\n"):  # each result is one line, written at once
            return
        lines = [json_bytes(result.to_json()) + b"\n" for result in results.values()]
        beside = self.path / ".results.jsonl"
        beside.write_bytes(b"".join(lines))
        beside.replace(path)

    def reopen(self, ids: Iterable[str]) -> None:
        """Have episodes played again: what earlier attempts wrote is set aside."""
        again = list(ids)
        for id in again:
            self.set_aside(id)
        if again:
            self.index.reopen(again)

    def set_aside(self, episode: str) -> Path | None:
        """Move what an unfinished attempt wrote out of the way, kept as evidence; None where it wrote nothing."""
        folder = self.episode(episode)
        if not folder.exists():
            return None
        number = 1
        while (to := self.path / "set-aside" / f"{episode}.{number}").exists():
            number += 1
        folder.rename(to)
        return to

    def note(self, **changes: Any) -> None:
        """Update fields of `run.json`."""
        if any(self.manifest.get(name) != value for name, value in changes.items()):
            self.manifest.update(changes)
            write_json(self.path / "run.json", self.manifest)


def new_folder(path: Path, else_: str = "continue a run with --resume") -> Path:
    """Make a folder, or take an empty one; raises `UsageError` where it holds something (`else_` is what else can
    be done then) or can't be written."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} exists and is not empty; choose another folder, or {else_}")
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / ".probe").touch()
        (path / ".probe").unlink()
    except OSError as cause:
        raise UsageError(f"{path} can't be written: {cause.strerror}; choose another folder with --out") from cause
    return path
