"""The frame around every page: navigation, search, error pages, and what each role sees of what it may not do."""

from __future__ import annotations

import json
import re

import pytest
from sitegym.sites.kit.icons import icon
from sitegym.sites.store.admin import scripts
from sitegym.sites.store.admin.assets import ALL_STYLES, FOLDERS, OURS, STYLES, asset_url
from small_shop import NUMBERS


def test_the_dashboard_counts_orders_and_leads_to_their_lists(ask):
    manager = ask()
    text = manager.get("/").text
    tiles = dict(re.findall(r'class="tile" href="([^"]+)" aria-label="[^:]+: (\d+) order', text))
    for href, count in tiles.items():
        assert f"{count} order" in manager.get(href).text
        assert len(re.findall(r'<td class="primary">', manager.get(href).text)) == int(count)
    assert sum(map(int, tiles.values())) == 14
    for href, count in re.findall(r'<li><a href="([^"]+)">.*?<b>(\d+)</b>', text):
        assert len(re.findall(r'<td class="primary">', manager.get(href.replace("&amp;", "&")).text)) == int(count)


def test_no_link_of_the_navigation_is_dead(ask):
    manager = ask("owner")
    for href in set(re.findall(r'href="(/[^"]*)"', manager.get("/").text)):
        if not href.startswith("/assets/"):
            assert manager.get(href.replace("&amp;", "&")).status_code == 200, href


def test_the_entry_of_the_page_shown_is_marked(ask):
    text = ask().get("/orders?f=status:in:pending").text
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', text) == ["/orders?f=status:in:pending"]


def test_suggestions_come_in_groups_that_lead_to_pages(ask):
    manager = ask()
    groups = json.loads(manager.get("/search/suggest?q=mara").text)["groups"]
    assert [group["label"] for group in groups] == ["Orders", "Customers"]
    assert [len(group["items"]) for group in groups] == [5, 2]
    for group in groups:
        for item in group["items"]:
            assert manager.get(item["href"]).status_code == 200
    groups = json.loads(manager.get("/search/suggest?q=RDG-3").text)["groups"]
    found = {group["label"]: {item["label"]: item["href"] for item in group["items"]} for group in groups}
    assert found["Products"] == {"Ridge Pack 3": "/products/3"}
    assert found["SKUs"] == {"RDG-3": "/products/3/variants"}


@pytest.mark.parametrize("text", ["", "  ", "%", "'", "…", "-"])
def test_a_search_without_a_word_suggests_nothing_and_breaks_nothing(ask, text):
    manager = ask()
    assert json.loads(manager.get("/search/suggest", query_string={"q": text}).text) == {"groups": []}
    assert manager.get("/search", query_string={"q": text}).status_code == 200


def test_every_word_of_a_search_must_begin_a_word_of_the_record(ask):
    manager = ask()
    assert "Ridge Pack 1" in manager.get("/search?q=ALD+rid").text
    assert "Nothing found" in manager.get("/search?q=alder+idge").text
    assert manager.view().q == "alder idge"


def test_a_phone_number_is_found_from_the_top(ask):
    assert 'href="/customers/3"' in ask().get("/search?q=614-555-0134").text


@pytest.mark.parametrize("path", ["/nope", "/orders/999999", "/customers/999", "/customers/99999999999999999999"])
def test_what_does_not_exist_is_a_page_inside_the_frame(ask, path):
    manager = ask()
    response = manager.get(path)
    assert response.status_code == 404
    assert "does not exist" in response.text
    assert 'aria-label="Main"' in response.text


def test_a_post_to_a_page_that_takes_none_says_so(ask):
    assert ask().post("/orders").status_code == 405


def test_a_crash_is_a_page_with_retry_that_sends_the_same_again(ask, monkeypatch):
    from sitegym.sites.store.services import customers

    manager = ask()
    with monkeypatch.context() as patch:
        patch.setattr(customers, "block", lambda *args, **kwargs: 1 / 0)
        patch.setattr("sitegym.sites.store.admin.customer_forms.customers.block", customers.block)
        response = manager.post("/customers/3/block", {"v": "1"})
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.text
    assert "Retry" in response.text
    assert '<input type="hidden" name="v" value="1">' in response.text
    assert "ZeroDivisionError" not in response.text


