"""What became of the last mass action: kept in the session, shown once on the list, the guard against sending twice.

Every mass action has a turn, counted by the session. A form carries the next one; a form that comes in twice finds its
turn taken by itself, and is led to the result instead of being carried out again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import g, request

from ..services import sessions
from . import present
from .grid_actions import Action, Outcome

if TYPE_CHECKING:
    from .grids import Grid

KEPT = "mass"


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of every row; `grid` and `action` by name, `rows` the refused ones first."""

    turn: int
    grid: str
    action: str
    rows: tuple[Outcome, ...]
    finished: bool
    nouns: tuple[str, str]
    done: str

    @property
    def refused(self) -> list[Outcome]:
        """The rows that were not done."""
        return [row for row in self.rows if not row.ok]

    @property
    def applied(self) -> list[Outcome]:
        """The rows that were done."""
        return [row for row in self.rows if row.ok]

    @property
    def said(self) -> str:
        """In one sentence: "21 orders canceled, 2 refused."."""
        if not self.finished:
            return "This is still being done; reload to see how far it is."
        parts = [f"{present.count(len(self.applied), *self.nouns)} {self.done}"]
        return ", ".join([*parts, *([f"{len(self.refused)} refused"] if self.refused else [])]) + "."


def shown(found: Mapping[str, Any], grid: Grid, nouns: tuple[str, str]) -> Result | None:
    """The result that this request asks for (`result=3`), if it is the last one of the session, which is `found`."""
    asked = request.args.get("result", "")
    if not asked or str(found.get("turn")) != asked or found["grid"] != grid.name:
        return None
    action = grid.action(found["action"])
    return Result(
        turn=found["turn"],
        grid=grid.name,
        action=action.label if action else "",
        rows=tuple(Outcome(**row) for row in sorted(found["rows"], key=lambda row: bool(row["ok"]))),
        finished=found["finished"],
        nouns=nouns,
        done=action.done or "done" if action else "done",
    )


def claim(grid: Grid, action: Action, turn: int, fields: Sequence[tuple[str, str]]) -> bool:
    """Take a turn; False where this very form has taken it before."""
    digest = hashlib.sha256(repr(sorted(fields)).encode()).hexdigest()
    again = False

    def change(found: Mapping[str, Any] | None) -> Mapping[str, Any]:
        nonlocal again
        found = found or {}
        again = found.get("turn", 0) >= turn and found.get("digest") == digest
        if again:
            return found
        return {
            "turn": int(found.get("turn", 0)) + 1,
            "digest": digest,
            "grid": grid.name,
            "action": action.name,
            "rows": [],
            "finished": False,
        }

    sessions.keep(g.world, g.token, KEPT, change)
    return not again


def finish(rows: Sequence[Outcome]) -> int:
    """Keep what became of the rows; returns the turn."""
    plain = [dict(row.to_json()) for row in rows]
    kept = sessions.keep(g.world, g.token, KEPT, lambda found: {**(found or {}), "rows": plain, "finished": True})
    return int(kept["turn"])
