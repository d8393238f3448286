"""The lists of ShopAdmin as a person uses them: filtered, sorted, counted, and read page by page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ...verifiers.answers import Money
from ..page import Moves, click, type_
from .admin import chosen, panel

Line = dict[str, str]
"""What a row shows, by the headings of its columns."""


def listed(page: Any, grid: str) -> list[Line]:
    """The rows that a list or a table shows."""
    rows = page.elements("row", within=("table", grid)) if page.find_all("table", grid) else []
    heads = [re.sub(r" \d+$", "", one.name or one.text) for one in rows[0].children] if rows else []
    return [dict(zip(heads, ((one.name or one.text) for one in row.children), strict=False)) for row in rows[1:]]


def every_row(page: Any, grid: str) -> Moves:
    """Read the rows of all pages of a list, from the one on screen on; returns the last page and the rows."""
    found = listed(page, grid)
    while page.find_all("link", "Next", within=("main", None)):
        page = yield click(page.find("link", "Next", within=("main", None)))
        found += listed(page, grid)
    return page, found


def count(page: Any) -> int:
    """How many rows a list has on all its pages."""
    told = (
        re.match(r"([\d,]+|No) (orders?|customers?|reviews?|products?|variants?)\b", one.text)
        for one in page.elements("status")
    )
    number = next(one[1] for one in told if one)
    return 0 if number == "No" else int(number.replace(",", ""))


def filtered(
    page: Any,
    grid: str,
    *,
    choices: Iterable[tuple[str, str]] = (),
    typed: Iterable[tuple[str, str]] = (),
    apply: bool = True,
) -> Moves:
    """Open a list from the menu and apply conditions: options of boxes, texts of fields; returns the page."""
    page = yield from panel(page, grid)
    for name, option in choices:
        page = yield from chosen(page, name, option)
    for name, text in typed:
        page = yield type_(page.find("textbox", name), text)
    return (yield click(page.find("button", "Apply filters"))) if apply else page


def sorted_by(page: Any, heading: str, sort: str, usual: str = "-placed_at") -> Moves:
    """Click a column's heading until the list is sorted as asked (`-total`); returns the page."""
    while sort_of(page.url, usual) != sort:
        page = yield click(page.find("link", re.compile(rf"^{heading}\b"), within=("main", None)))
    return page


def sort_of(url: str, usual: str) -> str:
    """The sort that an address asks for; `usual` where it says nothing."""
    return parse_qs(urlsplit(url).query).get("sort", [usual])[0]


def cents(text: str) -> int:
    """An amount as a page shows it, in cents."""
    return Money(0).read(text)


def long_day(iso: str) -> str:
    """`2026-02-03` as people write it: February 3, 2026."""
    day = date.fromisoformat(iso)
    return f"{day:%B} {day.day}, {day.year}"


def long_month(iso: str) -> str:
    """`2026-02` as people write it: February 2026."""
    return f"{date.fromisoformat(iso + '-01'):%B %Y}"


def month_ends(month: str) -> tuple[str, str]:
    """The first and the last day of a month, `2026-02`."""
    first = date.fromisoformat(f"{month}-01")
    return str(first), str((first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def months_between(first: str, last: str) -> list[str]:
    """All months from the first to the last."""
    begin, end = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (first, last))
    return [f"{place // 12}-{place % 12 + 1:02d}" for place in range(begin, end + 1)]


def short_day(text: str) -> str:
    """A day as a page shows it (`Feb 3, 2026, 10:15`), as `2026-02-03`."""
    month, day, year = re.match(r"(\w{3}) (\d+), (\d{4})", text).groups()  # type: ignore[union-attr]
    return f"{year}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
