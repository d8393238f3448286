"""What a world server elsewhere must have in common with us: the version, and a hash of the code worlds are made of."""

from __future__ import annotations

import functools

from ... import __version__
from .baseline import hash_sources


@functools.cache
def content_hash() -> str:
    """SHA-256 (hex) over sites, tasks and verifiers: equal where the same pages, tasks and verdicts come out."""
    return hash_sources(("sitegym.sites", "sitegym.tasks", "sitegym.verifiers"))


def version() -> dict[str, str]:
    """What each side tells the other."""
    return {"version": __version__, "content": content_hash()}
