"""Where the workers of a sweep run: processes on this machine (`local`), or actors in a Ray cluster (`ray`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...agents.extras import check
from ...errors import UsageError
from .base import Engine, EngineWorker
from .local import LocalEngine

LOCAL, RAY = "local", "ray"
ENGINES = (LOCAL, RAY)

__all__ = ["ENGINES", "LOCAL", "RAY", "Engine", "EngineWorker", "LocalEngine", "check_engine", "make_engine"]


def check_engine(name: str, ray_address: str | None = None) -> None:
    """Raise `UsageError` where there is no such engine, or where its package is not installed."""
    if name not in ENGINES:
        raise UsageError(f"no engine {name!r}; known: {', '.join(ENGINES)}")
    if name == RAY:
        check("ray", "ray", "the engine ray")
    elif ray_address is not None:
        raise UsageError("ray_address is for the engine ray (--engine ray)")


def make_engine(
    name: str, *, settings: dict[str, Any], logs: Path, workers: int, ray_address: str | None
) -> Engine[Any]:
    """The engine of this name. What it needs is started when it is opened."""
    if name == LOCAL:
        return LocalEngine(settings, logs)
    from .on_ray import RayEngine

    return RayEngine(settings, logs, workers=workers, address=ray_address)
