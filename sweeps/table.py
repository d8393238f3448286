"""The table that a sweep ends with: success, goal met, damage, faults, steps and seconds, by agent and by template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table

from ..called import to_type
from .plan import EpisodeSpec, Plan
from .results import EpisodeResult, Status, mean, share

_REASONS = 5
"""How many different reasons of faults are told below the table."""


@dataclass(frozen=True)
class Line:
    """Figures over some planned episodes; a fault stays in `planned` and is left out of `graded`."""

    agent: str
    task: str | None
    """None: all templates."""
    planned: int
    graded: int
    success: int
    goal_met: int
    damaged: int
    """Episodes that changed something they should not have."""
    faults: int
    """Episodes without a verdict."""
    retried: int
    """Episodes that a retry made good."""
    steps: float | None
    seconds: float | None

    @property
    def open(self) -> int:
        """Planned episodes that did not run yet."""
        return self.planned - self.graded - self.faults


def lines(plan: Plan, results: dict[str, EpisodeResult]) -> list[Line]:
    """For each agent one line over all templates, then one for each template."""
    mine: dict[tuple[str, str | None], list[EpisodeSpec]] = {}
    for spec in plan.episodes:
        mine.setdefault((spec.agent, None), []).append(spec)
        mine.setdefault((spec.agent, spec.task), []).append(spec)
    each = [(agent, task) for agent in plan.agents for task in (None, *plan.tasks)]
    return [line_of(agent, task, mine.get((agent, task), []), results) for agent, task in each]


def results_table(plan: Plan, results: dict[str, EpisodeResult]) -> Table:
    """The lines as a table for the terminal."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    # a long name gives way, never a figure: rich takes from columns that may wrap before it takes from others
    table.add_column("\nAgent and template", overflow="ellipsis")
    heads = ("Success\nof graded", "of\nplanned", "Goal\nmet", "\nDamage", "\nFaults", "\nSteps", "\nSec.")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for line in lines(plan, results):
        if line.task is None and table.row_count:
            table.add_row()
        name = f"  {line.task}" if line.task else line.agent
        table.add_row(name, *_cells(line), style=None if line.task else "bold")
    return table


def footnotes(plan: Plan, results: dict[str, EpisodeResult]) -> list[str]:
    """Sentences that the figures need: what is not over, and why there are faults."""
    notes = []
    missing = len(plan.episodes) - len(results)
    if missing:
        notes.append(f"{missing} of {len(plan.episodes)} planned episodes have not run yet.")
    faulted = [result for result in results.values() if result.status == Status.FAULT]
    if faulted:
        causes = ", ".join(sorted({result.faults[-1].cause for result in faulted if result.faults}))
        notes.append(f"{_episodes(len(faulted))} ended in a fault ({causes}): no reward, which is not a reward of 0.")
        notes += _reasons(faulted)
    retried = sum(bool(result.faults) and result.status != Status.FAULT for result in results.values())
    if retried:
        notes.append(f"{_episodes(retried)} had a fault first and went well when tried again.")
    used_up = Counter(
        (one.outcome or "").removeprefix("budget_") for one in results.values() if one.status == Status.TRUNCATED
    )
    if used_up:
        told = ", ".join(f"{name} {count}" for name, count in used_up.most_common())
        notes.append(
            f"{_episodes(used_up.total())} used up a budget before the agent had finished ({told}): graded as 0."
        )
    wrong = sorted({one.task for one in results.values() if one.agent == "oracle" and one.status == Status.FINISHED
                    and one.reward == 0})  # fmt: skip
    for task in wrong:
        notes.append(
            f"The oracle failed at {task}: that is the task's fault; {to_type(f'prove --task {task}')} says more."
        )
    return notes


def _reasons(faulted: Sequence[EpisodeResult]) -> list[str]:
    """Each fault's reason, once, with an episode that it ended and how many more."""
    ids: dict[str, list[str]] = {}
    for one in faulted:
        ids.setdefault(one.reason, []).append(one.id)
    told = [f"  {some[0]}{f' and {len(some) - 1} more' if some[1:] else ''}: {why}" for why, some in ids.items()]
    rest = [f"  and {len(told) - _REASONS} further reasons: see results.jsonl"] if len(told) > _REASONS else []
    return told[:_REASONS] + rest


def _episodes(count: int) -> str:
    return f"{count} episode{'s' if count != 1 else ''}"


def _cells(line: Line) -> tuple[str, ...]:
    return (
        share(line.success, line.graded),
        f"{100 * line.success / line.planned:.0f} %" if line.planned else "–",
        str(line.goal_met),
        str(line.damaged),
        str(line.faults),
        "–" if line.steps is None else f"{line.steps:.1f}",
        "–" if line.seconds is None else f"{line.seconds:.1f}",
    )


def line_of(agent: str, task: str | None, specs: Sequence[EpisodeSpec], results: dict[str, EpisodeResult]) -> Line:
    """The figures of an agent over these planned episodes; `task` names them where they are of one template."""
    over = [results[spec.id] for spec in specs if spec.id in results]
    graded = [result for result in over if result.graded]
    return Line(
        agent=agent,
        task=task,
        planned=len(specs),
        graded=len(graded),
        success=_count(result.success for result in graded),
        goal_met=_count(result.goal_met for result in graded),
        damaged=_count(result.clean is False for result in graded),
        faults=len(over) - len(graded),
        retried=_count(bool(result.faults) for result in graded),
        steps=mean(result.steps for result in graded),
        seconds=mean(result.seconds for result in graded),
    )


def _count(values: Iterable[object]) -> int:
    return sum(map(bool, values))
