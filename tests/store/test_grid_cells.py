"""Editing in a list, asked directly: one value, its lock, its permission, and what comes back for the page."""

from __future__ import annotations

from typing import Any

import pytest
from asking import Asker
from sitegym.sites.kit import csrf
from sitegym.sites.store.models import AuditRow, Customer

JSON = {"Accept": "application/json"}


def edit(asker: Asker, value: str, *, id: str = "3", v: str = "1", column: str = "group") -> Any:
    """Send a value as the list does."""
    token = csrf.token(asker.world.secret, asker.token)
    fields = {"csrf": token, "id": id, "v": v, "column": column, "value": value}
    return asker.ask("POST", "/grids/customers/cells", data=fields, headers=JSON)


def group(asker: Asker, id: int = 3) -> int:
    """The group of a customer."""
    return int(asker.one(Customer, id=id).group_id)


def test_a_value_is_changed_and_the_row_comes_back(ask):
    asker = ask()
    answer = edit(asker, "wholesale")
    assert answer.status_code == 200
    row = answer.json["row"]
    assert (row["name"], row["v"], row["cells"]["group"]) == (
        "Mara Lindqvist",
        2,
        {"html": "Wholesale", "value": "wholesale"},
    )
    assert group(asker) == 2
    assert asker.count(AuditRow, action="customers.edit", entity_id=3) == 1


def test_the_same_value_writes_nothing(ask):
    asker = ask()
    assert edit(asker, "vip").json["row"]["v"] == 1
    assert asker.count(AuditRow, action="customers.edit") == 0


def test_a_stale_version_is_told_with_the_row_as_it_is_now(ask):
    asker, other = ask(), ask("owner")
    edit(other, "general")
    answer = edit(asker, "wholesale")
    assert (answer.status_code, answer.json["code"]) == (409, "STALE")
    assert answer.json["message"] == "Customer was changed meanwhile by Olga Owner; nothing was saved."
    assert answer.json["row"]["cells"]["group"]["value"] == "general"
    assert group(asker) == 1


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({"value": "royal"}, 422, id="no-such-choice"),
        pytest.param({"value": ""}, 422, id="nothing-chosen"),
        pytest.param({"value": "vip", "id": "999"}, 404, id="no-such-row"),
        pytest.param({"value": "vip", "id": "x"}, 422, id="no-id"),
        pytest.param({"value": "X", "column": "name"}, 422, id="a-column-that-cannot-be-edited"),
        pytest.param({"value": "X", "column": "password_hash"}, 422, id="no-column"),
        pytest.param({"value": "general", "v": ""}, 409, id="no-version"),
    ],
)
def test_what_does_not_fit_changes_nothing(ask, fields, status):
    asker = ask()
    answer = edit(asker, **fields)
    assert answer.status_code == status
    assert answer.json["message"]
    assert group(asker) == 3


def test_a_role_that_may_not_is_refused_and_noted(ask):
    clerk = ask("clerk")
    answer = edit(clerk, "wholesale")
    assert (answer.status_code, answer.json["message"]) == (
        403,
        "Your role may not move customers to another group.",
    )
    assert clerk.count(AuditRow, action="denied", entity_id=3) == 1
    assert group(clerk) == 3


def test_a_merged_account_says_why_it_cannot_be_changed(ask):
    asker = ask()
    with asker.world.write() as db:
        db.get(Customer, 3).status = "merged"
    answer = edit(asker, "general")
    assert answer.json["message"] == "Mara Lindqvist is merged; the account can no longer be changed."
