"""Saved views and files of lists, asked directly: what an address means with a view, whose they are, safe CSV."""

from __future__ import annotations

import csv
import io
from urllib.parse import unquote

import pytest
from asking import Asker
from sitegym.sites.kit.rules import NotFound, Refused
from sitegym.sites.store.models import Customer, SavedView
from sitegym.sites.store.services import actor_for, views

PENDING = "f=status:in:pending&sort=total&cols=number,total"


def save(asker: Asker, name: str, query: str, **fields: str) -> str:
    """Save a view from a list; returns where it leads."""
    response = asker.post("/grids/orders/views", {"name": name, "list": query, "back": "/orders", **fields})
    assert response.status_code == 303
    return str(response.location)


def test_a_view_is_filters_sort_and_columns_under_a_name(ask):
    asker = ask()
    assert save(asker, "  To  check ", PENDING) == "/orders?view=1"
    view = asker.one(SavedView, id=1)
    assert (view.name, view.staff_id, view.is_default) == ("To check", 2, False)
    page = asker.get("/orders?view=1").text
    assert "View <b>To check</b></span>" in page
    assert ">Placed</a>" not in page
    recorded = asker.view()
    assert (recorded.path, recorded.filters, recorded.sort) == (
        "/orders",
        {"status": [["in", ["pending"]]]},
        ("total",),
    )


def test_a_default_is_what_the_bare_list_shows_with_a_way_back(ask):
    asker = ask()
    save(asker, "Mine", PENDING, is_default="1")
    page = asker.get("/orders").text
    assert "View <b>Mine</b> (your default)</span>" in page
    assert 'href="/orders?view=all">Show all orders</a>' in page
    assert asker.view().filters == {"status": [["in", ["pending"]]]}
    asker.get("/orders?view=all")
    assert (asker.view().filters, asker.view().sort) == ({}, ("-placed_at",))
    asker.get("/orders?sort=-total")
    assert (asker.view().filters, asker.view().sort) == ({}, ("-total",))


def test_taking_away_the_last_condition_of_a_default_shows_everything(ask):
    asker = ask()
    save(asker, "Mine", "f=status:in:pending", is_default="1")
    page = asker.get("/orders").text
    chip = page[page.index('aria-label="Remove filter Status"') - 200 :]
    assert 'href="/orders?f=&amp;view=1"' in chip
    asker.get("/orders?f=&view=1")
    assert asker.view().filters == {}


def test_the_panel_without_a_condition_shows_everything_despite_a_default(ask):
    asker = ask()
    save(asker, "Mine", "f=status:in:pending", is_default="1")
    assert asker.get("/orders?apply=1").location == "/orders?f=&view=1"
    assert asker.get("/orders?apply=1&view=all").location == "/orders?view=all"


def test_a_changed_view_can_be_saved_or_undone(ask):
    asker = ask()
    save(asker, "Mine", PENDING)
    page = asker.get(f"/orders?{PENDING}&f=total:gte:5&view=1").text
    assert "changed</span>" in page
    assert ">Undo changes</a>" in page
    asker.post("/grids/orders/views/1/update", {"list": "f=status:in:on_hold", "back": "/orders"})
    asker.get("/orders?view=1")
    assert asker.view().filters == {"status": [["in", ["on_hold"]]]}


def test_the_address_of_an_unchanged_view_is_short(ask):
    asker = ask()
    save(asker, "Mine", PENDING)
    page = asker.get(f"/orders?{PENDING}&view=1").text
    assert "changed</span>" not in page
    assert "/orders?view=1" in unquote(page)


def test_there_is_one_default_at_most(ask):
    asker = ask()
    save(asker, "One", PENDING, is_default="1")
    save(asker, "Two", PENDING, is_default="1")
    assert [asker.one(SavedView, name=name).is_default for name in ("One", "Two")] == [False, True]
    asker.post("/grids/orders/views/2/undefault", {"back": "/orders"})
    assert asker.count(SavedView, is_default=True) == 0
    asker.post("/grids/orders/views/1/default", {"back": "/orders"})
    assert asker.one(SavedView, name="One").is_default


def test_a_name_is_used_once_a_list_and_needed(ask):
    asker = ask()
    save(asker, "One", PENDING)
    save(asker, "One", "f=status:in:on_hold")
    assert asker.count(SavedView) == 1
    save(asker, "Two", PENDING)
    response = asker.post("/grids/orders/views/2/rename", {"name": "One", "back": "/orders?view=2"})
    assert "You already have a view called One." in asker.said(response)
    asker.post("/grids/orders/views/2/rename", {"name": "Three", "back": "/orders?view=2"})
    assert asker.one(SavedView, id=2).name == "Three"
    assert "Name is required." in asker.said(asker.post("/grids/orders/views", {"name": " ", "list": PENDING}))
    assert asker.count(SavedView) == 2


