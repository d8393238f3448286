"""A model's endpoint as a process of its own, to be killed: `python endpoint.py PORT`.

The model that it serves scrolls on its first page and finishes on its second.
"""

from __future__ import annotations

import sys
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "agents"))

from fake_openai import FakeOpenAI, Says


def answer(request: dict[str, Any]) -> Says:
    """What the model does."""
    pages = [message for message in request["messages"] if message["role"] == "assistant"]
    return Says(calls=[("finish", {"answer": ""})] if pages else [("scroll", {"direction": "down"})])


def main(port: int) -> None:
    """Answer at a port until somebody ends the process."""
    handler = FakeOpenAI(answer)._server.RequestHandlerClass
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        server.daemon_threads = True
        server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
