"""Agents: oracle, random, noop, and your own by `module:name`."""

from .base import Agent, FunctionAgent
from .loading import BUILT_IN, load

__all__ = ["BUILT_IN", "Agent", "FunctionAgent", "load"]
