"""Where the planted difficulties are: per trap the rows that carry it, found by queries on a finished database."""

from __future__ import annotations

from sqlalchemy import Connection


def traps(connection: Connection) -> dict[str, list[str]]:
    """Trap to its instances."""
    return {}
