"""The dialog "Change prices": what can be done, how it is read from a form, and what its preview says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...kit.forms import Form
from ..services import prices
from . import present
from .variant_facts import Item

PERCENT = re.compile(r"\d{1,5}(\.\d{1,2})?")


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing that can be done with prices: the service's mode, the field it is measured by, and its direction."""

    label: str
    mode: str
    by: str = ""
    sign: int = 1


TASKS = {
    "set": Task(label="Set to an amount", mode="set", by="amount"),
    "raise": Task(label="Raise by an amount", mode="add", by="amount"),
    "lower": Task(label="Lower by an amount", mode="add", by="amount", sign=-1),
    "raise_percent": Task(label="Raise by a percentage", mode="percent", by="percent"),
    "lower_percent": Task(label="Lower by a percentage", mode="percent", by="percent", sign=-1),
    "sale": Task(label="Put on sale at an amount", mode="sale", by="amount"),
    "sale_percent": Task(label="Put on sale at a percentage off", mode="sale", by="percent"),
    "clear_sale": Task(label="End the sale", mode="clear_sale"),
}


def read(form: Form) -> dict[str, Any] | None:
    """The fields of `variants.change_prices`; None where something is missing or no number (see `form.problems`)."""
    code = form.choice("task", "What to do", TASKS)
    if code is None:
        return None
    task = TASKS[code]
    fields: dict[str, Any] = {"mode": task.mode}
    if task.mode in ("set", "add", "percent"):
        fields["field"] = form.choice("field", "Price to change", prices.FIELDS) or "price"
    if task.by == "amount":
        amount = form.money("amount", "Amount", required=True)
        fields["amount"] = _positive(form, "amount", "Amount", amount, task)
    elif task.by == "percent":
        fields["percent"] = _positive(form, "percent", "Percent", _percent(form), task)
    if task.mode == "sale":
        fields["sale_from"] = form.day("sale_from", "Sale from")
        fields["sale_to"] = form.day("sale_to", "Sale to")
    if not form.problems:
        form.problems += prices.wrong_change(prices.Change(**fields))
    return None if form.problems else fields


def preview(chosen: list[Item], fields: dict[str, Any]) -> dict[str, Any]:
    """What a change would do, per variant: the price now and then, or what forbids it."""
    change = prices.Change(**fields)
    lines = [(item, prices.line_of(item.variant, change)) for item in chosen]
    field = "sale_price" if change.mode in ("sale", "clear_sale") else change.field
    return {
        "label": change.label,
        "changed": sum(line.changed for _, line in lines if not line.problem),
        "wrong": sum(line.problem is not None for _, line in lines),
        "lines": [
            {
                "id": item.id,
                "name": item.name,
                "sku": item.variant.sku,
                "old": _amount(getattr(item.variant, field)) + _days(item.variant, field),
                "new": _amount(line.new[field]) + (_span(line.new) if change.mode == "sale" else ""),
                "changed": line.changed,
                "error": line.problem.message if line.problem else "",
            }
            for item, line in lines
        ],
    }


def _positive(form: Form, name: str, label: str, number: int | None, task: Task) -> int | None:
    """A number whose direction is chosen in words takes no sign of its own."""
    if number is not None and number < 0:
        form.wrong("NO_SIGN", name, label=label)
        return None
    return None if number is None else number * task.sign


def _percent(form: Form) -> int | None:
    """Basis points from `12.5` or `12.5 %`."""
    text = form.text("percent", "Percent", required=True, most=12).removesuffix("%").strip()
    if not text:
        return None
    if not PERCENT.fullmatch(text.removeprefix("-")):
        form.wrong("NOT_PERCENT", "percent", label="Percent")
        return None
    whole, _, part = text.removeprefix("-").partition(".")
    points = int(whole) * 100 + int(part.ljust(2, "0") or 0)
    return -points if text.startswith("-") else points


def _amount(cents: int | None) -> str:
    return "None" if cents is None else present.amount(cents)


def _days(variant: Any, field: str) -> str:
    names = ("sale_from", "sale_to")
    return (
        _span({name: getattr(variant, name) for name in names}) if field == "sale_price" and variant.sale_price else ""
    )


def _span(days: Any) -> str:
    """The days of a sale behind its price: `, Mar 20, 2026 – Apr 3, 2026`."""
    text = period(days["sale_from"], days["sale_to"])
    return f", {text}" if text else ""


def period(first: str | None, last: str | None) -> str:
    """Two days as a span; an open end is said in words, two of them are not said at all."""
    if first and last:
        return f"{present.day(first)} – {present.day(last)}"
    if first:
        return f"from {present.day(first)}"
    return f"until {present.day(last)}" if last else ""
