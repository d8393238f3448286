"""Tokens of the tree over the store's screens, counted with o200k_base, beside Playwright's own snapshots of them.

The screens are those whose server time `pages` measures, with forms and steps of longer ways added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

from sitegym.envs import actions
from sitegym.sites.world.client import World

from ._shop import Shop, shop, task
from .pages import LISTS, details
from .table import Row, measured

MORE = (
    "/orders?size=100", "/customers?size=100", "/products?size=100", "/inventory?size=100", "/products/new",
    "/customers/new", "/inventory/receive", "/customers/1/addresses", "/customers/1/orders", "/customers/1/reviews",
    "/customers/1/credit", "/customers/1/activity",
)  # fmt: skip
"""Long lists, forms and tabs that `pages` does not ask for."""

SLOWEST = 5


def main() -> list[Row]:
    """One row over all screens, and one for each of the longest."""
    count = counter()
    with shop() as place:
        episode = place.episode("axtree", "axtree_full")
        episode.reset(task())
        ours: dict[str, float] = {}
        raw: list[float] = []
        for screen in screens(place.world):
            seen = episode.act(actions.navigate(screen))
            if not shown(place):
                continue
            ours[screen] = float(count(seen.axtree))
            raw.append(float(count(seen.axtree_full)))
        episode.close()
    rows = [measured(f"tree of {len(ours)} screens", "tokens", list(ours.values()), raw, "Playwright's snapshot")]
    longest = sorted(ours, key=lambda screen: -ours[screen])[:SLOWEST]
    return rows + [Row(what=f"  of it {screen}", unit="tokens", median=ours[screen]) for screen in longest]


def screens(world: World) -> Iterator[str]:
    """Addresses of the back office."""
    yield from dict.fromkeys([*LISTS, *MORE, *details(world)])


def shown(place: Shop) -> bool:
    """Whether the last address was a screen of the store, and no message that there is none."""
    return place.world.views()[-1].status == 200


def counter() -> Callable[[str], int]:
    """Counts the tokens of a text with a public vocabulary."""
    if find_spec("bpe_openai") is None:
        raise SystemExit("this benchmark counts with a public tokenizer: pip install bpe-openai")
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))
