"""sitegym beside raw Playwright and BrowserGym on the same pages, with the same browser, interleaved in one run.

A click step: click something that changes the page, wait until it is settled (where the contender does), observe.
A reset: a fresh context, signed in, the page opened, the first observation. BrowserGym always takes a picture, and its
tree is written out as text by its own function, as its agents read it; ours resets the world's database too, and gives
pixels as an array where raw Playwright gives a PNG.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sitegym import sites
from sitegym.envs.host import BrowserHost
from sitegym.sites.world.client import WorldServer

from .._shop import ADMIN
from ..table import Row
from .contenders import Place, Rival
from .measure import Arena, Sizes
from .site import HOST, NAME, ROWS

ORDER = "/orders/102500"
STOCK, FAST = "BrowserGym", "BrowserGym, waits 0"


def main(quick: bool = False) -> list[Row]:
    """Steps and resets on all pages; `quick` has few runs and says nothing but that all works."""
    sites.register(NAME, f"{__package__}.site:PAGES")
    with _arena(Sizes.quick() if quick else Sizes()) as arena:
        return [*arena.steps(), *arena.resets(), *arena.rates()]


@contextmanager
def _arena(sizes: Sizes) -> Iterator[Arena]:
    with ExitStack() as stack:
        server = stack.enter_context(WorldServer())
        host = stack.enter_context(BrowserHost())
        bench = stack.enter_context(server.open(NAME, "tiny", 1))
        shop = stack.enter_context(server.open(data="base"))
        places = [
            Place(name.replace("form20", "form of 20 rows").replace("table", "table of ") + " rows" * ("table" in name),
                  bench, f"http://{HOST}/{name}", "checkbox", r"Select row \d+")
            for name in ROWS
        ]  # fmt: skip
        places.append(Place("order page of the shop", shop, ADMIN + ORDER, "button", "More"))
        raw = stack.enter_context(Rival("playwright"))
        gyms = {
            STOCK: stack.enter_context(Rival("browsergym", 0.1, waits=True)),
            FAST: stack.enter_context(Rival("browsergym", 0.3, waits=False)),
        }
        yield Arena(host, places, raw, gyms, sizes)
