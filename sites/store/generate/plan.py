"""How much of everything a data set holds, and when its history runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

START = int(datetime(2026, 3, 18, 10, tzinfo=UTC).timestamp())
"""The instant at which virtual time starts; nothing in the data is later."""
TODAY = "2026-03-18"
OPENED = int(datetime(2025, 1, 18, 6, tzinfo=UTC).timestamp())
"""Before the first order."""
DAY = 86_400
MAILS_KEPT = START - 45 * DAY
"""The shop deletes sent mails that are older."""
AUDIT_KEPT = START - 95 * DAY
"""The audit log begins here."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Counts of one data set; `fates` says how many orders end in which way."""

    simple: int
    configurable: int
    disabled: int
    draft: int
    archived: int
    brands: int
    wholly_out: int
    sales: tuple[int, int, int]
    """Products with a running, an expired, a future sale."""
    groups: tuple[int, int, int]
    """Customers by group: general, wholesale, vip."""
    without_orders: int
    blocked: int
    merged: int
    namesakes: int
    double_accounts: int
    most_orders: int
    """Orders of the best customer."""
    fates: Mapping[str, int]
    guests_with_account: int
    reviews: tuple[int, int, int]
    """Approved, pending, rejected."""
    terms: int
    terms_without_results: int
    messages: int
    wishes: int

    @property
    def orders(self) -> int:
        """All orders."""
        return sum(self.fates.values())

    @property
    def products(self) -> int:
        """All products."""
        return self.simple + self.configurable

    @property
    def customers(self) -> int:
        """All accounts."""
        return sum(self.groups)


BASE = Plan(
    simple=120,
    configurable=180,
    disabled=18,
    draft=12,
    archived=8,
    brands=24,
    wholly_out=12,
    sales=(34, 9, 5),
    groups=(600, 60, 40),
    without_orders=120,
    blocked=9,
    merged=3,
    namesakes=24,
    double_accounts=6,
    most_orders=31,
    fates={
        "complete": 1415,
        "complete:exchange": 12,
        "complete:exchanged": 12,
        "complete:part_refunded": 14,
        "complete:refund_rejected": 8,
        "complete:refund_waiting": 12,
        "complete:return_requested": 22,
        "complete:return_approved": 15,
        "complete:return_received": 8,
        "complete:return_rejected": 20,
        "complete:return_canceled": 8,
        "complete:part_returned": 10,
        "complete:free": 4,
        "processing:unpaid": 45,
        "processing:cod": 20,
        "processing:paid": 85,
        "processing:part_invoiced": 25,
        "processing:part_shipped": 40,
        "pending": 112,
        "pending:bank": 30,
        "pending:stale": 8,
        "on_hold:pending": 35,
        "on_hold:processing": 20,
        "fraud_review": 40,
        "canceled:fraud": 24,
        "canceled:unpaid": 70,
        "canceled:customer_request": 130,
        "canceled:out_of_stock": 40,
        "canceled:duplicate": 30,
        "canceled:other": 26,
        "closed:returned": 95,
        "closed:unshipped": 45,
        "closed:refunded": 14,
        "closed:twice": 6,
    },
    guests_with_account=12,
    reviews=(1190, 125, 85),
    terms=250,
    terms_without_results=30,
    messages=120,
    wishes=600,
)

TINY = Plan(
    simple=20,
    configurable=28,
    disabled=2,
    draft=1,
    archived=4,
    brands=10,
    wholly_out=1,
    sales=(4, 2, 1),
    groups=(38, 6, 4),
    without_orders=6,
    blocked=1,
    merged=1,
    namesakes=3,
    double_accounts=3,
    most_orders=9,
    fates={
        "complete": 54,
        "complete:exchange": 1,
        "complete:exchanged": 1,
        "complete:part_refunded": 1,
        "complete:refund_rejected": 1,
        "complete:refund_waiting": 2,
        "complete:return_requested": 3,
        "complete:return_approved": 2,
        "complete:return_received": 1,
        "complete:return_rejected": 1,
        "complete:return_canceled": 1,
        "complete:part_returned": 1,
        "complete:free": 2,
        "processing:unpaid": 3,
        "processing:cod": 2,
        "processing:paid": 6,
        "processing:part_invoiced": 3,
        "processing:part_shipped": 4,
        "pending": 11,
        "pending:bank": 3,
        "pending:stale": 1,
        "on_hold:pending": 3,
        "on_hold:processing": 2,
        "fraud_review": 3,
        "canceled:fraud": 2,
        "canceled:unpaid": 4,
        "canceled:customer_request": 6,
        "canceled:out_of_stock": 2,
        "canceled:duplicate": 2,
        "canceled:other": 1,
        "closed:returned": 5,
        "closed:unshipped": 3,
        "closed:refunded": 1,
        "closed:twice": 1,
    },
    guests_with_account=3,
    reviews=(60, 10, 6),
    terms=24,
    terms_without_results=4,
    messages=12,
    wishes=36,
)

PLANS = {"tiny": TINY, "base": BASE}
