"""HTTP without a browser, its request line exactly as a test wants it."""

from __future__ import annotations

import http.client
from dataclasses import dataclass

from sitegym.sites.world import World


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(world: World, url: str, method: str = "GET", body: str | None = None, **headers: str) -> Answer:
    """One request to a world, its request line exactly as given: absolute for the proxy form, a path for the direct."""
    connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=30)
    connection.putrequest(method, url, skip_host=True, skip_accept_encoding=True)
    headers.setdefault("host", url.split("/")[2] if "://" in url else f"notes.localhost:{world.port}")
    if body is not None:
        headers |= {"content-length": str(len(body)), "content-type": "application/x-www-form-urlencoded"}
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body.encode() if body is not None else None)
    response = connection.getresponse()
    answer = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    connection.close()
    return answer
