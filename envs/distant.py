"""A browser that runs somewhere else, in a container for one, behind Playwright's own server.

`SITEGYM_BROWSER=ws://127.0.0.1:PORT` names it, and the file in `SITEGYM_BROWSER_TOKEN_FILE` what it asks for. It has to
be of the same version of Playwright, and must reach this machine's loopback, where worlds are served: share the network
of this process with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ..errors import NoBrowser, UsageError

VARIABLE = "SITEGYM_BROWSER"
TOKEN_FILE = "SITEGYM_BROWSER_TOKEN_FILE"
SHORTEST = 24
PATIENCE_S = 30.0
"""How long it may take to answer; it may be starting."""


def address() -> str | None:
    """Where the browser is, without what lets one in; None where it is to run here."""
    named = os.environ.get(VARIABLE, "")
    return named if named.startswith(("ws://", "wss://")) else None


def endpoint() -> str | None:
    """The address to connect to, with the token as its path. Raises `UsageError` where the token can't be read."""
    at = address()
    if at is None or not (file := os.environ.get(TOKEN_FILE)):
        return at
    return f"{at.rstrip('/')}/{secret(file)}"


def secret(file: Path | str | None) -> str:
    """A token in a file. Raises `UsageError` where there is none, or one that could be guessed."""
    try:
        token = Path(file or "").read_text().strip()
    except OSError as error:
        raise UsageError(f"no token can be read from {file}: {error.strerror}") from error
    if len(token) < SHORTEST or not token.isalnum():
        raise UsageError(f"the token in {file} is to be of at least {SHORTEST} letters and digits")
    return token


def version() -> str:
    """The version of the browser there, found by connecting. Raises `NoBrowser` where none answers."""
    at = endpoint()
    assert at is not None
    script = Path(__file__).with_name("connect_once.py")
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(script), str(PATIENCE_S)],
            input=at,  # not as an argument: those can be seen by everybody
            capture_output=True,
            text=True,
            timeout=PATIENCE_S + 10,
        )
        told = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise NoBrowser(f"{VARIABLE} is {address()}, where nothing answers: {error}") from None
    if "problem" in told:
        raise NoBrowser(f"{VARIABLE} is {address()}, which can't be used: {told['problem']}")
    return str(told["version"])
