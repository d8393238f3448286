"""Take a product off the shop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Snapshot
from ...page import Moves, check, click, navigate
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import HOST, AdminTemplate
from ..lists import filtered
from ..products import look_alikes, named, product_entity, sibling
from . import writes
from .goods import goods_of
from .roads import open_product


@dataclass(frozen=True, kw_only=True)
class Disable(Params):
    """Which product, as the task names it."""

    of: int
    product: str
    name: str

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class DisableProduct(AdminTemplate[Disable]):
    """Disable an active product, so that the shop no longer shows it.

    Traps: products of similar names (T1), archived ones of the same name (T19). Also fails: archived, a draft again,
    its variants made inactive or out of stock, enabled again.
    """

    id = "store.admin/disable-product"
    kind = Kind.CHANGE
    tags = ("P16", "P50", "P61", "T1", "T19")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Disable]:
        """Every active product that words single out; those with a look-alike in turn."""
        alike, words = look_alikes(db), named(db)
        every = [
            Disable(of=row.id, product=words[row.id], name=row.name)
            for row in db.rows("products", status="active")
            if row.id in words
        ]
        yield from interleaved(rng, [p for p in every if p.of in alike], [p for p in every if p.of not in alike])

    def intents(self, p: Disable) -> Sequence[str]:
        """Says how it is taken off, so that archiving is no other reading."""
        return [
            f"There is a quality problem with {p.product}. Take it off the shop by disabling it; don't archive it.",
            f"Disable {p.product} so that nobody can buy it any more. Keep everything else, and do not archive it.",
            f"Customers complain about {p.product}. Set it to Disabled for now, and change nothing else.",
            f"Status of {p.product}: Disabled, please. Leave all the rest of it alone.",
            f"Hi, the maker has recalled {p.product}. Could you disable it at once, so that the shop stops showing it?"
            " We may sell it again, so it must not be archived, and nothing else of it should change.",
        ]

    def expected(self, before: Snapshot, p: Disable) -> Expectation:
        """E.prod(status)."""
        return writes.product_status(before, p.of, "disabled")

    def oracle(self, page: Any, p: Disable) -> Moves:
        """Find the product in the list, open it, press Disable."""
        page = yield from open_product(page, p.name)
        yield click(page.find("button", "Disable"))

    def calls(self, before: Snapshot, p: Disable) -> Sequence[Call]:
        """One call."""
        return [writes.set_status(p.of, "disabled")]

    def near_misses(self, before: Snapshot, p: Disable) -> Iterator[NearMiss]:
        """Another product, another status, its variants instead, undone, opened only."""
        goods = goods_of(before)
        right = writes.set_status(p.of, "disabled")
        active = [row.id for row in before.rows("products", status="active")]
        twin = sibling(before, p.of, active)
        if twin is not None:
            yield NearMiss("the product with a similar name", (writes.set_status(twin, "disabled"),))
            yield NearMiss("the product with a similar name as well", (right, writes.set_status(twin, "disabled")))
        for status in ("archived", "draft"):
            yield NearMiss(f"{status} instead", (writes.set_status(p.of, status),))
        yield NearMiss("disabled, then archived", (right, writes.set_status(p.of, "archived")))
        yield NearMiss("disabled, then enabled again", (right, writes.set_status(p.of, "active")))
        variants = goods.variants[p.of]
        inactive = tuple(writes.edit(row.id, active=False) for row in variants if row.active)
        yield NearMiss("its variants inactive instead", inactive)
        yield NearMiss("its variants inactive as well", (right, *inactive))
        in_stock = [row for row in variants if goods.stock[row.id].status == "in_stock"]
        if in_stock:
            oos = tuple(writes.stock_status(row.id, "out_of_stock") for row in in_stock)
            yield NearMiss("out of stock instead", oos)
        yield NearMiss("opened only", ui=lambda page: open_product(page, p.name))

    def still_right(self, before: Snapshot, p: Disable) -> Iterator[NearMiss]:
        """From the list; archived by mistake and then disabled; another one disabled and enabled again."""
        archived = (writes.set_status(p.of, "archived"), writes.set_status(p.of, "disabled"))
        yield NearMiss("archived first", archived)
        yield NearMiss("by its address", ui=lambda page: self._by_address(page, p))
        yield NearMiss("from the list of products", ui=lambda page: self._from_list(page, p))

    def _from_list(self, page: Any, p: Disable) -> Moves:
        page = yield from filtered(page, "Catalogue", choices=[("Status", "Active")], typed=[("Name contains", p.name)])
        page = yield check(page.find("checkbox", f"Select {p.name}"))
        page = yield click(page.find("button", "Disable", within=("region", "Selection")))
        yield click(page.find("button", "Disable", within=("dialog", None)))

    def _by_address(self, page: Any, p: Disable) -> Moves:
        page = yield navigate(f"{HOST}/products/{p.of}/variants")
        yield click(page.find("button", "Disable"))
