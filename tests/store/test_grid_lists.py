"""The lists of orders and customers, asked directly: which rows come, in which order, and what is put on record."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from sitegym.sites.store.models import Order
from small_shop import NUMBERS

ORDER_LINK = re.compile(r'<td class="primary"><a href="/orders/(\d+)">')
NAME = re.compile(r'<td class="primary"><a href="/customers/(\d+)">')
TWIN_COMPLETE, TWIN_CANCELED = "100135", "100136"


def orders(asker, query: str) -> list[str]:
    """The numbers on a page of the orders list."""
    response = asker.get(f"/orders{query}")
    assert response.status_code == 200
    return ORDER_LINK.findall(response.text)


def customers(asker, query: str) -> list[int]:
    """The ids on a page of the customers list."""
    response = asker.get(f"/customers{query}")
    assert response.status_code == 200
    return [int(id) for id in NAME.findall(response.text)]


def test_orders_come_newest_first_and_of_one_second_the_later_first(ask):
    found = orders(ask(), "")
    assert found[:2] == [NUMBERS["long"], NUMBERS["two parcels"]]
    assert found[-2:] == [TWIN_CANCELED, TWIN_COMPLETE]
    assert len(found) == 14


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        pytest.param("?f=status:in:fraud_review|on_hold", {NUMBERS["held"], NUMBERS["fraud"]}, id="two-statuses"),
        pytest.param("?f=placed_at:between:2026-02-01..2026-02-28", {TWIN_COMPLETE}, id="last-second-of-a-month"),
        pytest.param("?f=placed_at:eq:2026-03-01", {TWIN_CANCELED}, id="first-second-of-a-month"),
        pytest.param("?f=total:gte:1000", {TWIN_COMPLETE}, id="money-at-the-bound"),
        pytest.param("?f=total:gte:1000.01", set(), id="money-a-cent-above"),
        pytest.param("?f=customer:contains:s%C3%B8ren", {NUMBERS["guest"]}, id="name-without-accents-and-case"),
        pytest.param("?f=ship_city:contains:COLUMB", {TWIN_COMPLETE, TWIN_CANCELED}, id="ship-to-city"),
        pytest.param("?f=ship_region:in:US-OH", {TWIN_COMPLETE, TWIN_CANCELED}, id="region"),
        pytest.param("?f=assigned_to:in:3", {TWIN_COMPLETE, TWIN_CANCELED}, id="assigned"),
        pytest.param("?f=tags:in:1&f=status:in:canceled", {TWIN_CANCELED}, id="tag-and-status"),
        pytest.param("?f=tags:ne:1&f=status:in:canceled", set(), id="not-that-tag"),
        pytest.param("?f=pay_method:in:cod", {NUMBERS["on delivery"]}, id="payment"),
        pytest.param("?q=soren+ang", {NUMBERS["guest"]}, id="search-by-name"),
        pytest.param("?q=RDG-4+mara&f=status:in:on_hold", {NUMBERS["held"]}, id="search-by-sku-with-filter"),
        pytest.param(f"?q={TWIN_CANCELED}", {TWIN_CANCELED}, id="search-by-number"),
    ],
)
def test_filters_and_search_find_exactly_these_orders(ask, query, wanted):
    assert set(orders(ask(), query)) == wanted


def test_a_search_text_without_a_word_is_no_condition(ask):
    assert len(orders(ask(), "?q=%25")) == 14


def test_nobody_is_a_choice_among_the_assigned(ask):
    asker = ask()
    assert len(orders(asker, "?f=assigned_to:in:none")) == 12
    assert len(orders(asker, "?f=assigned_to:in:none|3")) == 14
    assert len(orders(asker, "?f=assigned_to:ne:none")) == 2


def test_sorting_by_several_columns_ends_in_the_id(ask):
    asker = ask()
    found = orders(asker, "?sort=total,-number")
    with asker.world.read() as db:
        rows = [(row.total, -int(row.number), row.number) for row in db.query(Order)]
    assert found == [number for _, _, number in sorted(rows)]


def test_pages_hold_every_row_once_and_a_page_too_far_is_the_last(ask):
    asker = ask()
    first, second = customers(asker, ""), customers(asker, "?page=2")
    assert (len(first), len(second)) == (20, 9)
    assert sorted(first + second) == list(range(1, 30))
    assert customers(asker, "?page=99") == second
    assert asker.view().page == 2


def test_the_view_goes_on_record_typed_with_the_sort_in_effect(ask):
    asker = ask()
    orders(asker, "?f=total:gte:10&f=status:eq:pending&q=mara&size=50")
    view = asker.view()
    assert (view.path, view.q, view.size, view.sort) == ("/orders", "mara", 50, ("-placed_at",))
    assert view.filters == {"status": [["in", ["pending"]]], "total": [["gte", 1000]]}


def test_the_panel_leads_to_its_address_and_keeps_search_sort_and_size(ask):
    response = ask().get(
        "/orders?apply=1&q=mara&sort=total&size=50&status.in=pending&status.in=canceled&total.from=1,000&total.to="
        "&placed_at.from=2026-03-01&placed_at.to=2026-03-18&customer.contains=+Mara+"
    )
    assert response.status_code == 303
    assert unquote(response.location) == (
        "/orders?q=mara&f=placed_at:between:2026-03-01..2026-03-18&f=customer:contains:Mara&f=total:gte:1000.00"
        "&f=status:in:canceled|pending&sort=total&size=50"
    )


def test_a_wrong_entry_in_the_panel_comes_back_with_its_message(ask):
    response = ask().get("/orders?apply=1&total.from=cheap&placed_at.from=2026-03-09&placed_at.to=2026-03-01")
    assert response.status_code == 422
    assert "Total must be an amount such as 1,250.00." in response.text
    assert "The first date must not be after the last one." in response.text
    assert 'value="cheap"' in response.text


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        pytest.param("?f=orders_count:eq:2", [3], id="count-of-orders"),
        pytest.param("?f=spend:between:900..900", [3], id="spend-is-complete-orders-less-refunds"),
        pytest.param("?f=last_order:eq:2026-03-01", [3], id="last-order"),
        pytest.param("?f=city:contains:portl", [3], id="default-shipping-city"),
        pytest.param("?f=group:in:wholesale", [4], id="group"),
        pytest.param("?f=status:in:blocked", [4], id="status"),
        pytest.param("?f=phone:contains:(614)+555", [3], id="phone-digits"),
        pytest.param("?q=(614)+555-0134", [3], id="phone-as-people-write-it"),
        pytest.param("?q=020+7946+0123", [4], id="phone-as-dialled-inside-the-country"),
        pytest.param("?q=%2B44+(0)20+7946+0123", [4], id="phone-with-trunk-zero"),
        pytest.param("?q=o%27dell", [4], id="apostrophe"),
        pytest.param("?q=LINDQVIST+mara&sort=-created_at", [1, 3], id="namesakes-newest-account-first"),
        pytest.param("?q=lukasz", [2], id="accents"),
    ],
)
def test_customers_are_found(ask, query, wanted):
    assert customers(ask(), query) == wanted


def test_an_analyst_sees_masked_phones_and_cannot_filter_by_them(ask):
    analyst = ask("analyst")
    page = analyst.get("/customers?q=mara.l@post.example")
    assert "+1 •••-•••-•134" in page.text
    assert not re.search(r"555.?0134", page.text)
    assert "was not understood" in analyst.get("/customers?f=phone:contains:614").text


def test_columns_can_be_asked_for(ask):
    page = ask().get("/orders?cols=number,ship_region&q=100135")
    assert "Ohio, US" in page.text
    assert "Assigned to</a>" not in page.text
