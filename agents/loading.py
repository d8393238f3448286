"""Agents by name: the built-in ones, and anybody's own as `module:name`, both with options behind a colon."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Mapping
from typing import Any

from ..called import to_type
from ..errors import UnknownAgent, UsageError
from . import options
from .awaited import Awaited, awaited
from .base import Agent, FunctionAgent
from .cua import CuaAgent
from .llm import LlmAgent
from .noop import NoopAgent
from .oracle import OracleAgent
from .random_agent import RandomAgent
from .replay import ReplayAgent

BUILT_IN: dict[str, type[Any]] = {
    "cua": CuaAgent,
    "llm": LlmAgent,
    "noop": NoopAgent,
    "oracle": OracleAgent,
    "random": RandomAgent,
    "replay": ReplayAgent,
}
"""Names that `load` knows without a module."""
HUMAN = "human"
"""The person before the screen; plays in a demo only."""


def load(name: str) -> Agent:
    """A fresh agent for one episode.

    `name` is a built-in name, or `module:name` of a class, of a function `observation -> action` (which may be a
    coroutine), or of an object with `start` and `act`; the current folder is searched as well. Behind another colon
    stand options, `llm:model=qwen3,history=5` or `module:Class:depth=2`: arguments of the class (see `options`).
    Raises `UnknownAgent` where nothing has this name, `UsageError` where what has it is not an agent, for options that
    do not fit, and for `human`, who needs a window.
    """
    head, _, rest = name.partition(":")
    if head == HUMAN:
        raise UsageError(f"a person plays in a window, one task at a time: {to_type('demo TASK --agent human')}")
    if head in BUILT_IN:
        return _made(head, BUILT_IN[head], options.parse(rest))
    if not rest:
        raise UnknownAgent(name, [*BUILT_IN, HUMAN])
    attribute, _, given = rest.partition(":")
    return _as_agent(f"{head}:{attribute}", _find(head, attribute), options.parse(given))


def _made(name: str, kind: type[Any], given: Mapping[str, Any]) -> Agent:
    """An agent of a class; one with a class `Options` is given these as a whole."""
    wanted = getattr(kind, "Options", kind)
    arguments = options.fit(name, wanted, given)
    made = kind(wanted(**arguments)) if wanted is not kind else kind(**arguments)
    if not isinstance(made, Agent):
        raise _no_agent(name, made)
    agent: Agent = awaited(made)
    return agent


def _find(module_name: str, attribute: str) -> object:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as cause:
        if cause.name is None or not module_name.startswith(cause.name):
            raise
        raise UsageError(
            f"agent '{module_name}:{attribute}': there is no module {module_name!r} in this folder or installed"
        ) from cause
    if not hasattr(module, attribute):
        public = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module_name]
        raise UnknownAgent(f"{module_name}:{attribute}", [f"{module_name}:{key}" for key in public])
    return getattr(module, attribute)


def _as_agent(name: str, found: Any, given: Mapping[str, Any]) -> Agent:
    if inspect.isclass(found):
        return _made(name, found, given)
    if given:
        raise UsageError(f"agent {name!r} is no class, so it takes no options")
    if isinstance(found, Agent):
        agent: Agent = awaited(found)
        return agent
    if not callable(found):
        raise _no_agent(name, found)
    made = FunctionAgent(found)
    return Awaited(made) if inspect.iscoroutinefunction(found) else made


def _no_agent(name: str, found: object) -> UsageError:
    return UsageError(f"agent {name!r} is a {type(found).__name__}; it needs start(task, episode) and act(observation)")
