"""A blueprint whose routes answer on one host only, so that one application serves several sites."""

from __future__ import annotations

from typing import Any

from flask import Blueprint


class HostBlueprint(Blueprint):
    """`Blueprint` with a `host`: every rule added to it is bound to that name."""

    def __init__(self, name: str, import_name: str, *, host: str, **kwargs: Any) -> None:
        self.host = host
        super().__init__(name, import_name, **kwargs)

    def add_url_rule(self, rule: str, *args: Any, **kwargs: Any) -> None:
        """Add a rule on this blueprint's host."""
        kwargs.setdefault("host", self.host)
        super().add_url_rule(rule, *args, **kwargs)
