"""The gateway of containers: carries connections from a port to a socket, and knows nothing of what is in them.

The containers of sites and graders are on no network. Their sockets are files that this process shares with them, and
who has no token gets no further than a first line.
"""

from __future__ import annotations

import argparse
import asyncio
import signal

from ...errors import SitegymError
from .remote_address import Address
from .tunnel import LINE_LIMIT, Ends, be_prompt, join

MOST_CONNECTIONS = 1024


class Gateway:
    """Forwards what comes to `listen` (HOST:PORT) to a Unix socket."""

    def __init__(self, listen: Address, to: Address) -> None:
        self._listen = listen
        self._to = to
        self._connections = 0

    async def start(self) -> asyncio.Server:
        """Listen from now on. Raises `OSError` where the port can't be had."""
        return await asyncio.start_server(self._carry, self._listen.host, self._listen.port, limit=LINE_LIMIT)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here: Ends = reader, writer
        if self._connections >= MOST_CONNECTIONS:
            writer.close()
            return
        self._connections += 1
        try:
            be_prompt(writer)
            await join(here, await asyncio.open_unix_connection(self._to.path, limit=LINE_LIMIT))
        except (OSError, asyncio.CancelledError):
            writer.close()  # nobody is there: who connects is told by the end of the connection
        finally:
            self._connections -= 1


async def _serve(routes: list[Gateway]) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    servers = [await route.start() for route in routes]
    await ended.wait()
    for server in servers:
        server.close()


def main(arguments: list[str] | None = None) -> None:
    """Serve routes, each `HOST:PORT=unix:PATH`, until SIGTERM."""
    parser = argparse.ArgumentParser(prog="sitegym.sites.world.gateway", description=__doc__)
    parser.add_argument("routes", nargs="+", metavar="HOST:PORT=unix:PATH")
    given = parser.parse_args(arguments)
    try:
        pairs = [route.partition("=")[::2] for route in given.routes]
        asyncio.run(_serve([Gateway(Address.parse(here), Address.parse(there)) for here, there in pairs]))
    except (SitegymError, OSError) as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
