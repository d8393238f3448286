"""The folders that static files come from, and addresses that change when a file does."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import flask_bootstrap

BOOTSTRAP = Path(flask_bootstrap.__file__).parent / "static" / "bootstrap5"
OURS = Path(__file__).parent / "static"

FOLDERS = {"bootstrap": str(BOOTSTRAP), "admin": str(OURS)}
"""Name in the address to folder on disk."""


@cache
def asset_url(folder: str, name: str) -> str:
    """The address of a static file with a version made from its bytes; `FileNotFoundError` where it is missing."""
    content = (Path(FOLDERS[folder]) / name).read_bytes()
    return f"/assets/{folder}/{name}?v={hashlib.sha256(content).hexdigest()[:10]}"
