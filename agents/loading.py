"""Agents by name: the built-in ones, and anybody's own as `module:name`."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from typing import Any

from ..called import to_type
from ..errors import UnknownAgent, UsageError
from .base import Agent, FunctionAgent
from .noop import NoopAgent
from .oracle import OracleAgent
from .random_agent import RandomAgent

BUILT_IN: dict[str, type[Any]] = {"noop": NoopAgent, "oracle": OracleAgent, "random": RandomAgent}
"""Names that `load` knows without a module."""
HUMAN = "human"
"""The person before the screen; plays in a demo only."""


def load(name: str) -> Agent:
    """A fresh agent for one episode.

    `name` is a built-in name, or `module:name` of a class (made without arguments), of a function
    `observation -> action`, or of an object with `start` and `act`; the current folder is searched as well.
    Raises `UnknownAgent` where nothing has this name, `UsageError` where what has it is not an agent, and for `human`,
    who needs a window.
    """
    if ":" not in name:
        if name == HUMAN:
            raise UsageError(f"a person plays in a window, one task at a time: {to_type('demo TASK --agent human')}")
        if name not in BUILT_IN:
            raise UnknownAgent(name, [*BUILT_IN, HUMAN])
        made: Agent = BUILT_IN[name]()
        return made
    return _as_agent(name, _find(name))


def _find(name: str) -> object:
    module_name, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as cause:
        if cause.name is None or not module_name.startswith(cause.name):
            raise
        raise UsageError(f"agent {name!r}: there is no module {module_name!r} in this folder or installed") from cause
    if not hasattr(module, attribute):
        public = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module_name]
        raise UnknownAgent(name, [f"{module_name}:{key}" for key in public])
    return getattr(module, attribute)


def _as_agent(name: str, found: object) -> Agent:
    if inspect.isclass(found):
        found = found()
    if isinstance(found, Agent):
        return found
    if callable(found):
        return FunctionAgent(found)
    raise UsageError(f"agent {name!r} is a {type(found).__name__}; it needs start(task, episode) and act(observation)")
