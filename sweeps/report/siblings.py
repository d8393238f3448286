"""Other plays of the same instance, which an episode's page leads to: those of other agents, and repeats."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from ..plan import EpisodeSpec
from ..results import EpisodeResult
from ..run_folder import RunFolder
from .episodes import Outcome, outcome_of
from .groups import instance_of

MOST = 24
"""Plays that a page leads to at most."""


@dataclass(frozen=True)
class Sibling:
    """One of them."""

    spec: EpisodeSpec
    outcome: Outcome


@dataclass(frozen=True)
class Siblings:
    """Those of all episodes of a run."""

    by_instance: dict[Hashable, list[Sibling]]

    def of(self, spec: EpisodeSpec) -> list[Sibling]:
        """The others that played the same."""
        return [one for one in self.by_instance[instance_of(spec)] if one.spec.id != spec.id][:MOST]


def siblings(folder: RunFolder, results: dict[str, EpisodeResult]) -> Siblings:
    """From the plan and the results."""
    found: dict[Hashable, list[Sibling]] = {}
    for spec in folder.plan.episodes:
        found.setdefault(instance_of(spec), []).append(Sibling(spec, outcome_of(spec, results.get(spec.id))))
    return Siblings(found)
