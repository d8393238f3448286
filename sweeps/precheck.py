"""What is looked at before a sweep begins, so that nothing is found out only after minutes: where its models are."""

from __future__ import annotations

from collections.abc import Iterable

from ..agents import load
from ..agents.reach import check_reached
from .results import Status
from .run_folder import RunFolder

_ON_MODELS = ("llm", "cua")
"""Built-in agents with a server. Agents of one's own are not made just to be asked."""


def check_models(agents: Iterable[str]) -> None:
    """Raise `EnvironmentFault` where a model's server does not accept a connection; vendors' own are not asked."""
    made = (load(agent) for agent in agents if agent.partition(":")[0] in _ON_MODELS)
    check_reached(address for one in made if (address := str(getattr(one, "address", ""))))


def check_models_left(folder: RunFolder) -> None:
    """The same for the agents that still have something to play."""
    agents = {agent for agent in folder.plan.agents if agent.partition(":")[0] in _ON_MODELS}
    if agents:
        over = {id for id, result in folder.results().items() if result.status != Status.FAULT}
        check_models(dict.fromkeys(spec.agent for spec in folder.plan.episodes if spec.id not in over))
