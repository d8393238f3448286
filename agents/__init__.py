"""Agents: oracle, random, noop, a person, and your own by `module:name`."""

from .base import Agent, FunctionAgent
from .human import HumanAgent, Person
from .loading import BUILT_IN, HUMAN, load

__all__ = ["BUILT_IN", "HUMAN", "Agent", "FunctionAgent", "HumanAgent", "Person", "load"]
