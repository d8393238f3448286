"""What an episode or a person changed, in words: for the stage, the terminal and `serve --watch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.text import Text

from ..sites.kit.money import money
from ..sweeps.progress import many
from ..sweeps.report.changes import Cell, Changes, RowChange, sort_changes
from ..sweeps.report.episodes import EpisodePage

CELLS = 8
"""Columns of a new or deleted row that are told."""
MONEY: Mapping[str, frozenset[str]] = {
    "invoices": frozenset({"subtotal", "discount", "shipping", "tax", "total"}),
    "order_items": frozenset({"unit_price", "row_total", "discount", "tax"}),
    "orders": frozenset({"subtotal", "discount", "shipping", "tax", "total", "paid", "refunded"}),
    "payments": frozenset({"amount"}),
    "promotions": frozenset({"min_subtotal"}),
    "refunds": frozenset({"items", "tax", "shipping", "adjustment", "fee", "total"}),
    "shipping_methods": frozenset({"price", "free_over"}),
    "store_credit_entries": frozenset({"delta"}),
    "variants": frozenset({"price", "sale_price", "cost"}),
}
"""Columns that hold cents, by table. `promotions.amount` is none: beside cents it holds rates."""
_SHORT = 160


def row_words(row: RowChange) -> str:
    """`order 100123 changed`, `new order comment #812`, `coupon SPRING deleted`."""
    thing = _singular(row.table.replace("_", " "))
    match row.kind:
        case "inserted":
            return f"New {thing} {row.name}"
        case "deleted":
            return f"{thing.capitalize()} {row.name} deleted"
        case _:
            return f"{thing.capitalize()} {row.name} changed"


def told_cells(row: RowChange) -> list[Cell]:
    """The cells that matter: what changed, or what a new or deleted row held beside empty values and bookkeeping."""
    if row.kind == "updated":
        changed = [cell for cell in row.cells if not cell.quiet] or list(row.cells)
        return list(_priced(row.table, changed))
    held = [
        cell
        for cell in row.cells
        if not cell.quiet and (cell.new or cell.old) not in (None, "", "NULL", "0", "[]", "{}")
    ]
    return list(_priced(row.table, held[:CELLS]))


def _priced(table: str, cells: list[Cell]) -> Iterator[Cell]:
    """The cells, amounts of money written as such."""
    for cell in cells:
        is_money = cell.column in MONEY.get(table, ())
        yield replace(cell, old=_amount(cell.old), new=_amount(cell.new)) if is_money else cell


def _amount(value: str | None) -> str | None:
    return value if value is None or not value.removeprefix("-").isdecimal() else money(int(value))


def groups(changes: Changes) -> list[tuple[str, str, list[RowChange]]]:
    """Title, kind (`damage` or `asked`) and rows, those groups only that hold any."""
    found = [
        ("Damage: nobody asked for this", "damage", changes.damage),
        ("Asked for or allowed", "asked", changes.expected),
    ]
    order = ("updated", "deleted", "inserted")
    return [(title, kind, sorted(rows, key=lambda row: order.index(row.kind))) for title, kind, rows in found if rows]


def side_words(changes: Changes) -> str:
    """What was written along the way and is not judged; empty where nothing was."""
    if not changes.side:
        return ""
    tables = ", ".join(dict.fromkeys(row.table for row in changes.side))
    rows = f"{len(changes.side)} row" + ("s" if len(changes.side) > 1 else "")
    return f"Beside it, not judged: {rows} of trails, sessions and derived values ({tables})."


def end_of(page: EpisodePage) -> dict[str, Any]:
    """An episode's end for the stage."""
    result = page.result
    assert result is not None
    facts = [f"reward {result.reward:g}" if result.reward is not None else "no reward", many(result.steps, "step")]
    if result.outcome:
        facts.append(f"said {result.outcome}" + (f", answer “{result.answer}”" if result.answer is not None else ""))
    return {
        "kind": page.outcome.kind,
        "title": page.outcome.word,
        "reason": _sentence(result.reason),
        "facts": " · ".join(facts),
        "checks": page.checks,
        "groups": [
            {"title": title, "kind": kind, "rows": [_row(row) for row in rows]}
            for title, kind, rows in groups(page.changes)
        ],
        "side": side_words(page.changes),
    }


