"""A real browser behind the port: what a person does on a site works, and nothing but the world can be reached."""

from __future__ import annotations

import hashlib
import socketserver
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Error as BrowserError
from sitegym.sites.world import World, WorldServer

HOME = "http://notes.localhost/"


@pytest.fixture
def page_of(browser: Browser) -> Iterator[Callable[[World], Page]]:
    """Opens a page in a context of its own behind a world."""
    contexts = []

    def open_page(world: World) -> Page:
        context = browser.new_context(proxy={"server": world.address, "bypass": "<-loopback>"})
        context.set_default_timeout(10_000)
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(world: World, page_of: Callable[[World], Page]) -> Page:
    """A page behind this test's world."""
    return page_of(world)


@pytest.fixture
def outside() -> Iterator[int]:
    """A server on another port of this machine, which no agent may reach."""

    class Secret(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(b"secret")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Secret) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield listening.server_address[1]
        listening.shutdown()
        thread.join()


def test_a_form_is_sent_and_its_redirect_followed(page: Page) -> None:
    page.goto(HOME)
    page.get_by_label("Text").fill("from a browser")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("listitem").first).to_have_text("from a browser")
    assert page.url == HOME


def test_a_minted_session_is_known_and_hidden_from_scripts(page: Page, world: World) -> None:
    page.context.add_cookies([world.sign_in("clerk").for_browser()])  # type: ignore[list-item]
    page.goto(HOME)
    expect(page.locator("#who")).to_have_text("Bo")
    assert page.evaluate("document.cookie") == ""


def test_cookies_of_the_site_come_back_to_it_only(page: Page) -> None:
    page.goto(HOME + "cookie")
    assert page.evaluate("document.cookie") == "taste=sweet"
    page.goto("http://files.localhost/")
    assert page.evaluate("document.cookie") == ""


def test_a_redirect_to_another_host_of_the_world_works(page: Page) -> None:
    page.goto(HOME + "away")
    expect(page.get_by_role("heading")).to_have_text("Notes of files")
    assert page.url == "http://files.localhost/"


def test_a_file_is_uploaded_whole(page: Page) -> None:
    content = bytes(range(256)) * 8000  # two megabytes
    page.goto(HOME)
    page.get_by_label("File").set_input_files([{"name": "a.bin", "mimeType": "application/x-any", "buffer": content}])
    page.get_by_role("button", name="Upload").click()
    expected = f"file {len(content)} {hashlib.sha256(content).hexdigest()[:8]}"
    expect(page.get_by_role("listitem").first).to_have_text(expected)


def test_a_file_is_downloaded_whole(page: Page, tmp_path: Path) -> None:
    page.goto(HOME)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    download.value.save_as(tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == bytes(range(256)) * 1000


def test_sites_are_secure_contexts(page: Page) -> None:
    page.goto(HOME)
    assert page.evaluate("isSecureContext && !!navigator.clipboard && !!crypto.subtle")


@pytest.mark.parametrize("address", ["http://example.com/", "http://notes.localhost:8080/", "http://shop.test/"])
def test_any_other_host_shows_the_page_of_no_such_site(page: Page, address: str) -> None:
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 502
    expect(page.get_by_role("heading")).to_have_text("This site can’t be reached")


def test_https_is_refused_and_the_page_stays_usable(page: Page) -> None:
    with pytest.raises(BrowserError, match="ERR_TUNNEL_CONNECTION_FAILED"):
        page.goto("https://notes.localhost/")
    page.wait_for_url("chrome-error://chromewebdata/")
    page.goto(HOME)
    expect(page.get_by_role("heading")).to_be_visible()


def test_neither_pages_nor_scripts_reach_other_ports_or_worlds(page: Page, outside: int, server: WorldServer) -> None:
    with server.open("micro", "tiny") as other:
        page.goto(HOME)
        for port in (outside, other.port):
            for host in ("127.0.0.1", "localhost", "notes.localhost", "[::1]"):
                read = "url => fetch(url).then(answer => answer.text()).catch(error => error.name)"
                assert page.evaluate(read, f"http://{host}:{port}/") == "TypeError"
                shown = page.context.new_page()
                answer = shown.goto(f"http://{host}:{port}/")
                assert answer is not None
                assert answer.status == 502, f"{host}:{port}"
                assert "secret" not in shown.content()
                shown.close()
        assert other.views() == []
        sockets = """port => new Promise(done => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
            socket.onopen = () => done("open")
            socket.onerror = () => done("error")
        })"""
        assert page.evaluate(sockets, outside) == "error"


def test_going_back_asks_the_server_again_and_assets_are_asked_for_once(page: Page, world: World) -> None:
    page.goto(HOME)
    page.goto(HOME + "undeclared")
    world.call("notes.add", text="meanwhile")
    page.go_back()
    expect(page.get_by_role("listitem").first).to_have_text("meanwhile")
    assert [view.path for view in world.views()] == ["/", "/undeclared", "/"]
    load = """async () => {
        const asset = "/static/icon.svg?of-this-test"
        for (const _ of [1, 2]) await (await fetch(asset)).text()
        const loads = performance.getEntriesByType("resource").filter(entry => entry.name.endsWith(asset))
        return loads.map(entry => entry.transferSize)
    }"""
    first, second = page.evaluate(load)
    assert first > 0
    assert second == 0


def test_two_worlds_in_one_browser_do_not_see_each_other(
    world: World, server: WorldServer, page_of: Callable[[World], Page]
) -> None:
    with server.open("micro", "tiny") as other:
        first, second = page_of(world), page_of(other)
        first.goto(HOME)
        first.get_by_label("Text").fill("only here")
        first.get_by_role("button", name="Add").click()
        second.goto(HOME)
        expect(first.get_by_text("only here")).to_be_visible()
        expect(second.get_by_text("only here")).to_have_count(0)


def test_the_view_of_a_document_is_found_by_its_header(page: Page, world: World) -> None:
    page.goto(HOME)
    answer = page.goto("http://files.localhost/undeclared")
    assert answer is not None
    view = world.view(int(answer.headers["x-view"]))
    assert (view.host, view.path, view.status) == ("files.localhost", "/undeclared", 200)


def test_a_person_may_open_the_port_without_a_proxy(world: World, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://notes.localhost:{world.port}/")
    page.get_by_label("Text").fill("by hand")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("listitem").first).to_have_text("by hand")
    assert page.url == f"http://notes.localhost:{world.port}/"
    context.close()
