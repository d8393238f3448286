"""What a site is to the rest of sitegym: its tables, its application, its data, and how to act in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask
    from sqlalchemy import Connection, MetaData

    from .world import WorldContext


@dataclass(frozen=True, kw_only=True)
class Cookie:
    """A session that the harness minted, to be put into a browser before its first request."""

    name: str
    value: str
    host: str
    """The site's host name, without a port."""

    def for_browser(self) -> dict[str, Any]:
        """The argument of Playwright's `context.add_cookies([...])`: a session cookie that scripts can't read."""
        return {
            "name": self.name,
            "value": self.value,
            "domain": self.host,
            "path": "/",
            "httpOnly": True,
            "secure": False,
            "sameSite": "Lax",
        }


@dataclass(frozen=True, kw_only=True)
class Account:
    """Somebody who can sign in, with what they type; all invented."""

    role: str
    name: str
    email: str
    password: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """One web application over one database.

    Everything that is callable here runs in the world server or while a baseline is built, never in the browser's
    process, except `recompute` and `metadata`, which verifiers use.
    """

    name: str
    metadata: MetaData
    hosts: Mapping[str, str]
    """Host name to the face it shows, such as `{"admin.shop.localhost": "admin"}`."""
    start: str
    """The instant at which every episode begins, `2026-03-18T10:00:00Z`."""
    build: Callable[[Connection, str, int], None]
    """`build(connection, data, seed)` makes the tables and fills them; same arguments, same rows."""
    create_app: Callable[[], Flask]
    """Makes the one application of a process; its requests find their world in `environ["sitegym.world"]`."""
    sign_in: Callable[[WorldContext, str], Cookie | Mapping[str, str]]
    """`sign_in(world, role)` mints a session; returns name, value and host of its cookie."""
    actor: Callable[[WorldContext, str], Any]
    """`actor(world, role)` is the person whom use cases take as their second argument."""
    use_cases: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """Service functions by name, `"orders.cancel"` to `fn(world, actor, **fields)`."""
    recompute: Callable[..., Mapping[str, Mapping[Any, Mapping[str, Any]]]] | None = None
    """`recompute(snapshot, changed)` computes the derived columns again that follow from changed rows (of all, None).

    One that takes `without=tables` can leave out tables, which mutation testing uses to be faster.
    """
    accounts: Callable[[Connection], Sequence[Account]] | None = None
    """Who can sign in, one person for each role, read from a baseline; for people who look at the site themselves."""
    data_sets: tuple[str, ...] = ("tiny", "base")
    """Names that `build` understands."""
    sources: tuple[str, ...] = ()
    """Modules and packages (dotted names) that decide what `build` makes; a change in them makes a new baseline.

    Empty means the whole package that `build` lives in.
    """
