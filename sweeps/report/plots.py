"""Plots as geometry, which the templates draw as SVG: where each bar, dot and label goes, in units of the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..results import EpisodeResult
from ..statistics import Estimate
from .figures import AgentFigures, Figures, tokens_of

WIDTH = 1000
LABEL = 230
"""Width that is left of a plot for the names of its rows."""
TOLD = 225
"""Width that is left of a forest plot for its rates in words."""
ROW = 18
HEAD = 26
BINS = 20
_NICE = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Mark:
    """A rate with its interval in a row of a plot; `y` is the middle of the row."""

    y: float
    name: str
    told: str
    """The same in words."""
    x: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Forest:
    """Rates of success with intervals, in sections."""

    heads: tuple[tuple[float, str], ...]
    marks: tuple[Mark, ...]
    height: float
    left: float = LABEL
    width: float = WIDTH
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Bar:
    """A piece of a stacked bar."""

    name: str
    x: float
    width: float
    told: str


@dataclass(frozen=True)
class Stack:
    """One row of stacked bars."""

    name: str
    y: float
    bars: tuple[Bar, ...]
    told: str


@dataclass(frozen=True)
class Stacks:
    """Stacked bars on one scale."""

    rows: tuple[Stack, ...]
    names: tuple[str, ...]
    height: float
    left: float = LABEL
    width: float = WIDTH


@dataclass(frozen=True)
class Column:
    """One bin: how many succeeded and how many did not, as heights from the bottom."""

    x: float
    width: float
    passed: float
    failed: float
    told: str


@dataclass(frozen=True)
class Histogram:
    """How a number is distributed over an agent's graded episodes."""

    name: str
    columns: tuple[Column, ...]
    low: str
    high: str
    most: int
    told: str
    width: float = 360
    height: float = 120


def forest(found: Figures) -> Forest:
    """Overall, then by kind, difficulty and split, a row for each agent."""
    sections: list[tuple[str, Sequence[tuple[str, Estimate]]]] = []
    sections.append(("All", [(one.cell.line.agent, one.cell.success) for one in found.agents]))
    for grouping in found.groupings:
        if grouping.name in {"kind", "difficulty", "split"} and len(grouping.groups) > 1:
            for group in grouping.groups:
                sections.append((group.words, [(cell.line.agent, cell.success) for cell in group.cells]))
    y, heads, marks = 0.0, [], []
    for words, rates in sections:
        heads.append((y + HEAD - 8, words))
        y += HEAD
        for agent, rate in rates:
            marks.append(_mark(y + ROW / 2, agent, rate))
            y += ROW
    ticks = tuple((_across(share / 100), f"{share} %") for share in (0, 25, 50, 75, 100))
    return Forest(tuple(heads), tuple(marks), y + HEAD, ticks=ticks)


def phases(agents: Iterable[AgentFigures], order: Sequence[str]) -> Stacks | None:
    """Mean seconds of a graded episode by phase; None where no times are known."""
    timed = [one for one in agents if one.phases]
    longest = max((sum(one.phases.values()) for one in timed), default=0.0)
    if not longest:
        return None
    names = [name for name in order if any(name in one.phases for one in timed)]
    names += [name for name in dict.fromkeys(name for one in timed for name in one.phases) if name not in names]
    scale = (WIDTH - LABEL - 70) / longest
    rows = tuple(_stack(one, names, scale, at) for at, one in enumerate(timed))
    return Stacks(rows, tuple(names), len(rows) * (ROW + 8) + 6)


def histograms(results: Iterable[EpisodeResult], agents: Sequence[str], what: str) -> list[Histogram]:
    """The distribution of `steps` or `tokens` for each agent that has any, on one scale."""
    values: dict[str, list[tuple[float, bool]]] = {agent: [] for agent in agents}
    for one in results:
        if one.graded and (what == "steps" or one.usage):
            values[one.agent].append((one.steps if what == "steps" else tokens_of(one), one.success))
    most = max((value for some in values.values() for value, _ in some), default=0.0)
    if not most:
        return []
    step = nice(most / BINS) if most > BINS else 1.0
    bins = int(most // step) + 1
    return [_histogram(agent, some, step, bins, what) for agent, some in values.items() if some]


def nice(least: float) -> float:
    """The smallest round number that is at least so much; whole from 1 on."""
    power = 10.0 ** max(0, len(str(int(least))) - 1)
    found = next(power * one for one in _NICE if power * one >= least)
    return float(round(found + 0.499)) if found != int(found) else found


def told_rate(rate: Estimate) -> str:
    """`62 % (48 % to 74 %) of 40`, `… of 8 instances` where they were played several times, or that there is none."""
    if rate.mean is None or rate.interval is None:
        return "nothing graded"
    of = f"{rate.n} instance{'s' if rate.n > 1 else ''}" if rate.plays > rate.n else f"{rate.n}"
    return f"{_percent(rate.mean)} ({_percent(rate.interval.low)} to {_percent(rate.interval.high)}) of {of}"


def _mark(y: float, name: str, rate: Estimate) -> Mark:
    if rate.mean is None or rate.interval is None:
        return Mark(y, name, told_rate(rate), None, 0.0, 0.0)
    return Mark(y, name, told_rate(rate), _across(rate.mean), _across(rate.interval.low), _across(rate.interval.high))


def _across(share: float) -> float:
    return round(LABEL + share * (WIDTH - LABEL - TOLD), 1)


def _stack(one: AgentFigures, names: Sequence[str], scale: float, at: int) -> Stack:
    x, bars = float(LABEL), []
    for name in names:
        seconds = one.phases.get(name, 0.0)
        if seconds:
            bars.append(Bar(name, round(x, 1), round(seconds * scale, 1), f"{name} {seconds:.2f} s"))
            x += seconds * scale
    return Stack(one.cell.line.agent, at * (ROW + 8) + 4, tuple(bars), f"{sum(one.phases.values()):.1f} s")


def _histogram(agent: str, values: Sequence[tuple[float, bool]], step: float, bins: int, what: str) -> Histogram:
    passed, failed = [0] * bins, [0] * bins
    for value, success in values:
        (passed if success else failed)[int(value // step)] += 1
    most = max(map(sum, zip(passed, failed, strict=True)))
    wide, tall = (Histogram.width - 2) / bins, Histogram.height - 24
    columns = tuple(
        Column(
            x=round(1 + at * wide, 2),
            width=round(max(wide - 1, 0.8), 2),
            passed=round(good / most * tall, 1),
            failed=round(bad / most * tall, 1),
            told=f"{_span(at, step)} {what}: {good} succeeded, {bad} did not",
        )
        for at, (good, bad) in enumerate(zip(passed, failed, strict=True))
        if good + bad
    )
    numbers = sorted(value for value, _ in values)
    of = what if numbers[-1] != 1 else what.removesuffix("s")
    over = f"{len(numbers)} episode{'s' if len(numbers) > 1 else ''}"
    told = f"median {numbers[len(numbers) // 2]:,.0f}, most {numbers[-1]:,.0f} {of} over {over}"
    return Histogram(agent, columns, "0", f"{bins * step:,.0f}", most, told)


def _span(at: int, step: float) -> str:
    low, high = at * step, (at + 1) * step - 1
    return f"{low:,.0f}" if high <= low else f"{low:,.0f} to {high:,.0f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
