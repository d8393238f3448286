"""Rows of the list of reviews as a person handles them: read, opened, picked, acted on together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...page import Moves, check, click
from ..lists import Line, listed, short_day


def lines(page: Any, **wanted: str) -> list[Line]:
    """The rows that the list of reviews shows, with the review's number as `Number`; only those with these cells."""
    found = []
    for line in listed(page, "Reviews"):
        box = next(value for value in line.values() if value.startswith("Select review "))
        line["Number"] = re.match(r"Select review (\d+) by ", box)[1]  # type: ignore[index]
        if all(line[column] == value for column, value in wanted.items()):
            found.append(line)
    return found


def moment(line: Line) -> tuple[str, str]:
    """When a row's review was written, to the minute, in an order that can be compared."""
    return short_day(line["Date"]), line["Date"][-5:]


def stars(line: Line) -> int:
    """The stars of a row."""
    return int(line["Stars"][0])


def opened(page: Any, line: Line) -> Moves:
    """Open the page of a row's review; returns the page."""
    row = f"Select review {line['Number']} by"
    return (yield click(page.find("link", line["Title"], within=row)))


def pick(page: Any, rows: Iterable[Line]) -> Moves:
    """Tick these rows; returns the page."""
    for line in rows:
        page = yield check(page.find("checkbox", re.compile(rf"^Select review {line['Number']} by ")))
    return page


def pick_all(page: Any) -> Moves:
    """Tick all rows, those of further pages too; returns the page."""
    page = yield check(page.find("checkbox", re.compile(r"^Select all \d+ reviews? on this page$")))
    more = page.find_all("button", re.compile(r"^Select all [\d,]+ "))
    if more:
        page = yield click(more[0])
    return page


def begin(page: Any, action: str) -> Moves:
    """Press an action in the bar of what is picked; returns the page."""
    return (yield click(page.find("button", action, within=("region", "Selection"))))


def act(page: Any, action: str) -> Moves:
    """Press an action in the bar and confirm it; returns the page."""
    page = yield from begin(page, action)
    return (yield click(page.find("button", action, within=("dialog", None))))
