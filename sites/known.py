"""Whether there is such a world: a site, a data set of its, and a seed."""

from __future__ import annotations

from numbers import Integral

from ..errors import UsageError
from . import registry
from .world.errors import UnknownDataSet


def check_world(site: str, data: str, data_seed: int) -> None:
    """Raise `UnknownSite`, `UnknownDataSet` or `UsageError` where there is no such world; builds nothing."""
    known = registry.get(site).data_sets
    if data not in known:
        raise UnknownDataSet(str(data), known)
    if isinstance(data_seed, bool) or not isinstance(data_seed, Integral) or data_seed < 0:
        raise UsageError(f"data_seed is a whole number from 0, not {data_seed!r}")