def print_end(console: Console, page: EpisodePage) -> None:
    """An episode's end for the terminal."""
    result = page.result
    assert result is not None
    colour = {"pass": "green", "fail": "red"}.get(page.outcome.kind, "yellow")
    reward = "no reward" if result.reward is None else f"reward {result.reward:g}"
    console.print()
    console.print(
        Text.assemble((f" {page.outcome.word} ", f"bold reverse {colour}"), f"  {reward}  ", _sentence(result.reason))
    )
    for check in page.checks:
        sign = ("✓ ", "green") if check["ok"] else ("✗ ", "red")
        told = "" if check["ok"] else f"  wanted {check['wanted']}, found {check['found']}"
        console.print(Text.assemble("  ", sign, check["what"], (told, "dim")))
    for title, kind, rows in groups(page.changes):
        console.print(Text.assemble("  ", (title, "bold red" if kind == "damage" else "bold")))
        for row in rows:
            print_row(console, row, indent=4)
    if side := side_words(page.changes):
        console.print(Text(f"  {side}", "dim"))


def print_row(console: Console, row: RowChange, *, indent: int = 2) -> None:
    """A changed row: what it is, then its cells, old in red and new in green."""
    sign, colour = {"inserted": ("+", "green"), "deleted": ("-", "red")}.get(row.kind, ("~", "yellow"))
    console.print(
        Text.assemble(" " * indent, (f"{sign} ", colour), (row_words(row), "bold"), ("  " + row.table, "dim"))
    )
    for cell in told_cells(row):
        line = Text.assemble((f"{cell.column}: ", "dim"))
        if cell.old is not None:
            line.append(_short(cell.old), "red")
        if cell.old is not None and cell.new is not None:
            line.append(" → ")
        if cell.new is not None:
            line.append(_short(cell.new), "green")
        _print_indented(console, line, indent + 4)
    if row.why:
        console.print(Text(" " * (indent + 4) + row.why, "red"))


def _print_indented(console: Console, text: Text, indent: int) -> None:
    """A text of one or more lines, those after the first a little further in."""
    for number, line in enumerate(text.wrap(console, max(console.width - indent - 2, 20))):
        line.rstrip()
        console.print(Text.assemble(" " * (indent + 2 * (number > 0)), line))


def print_difference(console: Console, tables: Mapping[str, Any]) -> int:
    """A row difference, as far as it is about the application's data; returns how many rows that were."""
    changes = sort_changes(tables, {})
    for row in changes.expected:
        print_row(console, row)
    if changes.side:
        told = ", ".join(dict.fromkeys(row.table for row in changes.side))
        console.print(Text(f"  · also written: {told}", "dim"))
    return len(changes.expected)


def _row(row: RowChange) -> dict[str, Any]:
    cells = [
        {"column": cell.column.replace("_", " "), "old": _short(cell.old), "new": _short(cell.new)}
        for cell in told_cells(row)
    ]
    return {"words": row_words(row), "table": row.table, "cells": cells, "why": row.why}


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def _short(value: str | None) -> Any:
    """A value as it is told: cut where it is long, and `nothing` for the database's NULL."""
    text = "nothing" if value == "NULL" else value
    return text if text is None or len(text) <= _SHORT else f"{text[:_SHORT]}…"


def _singular(table: str) -> str:
    """`orders` to `order`, `addresses` to `address`, `categories` to `category`."""
    for plural, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("s", "")):
        if table.endswith(plural) and not table.endswith(("ss", "us")):
            return table.removesuffix(plural) + one
    return table
