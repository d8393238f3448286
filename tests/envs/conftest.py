"""What the tests of the environment share: a browser, a server of micro pages that is also the proxy, a player."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlsplit

import pytest
from PIL import Image
from sitegym.envs import actions
from sitegym.envs.host import BrowserHost
from sitegym.envs.observation import Observation
from sitegym.envs.session import Session, prepare

from .patterns import FILES, Way, take
from .pdfs import make_pdf


def make_png() -> bytes:
    """A small red picture."""
    data = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(data, "PNG")
    return data.getvalue()


BILL = make_pdf([["Bill 100124", "Total 41.50 \u20ac"], ["Thank you"]])
PAGES = Path(__file__).parent / "pages"
DRAWN = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60">{}<rect width="9" height="9"/></svg>'
OTHERS: dict[str, tuple[str | bytes, str]] = {
    "drawing.svg": (DRAWN.format('<text y="90">Sales</text>'), "image/svg+xml"),
    "drawn.svg": (DRAWN.format(""), "image/svg+xml"),
    "feed.xml": ("<feed><entry>Sales</entry></feed>", "text/xml"),
    "plain.txt": ("Sales\n", "text/plain"),
    "data.json": ('{"of": "Sales"}', "application/json"),
    "picture.png": (make_png(), "image/png"),
    "frameset": ('<frameset cols="50%,50%"><frame src="/echo?a=1"><frame src="/echo?b=2"></frameset>', "text/html"),
    "framed-drawing": ('<p>Before</p><iframe src="/other/drawing.svg"></iframe>', "text/html"),
    "object-drawing": ('<p>Before</p><object data="/other/drawing.svg" type="image/svg+xml"></object>', "text/html"),
}
"""Documents that are no ordinary page, and of what kind each is."""
START_MS = 1_773_828_000_000  # 2026-03-18T10:00:00Z


class _Handler(BaseHTTPRequestHandler):
    """Serves micro pages to any host, as a world's forward proxy does; a few paths behave badly on purpose."""

    protocol_version = "HTTP/1.1"
    server: PageServer

    def do_GET(self) -> None:
        """Answer with a page, or with what the path asks for."""
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        self.server.seen.append(f"{self.command} {url.path}" + (f"?{url.query}" if url.query else ""))
        match url.path:
            case "/empty":
                self._send(204, "")
            case "/file":
                self._send(
                    200, "a,b\n", kind="text/csv", headers={"Content-Disposition": 'attachment; filename="a.csv"'}
                )
            case "/broken":
                headers = {"Content-Disposition": "attachment; filename=broken.txt", "Content-Length": "100"}
                self._send(200, "too short", "text/plain", headers)
                self.close_connection = True
            case "/give":
                size = int(query.get("size", 5))
                body = {
                    "binary": bytes(range(256)),
                    "latin": "Größe".encode("cp1252"),
                    "wide": "Größe".encode("utf-16"),
                    "pdf": BILL,
                }
                name = query.get("name", "given.txt")
                data = body.get(query.get("kind", ""), b"x" * size)
                self._send(200, data, "text/plain", {"Content-Disposition": f"attachment; filename={name}"})
            case "/bill.pdf":
                self._send(200, BILL, kind="application/pdf")
            case "/suggest":
                if wait := query.get("hold"):
                    self.server.gates[wait].wait(10)
                names = ["blue", "black", "brown", "red"]
                found = [name for name in names if name.startswith(query.get("q", ""))]
                self._send(200, "\n".join(found), kind="text/plain")
            case "/picture":
                self.server.gates[query["hold"]].wait(10)
                red = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="400" height="300" fill="red"/></svg>'
                self._send(200, red, kind="image/svg+xml")
            case path if path.startswith("/other/") and path.split("/")[-1] in OTHERS:
                self._send(200, *OTHERS[path.split("/")[-1]])
            case "/status":
                self._send(int(query["code"]), "")
            case "/record":
                self._send(200, "<title>Recorded</title><h1>Recorded</h1>")
            case "/echo":
                if wait := query.get("hold"):
                    self.server.gates[wait].wait(10)
                lines = "".join(f"<li>{key}={value}</li>" for key, value in query.items())
                self._send(200, f"<title>Echo</title><h1>Echo</h1><ul>{lines}</ul>")
            case path:
                file = PAGES / f"{path.strip('/') or 'plain'}.html"
                if file.is_file():
                    self._send(200, file.read_text("utf-8"))
                else:
                    self._send(404, "<title>Nothing</title><h1>Nothing here</h1>")

    do_POST = do_GET

    def _send(
        self, status: int, body: str | bytes, kind: str = "text/html", headers: dict[str, str] | None = None
    ) -> None:
        data = body.encode() if isinstance(body, str) else body
        given = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if urlsplit(self.path).path == "/record":
            self.server.records.append(given)
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        if kind == "text/html" and status == 200:
            self.server.views += 1
            self.send_header("X-View", str(self.server.views))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


