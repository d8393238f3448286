"""The figures of a run that its overview shows: by agent, by group, over repeats, agents compared, faults, use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..faults import Cause, cause_of
from ..plan import EpisodeSpec
from ..results import EpisodeResult, Status, mean
from ..run_folder import RunFolder
from ..statistics import Estimate, estimate_plays, smallest_difference
from ..table import footnotes
from .contests import Contest, contests
from .episodes import cause_of_end
from .groups import Cell, Grouping, cell_of, groupings, instance_of
from .repeats import Repeats, over_repeats


@dataclass(frozen=True)
class Use:
    """What an agent used: all of it, also in attempts that failed; per graded episode where it says `each`.

    None where nothing is known.
    """

    steps_each: float | None
    seconds_each: float | None
    tokens_each: float | None
    tokens: int
    calls: int
    cost_usd: float | None
    cost_each: float | None
    cost_a_success: float | None
    """US dollars spent for each success; None without a price or a success."""
    ended: dict[str, int]
    """Graded episodes that ended in a budget, by cause."""


@dataclass(frozen=True)
class AgentFigures:
    """All that the overview says of one agent."""

    cell: Cell
    damage: Estimate
    """Share of graded episodes that changed something they should not have."""
    smallest_difference: float | None
    """To another agent that this run could show, see `statistics.smallest_difference`."""
    use: Use
    phases: dict[str, float]
    """Seconds by phase, the mean of the graded episodes."""


@dataclass(frozen=True)
class FaultGroup:
    """Episodes that ended without a verdict for one cause."""

    cause: Cause
    name: str
    """As recorded; `cause` is that of `unknown` where this version does not know it."""
    count: int
    agents: dict[str, int]
    message: str
    """That of the first."""
    episode: str
    """Id of the first."""
    whose: str
    """In words, who can mend it."""
    made_good: int
    """Episodes that had it at first and went well when tried again."""


@dataclass(frozen=True)
class Figures:
    """Of a whole run."""

    agents: tuple[AgentFigures, ...]
    groupings: tuple[Grouping, ...]
    repeats: Repeats | None
    """None where each instance is played once."""
    contests: tuple[Contest, ...]
    faults: tuple[FaultGroup, ...]
    notes: tuple[str, ...]
    planned: int
    over: int
    graded: int
    templates: int


def figures(folder: RunFolder, results: dict[str, EpisodeResult]) -> Figures:
    """All figures, from the plan and the results alone."""
    plan = folder.plan
    mine: dict[str, list[EpisodeSpec]] = {agent: [] for agent in plan.agents}
    for spec in plan.episodes:
        mine[spec.agent].append(spec)
    return Figures(
        agents=tuple(agent_figures(agent, specs, results) for agent, specs in mine.items()),
        groupings=tuple(groupings(folder, results)),
        repeats=over_repeats(plan, results),
        contests=tuple(contests(plan, results)),
        faults=tuple(_faults(results)),
        notes=tuple(note for note in footnotes(plan, results) if not note.startswith(" ")),
        planned=len(plan.episodes),
        over=len(results),
        graded=sum(result.graded for result in results.values()),
        templates=len(plan.tasks),
    )


def tokens_of(result: EpisodeResult) -> int:
    """Tokens that models read and wrote in an episode."""
    return int(result.usage.get("prompt_tokens", 0) + result.usage.get("completion_tokens", 0))


def agent_figures(agent: str, specs: Sequence[EpisodeSpec], results: dict[str, EpisodeResult]) -> AgentFigures:
    """The figures of an agent over its planned episodes."""
    graded = [(spec, results[spec.id]) for spec in specs if spec.id in results and results[spec.id].graded]
    cell = cell_of(agent, None, specs, results)
    over = [results[spec.id] for spec in specs if spec.id in results]
    return AgentFigures(
        cell=cell,
        damage=estimate_plays((spec.task, instance_of(spec), float(one.clean is False)) for spec, one in graded),
        smallest_difference=smallest_difference(cell.success),
        use=_use(over),
        phases=_phases(over),
    )


def whose(cause: str) -> str:
    """Whose code a fault came from, in words: it counts alike, but is not for the same people to mend."""
    if cause == "agent_raised":
        return "the agent's own code"
    if cause in _MODEL:
        return "the agent's model server, or how it was called"
    if cause in _RECORDING:
        return "the recording that was to be played again"
    if cause in _TASK:
        return "the task, or the plan"
    return "the harness, or what it runs on"


_MODEL = frozenset({"model_unreachable", "model_refused", "no_usage"})
_TASK = frozenset({"verifier_raised", "impossible_plan"})
_RECORDING = frozenset({"replay_diverged", "no_recording"})


def _use(over: Sequence[EpisodeResult]) -> Use:
    graded = [one for one in over if one.graded]
    spent = [one.spent for one in over]
    costs = [all_of["cost_usd"] for all_of in spent if "cost_usd" in all_of]
    cost = sum(costs) if costs else None
    success = sum(one.success for one in graded)
    return Use(
        steps_each=mean(one.steps for one in graded),
        seconds_each=mean(one.seconds for one in graded),
        tokens_each=mean(tokens_of(one) for one in graded if one.usage),
        tokens=sum(int(all_of.get("prompt_tokens", 0) + all_of.get("completion_tokens", 0)) for all_of in spent),
        calls=int(sum(all_of.get("calls", 0) for all_of in spent)),
        cost_usd=cost,
        cost_each=mean(one.usage["cost_usd"] for one in graded if "cost_usd" in one.usage),
        cost_a_success=cost / success if cost is not None and success else None,
        ended=dict(Counter(one.outcome for one in graded if one.outcome and cause_of(one.outcome).counts)),
    )


def _phases(over: Iterable[EpisodeResult]) -> dict[str, float]:
    graded = [one for one in over if one.graded]
    total: dict[str, float] = {}
    for one in graded:
        for name, value in one.timings.items():
            total[name] = total.get(name, 0.0) + value
    return {name: value / len(graded) for name, value in total.items() if value > 0}


def _faults(results: dict[str, EpisodeResult]) -> list[FaultGroup]:
    """Most frequent first; causes that retries made good in every case last."""
    ended: dict[str, list[EpisodeResult]] = {}
    good: Counter[str] = Counter()
    for one in results.values():
        if one.status == Status.FAULT:
            ended.setdefault(cause_of_end(one) or "unknown", []).append(one)
        else:
            good.update({fault.cause for fault in one.faults})
    found = [_fault(name, ended.get(name, []), good[name], results) for name in dict.fromkeys([*ended, *good])]
    return sorted(found, key=lambda group: (-group.count, -group.made_good))


def _fault(name: str, some: Sequence[EpisodeResult], good: int, results: dict[str, EpisodeResult]) -> FaultGroup:
    first = some[0] if some else next(o for o in results.values() if any(f.cause == name for f in o.faults))
    message = next((fault.message for fault in first.faults if fault.cause == name), first.reason)
    agents = dict(Counter(one.agent for one in some))
    return FaultGroup(cause_of(name), name, len(some), agents, message, first.id, whose(name), good)
