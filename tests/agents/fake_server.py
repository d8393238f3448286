"""A small HTTP server on the loopback for fakes of models' endpoints: JSON in, JSON or server-sent events out."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Refused(Exception):
    """The request breaks the protocol; answered with status 400, as the real server would."""


@dataclass
class Response:
    """What is sent back. `events` are server-sent events, in place of `body`."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    events: list[Any] | None = None
    broken: bool = False
    """The connection is cut in the middle."""
    after: threading.Event | None = None
    """Only once this is set."""


class FakeServer:
    """Use as a context manager; a subclass answers. `requests` are those that came in, by path and body."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.headers: list[dict[str, str]] = []
        self.refused: list[str] = []
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with fake._lock:
                    fake.requests.append((self.path, body))
                    fake.headers.append({name.lower(): value for name, value in self.headers.items()})
                    try:
                        response = fake.answer(self.path, body)
                    except Exception as error:  # Refused, or what no client may send either
                        fake.refused.append(f"{type(error).__name__}: {error}")
                        response = Response({"error": {"message": str(error), "type": "invalid_request_error"}}, 400)
                try:
                    self._send(response)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def _send(self, response: Response) -> None:
                if response.after is not None:
                    response.after.wait(30)
                parts = list(_parts(response))
                self.send_response(response.status)
                stream = response.events is not None
                self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
                self.send_header("Content-Length", str(sum(map(len, parts)) + response.broken))
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in parts:
                    self.wfile.write(part)
                self.close_connection = response.broken

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def answer(self, path: str, body: dict[str, Any]) -> Response:
        """The response to one request; one at a time."""
        raise NotImplementedError

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop listening; whoever connects from now on is refused."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    def __enter__(self) -> Any:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parts(response: Response) -> Iterator[bytes]:
    if response.events is None:
        yield json.dumps(response.body).encode()
        return
    for event in response.events:
        if isinstance(event, tuple):
            yield f"event: {event[0]}\ndata: {json.dumps(event[1])}\n\n".encode()
        else:
            yield f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode()
