"""Success by template, kind, tag, difficulty and split: what an agent can't do, rather than where it failed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from ...errors import UsageError
from ...tasks import tags
from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from ..statistics import Estimate, estimate_plays
from ..table import Line, line_of
from ..task_set import names, read_set

DIFFICULTIES = ("short", "medium", "long")
"""In the order in which they are shown."""


@dataclass(frozen=True)
class About:
    """What a run knows of one template."""

    kind: str = ""
    tags: tuple[str, ...] = ()
    difficulty: str = ""
    """`short`, `medium` or `long`, by the steps of its oracle; empty where nobody measured it."""


@dataclass(frozen=True)
class Cell:
    """The figures of one agent in one group."""

    line: Line
    success: Estimate
    """Over graded episodes."""


@dataclass(frozen=True)
class Group:
    """One row of a table: a template, kind, tag …, with a cell for each agent."""

    code: str
    """What the list of episodes is filtered by."""
    words: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Grouping:
    """One table: all groups of one sort."""

    name: str
    """The name of the list's filter: task, kind, tag, difficulty or split."""
    title: str
    groups: tuple[Group, ...]


def abouts(folder: RunFolder) -> dict[str, About]:
    """Kind, tags and difficulty of each planned template; runs made before they were recorded have none."""
    known, bands = folder.manifest.get("templates", {}), difficulties()
    return {
        task: About(str(known[task]["kind"]), tuple(known[task]["tags"]), bands.get(task, ""))
        if task in known
        else About(difficulty=bands.get(task, ""))
        for task in folder.plan.tasks
    }


@cache
def difficulties() -> dict[str, str]:
    """Difficulty by template, as the sets that come with sitegym have it."""
    found: dict[str, str] = {}
    for name in names():
        with suppress(UsageError):
            found |= {one.task: one.difficulty for one in read_set(name).instances}
    return found


def groupings(folder: RunFolder, results: dict[str, EpisodeResult]) -> list[Grouping]:
    """The tables that a run has groups for, templates first."""
    about = abouts(folder)
    found = [
        Grouping("task", "By template", _groups(folder, results, folder.plan.tasks, str, lambda s: (s.task,))),
        Grouping("tag", "By pattern and trap", _by_tag(folder, results, about)),
        Grouping("kind", "By kind", _by_kind(folder, results, about)),
        Grouping("difficulty", "By difficulty", _by_difficulty(folder, results, about)),
        Grouping("split", "By split", _by_split(folder, results)),
    ]
    return [one for one in found if one.groups]


def cell_of(agent: str, task: str | None, specs: Sequence[EpisodeSpec], results: dict[str, EpisodeResult]) -> Cell:
    """The figures of an agent over these planned episodes."""
    graded = [(spec, results[spec.id]) for spec in specs if spec.id in results and results[spec.id].graded]
    outcomes = ((spec.task, instance_of(spec), float(result.success)) for spec, result in graded)
    return Cell(line_of(agent, task, specs, results), estimate_plays(outcomes))


def instance_of(spec: EpisodeSpec) -> Hashable:
    """What an episode has in common with repeats of it and with other agents' plays of the same."""
    return spec.task, spec.task_seed, spec.data, spec.data_seed, spec.split


def in_words(tag: str) -> str:
    """What a tag stands for; a tag that this version does not know stands for itself."""
    try:
        return tags.meaning(tag)
    except KeyError:
        return tag


def _by_kind(folder: RunFolder, results: dict[str, EpisodeResult], about: dict[str, About]) -> tuple[Group, ...]:
    kinds = sorted({one.kind for one in about.values() if one.kind})
    return _groups(folder, results, kinds, str.capitalize, lambda spec: (about[spec.task].kind,))


def _by_tag(folder: RunFolder, results: dict[str, EpisodeResult], about: dict[str, About]) -> tuple[Group, ...]:
    """Patterns before traps."""
    found = sorted({tag for one in about.values() for tag in one.tags}, key=lambda tag: (tag[0], int(tag[1:])))
    return _groups(folder, results, found, in_words, lambda spec: about[spec.task].tags)


def _by_difficulty(folder: RunFolder, results: dict[str, EpisodeResult], about: dict[str, About]) -> tuple[Group, ...]:
    bands = [band for band in DIFFICULTIES if any(one.difficulty == band for one in about.values())]
    return _groups(folder, results, bands, str.capitalize, lambda spec: (about[spec.task].difficulty,))


def _by_split(folder: RunFolder, results: dict[str, EpisodeResult]) -> tuple[Group, ...]:
    splits = list(dict.fromkeys(spec.split or "" for spec in folder.plan.episodes))
    if splits == [""]:
        return ()
    splits = [split for split in splits if split]
    return _groups(folder, results, splits, str.capitalize, lambda spec: (spec.split or "",))


def _groups(
    folder: RunFolder,
    results: dict[str, EpisodeResult],
    codes: Sequence[str],
    words: Callable[[str], str],
    codes_of: Callable[[EpisodeSpec], Iterable[str]],
) -> tuple[Group, ...]:
    mine: dict[tuple[str, str], list[EpisodeSpec]] = {}
    for spec in folder.plan.episodes:
        for code in codes_of(spec):
            mine.setdefault((code, spec.agent), []).append(spec)
    return tuple(
        Group(
            code,
            words(code),
            tuple(cell_of(one, None, mine.get((code, one), []), results) for one in folder.plan.agents),
        )
        for code in codes
    )
