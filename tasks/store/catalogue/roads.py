"""Ways to a product and through its pages, as a person goes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...page import Moves, check, click
from ..lists import filtered


def open_product(page: Any, name: str) -> Moves:
    """Open an active product from the list of products; returns the page."""
    page = yield from filtered(page, "Products", choices=[("Status", "Active")], typed=[("Name contains", name)])
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
