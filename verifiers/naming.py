"""Whether the reason of a refusal names what is wrong: the table, the row and the column of a mutant."""

from __future__ import annotations

from .expectation import Deleted, Expectation, Ordered, Part, Updated, part_name
from .grade import STALE
from .mutants import Mutant
from .shape import ORDER, TRAIL
from .verdict import Check, Damage, Verdict


def names(verdict: Verdict, mutant: Mutant, expectation: Expectation) -> bool:
    """Whether what `verdict.reason` spells out (the first failed check, the first damage) is about the mutant."""
    failed = [check for check in verdict.checks if not check.ok][:1]
    return any(_tells(check, mutant, expectation) for check in failed) or any(
        _shows(damage, mutant) for damage in verdict.damage[:1]
    )


def _shows(damage: Damage, mutant: Mutant) -> bool:
    """Damage in the mutant's row and column, or in the sequence that one of its rows stands in.

    A trail row may come by itself; what is wrong then is a value that does not follow from it, which is named.
    """
    if mutant.cls == TRAIL and damage.why == STALE:
        return True
    if damage.table != mutant.table or (mutant.column and damage.column not in (None, mutant.column)):
        return False
    return damage.key in mutant.rows or (damage.why == "order" and any(key in _keys(damage) for key in mutant.rows))


def _keys(damage: Damage) -> list[object]:
    return [key for side in (damage.old, damage.new) if isinstance(side, list) for key in side]


def _tells(check: Check, mutant: Mutant, expectation: Expectation) -> bool:
    """A check of a part that is about one of the mutant's rows and spells out its column, or that refers to its key."""
    if mutant.column and None in mutant.rows.values() and "the key of the new" in check.wanted:
        return True
    parts = [part for part in expectation.must if part.table == mutant.table and _is_about(part, mutant)]
    told = [part for part in parts if check.what.startswith(part_name(part))]
    if mutant.column is None or any(isinstance(part, Ordered) and mutant.cls == ORDER for part in told):
        return bool(told)
    whole = check.found in ("the row is gone", "no new row", "it is still there")
    return bool(told) and (whole or mutant.column in f"{check.wanted} {check.found}")


def _is_about(part: Part, mutant: Mutant) -> bool:
    return not isinstance(part, Updated | Deleted) or part.key in mutant.rows