def test_a_deleted_view_is_gone_and_its_address_says_so(ask):
    asker = ask()
    save(asker, "One", PENDING, is_default="1")
    response = asker.post("/grids/orders/views/1/delete", {"back": "/orders?view=1"})
    assert response.location == "/orders"
    assert asker.count(SavedView) == 0
    assert "view “1”" in asker.get("/orders?view=1").text


@pytest.mark.parametrize("what", ["update", "rename", "default", "undefault", "delete"])
def test_views_of_others_are_neither_shown_nor_changed(ask, what):
    owner, manager = ask("owner"), ask()
    save(owner, "Secret", PENDING)
    assert "Secret" not in manager.get("/orders?view=1").text
    assert manager.view().filters == {}
    fields = {"name": "Mine now", "list": "", "back": "/orders"}
    assert manager.post(f"/grids/orders/views/1/{what}", fields).status_code == 404
    view = owner.one(SavedView, id=1)
    assert (view.name, view.staff_id) == ("Secret", 1)


def test_use_cases_of_views_refuse_the_same(people):
    owner, manager = actor_for(people, "owner"), actor_for(people, "manager")
    made = views.save(people, owner, grid="orders", name="A", query={"f": ["status:in:pending"]})
    with pytest.raises(NotFound):
        views.delete(people, manager, id=made["id"])
    with pytest.raises(Refused, match="at most 60"):
        views.save(people, owner, grid="orders", name="x" * 61, query={})
    with pytest.raises(Refused, match="at most 4000"):
        views.save(people, owner, grid="orders", name="B", query={"f": ["x" * 4100]})


def test_what_a_saved_view_says_of_columns_that_are_gone_is_left_out(ask):
    asker = ask()
    views.save(
        asker.world,
        actor_for(asker.world, "manager"),
        grid="orders",
        name="Old",
        query={"f": ["colour:eq:red", "status:in:pending"], "sort": "size"},
        columns=["number", "colour"],
    )
    page = asker.get("/orders?view=1")
    assert page.status_code == 200
    assert asker.view().filters == {"status": [["in", ["pending"]]]}
    assert asker.view().extra["columns"] == ["number"]


def rows(asker: Asker, path: str) -> list[list[str]]:
    """The lines of a file."""
    response = asker.get(path)
    assert (response.status_code, response.mimetype) == (200, "text/csv")
    return list(csv.reader(io.StringIO(response.text)))


def test_a_file_holds_all_rows_that_match_with_the_columns_shown(ask):
    asker = ask()
    found = rows(asker, "/grids/customers/export.csv?cols=name,email,spend,group&sort=-spend&size=20&page=2")
    assert found[0] == ["Name", "E-mail", "Spend", "Group"]
    assert len(found) == 30
    assert found[1] == ["Mara Lindqvist", "mara.l@post.example", "900.00", "VIP"]
    assert len(rows(asker, "/grids/customers/export.csv?f=group:in:vip")) == 2


def test_a_file_is_named_after_the_list_and_the_shops_day(ask):
    response = ask().get("/grids/orders/export.csv?cols=number,placed_at,total,tags&q=100135")
    assert response.headers["Content-Disposition"] == 'attachment; filename="orders-2026-03-18.csv"'
    assert response.text == "Order,Placed,Total,Tags\r\n100135,2026-02-28T23:59:59Z,1000.00,gift\r\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_text_that_a_spreadsheet_would_compute_is_disarmed(ask, start):
    asker = ask()
    with asker.world.write() as db:
        customer = db.get(Customer, 1)
        customer.first_name, customer.last_name = f'{start}HYPERLINK("x",A1)', "Evil"
    found = rows(asker, "/grids/customers/export.csv?cols=name&f=email:contains:m.ist")
    assert found[1] == [f'\'{start}HYPERLINK("x",A1) Evil']


def test_who_may_not_see_phones_does_not_get_them_in_a_file(ask):
    found = rows(ask("analyst"), "/grids/customers/export.csv?cols=phone&f=email:contains:mara.l")
    assert found[1] == ["'+1 •••-•••-•134"]


def test_a_clerk_gets_no_files(ask):
    clerk = ask("clerk")
    assert clerk.get("/grids/orders/export.csv").status_code == 403
    assert 'href="/grids/orders/export.csv' not in clerk.get("/orders").text
    assert ask("manager").get("/orders").text.count('href="/grids/orders/export.csv') == 1
