"""What is kept of the database after an episode: the row difference from its baseline, and a hash of the state."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData

from .files import json_bytes
from .rowdiff import difference

_ROWS = ("inserted", "deleted", "updated")


def evidence(before: Path, before_hash: str, after: Path, metadata: MetaData) -> dict[str, Any]:
    """`{before, after, tables}`: the baseline's logical hash, the hash of the state after, and what lies between.

    The hash after is one over the hash before and the row difference: equal for equal rows on one baseline, wherever
    in the file they lie, and fifty times cheaper than reading every row again.
    """
    tables = difference(before, after, metadata)
    return {"before": before_hash, "after": hash_after(before_hash, tables), "tables": tables}


def hash_after(before_hash: str, tables: Mapping[str, Any]) -> str:
    """The hash of the state that a row difference leads to."""
    rows = {name: {kind: sorted(map(fingerprint, table[kind])) for kind in _ROWS} for name, table in tables.items()}
    return fingerprint([before_hash, rows])


def fingerprint(value: Any) -> str:
    """A SHA-256 (hex) over a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json_bytes(value, sort_keys=True)).hexdigest()
