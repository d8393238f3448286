"""Where sitegym keeps what it makes once and uses often: baselines, proofs that a browser starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .errors import UsageError


def cache_dir() -> Path:
    """The user's cache folder for sitegym, created if missing.

    `SITEGYM_CACHE` decides, then `XDG_CACHE_HOME`, then the platform's habit. Raises `UsageError` where the folder
    can't be made; a folder that exists but is read-only is returned, for what is in it can still be read.
    """
    folder = _chosen()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the cache folder {folder} can't be made ({error.strerror}): set SITEGYM_CACHE to one you can write to"
        ) from error
    return folder


def _chosen() -> Path:
    if override := os.environ.get("SITEGYM_CACHE"):
        return Path(override).expanduser().absolute()
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        return Path(xdg).expanduser().absolute() / "sitegym"
    habit = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / habit / "sitegym"
