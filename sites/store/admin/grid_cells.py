"""How the values of a list look: on the page, and as plain text in a file.

A column shows its value by its kind; a list that wants more says so with a `Cell`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from ...kit.grid import Column
from . import present

Text = str | Markup


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What a cell shows. Both functions get the column's value and the whole row; `plain` is for files."""

    html: Callable[[Any, Any], Any]
    plain: Callable[[Any, Any], str] | None = None
    css: str = ""
    """Classes of the `<td>`."""


def _tags(value: Any, row: Any) -> Text:
    return Markup(" ").join(Markup('<span class="tag">{}</span>').format(name) for name in value or ())


def _yes(value: Any, row: Any) -> Text:
    return "Yes" if value else "No"


DAY = Cell(html=lambda value, row: present.day(value))
MOMENT = Cell(html=lambda value, row: present.moment(value))
BADGE = Cell(html=lambda value, row: present.badge(value) if value else present.NOTHING)
"""The coloured name of a status, for codes that `labels.label` knows."""
PHONE = Cell(
    html=lambda value, row: present.phone(value),
    plain=lambda value, row: present.phone(value) if value else "",
    css="nowrap",
)
TAGS = Cell(html=_tags, plain=lambda value, row: "; ".join(value or ()))
YES_NO = Cell(html=_yes, plain=lambda value, row: str(_yes(value, row)))


def link(href: str, *, css: str = "primary") -> Cell:
    """The value as a link; `href` has the row's attributes in braces: `/orders/{number}`."""

    def html(value: Any, row: Any) -> Markup:
        return Markup(f'<a href="{escape(address(href, row))}">{escape(value or "—")}</a>')

    return Cell(html=html, css=css)


def address(href: str, row: Any) -> str:
    """An address with the row's attributes filled in."""
    return href.format_map(row._mapping)


def drawing(column: Column, cell: Cell | None) -> Callable[[Any, Any], str]:
    """A function that gives what stands in the cells of a column, chosen once and not for each row."""
    if cell is not None:
        html = cell.html
        return lambda value, row: escape(html(value, row))
    if column.kind == "money":
        return lambda value, row: "—" if value is None else escape(present.amount(value))
    if column.kind == "number":
        return lambda value, row: "—" if value is None else escape(present.number(value))
    if column.kind == "time":
        return lambda value, row: escape(present.moment(value))
    if column.kind == "enum":
        names = dict(column.options)
        return lambda value, row: present.NOTHING if not value else escape(names.get(str(value), value))
    return lambda value, row: "—" if value is None or value == "" else escape(value)


def plain(column: Column, cell: Cell | None, value: Any, row: Any) -> str:
    """The value as text in a file: amounts and times as machines read them, codes by their labels."""
    if cell is not None and cell.plain is not None:
        return cell.plain(value, row)
    if value is None:
        return ""
    if column.kind == "money":
        return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"
    if column.kind == "enum":
        return str(dict(column.options).get(str(value), value))
    return str(value)


def raw(column: Column, value: Any) -> str:
    """The value as an input shows it, to be edited."""
    if value is None:
        return ""
    return present.plain_money(value) if column.kind == "money" else str(value)
