"""Worlds on PostgreSQL: the second database, which gives the same pages to the byte.

The baseline is a template database; each generation of a world is a clone of it, with a login of its own. Rows leave
and enter as files of SQLite, by what differs from the baseline. Needs the extra `sitegym[postgresql]`, and is imported
only where a world is opened on PostgreSQL.
"""

from __future__ import annotations

from .address import Address
from .cluster import Cluster
from .source import Clones, Server

__all__ = ["Address", "Clones", "Cluster", "Server"]
