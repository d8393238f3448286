"""The templates by id; each is imported when templates are first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ..errors import UnknownTask
from .template import Template

_MODULES = ("store",)
"""Packages of this one with a `TEMPLATES` tuple."""


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
    found = [one() for name in _MODULES for one in import_module(f".{name}", __package__).TEMPLATES]
    return {one.id: one for one in sorted(found, key=lambda one: str(one.id))}
