"""Whether somebody listens where a model is said to be, asked once before a sweep begins."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from ..errors import EnvironmentFault, UsageError

CONNECT_S = 5.0
"""How long a connection may take."""
_PORTS = {"http": 80, "https": 443}


def check_needs(*told: str) -> None:
    """Raise `UsageError` with all that is missing, the key before the package; nothing where nothing is."""
    if said := [one for one in told if one]:
        raise UsageError("; and ".join(said))


def check_address(address: str, name: str = "base_url") -> None:
    """Raise `UsageError` where this is no address of a server; `name` is where it is written. None at all is fine."""
    if address:
        _parts(address, name)


def _parts(address: str, name: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        known = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        known = False
    if not known:
        raise UsageError(f"{name} is an address such as http://127.0.0.1:8000/v1, not {address!r}")
    return parts


def check_reached(addresses: Iterable[str], timeout_s: float = CONNECT_S) -> None:
    """Raise `EnvironmentFault` (cause `model_unreachable`) where nobody accepts a connection at one of these.

    Nothing is sent. Where a proxy stands between, it is left to the calls themselves.
    """
    for address in dict.fromkeys(addresses):
        parts = _parts(address, "base_url")
        host, port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
        if parts.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(host):
            continue
        try:
            socket.create_connection((host, port), timeout=timeout_s).close()
        except OSError as error:
            raise EnvironmentFault(
                f"the model's server at {address} does not answer ({_why(error)}); start it, or check base_url. "
                "Nothing was played",
                cause="model_unreachable",
                retry=False,
            ) from error


def _why(error: OSError) -> str:
    return "no connection within the time" if isinstance(error, TimeoutError) else error.strerror or str(error)
