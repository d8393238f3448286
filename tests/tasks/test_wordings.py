"""Phrasings: each says every parameter that decides, and none of what the task is about finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from sitegym import tasks
from sitegym.tasks.task import every
from sitegym.verifiers import Deleted, Expectation, Inserted, Snapshot, Updated

from .conftest import IDS

SAID: dict[str, tuple[str, ...]] = {
    "accept-and-invoice": ("number",),
    "add-tracking": ("number", "sku", "carrier", "tracking"),
    "all-customers": ("sort",),
    "approve-pending": ("stars", "first last"),
    "cancel-order": ("number", "reason"),
    "change-prices": ("product", "change"),
    "change-shipping-address": ("number", "line1", "line2", "city", "postcode", "region country"),
    "change-some-prices": ("product", "colors", "kind values", "change"),
    "customer-by-phone": ("shown",),
    "default-address": ("name email shared",),
    "delete-reviews": ("of product", "nickname", "status", "most"),
    "disable-product": ("product",),
    "filter-orders": ("status", "first", "last", "amount", "sort"),
    "hold-orders": ("region", "amount", "reason"),
    "invoice-total": ("invoice",),
    "message-customer": ("name", "email", "text"),
    "most-cancellations": ("fact", "month region"),
    "note-one-of-two": ("total", "city", "text"),
    "order-field": ("fact", "end", "status", "by value"),
    "order-lines": ("end", "status", "by value"),
    "orders-by-status": ("status",),
    "orders-per-month": ("first", "last"),
    "receive-goods": ("product", "color", "kind values", "units"),
    "reply-newest-review": ("product", "stars", "text"),
    "review-critics": ("product", "stars"),
    "review-opinions": ("product", "praise", "offered"),
    "reviews-by-status": ("status", "least most"),
    "reviews-mentioning": ("word",),
    "reviews-received": ("words",),
    "sell-out-product": ("product",),
    "ship-order": ("number", "carrier", "tracking"),
    "ship-part": ("number", "sku", "units"),
    "sum-of-orders": ("count", "status", "count_2 status_2"),
    "top-customers": ("rank exactly", "month region"),
    "units-ordered": ("count", "month"),
    "worst-review-author": ("product", "fact"),
}
"""What each phrasing has to say, as parameters; those that only mean something together stand together."""

NAMED: dict[str, tuple[str, ...]] = {
    "accept-and-invoice": ("orders",),
    "add-tracking": ("orders",),
    "cancel-order": ("orders",),
    "change-shipping-address": ("orders",),
    "ship-order": ("orders",),
    "ship-part": ("orders", "variants"),
    "message-customer": ("customers",),
}
"""Tables whose rows a goal calls by their numbers, because the task names them; all others are to be found."""

CALLED = {"orders": "number", "shipments": "number", "invoices": "number", "variants": "sku", "customers": "email"}
"""Tables with something by which a row can be called, that a goal might give away."""

PAIRS = 25
"""Instances that are compared with each other."""


def name_of(task_id: str) -> str:
    return task_id.partition("/")[2]


def intents(task_id: str, params: Any) -> list[str]:
    return list(tasks.template(task_id).intents(params))


def exchanged(task_id: str, names: list[str]) -> Iterator[tuple[Any, Any]]:
    """Instances, each beside itself with some parameters of another one of its sort: with the same ones left out."""
    some = list(every(task_id))[:PAIRS]
    for one in some:
        for other in some:
            if _sort(one) != _sort(other):
                continue
            given = {name: getattr(other, name) for name in names}
            if given != {name: getattr(one, name) for name in names}:
                yield one, replace(one, **given)


def _sort(params: Any) -> list[bool]:
    return [bool(value) for value in vars(params).values() if not isinstance(value, bool)]


def test_every_parameter_is_accounted_for() -> None:
    assert {name_of(task_id) for task_id in IDS} == set(SAID)
    for task_id in IDS:
        known = {field.name for field in fields(next(iter(every(task_id))))}
        assert {name for group in SAID[name_of(task_id)] for name in group.split()} <= known


@pytest.mark.parametrize("task_id", IDS)
def test_there_are_several_phrasings_and_no_two_are_alike(task_id: str) -> None:
    for params in list(every(task_id))[:PAIRS]:
        goals = intents(task_id, params)
        assert len(set(goals)) == len(goals) >= 5
        assert len({goal[:12] for goal in goals}) >= 4
        assert not [goal for goal in goals if re.search(r"  |\.\.| ,|\bNone\b|\(\)|\s$|^[a-z]", goal)]


@pytest.mark.parametrize("task_id", IDS)
def test_every_phrasing_says_every_parameter_that_decides(task_id: str) -> None:
    for group in SAID[name_of(task_id)]:
        compared = 0
        for one, other in exchanged(task_id, group.split()):
            for goal, another in zip(intents(task_id, one), intents(task_id, other), strict=True):
                assert goal != another, (group, one, other)
            compared += 1
        assert compared, group


@pytest.mark.parametrize("task_id", IDS)
def test_no_phrasing_says_anything_else(task_id: str) -> None:
    params = next(iter(every(task_id)))
    said = {name for group in SAID[name_of(task_id)] for name in group.split()}
    hidden = [field.name for field in fields(params) if field.name not in said]
    for one, other in exchanged(task_id, hidden):
        assert intents(task_id, one) == intents(task_id, other)


def rows_of(want: Expectation, before: Snapshot) -> Iterator[tuple[str, str]]:
    """Table and name of each row that an expectation is about, whatever way it refers to it."""
    for part in (*want.must, *want.may):
        values = dict(part.values) if isinstance(part, Updated | Inserted) else {}
        about = [(f"{column.removesuffix('_id')}s", key) for column, key in values.items() if column.endswith("_id")]
        if isinstance(part, Updated | Deleted):
            row = before.row(part.table, id=part.key) if part.table != "stock" else None
            about += [(part.table, part.key)] if row is not None else [("variants", part.key)]
            about += [("orders", row.order_id)] if row is not None and "order_id" in row else []
        for table, key in about:
            if table in CALLED and isinstance(key, int):
                yield table, str(before.row(table, id=key)[CALLED[table]])


def answers_of(want: Expectation) -> Iterator[str]:
    """Everything that an answer has to say, part by part."""
    secret = want.answer or want.blocker
    left: list[Any] = [] if secret is None else [secret.spelled()]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += one.values()
        elif isinstance(one, list):
            left += one
        else:
            yield str(one)


CLOSED = {"review-opinions", "orders-per-month"}
"""Templates whose goal offers what the answer is chosen from, or names the months that it is about."""


@pytest.mark.parametrize("task_id", IDS)
def test_no_phrasing_gives_away_what_has_to_be_found(task_id: str, base: Snapshot) -> None:
    named = NAMED.get(name_of(task_id), ())
    for params in list(every(task_id))[:150]:
        want = tasks.template(task_id).expected(base, params)
        found = {name for table, name in rows_of(want, base) if table not in named}
        asked = set() if name_of(task_id) in CLOSED else set(answers_of(want))
        if name_of(task_id) == "order-lines":
            asked -= {"41.50"}  # how an amount is written, and now and then one of many prices
        for goal in intents(task_id, params):
            for secret in found | asked:
                assert not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", goal, re.IGNORECASE), (secret, goal)


@pytest.mark.parametrize("task_id", [f"store.admin/{name}" for name in NAMED])
def test_rows_that_a_task_names_are_named_in_every_phrasing(task_id: str, base: Snapshot) -> None:
    for params in [p for p in every(task_id) if p.feasible][:40]:
        want = tasks.template(task_id).expected(base, params)
        given = {name for table, name in rows_of(want, base) if table in NAMED[name_of(task_id)]}
        assert given or name_of(task_id) == "message-customer"
        assert all(name in goal for name in given for goal in intents(task_id, params))
