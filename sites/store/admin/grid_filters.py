"""The filter panel of a list: its form read into conditions, and the conditions in effect as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...kit.forms import Form
from ...kit.grid import Column, Filter, Query, Shape, condition
from ...kit.listing import Page
from ...kit.periods import Period
from .. import messages
from . import present


@dataclass(frozen=True, kw_only=True)
class Chip:
    """One condition as people read it, and the address without it."""

    label: str
    value: str
    href: str


def read(shape: Shape, form: Form) -> tuple[Filter, ...]:
    """The conditions in the panel's form; wrong entries become its problems."""
    found: list[Filter] = []
    for column in shape.columns:
        if not column.filterable:
            continue
        if column.kind == "enum":
            picked = form.typed.getlist(f"{column.name}.in")
            found += _some(condition(column, "in", "|".join(picked)) if picked else None)
        elif column.kind == "text":
            found += _some(condition(column, "contains", form.value(f"{column.name}.contains")))
        else:
            found += _range(column, form)
    return shape.canonical(found)


def _range(column: Column, form: Form) -> list[Filter]:
    low_name, high_name = f"{column.name}.from", f"{column.name}.to"
    low, high = _bound(column, form, low_name), _bound(column, form, high_name)
    if low is not None and high is not None and low > high:  # type: ignore[operator]  # both are of the column's kind
        form.wrong("DATE_ORDER" if column.kind == "time" else "RANGE_ORDER", high_name)
        return []
    if low is not None and high is not None:
        return [Filter(column.name, "between", (low, high))]  # type: ignore[arg-type]  # as above
    return [Filter(column.name, "gte", low)] if low is not None else _some_lte(column, high)


def _some_lte(column: Column, high: int | str | None) -> list[Filter]:
    return [Filter(column.name, "lte", high)] if high is not None else []


def _bound(column: Column, form: Form, name: str) -> int | str | None:
    if column.kind == "money":
        return form.money(name, column.label)
    if column.kind == "number":
        return form.whole(name, column.label)
    return form.day(name, column.label)


def _some(one: Filter | None) -> list[Filter]:
    return [one] if one else []


def stored(shape: Shape, query: Query) -> Form:
    """The panel as it stands for the conditions in effect."""
    initial: dict[str, object] = {}
    for each in query.filters:
        column = shape.column(each.column)
        if column is not None:
            initial.update(_fields(column, each))
    return Form(messages.CATALOGUE, None, initial)


def _fields(column: Column, each: Filter) -> Mapping[str, object]:
    """The inputs that one condition fills; one that the panel has no input for stays a chip."""
    as_text = present.plain_money if column.kind == "money" else str
    value: Any = each.value
    if each.op == "between":
        return {f"{column.name}.from": as_text(value[0]), f"{column.name}.to": as_text(value[1])}
    if each.op in ("gte", "lte"):
        return {f"{column.name}.{'from' if each.op == 'gte' else 'to'}": as_text(value)}
    return {f"{column.name}.contains": value} if each.op in ("contains", "eq") and column.kind == "text" else {}


def chosen_options(shape: Shape, form: Form, query: Query) -> dict[str, set[str]]:
    """The ticked options of each enum column, from what was sent or from the conditions in effect."""
    if form.typed is not None:
        return {column.name: set(form.typed.getlist(f"{column.name}.in")) for column in shape.columns}
    return {
        column.name: {code for each in query.of(column.name) if each.op == "in" for code in _codes(each)}
        for column in shape.columns
    }


def _codes(each: Filter) -> Sequence[str]:
    return [str(code) for code in each.value] if isinstance(each.value, tuple) else []


def chips(page: Page) -> list[Chip]:
    """The conditions in effect, as people read them."""
    found = []
    for each in page.query.filters:
        column = page.shape.column(each.column)
        if column is not None:
            href = page.shape.url(page.query.without(each))
            found.append(Chip(label=column.label, value=in_words(column, each), href=href))
    return found


def in_words(column: Column, each: Filter) -> str:
    """A condition without its column's name: "Pending or Processing", "from $10.00", "is empty"."""
    names = dict(column.options)
    if each.op == "empty":
        return "is empty"
    if each.op == "in":
        return " or ".join(names[code] for code in _codes(each))
    if each.op == "ne":
        return f"not {names.get(str(each.value), each.value)}"
    if each.op == "between" and isinstance(each.value, tuple):
        low, high = (_value(column, value) for value in each.value)
        return low if low == high else f"{low} – {high}"
    before = {"contains": "contains “", "eq": "is “", "gte": "from ", "lte": "up to "}[each.op]
    return f"{before}{_value(column, each.value)}{'”' if '“' in before else ''}"


def _value(column: Column, value: Any) -> str:
    if column.kind == "money":
        return present.amount(int(value))
    return present.day(str(value)) if column.kind == "time" else str(value)


def period_of(presets: Sequence[Period]) -> Any:
    """A function for templates: the preset that two dates are, `custom`, or nothing."""

    def which(first: str, last: str) -> str:
        if not first and not last:
            return ""
        return next((each.code for each in presets if (each.first, each.last) == (first, last)), "custom")

    return which
