"""Worlds for other machines, served until somebody ends it: what `sitegym serve --control` and the containers run."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from ...errors import UsageError
from .client import WorldServer
from .listener import Listener, worlds
from .remote_address import Address, read_token, server_tls


def serve_control(
    control: str,
    *,
    token_file: Path | str | None,
    cert: Path | str | None = None,
    key: Path | str | None = None,
    plain: bool = False,
    database: str | None = None,
    say: Callable[[str], object] = print,
) -> int:
    """Serve worlds at `control` (`HOST:PORT` or `unix:PATH`) until SIGTERM or Ctrl-C; returns the exit code.

    Raises `UsageError` where token or certificate are missing, or the address can't be had.
    """
    address = Address.parse(control)
    token = read_token(token_file)
    tls = server_tls(cert, key)

    def start() -> WorldServer:
        return WorldServer(database=database)

    with Listener(address, token, tls=tls, plain=plain, session=worlds(start)) as listener:
        say(f"Serving worlds at {listener.address}{'' if tls or address.path else ', without TLS'}.")
        wait_for_the_end()
    return 0


def wait_for_the_end() -> None:
    """Return at SIGTERM or Ctrl-C."""
    ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: ended.set())
    try:
        ended.wait()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def main(arguments: list[str] | None = None) -> int:
    """The command of the container of sites: `--control unix:PATH --token-file FILE`."""
    parser = argparse.ArgumentParser(prog="sitegym.sites.world.serving", description=__doc__)
    parser.add_argument("--control", required=True, help="address to serve at")
    parser.add_argument("--token-file", required=True, type=Path, help="file with the token")
    parser.add_argument("--database", help="address of a PostgreSQL server; SQLite without it")
    parser.add_argument("--database-password-file", type=Path, help="file with the password for that address")
    given = parser.parse_args(arguments)
    try:
        return serve_control(
            given.control,
            token_file=given.token_file,
            database=_with_password(given.database, given.database_password_file),
            say=lambda text: print(text, flush=True),
        )
    except UsageError as error:
        parser.exit(2, f"{error}\n")


def _with_password(database: str | None, file: Path | None) -> str | None:
    """The address of a database with the password of a file, which so is in no list of processes."""
    if database is None or file is None:
        return database
    scheme, slashes, rest = database.partition("://")
    user, at, where = rest.partition("@")
    return f"{scheme}{slashes}{user}:{quote(read_token(file))}{at}{where}"


if __name__ == "__main__":
    raise SystemExit(main())
