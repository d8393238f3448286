"""Packages that come with an extra of sitegym: imported when first needed, with an error that says how to get them."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from ..errors import UsageError


def check(package: str, extra: str, why: str) -> None:
    """Raise `UsageError` where a package is not installed, without importing it (that may take a second)."""
    try:
        found = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # the package that it is in is missing as well
        found = None
    if found is None:
        name = package.rpartition(".")[0] or package
        raise UsageError(f"{why} needs the package {name!r}: pip install 'sitegym[{extra}]'")


def use(package: str, extra: str, why: str) -> Any:
    """The package, imported; raises `UsageError`, which names the extra, where it is not installed."""
    check(package, extra, why)
    return importlib.import_module(package)