class PageServer(ThreadingHTTPServer):
    """The server of the micro pages. `seen` lists requests, `records` what pages posted to /record.

    `gates` hold answers back until they are set.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[str] = []
        self.records: list[str] = []
        self.views = 0
        self.gates: dict[str, threading.Event] = {}

    @property
    def address(self) -> str:
        """The proxy of a browser context."""
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture(scope="session")
def pages() -> Iterator[PageServer]:
    """The server of the micro pages."""
    with PageServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture(scope="session")
def host() -> Iterator[BrowserHost]:
    """One browser for all tests of this folder."""
    with BrowserHost() as host:
        yield host


class Player:
    """Plays on micro pages: `play("click", …)` acts and gives the next observation."""

    def __init__(
        self,
        host: BrowserHost,
        server: PageServer,
        page: str,
        seed: str = "seed",
        *,
        files: Any = None,
        hosts: tuple[str, ...] = (),
        viewport: tuple[int, int] = (1280, 800),
    ) -> None:
        self.host = host
        self.kinds: tuple[str, ...] = ("axtree",)
        self.kept: dict[str, str] = {}
        prepared = host.run(prepare(host, server.address, viewport))
        self.session = Session(prepared, now=START_MS, seed=seed, files=files, hosts=hosts)
        host.run(self.session.open(f"http://micro.localhost/{page}"))
        self.now = self.look()

    def look(self, *kinds: str, error: str = "") -> Observation:
        """Observe."""
        from dataclasses import replace

        self.now = replace(self.host.run(self.session.observe(kinds or self.kinds)), error=error)
        return self.now

    def play(self, action: object) -> Observation:
        """Act and observe."""
        return self.look(error=self.host.run(self.session.act(actions.parse(action))))

    def on(self, name: str, role: str, label: str | None, *args: object, nth: int = 0, **named: object) -> Observation:
        """Act on an element by role and name: `on("type", "textbox", "Name", "Ana", submit=True)`."""
        ref = self.now.find(role, label, nth=nth)
        others = [param.name for param in actions.specs()[name].params if param.name != "ref"]
        return self.play({"action": name, "ref": ref, **dict(zip(others, args, strict=False)), **named})

    def eval(self, script: str) -> object:
        """What a script says on the active page."""
        return self.host.run(self.session.tabs.active.evaluate(script))


@pytest.fixture
def player(host: BrowserHost, pages: PageServer) -> Iterator[Callable[..., Player]]:
    """Opens a player on a micro page; its context is closed after the test."""
    host.run(_nothing())
    players: list[Player] = []

    def open_page(page: str, **options: object) -> Player:
        players.append(Player(host, pages, page, **options))  # type: ignore[arg-type]
        return players[-1]

    yield open_page
    for player in players:
        host.run(player.session.close())


@pytest.fixture(scope="session")
def hall(host: BrowserHost, pages: PageServer) -> Iterator[Player]:
    """One player for all ways that leave nothing behind but a page."""
    host.run(_nothing())
    player = Player(host, pages, "plain", files=FILES)
    yield player
    host.run(player.session.close())


@pytest.fixture
def walk(hall: Player, player: Callable[..., Player], pages: PageServer) -> Callable[[Way], Player]:
    """Goes a way through a micro page of `pages/patterns`, and compares what the page recorded."""

    def go(way: Way) -> Player:
        page = f"patterns/{way.pattern.lower()}"
        if way.alone:
            pages.records.clear()
            walker = player(page, **way.alone)
        else:
            walker = hall
            if walker.now.dialog is not None:
                walker.play("dismiss_dialog()")
            for _ in walker.now.tabs[1:]:
                walker.play("close_tab(1)")
            walker.play(f'navigate("http://{way.pattern.lower()}.localhost/{page}")')
            if walker.now.dialog is not None:
                walker.play("accept_dialog()")
            pages.records.clear()
        errors = [take(walker, step) for step in way.steps]
        assert errors[:-1] == [""] * len(errors[:-1]), walker.now.axtree
        assert way.refused in errors[-1] if way.refused else errors[-1] == "", walker.now.axtree
        assert tuple(unquote_plus(record) for record in pages.records) == way.records, walker.now.axtree
        return walker

    return go


async def _nothing() -> None:
    """Starts the browser."""
