"""The folders that static files come from, and addresses that change when a file does."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import flask_bootstrap

BOOTSTRAP = Path(flask_bootstrap.__file__).parent / "static" / "bootstrap5"
OURS = Path(__file__).parent / "static"

ALL_STYLES = "css/all.css"
STYLES = tuple(
    f"css/{name}.css"
    for name in (
        "tokens",
        "frame",
        "navigation",
        "controls",
        "widgets",
        "grid",
        "pages",
        "customers",
        "reviews",
        "dashboard",
        "audit",
        "orders",
        "paper",
        "products",
        "variants",
        "inventory",
        "structure",
        "bell",
    )
)
"""Our style sheets, the general ones first."""

FOLDERS = {"bootstrap": str(BOOTSTRAP), "admin": str(OURS)}
"""Name in the address to folder on disk."""


@cache
def asset_url(folder: str, name: str) -> str:
    """The address of a static file, below a version of its folder; `FileNotFoundError` where it is missing.

    The version is a part of the path, so that a module imported by a relative address is the one the page loads.
    """
    if name != ALL_STYLES and not (Path(FOLDERS[folder]) / name).is_file():
        raise FileNotFoundError(f"there is no static file {name!r} in {folder!r}")
    return f"/assets/{folder}/{_version(folder)}/{name}"


@cache
def styles() -> str:
    """All style sheets of ours as one, in order: a page asks once instead of ten times."""
    return "\n".join((OURS / name).read_text(encoding="utf-8") for name in STYLES)


@cache
def _version(folder: str) -> str:
    """A short hash of a folder of ours; of the toolkit, its version."""
    if folder != "admin":
        return version("Bootstrap-Flask")
    digest = hashlib.sha256()
    for path in sorted(path for path in OURS.rglob("*") if path.is_file()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]
