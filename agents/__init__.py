"""Agents: oracle, random, noop, models, recordings, a person, and your own by `module:name`."""

from .base import Agent, Decision, FunctionAgent, ModelCall, Stop, Usage, decision_of
from .human import HumanAgent, Person
from .loading import BUILT_IN, HUMAN, load

__all__ = [
    "BUILT_IN", "HUMAN", "Agent", "Decision", "FunctionAgent", "HumanAgent", "ModelCall", "Person", "Stop", "Usage",
    "decision_of", "load",
]  # fmt: skip
