"""The templates by id; each is imported when templates are first asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ..errors import UnknownTask, UsageError
from .template import Template

_MODULES = ("store",)
"""Packages of this one with a `TEMPLATES` tuple."""

OWN = "SITEGYM_TASKS"
"""Environment variable that names modules with tasks of one's own, separated by commas; worker processes inherit it."""


def templates() -> Mapping[str, Template[Any]]:
    """Every template by id, in alphabetical order."""
    return MappingProxyType(_all())


def template(task_id: str) -> Template[Any]:
    """The template with this id. Raises `UnknownTask` with the nearest id."""
    try:
        return _all()[task_id]
    except KeyError:
        raise UnknownTask(task_id, _all()) from None


def match(pattern: str) -> list[str]:
    """Ids that match a pattern such as `store.*` or `*/cancel-order`. Raises `UnknownTask` where none does."""
    found = [task_id for task_id in _all() if fnmatchcase(task_id, pattern)]
    if not found:
        raise UnknownTask(pattern, _all())
    return found


@cache
def _all() -> dict[str, Template[Any]]:
    ours = [one() for name in _MODULES for one in import_module(f".{name}", __package__).TEMPLATES]
    own = [one() for name in os.environ.get(OWN, "").split(",") if name.strip() for one in _own(name.strip())]
    found: dict[str, Template[Any]] = {}
    for one in (*ours, *own):
        if one.id in found:
            raise UsageError(f"two task templates have the id {one.id!r}: {_class(found[one.id])} and {_class(one)}")
        found[one.id] = one
    return dict(sorted(found.items()))


def _own(name: str) -> Iterable[type[Template[Any]]]:
    """The templates of somebody's module, which may lie in the current folder."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = import_module(name)
    except ModuleNotFoundError as cause:
        if cause.name is None or not name.startswith(cause.name):
            raise
        raise UsageError(f"{OWN} names {name!r}, but there is no such module in this folder or installed") from cause
    templates = getattr(module, "TEMPLATES", None)
    if not isinstance(templates, tuple) or not all(isinstance(t, type) and issubclass(t, Template) for t in templates):
        raise UsageError(f"{OWN} names {name!r}, which has no TEMPLATES: a tuple of classes that extend tasks.Template")
    return templates


def _class(one: Template[Any]) -> str:
    return f"{type(one).__module__}.{type(one).__qualname__}"
