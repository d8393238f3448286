"""Addresses of world servers elsewhere, the token that they ask for, and when a connection must be encrypted."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError

SHORTEST_TOKEN = 24


@dataclass(frozen=True, kw_only=True)
class Address:
    """`HOST:PORT`, `[V6]:PORT`, or `unix:PATH` for a socket of this machine."""

    host: str = ""
    port: int = 0
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Raises `UsageError` where the text is none."""
        if text.startswith("unix:") and len(text) > 5:
            return cls(path=text[5:])
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not (port.isascii() and port.isdecimal()) or int(port) > 65535:
            raise UsageError(f"{text!r} is no address: write HOST:PORT, or unix:PATH")
        return cls(host=host, port=int(port))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.path or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def check(self, *, tls: bool, plain: bool) -> None:
        """Raise `UsageError` where a connection would be open to who listens on the way."""
        if tls or self.path or (plain and self.is_loopback):
            return
        what = "needs TLS even on loopback, unless that is waived" if self.is_loopback else "needs TLS"
        raise UsageError(
            f"{self} {what}: give a certificate and its key to who serves, and the authority to who connects"
        )

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_token(file: Path | str | None) -> str:
    """The token in a file. Raises `UsageError` where there is none, or one that could be guessed."""
    if file is None:
        raise UsageError(
            "a world server elsewhere needs a token: give a file that holds one, such as `openssl rand -hex 32`"
        )
    try:
        token = Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the token can't be read from {file}: {error}") from error
    if len(token) < SHORTEST_TOKEN:
        raise UsageError(f"the token in {file} is shorter than {SHORTEST_TOKEN} characters and could be guessed")
    return token


def server_tls(cert: Path | str | None, key: Path | str | None) -> ssl.SSLContext | None:
    """TLS for who serves; None where neither file is given. Raises `UsageError` where they are of no use."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise UsageError("a certificate and its key go together: give both")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"certificate {cert} with key {key} can't be used: {error}") from error
    return context


def client_tls(authority: Path | str | None) -> ssl.SSLContext:
    """TLS for who connects: the authority in a file, else those that this machine trusts."""
    try:
        return ssl.create_default_context(cafile=None if authority is None else str(authority))
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"the authority in {authority} can't be used: {error}") from error