def test_pages_name_what_a_role_may_not_do_as_the_map_says(ask):
    clerk, analyst = ask("clerk").get("/customers/3").text, ask("analyst").get("/customers/3").text
    assert re.search(r'aria-disabled="true"[^>]*title="Your role may not merge customers\."', clerk)
    assert 'data-open="erase"' in clerk
    assert 'data-open="block"' in analyst
    assert '<form class="card-x"' not in analyst
    assert "New customer" not in ask("analyst").get("/customers").text


def test_pages_are_not_stored_and_static_files_are_kept(ask):
    manager = ask()
    assert manager.get("/orders").headers["Cache-Control"] == "no-store"
    asset = manager.get(asset_url("admin", "js/grid.js"))
    assert asset.status_code == 200
    assert "immutable" in asset.headers["Cache-Control"]
    assert "Last-Modified" not in asset.headers


@pytest.mark.parametrize(
    "path", ["/assets/admin/x/../../app.py", "/assets/elsewhere/x/app.py", "/assets/admin/x/nope.js"]
)
def test_only_static_files_are_served(ask, path):
    assert ask().get(path).status_code == 404


def test_every_asset_of_the_layout_exists(ask):
    for address in re.findall(r'(?:href|src)="(/assets/[^"]+)"', ask().get("/").text):
        assert ask().get(address).status_code == 200, address
    assert set(FOLDERS) == {"bootstrap", "admin"}


def test_an_icon_that_does_not_exist_is_a_bug_not_a_blank():
    with pytest.raises(LookupError, match="no Bootstrap icon 'nope'"):
        icon("nope")


def test_typed_text_is_shown_as_text(ask):
    text = ask().get("/orders?q=<b>bold</b>").text
    assert "<b>bold" not in text
    assert NUMBERS["pending"] not in text


def test_every_style_sheet_is_in_the_one_that_pages_load(ask):
    on_disk = {f"css/{path.name}" for path in (OURS / "css").iterdir()}
    assert on_disk == set(STYLES)
    assert ask().get(asset_url("admin", ALL_STYLES)).text.count(":root,") == 1


def test_every_script_is_sent_to_the_pages_that_need_it():
    marked = dict(scripts.MARKED)
    on_disk = {path.stem for path in (OURS / "js").glob("*.js")}
    imported = {
        name for path in (OURS / "js").glob("*.js") for name in re.findall(r'from "./([\w-]+)\.js"', path.read_text())
    }
    assert on_disk - set(scripts.FRAME) - set(marked) - imported == {"print"}, "pages for printing have their own"
    assert set(scripts.FRAME) | set(marked) <= on_disk
    templates = "".join(path.read_text() for path in (OURS.parent / "templates").rglob("*.html"))
    marks = [mark for signs in marked.values() for mark in signs]
    assert [mark for mark in marks if mark not in templates] == []
    code = "".join(path.read_text() for path in OURS.parent.glob("*.py") if path.stem != "scripts")
    assert [mark for mark in marks if mark in code] == [], "which marks a page can have is read off its templates"


@pytest.mark.parametrize(
    "path",
    ["/", "/orders", "/orders/new", "/customers", "/products", "/products/1", "/products/1/images",
     "/products/1/variants", "/products/new", "/inventory", "/inventory/receive", "/categories", "/options", "/reviews",
     "/audit", "/profile"],
)  # fmt: skip
def test_a_script_whose_mark_is_on_a_page_is_sent_with_it(ask, path):
    html = ask().get(path).text
    sent = tuple(re.findall(r'/js/([\w-]+)\.js"', html))
    assert sent == scripts.names(html)


def test_a_page_gets_the_scripts_of_its_controls_only(ask):
    manager = ask()
    found = re.findall(r'/js/([\w-]+)\.js"', manager.get("/profile").text)
    assert found[: len(scripts.FRAME)] == list(scripts.FRAME)
    assert "grid" not in found
    assert {"grid", "grid-actions", "grid-columns", "dates"} <= set(
        re.findall(r'/js/([\w-]+)\.js"', manager.get("/orders").text)
    )
    assert "<!-- scripts -->" not in manager.get("/nope").text
