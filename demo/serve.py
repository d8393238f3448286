"""`serve`: a site opened for a person's own browser, with what changed since the reset; what `sitegym serve` calls.

The world is controlled from here alone, over its pipe: nothing on the port can reset it or move its time.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy import create_engine

from ..sites import registry
from ..sites.world.client import WorldServer
from ..sweeps.evaluate import terminate_like_interrupt
from ..sweeps.progress import make_console
from ..sweeps.rowdiff import difference
from .keys import Keys
from .words import print_difference

if TYPE_CHECKING:
    from ..sites.kit.site import Account, Site
    from ..sites.world.client import World

PORT = 8000
TURN_S = 0.3
"""How often keys, writes and the clock are looked after."""


def serve(
    site: str = "store",
    *,
    data: str = "base",
    data_seed: int = 1,
    port: int = PORT,
    watch: bool = False,
    still: bool = False,
    quiet: bool = False,
) -> int:
    """Serve a site until `q` or Ctrl-C; returns the exit code.

    The world's time begins where episodes begin and goes on with the clock on the wall, as a person expects; `still`
    lets it stand, as it does for agents between two steps. `watch` tells each change as it is made. Raises
    `UsageError` where the site, the data or the port can't be had.
    """
    console = make_console(quiet=quiet)
    with ExitStack() as stack:
        stack.enter_context(terminate_like_interrupt())
        server = stack.enter_context(WorldServer())
        world = server.open(site=site, data=data, seed=data_seed, port=port)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sitegym-serve-")))
        host = Serving(world, folder, console, still=still, watch=watch)
        host.greet()
        keys = stack.enter_context(Keys())
        with suppress(KeyboardInterrupt):
            host.run(keys)
    console.print("\nStopped; nothing of this world is kept.", highlight=False)
    return 0


class Serving:
    """A world that a person works in: its clock, its changes, its resets."""

    def __init__(self, world: World, folder: Path, console: Console, *, still: bool, watch: bool) -> None:
        self.world = world
        self.console = console
        self.site = registry.get(world.baseline.site)
        self._still = still
        self._watch = watch
        self._folder = folder
        self._before = world.baseline.path
        self._count = 0
        self._writes = world.writes()
        self._clock = time.monotonic()

    def greet(self) -> None:
        """Say where it is, and who may sign in."""
        self.console.print(f"\n[bold]{self.site.name}[/bold], {self.world.baseline.data} data\n", highlight=False)
        for host in self.site.hosts:
            self.console.print(Text(f"  http://{host}:{self.world.port}/", "bold cyan"), soft_wrap=True)
        self.console.print()
        self.console.print(_table(accounts_of(self.site, self.world.baseline.path)))
        moves = "stands still" if self._still else "goes on from there"
        self.console.print(f"\n  The world's time is {_time(self.world.now())} and {moves}.", highlight=False)
        watching = "on" if self._watch else "off"
        self.console.print(
            f"  Keys: [bold]r[/bold] reset · [bold]d[/bold] what changed since the reset · [bold]w[/bold] watch "
            f"(it is {watching}) · [bold]q[/bold] quit\n",
            highlight=False,
        )

    def run(self, keys: Keys) -> None:
        """Look after it until the person quits."""
        for key in keys.each(TURN_S):
            match key:
                case "q":
                    return
                case "r":
                    self.reset()
                case "d":
                    self._tell_all()
                case "w":
                    self._watch = not self._watch
                    self._catch_up(tell=False)
                    self.console.print(f"Watching is {'on' if self._watch else 'off'}.", highlight=False)
            self._go_on()
            if self._watch:
                self._catch_up(tell=True)

    def reset(self) -> None:
        """Back to the baseline."""
        self.world.reset()
        self._forget(self._before)
        self._before, self._writes, self._clock = self.world.baseline.path, self.world.writes(), time.monotonic()
        self.console.print("Reset: everything is as at the beginning. Sign in again.", highlight=False)

    def _go_on(self) -> None:
        """Let the world's time go on with the wall's."""
        now = time.monotonic()
        passed = round((now - self._clock) * 1000)
        if not self._still and passed > 0:
            self.world.advance(passed)
            self._clock += passed / 1000

    def _catch_up(self, *, tell: bool) -> None:
        """Tell what was written since the last look; without a write nothing is read."""
        writes = self.world.writes()
        if writes == self._writes:
            return
        self._writes = writes
        after = self._frozen()
        tables = difference(self._before, after, self.site.metadata)
        self._forget(self._before)
        self._before = after
        if tell and tables:
            self.console.print(Text(_time(self.world.now()), "dim"))
            print_difference(self.console, tables)

    def _tell_all(self) -> None:
        after = self._frozen()
        tables = difference(self.world.baseline.path, after, self.site.metadata)
        self._forget(after)
        self.console.print("Changed since the reset:", style="bold")
        if not print_difference(self.console, tables):
            self.console.print("  no row of the application's data", style="dim")

    def _frozen(self) -> Path:
        self._count += 1
        return self.world.freeze(self._folder / f"{self._count}.sqlite")

    def _forget(self, copy: Path) -> None:
        if copy.parent == self._folder:
            copy.unlink(missing_ok=True)


def accounts_of(site: Site, baseline: Path) -> Sequence[Account]:
    """Who can sign in to a site."""
    if site.accounts is None:
        return ()
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(f"{baseline.as_uri()}?mode=ro", uri=True))
    with engine.connect() as rows:
        return site.accounts(rows)


def _table(accounts: Sequence[Account]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 2), header_style="dim")
    for name in ("role", "name", "e-mail", "password"):
        table.add_column(name, no_wrap=True)
    for account in accounts:
        table.add_row(account.role, account.name, account.email, account.password)
    return table


def _time(instant: str) -> str:
    return instant.replace("T", " ").removesuffix("Z")
