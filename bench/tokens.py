"""Tokens of the tree over the store's screens, counted with o200k_base, beside Playwright's snapshots of them."""

from __future__ import annotations

from importlib.util import find_spec

from sitegym.envs import actions

from ._shop import shop, task
from .table import Row, measured

SCREENS = (
    "/",
    "/orders",
    "/orders?size=100",
    "/orders?status=pending",
    "/orders/102500",
    "/orders/102500/invoices",
    "/orders/102500/shipments",
    "/orders/102500/comments",
    "/orders/102500/history",
    "/customers",
    "/customers?size=100",
    "/customers/1",
    "/customers/1/addresses",
    "/customers/1/orders",
    "/search?q=smith",
)


def main() -> list[Row]:
    """One row over all screens."""
    if find_spec("bpe_openai") is None:
        raise SystemExit("this benchmark counts with a public tokenizer: pip install bpe-openai")
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    with shop() as place:
        episode = place.episode("axtree")
        episode.reset(task())
        ours, raw = [], []
        for screen in SCREENS:
            seen = episode.act(actions.navigate(screen))
            if place.world.views()[-1].status != 200:
                raise SystemExit(f"{screen} is no screen of the store: {seen.title}")
            ours.append(float(len(encoding.encode(seen.axtree))))
            context, page = place.host.run(place.plain_page(screen))
            raw.append(float(len(encoding.encode(place.host.run(page.aria_snapshot(mode="ai"))))))
            place.host.run(context.close())
        episode.close()
    return [measured(f"tree of {len(SCREENS)} screens", "tokens", ours, raw, "Playwright's snapshot")]
