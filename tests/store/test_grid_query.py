"""What a list is asked for: addresses that mean the same are equal once parsed, and nothing is guessed."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.sites.kit.grid import Column, Filter, Query, Shape
from sitegym.sites.kit.periods import periods
from sqlalchemy import column

SHAPE = Shape(
    path="/things",
    nouns=("thing", "things"),
    sort=("-at",),
    columns=(
        Column(name="name", label="Name", show=column("name")),
        Column(name="at", label="At", kind="time", show=column("at")),
        Column(name="total", label="Total", kind="money", show=column("total")),
        Column(name="units", label="Units", kind="number", show=column("units")),
        Column(name="state", label="State", kind="enum", show=column("state"), options=(("a", "A"), ("b", "B"))),
        Column(name="secret", label="Secret", show=column("secret"), default=False, filterable=False, sortable=False),
    ),
)


def parse(address: str) -> Query:
    """The query of an address."""
    return SHAPE.parse(parse_qs(urlsplit(address).query, keep_blank_values=True))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("?f=state:in:a|b", "?f=state:in:b|a|b", id="order-and-repetition-of-codes"),
        pytest.param("?f=state:eq:a", "?f=state:in:a", id="one-code"),
        pytest.param("?f=total:gte:5&f=total:lte:9.50", "?f=total:between:5.00..9.5", id="two-bounds"),
        pytest.param("?f=at:eq:2026-03-01", "?f=at:between:2026-03-01..2026-03-01", id="one-day"),
        pytest.param("?f=state:in:a&f=total:gte:1", "?f=total:gte:1.00&f=state:in:a", id="order-of-filters"),
        pytest.param("?sort=-at", "", id="default-sort"),
        pytest.param("?page=1&size=20&q=", "", id="defaults"),
        pytest.param("?q=++two+++words", "?q=two+words", id="spaces"),
        pytest.param("?f=total:gte:1%2C250", "?f=total:gte:1250.00", id="thousands"),
        pytest.param("?sort=name,-name,total", "?sort=name,total", id="a-column-sorts-once"),
    ],
)
def test_addresses_that_mean_the_same_are_equal_once_parsed(one, other):
    assert parse(one) == parse(other)


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("?f=nope:eq:1", "filter “nope:eq:1”"),
        ("?f=state:in:a|zzz", "filter “state:in:a|zzz”"),
        ("?f=total:gte:abc", "filter “total:gte:abc”"),
        ("?f=total:between:9..5", "filter “total:between:9..5”"),
        ("?f=at:gte:2026-02-30", "filter “at:gte:2026-02-30”"),
        ("?f=at:lte:9999-12-31", "filter “at:lte:9999-12-31”"),
        ("?f=name:gte:a", "filter “name:gte:a”"),
        ("?f=name:contains:", "filter “name:contains:”"),
        ("?f=secret:eq:x", "filter “secret:eq:x”"),
        ("?f=garbage", "filter “garbage”"),
        ("?sort=secret", "sort “secret”"),
        ("?size=33", "size “33”"),
        ("?page=0", "page “0”"),
        ("?page=²", "page “²”"),
        ("?cols=nope", "column “nope”"),
    ],
)
def test_what_means_nothing_is_named_and_left_out(address, named):
    query = parse(address)
    assert query.ignored == (named,)
    assert query == Query(sort=("-at",), columns=("name", "at", "total", "units", "state"))


CONDITIONS = st.one_of(
    st.builds(lambda codes: Filter("state", "in", tuple(sorted(codes))), st.sets(st.sampled_from("ab"), min_size=1)),
    st.builds(lambda cents: Filter("total", "gte", cents), st.integers(0, 10**7)),
    st.builds(lambda low, more: Filter("units", "between", (low, low + more)), st.integers(0, 999), st.integers(0, 99)),
    st.builds(lambda day: Filter("at", "lte", str(day)), st.dates().filter(lambda day: 1970 <= day.year <= 2999)),
    st.builds(
        lambda text: Filter("name", "contains", text), st.text(min_size=1, max_size=40).filter(lambda t: t == t.strip())
    ),
)


@given(
    filters=st.lists(CONDITIONS, max_size=5),
    q=st.text(max_size=60).map(lambda text: " ".join(text.split())),
    sort=st.lists(st.sampled_from(["name", "-total", "at"]), min_size=1, unique=True).map(tuple),
    page=st.integers(1, 500),
    size=st.sampled_from((20, 50, 100, 200)),
)
def test_a_written_address_reads_back_as_the_same_query(filters, q, sort, page, size):
    query = Query(
        q=q, filters=SHAPE.canonical(filters), sort=sort, page=page, size=size, columns=SHAPE.parse({}).columns
    )
    again = parse(SHAPE.url(query))
    assert again == query
    assert again.ignored == ()


def test_the_record_holds_typed_values():
    query = parse("?f=total:between:5..10&f=state:in:b|a&f=at:gte:2026-03-01&f=name:empty:")
    assert query.recorded() == {
        "at": [["gte", "2026-03-01"]],
        "name": [["empty", ""]],
        "state": [["in", ["a", "b"]]],
        "total": [["between", [500, 1000]]],
    }


def test_a_chip_takes_away_its_own_condition_only():
    query = parse("?f=total:gte:5&f=state:in:a&page=3")
    assert SHAPE.url(query.without(Filter("total", "gte", 500))) == "/things?f=state:in:a"


def test_periods_are_calendar_periods_where_they_say_so():
    found = {each.code: (each.first, each.last) for each in periods("2026-03-18")}
    assert found == {
        "today": ("2026-03-18", "2026-03-18"),
        "last_7_days": ("2026-03-12", "2026-03-18"),
        "last_30_days": ("2026-02-17", "2026-03-18"),
        "this_month": ("2026-03-01", "2026-03-18"),
        "last_month": ("2026-02-01", "2026-02-28"),
        "last_quarter": ("2025-10-01", "2025-12-31"),
        "last_year": ("2025-01-01", "2025-12-31"),
    }


def test_periods_hold_at_the_turn_of_the_year():
    found = {each.code: (each.first, each.last) for each in periods("2026-01-01")}
    assert found["last_month"] == ("2025-12-01", "2025-12-31")
    assert found["last_quarter"] == ("2025-10-01", "2025-12-31")
