"""The store's data: a believable shop with a history, made from a seed and nothing else."""

from __future__ import annotations

from .build import build
from .traps import traps

__all__ = ["build", "traps"]
