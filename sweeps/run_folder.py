"""A run's folder: what it holds, who may write to it, and what is left to do in it.

run.json        what was planned, by which versions, on which baseline
results.jsonl   one line an episode, appended as they end
episodes/<id>/  one folder an episode; `result.json` in it says that the episode is over
set-aside/      attempts that ended in a fault or were interrupted, kept as evidence
logs/           what the workers printed
report/         the HTML pages
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .faults import without_reward
from .files import append_line, read_json, write_json
from .plan import EpisodeSpec, Plan
from .results import EpisodeResult, Fault, read_result

FORMAT, VERSION = "sitegym-run", 1


class RunFolder:
    """An open run folder. `create` and `open` are the two ways to one."""

    def __init__(self, path: Path, manifest: dict[str, Any], plan: Plan) -> None:
        self.path = path
        self.manifest = manifest
        self.plan = plan

    @classmethod
    def create(cls, path: Path, plan: Plan, **about: Any) -> RunFolder:
        """Begin a run in `path`, a new or empty folder; `about` (versions, hashes …) is stored with the plan."""
        new_folder(path)
        for name in ("episodes", "set-aside", "logs"):
            (path / name).mkdir()
        manifest = {"format": FORMAT, "version": VERSION, **about, "episodes": plan.to_json()}
        write_json(path / "run.json", manifest)
        return cls(path, manifest, plan)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The run in `path`; raises `UsageError` where it is no run, or a run of another version."""
        if not (path / "run.json").is_file():
            raise UsageError(f"{path} is not a run folder: it has no run.json")
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
        """Results of the episodes that are over, by id in plan order, from their own folders."""
        ended = (self.episode(spec.id) / "result.json" for spec in self.plan.episodes)
        found = (read_result(path) for path in ended if path.is_file())
        return {result.id: result for result in found}

    def remaining(self, done: dict[str, EpisodeResult]) -> list[EpisodeSpec]:
        """Planned episodes that are not over."""
        return [spec for spec in self.plan.episodes if spec.id not in done]

    def write(self, result: EpisodeResult) -> None:
        """Say that an episode is over: in its folder first, then in the list."""
        folder = self.episode(result.id)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "result.json", result.to_json())
        append_line(self.path / "results.jsonl", result.to_json())

    def write_fault(self, episode: str, fault: Fault) -> None:
        """Say in an episode's `verdict.json` why it has no reward, where its worker could not (it was killed)."""
        folder = self.episode(episode)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "verdict.json").exists():
            write_json(folder / "verdict.json", without_reward(fault.cause, fault.message))

    def rewrite_list(self, results: dict[str, EpisodeResult]) -> None:
        """Make `results.jsonl` hold exactly these, whatever a kill left of it."""
        beside = self.path / ".results.jsonl"
        beside.unlink(missing_ok=True)
        beside.touch()
        for result in results.values():
            append_line(beside, result.to_json())
        beside.replace(self.path / "results.jsonl")

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
