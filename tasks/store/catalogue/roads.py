"""Ways to a product and through its pages, as a person goes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from ...page import Moves, check, click
from ..lists import filtered, listed


def open_product(page: Any, name: str) -> Moves:
    """Open an active product from the list of products; returns the page."""
    page = yield from filtered(page, "Catalogue", choices=[("Status", "Active")], typed=[("Name contains", name)])
    return (yield click(page.find("link", f"Open {name}", within=("main", None))))


def tab(page: Any, name: str) -> Moves:
    """Open one of the tabs of a product's page; returns the page."""
    return (yield click(page.find("link", re.compile(rf"^{name}\b"), within=("navigation", "Product"))))


def ticked(page: Any, skus: Iterable[str]) -> Moves:
    """Tick variants in a table; returns the page."""
    for sku in skus:
        page = yield check(page.find("checkbox", f"Select {sku}"))
    return page


def all_ticked(page: Any) -> Moves:
    """Tick all variants of a table; returns the page."""
    return (yield check(page.find("checkbox", re.compile(r"^Select all"))))


def skus_of(page: Any, *chosen: Collection[str]) -> list[str]:
    """The SKUs in the table of variants whose options are among the chosen ones, of each kind one."""
    found = []
    for row in listed(page, "Variants"):
        options = re.split(r"\s*,\s*", row["Variant"].strip())
        if all(set(options) & set(values) for values in chosen):
            found.append(row["SKU"])
    if not found:
        raise LookupError(f"no variant has {chosen}")
    return found
