"""Several runs side by side: what they were played on must be the same, and then which did better where."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ...errors import UsageError
from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from .contests import Contest, Plays, contest, corrected, plays_of, rate
from .figures import AgentFigures, agent_figures
from .groups import Cell, cell_of

_TOLD = 5
"""How many instances a refusal names."""


@dataclass(frozen=True, eq=False)
class Contender:
    """An agent in one of the runs."""

    name: str
    """The agent, with the run's name."""
    agent: str
    run: RunFolder
    results: dict[str, EpisodeResult]
    plays: Plays
    cell: Cell


@dataclass(frozen=True)
class Row:
    """An instance on which contenders did differently."""

    key: Hashable
    spec: EpisodeSpec
    plays: tuple[Sequence[tuple[EpisodeSpec, EpisodeResult]], ...]
    """Of each contender, empty where it has no graded play."""


@dataclass(frozen=True)
class Comparison:
    """All that the page says."""

    contenders: tuple[Contender, ...]
    contests: tuple[Contest, ...]
    tasks: dict[str, tuple[Cell, ...]]
    """By template, a cell for each contender."""
    differing: tuple[Row, ...]
    compared: int
    """Instances that two who are compared both have a graded play of."""
    warnings: tuple[str, ...]
    figures: tuple[AgentFigures, ...]
    """What each contender used."""


def compare(folders: Sequence[RunFolder], *, other_versions: bool = False) -> Comparison:
    """Compare runs of the same instances, on the same data.

    Raises `UsageError` where they have no instance in common, and, without `other_versions`, where they begin on
    other data or ask for something else in an instance.
    """
    contenders = tuple(_contenders(folders))
    others = list(not_the_same(folders, contenders))
    if others and not other_versions:
        raise UsageError(
            f"these runs don't compare: {'; '.join(others)}. Compare them all the same with --other-versions"
        )
    pairs = _pairs(contenders)
    found = corrected([contest(a.name, a.plays, b.name, b.plays) for a, b in pairs])
    if not any(one.test.instances for one in found):
        raise UsageError(f"these runs have no graded instance in common{_apart(folders)}: nothing can be compared")
    rows = list(_rows(contenders))
    places = [(contenders.index(one), contenders.index(other)) for one, other in pairs]
    return Comparison(
        contenders=contenders,
        contests=tuple(found),
        tasks=_by_task(contenders),
        differing=_differing(rows, places),
        compared=sum(any(row.plays[a] and row.plays[b] for a, b in places) for row in rows),
        warnings=(*others, *_settings(folders)),
        figures=tuple(_figures(one) for one in contenders),
    )


def _apart(folders: Sequence[RunFolder]) -> str:
    """In brackets, what was planned otherwise, so that the same seed is another instance; empty where nothing was."""
    told = []
    for name in ("data", "data_seed", "split"):
        values = {folder.path: {getattr(spec, name) for spec in folder.plan.episodes} for folder in folders}
        if not set.intersection(*values.values()):
            each = (f"{path.name}: {', '.join(sorted(map(str, some)))}" for path, some in values.items())
            told.append(f"{name} ({'; '.join(each)})")
    return f", as they were planned with another {' and '.join(told)}" if told else ""


def not_the_same(folders: Sequence[RunFolder], contenders: Sequence[Contender]) -> Iterator[str]:
    """In words, what keeps runs from being compared."""
    first = folders[0].manifest.get("hashes", {})
    for folder in folders[1:]:
        for site, hash in folder.manifest.get("hashes", {}).items():
            if site in first and first[site] != hash:
                yield f"{site} began with other data in {folder.path} (baseline {hash[:12]}, not {first[site][:12]})"
    asked: dict[Hashable, set[str]] = {}
    names: dict[Hashable, str] = {}
    for one in contenders:
        for key, plays in one.plays.items():
            spec = plays[0][0]
            names[key] = f"{spec.task}:{spec.task_seed}"
            asked.setdefault(key, set()).update(result.hashes.get("expectation", "") for _, result in plays)
    changed = [names[key] for key, hashes in asked.items() if len(hashes) > 1]
    if changed:
        more = f" and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
        yield (
            f"{len(changed)} of {len(asked)} instances ask for something else in one run than in another "
            f"({', '.join(changed[:_TOLD])}{more})"
        )


def _contenders(folders: Sequence[RunFolder]) -> Iterator[Contender]:
    for folder in folders:
        results, run = folder.results(), folder.path.resolve().name
        for agent in folder.plan.agents:
            specs = [spec for spec in folder.plan.episodes if spec.agent == agent]
            name = f"{agent} ({run})"
            yield Contender(
                name, agent, folder, results, plays_of(folder.plan, results, agent), cell_of(name, None, specs, results)
            )


def _pairs(contenders: Sequence[Contender]) -> list[tuple[Contender, Contender]]:
    """The same agent in two runs; where no agent is in two, each with each of another run."""
    across = [(one, other) for one, other in combinations(contenders, 2) if one.run is not other.run]
    return [pair for pair in across if pair[0].agent == pair[1].agent] or across


def _by_task(contenders: Sequence[Contender]) -> dict[str, tuple[Cell, ...]]:
    tasks = dict.fromkeys(task for one in contenders for task in one.run.plan.tasks)
    return {task: tuple(_cell(one, task) for one in contenders) for task in tasks}


def _cell(one: Contender, task: str) -> Cell:
    specs = [spec for spec in one.run.plan.episodes if spec.agent == one.agent and spec.task == task]
    return cell_of(one.agent, task, specs, one.results)


def _figures(one: Contender) -> AgentFigures:
    specs = [spec for spec in one.run.plan.episodes if spec.agent == one.agent]
    return agent_figures(one.name, specs, one.results)


def _rows(contenders: Sequence[Contender]) -> Iterator[Row]:
    keys = dict.fromkeys(key for one in contenders for key in one.plays)
    for key in keys:
        plays = tuple(one.plays.get(key, ()) for one in contenders)
        yield Row(key, next(some for some in plays if some)[0][0], plays)


def _differing(rows: Sequence[Row], places: Sequence[tuple[int, int]]) -> tuple[Row, ...]:
    """Instances on which one of two that are compared did better."""
    differs = [
        row
        for row in rows
        if any(row.plays[a] and row.plays[b] and rate(row.plays[a]) != rate(row.plays[b]) for a, b in places)
    ]
    return tuple(differs)


def _settings(folders: Sequence[RunFolder]) -> Iterator[str]:
    """What else is different, which does not forbid a comparison but may explain it."""
    for where, name in (("versions", "sitegym"), ("versions", "browser"), ("settings", "observations")):
        values = [folder.manifest.get(where, {}).get(name) for folder in folders]
        if any(value != values[0] for value in values):
            told = (f"{value or 'none'} in {run.path.name}" for value, run in zip(values, folders, strict=True))
            yield f"{name} differs: {', '.join(told)}"
    budgets = ("max_steps", "max_seconds", "max_tokens", "max_cost_usd")
    limits = [{tuple(getattr(spec, name) for name in budgets) for spec in folder.plan.episodes} for folder in folders]
    if any(one != limits[0] for one in limits):
        yield "the budgets of their episodes differ"
