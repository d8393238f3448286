"""The port: a forward proxy to the world's own sites, whose answers depend on the world alone."""

from __future__ import annotations

import socket

import pytest
from plain_http import ask
from sitegym.sites.world import World, WorldServer
from sitegym.sites.world.proxy import Target, target_of


@pytest.mark.parametrize(
    ("line", "host", "target"),
    [
        pytest.param("http://a.localhost/x?y=1", "b", Target("http", "a.localhost", 80, True), id="absolute-wins"),
        pytest.param("http://A.LocalHost.:80/", "b", Target("http", "a.localhost", 80, True), id="case-and-final-dot"),
        pytest.param("http://a.localhost:81/", "b", Target("http", "a.localhost", 81, True), id="other-port"),
        pytest.param("https://a.localhost/", "b", Target("https", "a.localhost", 443, True), id="https"),
        pytest.param("http://u:p@a.localhost/", "b", Target("http", "a.localhost", 80, True), id="userinfo"),
        pytest.param("/x", "a.localhost:9000", Target("http", "a.localhost", 9000, False), id="direct"),
        pytest.param("/x?u=http://b/", "a.localhost", Target("http", "a.localhost", 80, False), id="url-in-query"),
        pytest.param("http://a.localhost:x/", "b", Target("http", "a.localhost", 0, True), id="port-is-no-number"),
        pytest.param("http://a.localhost:²/", "b", Target("http", "a.localhost", 0, True), id="port-is-a-superscript"),
    ],
)
def test_where_a_request_goes(line: str, host: str, target: Target) -> None:
    assert target_of({"REQUEST_URI": line, "HTTP_HOST": host}) == target


def test_both_forms_reach_the_site_and_show_the_application_the_same_address(world: World) -> None:
    proxied = ask(world, "http://notes.localhost/echo", origin="http://notes.localhost")
    direct = ask(
        world, "/echo", origin=f"http://notes.localhost:{world.port}", referer=f"http://notes.localhost:{world.port}/a"
    )
    assert proxied.status == direct.status == 200
    assert '"host":"notes.localhost"' in proxied.text
    assert '"origin":"http://notes.localhost"' in direct.text
    assert '"referer":"http://notes.localhost/a"' in direct.text


def test_each_host_shows_its_own_face(world: World) -> None:
    assert "Notes of notes" in ask(world, "http://notes.localhost/").text
    assert "Notes of files" in ask(world, "http://files.localhost/").text


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "http://notes.localhost:8080/",
        "https://notes.localhost/",
        "http://127.0.0.1/",
        "http://notes.localhost.evil.test/",
        "http://<b>.localhost/",
        "ftp://notes.localhost/",
    ],
)
def test_nothing_else_can_be_reached(world: World, url: str) -> None:
    answer = ask(world, url, host="notes.localhost")
    assert answer.status == 502
    assert "There is no site at" in answer.text
    assert "<b>" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert world.views() == []


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "[::1]:{}", "<b>.localhost:{}", "notes.localhost:1"])
def test_a_direct_request_with_another_host_gets_links_to_the_sites(world: World, host: str) -> None:
    answer = ask(world, "/notes/1?a=<i>&b", host=host.format(world.port))
    assert answer.status == 404
    assert f'<a href="http://notes.localhost:{world.port}/notes/1?a=&lt;i&gt;&amp;b">' in answer.text
    assert "<b>" not in answer.text
    assert world.views() == []


