"""A screen in a web page: noVNC's files and the pictures of a VNC server, for who has the token and for nobody else.

`/?token=…` gives a cookie and leads to the page; without the cookie every request is answered with 401.
"""

from __future__ import annotations

import asyncio
import hmac
import http.cookies
import mimetypes
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.asyncio.server import Server, ServerConnection, unix_serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

COOKIE = "sitegym-screen"
SOCKET_PATH = "/screen"
PAGE = f"/vnc.html?autoconnect=1&resize=scale&reconnect=1&path={SOCKET_PATH[1:]}"
_CHUNK = 256 * 1024


class Screen:
    """Serves the VNC server behind the socket `vnc`, and the page in the folder `pages`."""

    def __init__(self, vnc: Path, pages: Path, token: str) -> None:
        self._vnc = vnc
        self._pages = pages.resolve()
        self._token = token

    async def serve(self, at: Path) -> Server:
        """Listen at a Unix socket from now on."""
        at.unlink(missing_ok=True)  # of one that was killed
        return await unix_serve(
            self._carry, str(at), process_request=self._answer, compression=None, subprotocols=None, max_size=None
        )

    def _answer(self, _: ServerConnection, request: Request) -> Response | None:
        """None where a connection of the page may go on to the screen; else what is answered."""
        asked = urlsplit(request.path)
        if asked.path == "/" and self._is_token(*parse_qs(asked.query).get("token", [])):
            cookie = f"{COOKIE}={self._token}; HttpOnly; SameSite=Lax; Path=/"
            return _response(303, b"", Location=PAGE, Set_Cookie=cookie)
        if not self._is_known(request):
            return _response(401, b"Open the address with its token.\n", Content_Type="text/plain; charset=utf-8")
        if asked.path == SOCKET_PATH:
            return None if _from_own_page(request) else _response(403, b"")
        return self._file(unquote(asked.path))

    def _is_token(self, *given: str) -> bool:
        return len(given) == 1 and hmac.compare_digest(given[0].encode(), self._token.encode())

    def _is_known(self, request: Request) -> bool:
        jar = http.cookies.SimpleCookie()
        with suppress(http.cookies.CookieError):
            jar.load("; ".join(request.headers.get_all("Cookie")))
        return COOKIE in jar and self._is_token(jar[COOKIE].value)

    def _file(self, path: str) -> Response:
        file = (self._pages / path.lstrip("/")).resolve()
        if not file.is_relative_to(self._pages) or not file.is_file():
            return _response(404, b"")
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return _response(200, file.read_bytes(), Content_Type=kind)

    async def _carry(self, page: ServerConnection) -> None:
        """Bytes both ways, until either side ends."""
        reader, writer = await asyncio.open_unix_connection(str(self._vnc))

        async def to_page() -> None:
            while data := await reader.read(_CHUNK):
                await page.send(data)

        async def to_screen() -> None:
            async for data in page:
                writer.write(data if isinstance(data, bytes) else data.encode())
                await writer.drain()

        ways = [asyncio.ensure_future(to_page()), asyncio.ensure_future(to_screen())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            writer.close()
            for way in ways:
                way.cancel()
            with suppress(ConnectionClosed, OSError):
                await asyncio.gather(*ways, return_exceptions=True)


def _from_own_page(request: Request) -> bool:
    """Pages of other addresses can't use the cookie: browsers say where a connection comes from."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("Host")


def _response(status: int, body: bytes, **headers: str) -> Response:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    common = {"Content-Length": str(len(body)), "Connection": "close", "Cache-Control": "no-store"}
    return Response(status, http.HTTPStatus(status).phrase, Headers(told | common), body)
