"""`sitegym verify`: each graded episode of a run played again without its agent, and the share that came out equal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from ..errors import UsageError
from ..sites.world.runtime import Runtime, as_runtime
from .beginning import check_playable
from .evaluate import terminate_like_interrupt
from .faults import ATTEMPTS
from .files import read_json, write_json
from .pool import Event, Pool
from .progress import make_console, many
from .report import write_overview
from .results import EpisodeResult, Fault, share
from .run_folder import RunFolder
from .runner import EPISODE_TIMEOUT_S
from .verify_job import Verified
from .versions import versions

FILE = "verified.json"
_PUBLISHED = ("reward", "goal_met", "clean")
"""What results repeat of a verdict."""
_TOLD = 10
"""How many episodes that differ are told by name."""


@dataclass
class Verification:
    """What came of playing a run again."""

    run: Path
    episodes: dict[str, Verified] = field(default_factory=dict)
    """By id, those that could be played."""
    faults: dict[str, Fault] = field(default_factory=dict)
    """By id, those that could not."""

    @property
    def reproduced(self) -> int:
        """How many came out the same."""
        return sum(one.reproduced for one in self.episodes.values())

    @property
    def total(self) -> int:
        """How many were to be played."""
        return len(self.episodes) + len(self.faults)

    @property
    def exit_code(self) -> int:
        """0 where every episode came out the same."""
        return int(self.reproduced != self.total)

    def sentences(self) -> list[str]:
        """The share, and what the first episodes that differ differ in."""
        told = [f"Verified: {share(self.reproduced, self.total)} of the graded episodes reproduced."]
        for one in self.episodes.values():
            if not one.reproduced:
                where = "at its end" if one.step is None else f"first at step {one.step}"
                told.append(f"  {one.id} differs {where}: {one.what}")
        told += [f"  {id} could not be played: {fault.cause}: {fault.message}" for id, fault in self.faults.items()]
        more = len(told) - 1 - _TOLD
        return [*told[: _TOLD + 1], *([f"  and {more} more: see {self.run / FILE}"] if more > 0 else [])]

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "reproduced": self.reproduced,
            "of": self.total,
            "at": datetime.now().astimezone().isoformat(timespec="seconds"),
            "versions": versions(),
            "episodes": [one.to_json() for one in self.episodes.values()],
            "faults": {id: asdict(fault) for id, fault in self.faults.items()},
        }


def verify(
    run: Path | str,
    *,
    workers: int = 2,
    at_once: int = 1,
    headless: bool = True,
    runtime: str | Runtime | None = None,
    quiet: bool = False,
    episode_timeout_s: float = EPISODE_TIMEOUT_S,
) -> Verification:
    """Play the recorded actions of every graded episode of `run`; results are left as they are.

    Each observation, the database's difference and the verdict must be as they were recorded. Writes `verified.json`
    and says so in the report. Worlds run where `runtime` says: `process`, `docker`, `remote`, or a `Runtime`.
    Raises `UsageError` where the run was made on another world, or holds nothing to verify.
    """
    placed = as_runtime(runtime)
    placed.check()
    folder = RunFolder.open(Path(run))
    check_playable(folder, agents=False)  # its agents' code is not needed, and whoever verifies may not have it
    graded = {id: result for id, result in folder.results().items() if result.graded}
    if not graded:
        raise UsageError(f"{folder.path} holds no graded episode to verify")
    console = make_console(quiet=quiet)
    found = Verification(folder.path)
    with folder.locked(), terminate_like_interrupt(), placed.held() as held:
        settings = {"headless": headless, "at_once": at_once, "runtime": held.to_json()}
        found.episodes.update((one.id, one) for one in _contradictions(folder, graded))
        with Pool(
            workers=workers, settings=settings, logs=folder.path / "logs", job_timeout_s=episode_timeout_s
        ) as pool:
            to_play = {id: result for id, result in graded.items() if id not in found.episodes}
            for event in pool.run(_messages(folder, to_play)):
                _take(event, pool, found)
                _tell(console, found, len(graded), event)
        _keep(folder, found)
    for sentence in found.sentences():
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)
    return found


def _contradictions(folder: RunFolder, graded: dict[str, EpisodeResult]) -> Iterator[Verified]:
    """Episodes of which what is published says another verdict than their own record: nothing need be played there."""
    lines = (folder.path / "results.jsonl").read_text(encoding="utf-8").splitlines()
    published = {line["id"]: line for line in map(json.loads, lines)}
    for id, result in graded.items():
        files = (folder.episode(id) / name for name in ("verdict.json", "result.json"))
        verdict, own = (read_json(file) if file.is_file() else {} for file in files)
        told = {"the index": asdict(result), "results.jsonl": published.get(id, {}), "result.json": own}
        wrong = [name for name, one in told.items() if any(one.get(key) != verdict.get(key) for key in _PUBLISHED)]
        if wrong:
            what = f"{' and '.join(wrong)} tell another verdict than verdict.json"
            yield Verified(id=id, reproduced=False, steps=0, what=what)


def _messages(folder: RunFolder, graded: dict[str, EpisodeResult]) -> Iterator[dict[str, Any]]:
    for spec in folder.plan.episodes:
        if spec.id in graded:
            yield {"kind": "verify", "id": spec.id, "spec": asdict(spec), "folder": str(folder.episode(spec.id))}


def _take(event: Event | None, pool: Pool, found: Verification) -> None:
    if event is None or event.kind == "started":
        return
    if event.kind == "done":
        found.episodes[event.job.id] = Verified(**event.content["result"])
    elif event.content["retry"] and event.job.attempt < ATTEMPTS:
        pool.retry(event.job)
    else:
        cause, message = event.content["cause"], event.content["message"]
        found.faults[event.job.id] = Fault(cause=cause, message=message, attempt=event.job.attempt)


def _tell(console: Console, found: Verification, total: int, event: Event | None) -> None:
    """A line for each tenth of the way."""
    if event is not None and event.kind != "started" and found.total * 10 // total > (found.total - 1) * 10 // total:
        console.print(f"{found.total} of {many(total, 'episode')}: {found.reproduced} reproduced", highlight=False)


def _keep(folder: RunFolder, found: Verification) -> None:
    order = [spec.id for spec in folder.plan.episodes if spec.id in found.episodes]
    found.episodes = {id: found.episodes[id] for id in order}
    told = found.to_json()
    write_json(folder.path / FILE, told)
    folder.note(verified={name: told[name] for name in ("reproduced", "of", "at")})
    if (folder.path / "report").is_dir():
        write_overview(folder)