def test_a_tunnel_is_refused_and_the_connection_ends(world: World) -> None:
    with socket.create_connection(("127.0.0.1", world.port), timeout=30) as connection:
        connection.sendall(
            b"CONNECT notes.localhost:443 HTTP/1.1\r\nHost: notes.localhost:443\r\nConnection: close\r\n\r\n"
        )
        answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize(
    "request_line", [b"GET http://[::1 HTTP/1.1", b"GET HTTP/1.1", b"\x16\x03\x01\x02", b"GET http:// HTTP/1.1"]
)
def test_a_broken_request_gets_an_error_and_the_next_one_an_answer(world: World, request_line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", world.port), timeout=30) as connection:
        connection.sendall(request_line + b"\r\nHost: notes.localhost\r\nConnection: close\r\n\r\n")
        answer = connection.makefile("rb").read()
    assert answer[9:12] in (b"", b"400", b"502"), "refused in words, or by hanging up"
    assert ask(world, "http://notes.localhost/").status == 200


def test_headers_between_browser_and_proxy_do_not_reach_the_application(world: World) -> None:
    headers = {"proxy_connection": "keep-alive", "connection": "close", "x_forwarded_for": "10.0.0.1"}
    echoed = ask(world, "http://notes.localhost/echo", **headers).text
    assert '"connection":null' in echoed
    assert '"proxy-connection":null' in echoed
    assert '"x-forwarded-for":null' in echoed


def test_the_only_time_in_an_answer_is_the_worlds(world: World) -> None:
    assert ask(world, "http://notes.localhost/").headers["date"] == "Wed, 18 Mar 2026 10:00:00 GMT"
    world.advance(90_000)
    answer = ask(world, "http://notes.localhost/")
    assert answer.headers["date"] == "Wed, 18 Mar 2026 10:01:30 GMT"
    assert "Now 2026-03-18T10:01:30Z" in answer.text


def test_a_cookie_lives_by_its_age_and_carries_no_date(world: World) -> None:
    assert ask(world, "http://notes.localhost/cookie").headers["set-cookie"] == "taste=sweet; Max-Age=3600; Path=/"


def test_pages_are_never_stored_and_assets_are_kept_for_good(world: World) -> None:
    page = ask(world, "http://notes.localhost/")
    asset = ask(world, "http://notes.localhost/static/icon.svg")
    missing = ask(world, "http://notes.localhost/static/none.svg")
    data = ask(world, "http://notes.localhost/echo")
    assert (
        page.headers["cache-control"] == data.headers["cache-control"] == missing.headers["cache-control"] == "no-store"
    )
    assert asset.headers["cache-control"] == "public, max-age=315360000, immutable"
    assert {"etag", "last-modified", "expires", "server"} & (asset.headers.keys() | page.headers.keys()) == set()
    assert asset.text.startswith("<svg")


def test_two_worlds_answer_the_same_requests_byte_for_byte(server: WorldServer) -> None:
    paths = ["/", "/cookie", "/static/icon.svg", "/missing", "/undeclared", "/bug", "/away", "/echo", "/download"]
    records = []
    for _ in range(2):
        with server.open("micro", "tiny", 1) as world:
            cookie = world.sign_in("clerk")
            first = ask(world, "http://notes.localhost/notes", "POST", "text=hello")
            rest = [
                ask(world, f"http://notes.localhost{path}", cookie=f"{cookie.name}={cookie.value}") for path in paths
            ]
            records.append([first, *rest])
    assert records[0] == records[1]
    assert "<p id=who>Bo</p>" in records[0][1].text


def test_a_page_says_which_view_it_is_and_the_server_knows_what_that_showed(world: World) -> None:
    first = ask(world, "http://notes.localhost/")
    ask(world, "http://notes.localhost/echo")
    second = ask(world, "http://files.localhost/missing")
    assert (first.headers["x-view"], second.headers["x-view"]) == ("1", "2")
    shown = world.view(1)
    assert (shown.host, shown.path, shown.sort, shown.size, shown.status) == ("notes.localhost", "/", ("-id",), 10, 200)
    assert shown.declared
    assert (world.view(2).host, world.view(2).path, world.view(2).status) == ("files.localhost", "/missing", 404)
    assert not world.view(2).declared
    with pytest.raises(LookupError, match="2 were rendered"):
        world.view(3)


def test_a_request_that_failed_is_told_to_the_harness(world: World) -> None:
    assert world.errors() == []
    assert ask(world, "http://notes.localhost/bug").status == 500
    assert "KeyError: 'a bug'" in world.errors()[0]
    world.reset()
    assert world.errors() == []
