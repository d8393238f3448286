"""Which episodes of some runs an export takes: graded, of one split unless told otherwise, passed by filters."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .. import tasks as task_room
from ..errors import SitegymError, UnknownSplit, UsageError
from ..sites.world.baseline import baseline
from .files import read_json
from .index import FILE, OVER
from .plan import EpisodeSpec, site_of
from .progress import many
from .results import EpisodeResult, read_result
from .run_folder import RunFolder

FILTERS = ("success", "clean")
"""`success`: reward 1; `clean`: nothing was changed that should not have been."""
UNKNOWN = "unknown"
"""Where a task is no longer what was played, so that nobody can tell whom it was about."""
TRAIN = "train"
"""The split whose episodes are exported without being named."""
NO_SPLIT = "none"
"""The split of an instance whose entities belong to several."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """A graded episode that passed the filters."""

    run: RunFolder
    spec: EpisodeSpec
    result: EpisodeResult

    @property
    def folder(self) -> Path:
        """Where its record lies."""
        return self.run.episode(self.spec.id)

    def split(self) -> str:
        """The split that it was planned for, or else the one that its instance belongs to; `none` or `unknown`."""
        if self.spec.split is not None:
            return self.spec.split
        spec = self.spec
        try:
            today = baseline(site_of(spec.task), spec.data, spec.data_seed).hash
            task = task_room.task(spec.task, spec.task_seed, data=spec.data, data_seed=spec.data_seed)
        except SitegymError:
            return UNKNOWN
        played = read_json(self.folder / "verdict.json").get("goal")
        if today != self.result.hashes.get("baseline") or task.goal != played:
            return UNKNOWN
        return task.split or NO_SPLIT


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What is asked for. Raises `UsageError` for a filter that there is not, `UnknownSplit` for such a split."""

    runs: Sequence[RunFolder]
    only: Sequence[str] = ()
    split_name: str | None = None
    mixed: bool = False

    def __post_init__(self) -> None:
        paths = [run.path.resolve() for run in self.runs]
        if len(set(paths)) < len(paths):
            raise UsageError("a run is named twice; its episodes would be in the export twice")
        for name in self.only:
            if name not in FILTERS:
                raise UsageError(f"there is no filter {name!r}; known: {', '.join(FILTERS)}")
        if self.split_name is not None and self.split_name not in task_room.SPLITS:
            raise UnknownSplit(self.split_name, task_room.SPLITS)
        if self.mixed and self.split_name is not None:
            raise UsageError("--split takes the episodes of one split, --mixed those of all; give one of them")

    def episodes(self) -> Iterator[tuple[Chosen, str]]:
        """The episodes with the split of each, in the order of runs and plans, one at a time."""
        for one in self.passed():
            split = one.split()
            if self.split_name in (None, split):
                yield one, split

    def passed(self) -> Iterator[Chosen]:
        """The graded episodes of any split that pass the filters."""
        for run in self.runs:
            specs = {spec.id: spec for spec in run.plan.episodes}
            for result in over(run, specs):
                if result.graded and result.id in specs and self._passes(result):
                    yield Chosen(run=run, spec=specs[result.id], result=result)

    def check(self) -> Counter[str]:
        """How many episodes of each split there are to export.

        Raises `UsageError` where there are none, where they are of several splits and neither was chosen, and where
        what is held out from training was not asked for by name.
        """
        found = Counter(split for _, split in self.episodes())
        if not found:
            raise UsageError(f"nothing to export: {self._nothing()}")
        if len(found) > 1 and not self.mixed:
            counts = ", ".join(f"{count} of {_called(split)}" for split, count in sorted(found.items()))
            raise UsageError(
                f"these runs hold episodes of several splits ({counts}), which must not get into one set by accident; "
                "take one with --split train, or all of them with --mixed"
            )
        if UNKNOWN in found and not self.mixed:
            raise UsageError(
                f"the split of {many(found[UNKNOWN], 'episode')} can't be known: their tasks or data are others today "
                "than when they were played; export them with the version that played them, or with --mixed"
            )
        if self.split_name is None and not self.mixed and (held := [name for name in found if name != TRAIN]):
            (only,) = held  # several were refused before
            none = only == NO_SPLIT
            what = "is of no one split" if none else f"is of {only}, which is held out from training"
            how = "--mixed" if none else f"--split {only}"
            raise UsageError(
                f"all that there is to export ({many(found[only], 'episode')}) {what}; where that is meant, say {how}"
            )
        return found

    def _passes(self, result: EpisodeResult) -> bool:
        return all(result.success if name == "success" else result.clean is True for name in self.only)

    def _nothing(self) -> str:
        paths = ", ".join(str(run.path) for run in self.runs)
        filters = f" that is {' and '.join(self.only)}" if self.only else ""
        split = f" of the split {self.split_name}" if self.split_name else ""
        return f"no graded episode{split}{filters} in {paths}"


def over(run: RunFolder, specs: Mapping[str, EpisodeSpec]) -> Iterator[EpisodeResult]:
    """Results one at a time, from the index where there is one, else from the folders of episodes."""
    known: set[str] = set()
    if run.index.whole:
        with closing(sqlite3.connect(f"{(run.path / FILE).absolute().as_uri()}?mode=ro", timeout=60, uri=True)) as db:
            for (text,) in db.execute("SELECT result FROM episodes WHERE state = ? ORDER BY place", (OVER,)):
                result = EpisodeResult.from_json(json.loads(text))
                known.add(result.id)
                yield result
    for id in specs:
        path = run.episode(id) / "result.json"
        if id not in known and path.is_file():
            yield read_result(path)


def _called(split: str) -> str:
    return {NO_SPLIT: "no split", UNKNOWN: "an unknown split"}.get(split, split)
