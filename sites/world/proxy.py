"""The only door of a world: a WSGI application that is a forward proxy to the world's own sites and to nothing else."""

from __future__ import annotations

import html
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlsplit

from ..kit import live
from ..kit.world import WorldContext
from .generations import Generation
from .hosted import HostedWorld

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Respond = Callable[..., Callable[[bytes], object]]
App = Callable[[Environ, Respond], Iterable[bytes]]

_HOP_BY_HOP = {"connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"}
_HOP_BY_HOP |= {"trailer", "trailers", "transfer-encoding", "upgrade"}
_FOREVER = "public, max-age=315360000, immutable"
_EXPIRES = re.compile(r";\s*expires=[^;]*", re.IGNORECASE)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #202124; background: #fff }}
main {{ max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem }}
h1 {{ font-size: 1.5rem; font-weight: 600; margin: 0 0 .5rem }}
p {{ margin: 0 0 .75rem; color: #5f6368 }} code {{ color: #202124 }}
</style></head><body><main><h1>{title}</h1>{body}</main></body></html>
"""


@dataclass(frozen=True)
class Target:
    """Where a request wants to go. `proxied` tells the form of its request line, absolute or not."""

    scheme: str
    host: str
    port: int
    proxied: bool


class Proxy:
    """Dispatches each request on its host to the world's site, bound to what the door shows as it comes in.

    Speaks the proxy's form (`GET http://admin.shop.localhost/orders`) and the direct one (`Host:
    admin.shop.localhost:PORT`). Responses depend on the world alone: no wall-clock time, no cache that the harness
    doesn't know of.
    """

    def __init__(self, world: HostedWorld, app: App, door: int = 0) -> None:
        self._world = world
        self._app = app
        self._door = door
        self._hosts = world.site.hosts

    def __call__(self, environ: Environ, respond: Respond) -> Iterable[bytes]:
        """Answer one request (WSGI)."""
        generation = self._world.pin_at(self._door)
        if generation is None:  # who still asks belongs to an episode that is over
            respond("503 Service Unavailable", [("Content-Length", "0")])
            return []
        try:
            body = self._answer(environ, respond, generation)
        except BaseException:
            generation.unpin()
            raise
        if environ.get(live.STREAMS):  # lives as long as its page: it pins the generation only while it reads
            generation.unpin()
            return body
        return _Counted(body, generation)

    def unread(self, method: str, uri: str, status: int, why: str) -> None:
        """Note a request that was refused before it came here: broken, or too large."""
        if (generation := self._world.pin_at(self._door)) is not None:
            with generation.held():
                generation.refuse(method, uri, status, why)

    def _answer(self, environ: Environ, respond: Respond, generation: Generation) -> Iterable[bytes]:
        _strip_hop_by_hop(environ)
        if environ["REQUEST_METHOD"] == "CONNECT":
            _note(environ, generation, 403, "a tunnel, and nothing here is served through one")
            return _page(respond, generation, "403 Forbidden", "This connection is not secure", _plain_only())
        target = target_of(environ)
        if not self._serves(target, environ):
            _note(environ, generation, 502 if target.proxied else 404, "no site of this world")
            if environ.get("REQUEST_URI", "").startswith("/"):  # by a person's browser, not the proxy's
                body = _elsewhere(self._hosts, environ)
                return _page(respond, generation, "404 Not Found", "The site has another address", body)
            return _page(respond, generation, "502 Bad Gateway", "This site can’t be reached", _no_such(target.host))
        _aim(environ, target)
        context = WorldContext(generation, host=target.host, face=self._hosts[target.host])
        environ["sitegym.world"] = context
        return self._call(environ, respond, generation, context)

    def _serves(self, target: Target, environ: Environ) -> bool:
        """Through the proxy a site has the port of its scheme; asked directly it has ours."""
        port = 80 if target.proxied else int(environ["SERVER_PORT"])
        return target.scheme == "http" and target.host in self._hosts and target.port == port

    def _call(
        self, environ: Environ, respond: Respond, generation: Generation, context: WorldContext
    ) -> Iterable[bytes]:
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        asked = _asked(environ, context.host)

        def polished(status: str, headers: Headers, exc_info: Any = None) -> Callable[[bytes], object]:
            code, _, phrase = status.partition(" ")
            if context.refused or code.startswith("4"):
                generation.refuse(method, asked, int(code), context.refused or phrase)
            return respond(status, polish(status, headers, path, generation, context), exc_info)

        try:
            return self._app(environ, polished)
        except Exception:  # the application's own error page failed: say so, and keep why
            generation.record_error(traceback.format_exc())
            return _page(respond, generation, "500 Internal Server Error", "Something went wrong", "<p>Try again.</p>")


class _Counted:
    """A response body that unpins its generation when the server is done with it."""

    def __init__(self, body: Iterable[bytes], generation: Generation) -> None:
        self._body = body
        self._generation: Generation | None = generation

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        """Called by the server once, whatever happened."""
        generation, self._generation = self._generation, None
        try:
            if close := getattr(self._body, "close", None):
                close()
        finally:
            if generation:
                generation.unpin()


def target_of(environ: Environ) -> Target:
    """Where a request wants to go, from its request line or, in the direct form, from its `Host`."""
    uri = environ.get("REQUEST_URI", "")
    proxied = not uri.startswith("/") and "://" in uri
    scheme, authority = (urlsplit(uri)[:2]) if proxied else ("http", environ.get("HTTP_HOST", ""))
    host, _, port = authority.rpartition("@")[2].partition(":")
    default = "443" if scheme == "https" else "80"
    return Target(
        scheme=scheme.lower(),
        host=host.lower().rstrip("."),
        port=int(port or default) if (port or default).isascii() and (port or default).isdigit() else 0,
        proxied=proxied,
    )


def polish(status: str, headers: Headers, path: str, generation: Generation, context: WorldContext) -> Headers:
    """The headers of a response as they go out.

    Pages are never stored, so going back asks the server again; assets of a site never change and are kept for good.
    Whatever came from the machine's clock (file times, expiry dates) goes.
    """
    given = {name.lower(): value for name, value in headers}
    lasting = "/static/" in path or "immutable" in given.get("cache-control", "")
    asset = lasting and status.startswith("200")
    drop = _HOP_BY_HOP | {"date", "server", "last-modified", "expires"}
    if asset:
        drop |= {"etag", "cache-control"}
    kept = [(name, _undated(name, value)) for name, value in headers if name.lower() not in drop]
    kept.append(("Date", _http_date(generation.now_ms)))
    if asset:
        kept.append(("Cache-Control", _FOREVER))
    elif given.get("content-type", "").startswith("text/html"):
        kept = [(name, value) for name, value in kept if name.lower() not in ("cache-control", "x-view")]
        kept.append(("Cache-Control", "no-store"))
        kept.append(("X-View", str(context.finish_view(path, int(status[:3])))))
    elif "cache-control" not in given:
        kept.append(("Cache-Control", "no-store"))
    return kept


def _aim(environ: Environ, target: Target) -> None:
    """Show the application one address for both forms: the site's own name, with no port."""
    environ["HTTP_HOST"] = target.host
    environ["SERVER_NAME"] = target.host
    if not target.proxied:
        served = f"//{target.host}:{target.port}"
        for name in ("HTTP_ORIGIN", "HTTP_REFERER"):
            if name in environ:
                environ[name] = environ[name].replace(served, f"//{target.host}", 1)
    environ["SERVER_PORT"] = "80"


def _asked(environ: Environ, host: str) -> str:
    """The address that a request asked for, in full."""
    uri = str(environ.get("REQUEST_URI", ""))
    return f"http://{host}{uri}" if uri.startswith("/") else uri


def _note(environ: Environ, generation: Generation, status: int, why: str) -> None:
    """Note a request that reaches no site."""
    generation.refuse(environ["REQUEST_METHOD"], _asked(environ, environ.get("HTTP_HOST", "")), status, why)


def _strip_hop_by_hop(environ: Environ) -> None:
    for name in _HOP_BY_HOP:
        environ.pop("HTTP_" + name.upper().replace("-", "_"), None)


def _undated(name: str, value: str) -> str:
    """A cookie with Max-Age needs no expiry date, which libraries add from the machine's clock."""
    if name.lower() == "set-cookie" and "max-age=" in value.lower():
        return _EXPIRES.sub("", value)
    return value


def _http_date(ms: int) -> str:
    return format_datetime(datetime.fromtimestamp(ms // 1000, UTC), usegmt=True)


def _page(respond: Respond, generation: Generation, status: str, title: str, body: str) -> list[bytes]:
    """A page of the network's, not of any site."""
    content = _PAGE.format(title=title, body=body).encode()
    headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Content-Length", str(len(content))),
        ("Cache-Control", "no-store"),
        ("Date", _http_date(generation.now_ms)),
    ]
    respond(status, headers)
    return [content]


def _no_such(host: str) -> str:
    name = f"<code>{html.escape(host)}</code>" if host else "this address"
    return f"<p>There is no site at {name}.</p><p>Check the address for typing errors.</p>"


def _elsewhere(hosts: Iterable[str], environ: Environ) -> str:
    """Links to the same page under the names that sites have here."""
    path = html.escape(environ["REQUEST_URI"])
    port = environ["SERVER_PORT"]
    links = (f'<p><a href="http://{host}:{port}{path}">http://{host}:{port}{path}</a></p>' for host in hosts)
    return f"<p>Sites are told apart by their names. Open this one as</p>{''.join(links)}"


def _plain_only() -> str:
    return "<p>Sites here are served over http only.</p>"
