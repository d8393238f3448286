"""What each kind of observation costs on the same screens: milliseconds of looking, and tokens of what is shown.

The milliseconds are those of a look at a page that stands still; for pictures no tokens are counted, since every model
has a rule of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sitegym.envs import actions
from sitegym.envs.kinds import KINDS, TREES, plain

from ._shop import Shop, shop, task, timed
from .table import Row, measured
from .tokens import counter

SCREENS = ("/", "/orders", "/orders/102500", "/products/12", "/customers?size=100", "/settings")
ROUNDS = 7
TICKS = 10


def main() -> Sequence[Row]:
    """A row of time and one of size for each kind; the size of changes is that after a tick, beside the whole tree."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    sizes: dict[str, list[float]] = {kind: [] for kind in KINDS}
    bare: list[float] = []
    count = counter()
    with shop() as place:
        episode = place.episode("axtree")
        episode.reset(task())
        for screen in SCREENS:
            episode.act(actions.navigate(screen))
            page = episode.session.tabs.active
            for _ in range(ROUNDS):
                bare.append(timed(lambda page=page: place.host.run(page.aria_snapshot(mode="ai"))))  # type: ignore[misc]
                for kind in KINDS:
                    times[kind].append(timed(lambda kind=kind: episode.observe((kind,))))  # type: ignore[misc]
            for kind in KINDS:
                if KINDS[kind].form != "picture" and kind != "axtree_changes":
                    sizes[kind].append(float(count(plain(episode.observe((kind,)), kind))))
        episode.close()
        whole, sizes["axtree_changes"] = _changes(place, count)
    rows = [measured(f"look at {kind}", "ms", times[kind], bare, "aria_snapshot") for kind in KINDS]
    for kind in KINDS:
        if sizes[kind]:
            beside = whole if kind == "axtree_changes" else sizes["axtree_full"] if kind in TREES else ()
            rows.append(measured(f"size of {kind}", "tokens", sizes[kind], beside, "the tree" if beside else ""))
    return rows


def _changes(place: Shop, count: Callable[[str], int]) -> tuple[list[float], list[float]]:
    """Tokens of the tree and of its difference after ticking orders one after the other."""
    episode = place.episode("axtree_changes")
    episode.reset(task())
    ticks = episode.act(actions.navigate("/orders")).find_all("checkbox", re.compile("^Select order"))[:TICKS]
    whole, changed = [], []
    for ref in ticks:
        changed.append(float(count(episode.act(actions.check(ref)).axtree_changes)))
        whole.append(float(count(episode.observe(("axtree",)).axtree)))
    episode.close()
    return whole, changed
