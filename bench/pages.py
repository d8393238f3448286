"""How long the store's server takes for a page of the back office, on the data set `base`.

Asked over one kept-alive connection, so loopback and HTTP are in it; a style sheet of the same server stands beside.
Sorted and filtered lists count as pages of their own, since that is where a missing index shows.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator, Sequence

from sitegym.sites import registry
from sitegym.sites.world.client import World, WorldServer
from sitegym.verifiers import Snapshot

from ._shop import timed
from .table import Row, measured

ROUNDS = 15
HOST = "admin.shop.localhost"

LISTS = (
    "/orders", "/orders?sort=customer", "/orders?sort=-total,customer", "/orders?sort=ship_city", "/orders?q=ann",
    "/orders?f=status:in:pending|processing&f=total:gte:100.00&sort=-placed_at", "/orders?page=60", "/orders?size=50",
    "/orders?f=placed_at:between:2026-02-01..2026-02-28&f=ship_region:in:US-OR|US-WA", "/orders?sort=assigned_to",
    "/customers", "/customers?sort=-spend", "/customers?sort=-orders_count", "/customers?q=li", "/customers?page=20",
    "/customers?f=group:in:vip&sort=-last_order", "/products", "/products?sort=name", "/products?q=pack",
    "/products?f=status:in:active", "/inventory", "/movements", "/brands", "/categories", "/options", "/reviews",
    "/reviews?f=status:in:pending", "/reviews?sort=rating", "/reviews?q=zip", "/invoices", "/shipments", "/refunds",
    "/returns", "/audit", "/staff", "/settings", "/profile", "/", "/search?q=ridge",
)  # fmt: skip
"""Lists and single screens."""

TABS = ("", "/invoices", "/shipments", "/refunds", "/returns", "/comments", "/history", "/invoice", "/ship")


def main() -> Sequence[Row]:
    """Time every page in turn, a few rounds; one row for all together, and one for each of the slowest."""
    with WorldServer() as server, server.open(data="base") as world:
        pages = [*LISTS, *details(world)]
        asked = _Asker(world)
        found = [page for page in pages if asked.get(page) == 200]
        times: dict[str, list[float]] = {page: [] for page in found}
        plain: list[float] = []
        for _ in range(ROUNDS):
            for page in found:
                times[page].append(timed(lambda page=page: asked.get(page)))  # type: ignore[misc]
                plain.append(timed(lambda: asked.get(asked.style)))
        rows = [_row(f"server, {len(found)} pages", [one for each in times.values() for one in each], plain)]
        slowest = sorted(times, key=lambda page: -sorted(times[page])[len(times[page]) // 2])[:5]
        return rows + [_row(f"server, {page}", times[page], plain) for page in slowest]


def _row(what: str, values: Sequence[float], plain: Sequence[float]) -> Row:
    return measured(what, "ms", values, plain, "a style sheet")


def details(world: World) -> Iterator[str]:
    """Pages of single records: a few of every kind, spread over the data."""
    with Snapshot(world.baseline.path, registry.get("store").metadata) as rows:
        for status in ("pending", "processing", "complete", "on_hold", "canceled"):
            order = rows.rows("orders", status=status)[3]
            yield from (f"/orders/{order.number}{tab}" for tab in TABS)
        for table, path in (("customers", "/customers"), ("products", "/products"), ("reviews", "/reviews")):
            all_rows = rows.rows(table)
            yield from (f"{path}/{all_rows[len(all_rows) * part // 5].id}" for part in range(5))
        for product in rows.rows("products", kind="configurable")[:3]:
            yield from (f"/products/{product.id}/{tab}" for tab in ("variants", "stock", "images", "categories"))
        for table, path in (("invoices", "/invoices"), ("shipments", "/shipments"), ("refunds", "/refunds")):
            yield f"{path}/{rows.rows(table)[5].number}"


class _Asker:
    """A manager with one connection."""

    def __init__(self, world: World) -> None:
        cookie = world.sign_in("manager")
        self._connection = http.client.HTTPConnection("127.0.0.1", world.port)
        self._headers = {"Host": f"{HOST}:{world.port}", "Cookie": f"{cookie.name}={cookie.value}"}
        self.style = ""
        self.style = self._find_style()

    def get(self, path: str) -> int:
        """The status of a page that was read to its end."""
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer.status

    def _find_style(self) -> str:
        self._connection.request("GET", "/profile", headers=self._headers)
        text = self._connection.getresponse().read().decode()
        found = re.search(r'href="(/assets/admin/[^"]+\.css)"', text)
        return found[1] if found else "/login"
