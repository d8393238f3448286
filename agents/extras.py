"""Packages that come with an extra of sitegym: imported when first needed, with an error that says how to get them."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from ..called import pip_install
from ..errors import UsageError

_INSTALLED_AS = {"google.genai": "google-genai"}
"""Packages that are called otherwise where they are installed from."""


def missing(package: str, extra: str, why: str) -> str:
    """What to do where a package is not installed; empty where it is. It is not imported, as that may take a second."""
    try:
        found = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # the package that it is in is missing as well
        found = None
    if found is not None:
        return ""
    name = _INSTALLED_AS.get(package, package)
    return f"{why} needs the package {name!r}: {pip_install(name)} (it comes with sitegym[{extra}])"


def check(package: str, extra: str, why: str) -> None:
    """Raise `UsageError` where a package is not installed, without importing it."""
    if told := missing(package, extra, why):
        raise UsageError(told)


def use(package: str, extra: str, why: str) -> Any:
    """The package, imported; raises `UsageError`, which says how to get it, where it is not installed."""
    check(package, extra, why)
    return importlib.import_module(package)
