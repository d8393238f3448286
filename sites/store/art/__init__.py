"""Product pictures drawn from the seed: plain catalogue art, a figure per kind of thing, always the same bytes."""

from __future__ import annotations

from .picture import SIZES, draw

__all__ = ["SIZES", "draw"]
