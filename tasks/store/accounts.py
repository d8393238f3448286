"""Customers by the number of their orders: counted by account, by the address on the orders, and on screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ...sites.store.labels import ORDER_STATUS
from ...verifiers import Snapshot
from ..page import Moves, check, click
from .lists import every_row, filtered, long_month, month_ends
from .order_sets import word

Counts = dict[str, int]
"""E-mail address to a number of orders."""


@dataclass(frozen=True)
class Scope:
    """Which orders count: all, those placed in a month, or those that ship to a region (`US-OH`)."""

    month: str = ""
    region: str = ""

    def __str__(self) -> str:
        """The words behind "orders"."""
        if self.month:
            return f" that were placed in {long_month(self.month)}"
        return f" that ship to {word('ship_region', self.region)}" if self.region else ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The box of the filter panel, and what to choose in it."""
        return [("Region", word("ship_region", self.region))] if self.region else []

    @property
    def typed(self) -> list[tuple[str, str]]:
        """The fields of the filter panel, and what to type in them."""
        return list(zip(("Placed from", "Placed to"), month_ends(self.month), strict=True)) if self.month else []


def scopes(before: Snapshot, status: str, most: int) -> list[Scope]:
    """All orders, and each month and each region with at most so many orders of the status."""
    rows = before.query(
        f"SELECT substr(o.placed_at, 1, 7) AS month, '' AS region FROM {_ORDERS} WHERE o.status = :status GROUP BY 1"
        " HAVING count(*) <= :most UNION ALL SELECT '', a.country || '-' || a.region AS region"
        f" FROM {_ORDERS} WHERE o.status = :status GROUP BY 2 HAVING count(*) <= :most ORDER BY 1, 2",
        status=status,
        most=most,
    )
    return [Scope(), *(Scope(row.month, row.region) for row in rows)]


def by_account(before: Snapshot, status: str | None, scope: Scope) -> Counts:
    """Orders of each account; whoever was merged or erased is left out."""
    return _counts(
        before,
        f"SELECT lower(c.email) AS email, count(*) AS n FROM {_ORDERS} JOIN customers c ON c.id = o.customer_id"
        f" WHERE c.status IN ('active', 'blocked') AND {_THESE} GROUP BY c.id ORDER BY c.id",
        status,
        scope,
    )


def by_address(before: Snapshot, status: str | None, scope: Scope) -> Counts:
    """Orders under each e-mail address, those of guests included."""
    sql = f"SELECT lower(o.email) AS email, count(*) AS n FROM {_ORDERS} WHERE {_THESE} GROUP BY 1 ORDER BY 1"
    return _counts(before, sql, status, scope)


def ranked(counts: Counts, rank: int) -> set[str]:
    """Whoever has the `rank`-th highest number; nobody where somebody above shares a place."""
    levels = sorted(set(counts.values()), reverse=True)
    above = [number for number in counts.values() if len(levels) >= rank and number > levels[rank - 1]]
    if len(levels) < rank or len(above) != rank - 1:
        return set()
    return {email for email, number in counts.items() if number == levels[rank - 1]}


def counted(page: Any, status: str, scope: Scope) -> Moves:
    """List the orders of a status and scope with e-mail addresses, and count these; returns page and `Counter`."""
    choices = [("Status", ORDER_STATUS[status]), *scope.choices]
    page = yield from filtered(page, "Orders", choices=choices, typed=scope.typed)
    page = yield click(page.find("button", "Columns"))
    page = yield check(page.find("checkbox", "E-mail"))
    page = yield click(page.find("button", "Apply columns"))
    page, lines = yield from every_row(page, "Orders")
    return page, Counter(line["E-mail"] for line in lines)


_ORDERS = "orders o JOIN order_addresses a ON a.order_id = o.id AND a.kind = 'shipping'"
_THESE = (
    "(:status = '' OR o.status = :status) AND (:month = '' OR substr(o.placed_at, 1, 7) = :month)"
    " AND (:region = '' OR a.country || '-' || a.region = :region)"
)


def _counts(before: Snapshot, sql: str, status: str | None, scope: Scope) -> Counts:
    rows = before.query(sql, status=status or "", month=scope.month, region=scope.region)
    return {row.email: row.n for row in rows}
