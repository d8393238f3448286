"""The list of episodes as compact data: names once, a row of numbers and short texts for each episode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from ..results import EpisodeResult
from ..run_folder import RunFolder
from .episodes import cause_of_end, outcome_of
from .figures import tokens_of
from .groups import abouts

REASON = 300
"""Characters of a reason that the list shows; the episode's page has all of it."""
COLUMNS = (
    "id", "agent", "task", "seed", "repeat", "split", "outcome", "cause", "tried", "reason", "damage", "steps",
    "seconds", "tokens",
)  # fmt: skip
"""What a row holds, in order. Agent, task, split, outcome, cause and tried are places in the lists of the same names
(cause and tried in `causes`), None where there is none."""


class Names:
    """Names by their place, each once."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.places = {name: place for place, name in enumerate(names)}

    def place(self, name: str) -> int:
        """The place of a name, a new one where it is new."""
        return self.places.setdefault(name, len(self.places))


def listing(folder: RunFolder, results: dict[str, EpisodeResult]) -> dict[str, Any]:
    """Every planned episode, for the script of the overview; plain values only."""
    agents, tasks = Names(folder.plan.agents), Names(folder.plan.tasks)
    splits, causes, kinds = Names(), Names(), dict[str, str]()
    outcomes = Names()
    rows: list[list[Any]] = []
    for spec in folder.plan.episodes:
        result = results.get(spec.id)
        outcome = outcome_of(spec, result)
        kinds[outcome.word] = outcome.kind
        split = None if spec.split is None else splits.place(spec.split)
        row: list[Any] = [spec.id, agents.place(spec.agent), tasks.place(spec.task), spec.task_seed, spec.repeat, split]
        row += [outcomes.place(outcome.word)]
        if result is not None:
            tried = result.faults[-1].cause if result.faults and result.graded else None
            row += [None if one is None else causes.place(one) for one in (cause_of_end(result), tried)]
            row += [_short(result.reason), result.damage, result.steps, round(result.seconds, 2), tokens_of(result)]
        rows.append(row)
    about = abouts(folder)
    return {
        "columns": COLUMNS,
        "agents": [*agents.places],
        "tasks": [{"name": task, **asdict(one)} for task, one in about.items()],
        "splits": [*splits.places],
        "outcomes": [{"word": word, "kind": kinds[word]} for word in outcomes.places],
        "causes": [*causes.places],
        "rows": rows,
    }


def _short(reason: str) -> str:
    return reason if len(reason) <= REASON else f"{reason[: REASON - 1]}…"
