"""Who gave a product few stars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import NOT_FOUND, Expectation, Finish, Row, Snapshot
from ....verifiers.answers import List, Text
from ...page import Moves, finish, navigate
from ...template import Kind, NearMiss, Params, interleaved, twins
from ..admin import AdminTemplate
from ..lists import every_row, filtered
from ..products import look_alikes, product_entity, sibling
from . import counts
from .voices import Voices, is_newest, voices

_MOST = 15
"""Nicknames that one task asks for."""


@dataclass(frozen=True, kw_only=True)
class Critics(Params):
    """Which product, as the task names it; and the most stars that count as few."""

    of: int
    product: str
    name: str
    stars: int

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class ReviewCritics(AdminTemplate[Critics]):
    """The nicknames on the approved reviews of a product with few stars, as a list.

    Its twin is a product without such reviews: NOT_FOUND, with the nickname on its newest approved review. Traps:
    pending and rejected reviews with few stars, products of similar names (T1). Also fails: the reviews of the sibling,
    one star more or less, one nickname missing.
    """

    id = "store.admin/review-critics"
    kind = Kind.RETRIEVE
    tags = ("P16", "P50", "T1")
    max_steps = 30

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Critics]:
        """Every product and number of few stars with a new list, traps in turn; as many twins with as few stars."""
        there = voices(db)
        alike = look_alikes(db)
        every = [
            Critics(of=id_, product=words, name=there.products[id_], stars=stars)
            for id_, words in there.named_products(db)
            for stars in (1, 2)
        ]
        can: tuple[list[Critics], list[Critics]] = ([], [])
        can_not: tuple[list[Critics], list[Critics]] = ([], [])
        seen: set[tuple[str, ...]] = set()
        for p in rng.sample(every, len(every)):
            found = _meant(there, p)
            mark = _mark(there, p, found)
            if mark and mark not in seen:
                seen.add(mark)
                trap = p.of in alike or len(_few(there, p)) > len(found)
                if found:
                    can[not trap].append(p)
                else:
                    fields = {**p.to_dict(), "feasible": False}
                    can_not[not trap].append(Critics(**fields))
        yield from twins(interleaved(rng, *can), interleaved(rng, *can_not), lambda p: p.stars)

    def intents(self, p: Critics) -> Sequence[str]:
        """Twins say the same."""
        stars = "1 star" if p.stars == 1 else f"{p.stars} or fewer stars"
        how = (
            "Answer with a JSON list of nicknames. If there is no such review, finish with the outcome NOT_FOUND, and"
            " give the nickname on the newest approved review of that product as the answer (just the nickname, no"
            " list)."
        )
        return [
            f"Which nicknames are on the approved reviews of {p.product} with {stars}? {how}",
            f"Among the approved reviews of {p.product}, who gave it {stars}? I need their nicknames. {how}",
            f"List the nicknames of everybody with an approved review of {stars} for {p.product}. {how}",
            f"Approved reviews of {p.product} with {stars}: nicknames? {how}",
            f"We want to learn from those who did not like {p.product}. Could you look up under which nicknames its"
            f" approved reviews with {stars} were written? {how}",
        ]

    def expected(self, before: Snapshot, p: Critics) -> Expectation:
        """The nicknames, or the one that shows that somebody has looked."""
        there = voices(before)
        found = _meant(there, p)
        if not found:
            return Expectation(outcome=NOT_FOUND, blocker=Text(_approved(there, p.of)[-1].nickname))
        return Expectation(answer=List([Text(row.nickname) for row in found]))

    def oracle(self, page: Any, p: Critics) -> Moves:
        """Filter the reviews by product, status and stars; read the nicknames, or the newest of any stars."""
        typed = [("Product contains", p.name)]
        few = [*typed, ("Stars to", str(p.stars))]
        page = yield from filtered(page, "Reviews", choices=[("Status", "Approved")], typed=few)
        page, names = yield from _nicknames(page, p)
        if names:
            yield finish(_said(names))
            return
        page = yield navigate(_address(p, rating=""))
        page, names = yield from _nicknames(page, p)
        yield finish(names[0], NOT_FOUND)

    def near_misses(self, before: Snapshot, p: Critics) -> Iterator[NearMiss]:
        """The lists of those who take other reviews for these."""
        there = voices(before)
        right = self.finish(before, p)
        own = there.by_product[p.of]
        twin = sibling(before, p.of, there.by_product)
        others: list[tuple[str, Iterable[Row]]] = [
            ("of any status", _few(there, p)),
            ("pending ones only", [row for row in _few(there, p) if row.status == "pending"]),
            ("one star more", [row for row in _approved(there, p.of) if row.rating <= p.stars + 1]),
            ("only exactly so many stars", [row for row in _approved(there, p.of) if row.rating == p.stars]),
            ("all of the product", own),
            ("of the product with a similar name", [r for r in _approved(there, twin or 0) if r.rating <= p.stars]),
        ]
        told = {_mark_of(row.nickname for row in _meant(there, p))}
        for name, rows in others:
            nicknames = [row.nickname for row in rows]
            if nicknames and _mark_of(nicknames) not in told:
                yield NearMiss(name, finish=Finish(_said(nicknames)))
        if not p.feasible:
            yield NearMiss("the right nickname, as if it were one", finish=Finish(f'["{right.answer}"]'))
            oldest = _approved(there, p.of)[0].nickname
            if oldest.casefold() != str(right.answer).casefold():
                yield NearMiss("the oldest review's nickname", finish=Finish(oldest, NOT_FOUND))
            if own[-1].nickname.casefold() != str(right.answer).casefold():
                yield NearMiss("the newest of any status", finish=Finish(own[-1].nickname, NOT_FOUND))
            return
        titles = [row.title for row in _meant(there, p)]
        yield NearMiss("titles for nicknames", finish=Finish(_said(titles)))
        yield NearMiss("one more", finish=Finish(_said([r.nickname for r in [*_meant(there, p), own[0]]])))

    def still_right(self, before: Snapshot, p: Critics) -> Iterator[NearMiss]:
        """In another order; one to a line; by address."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = self.finish(before, p)
        if p.feasible:
            names = [row.nickname for row in _meant(voices(before), p)]
            yield NearMiss("turned around", finish=Finish(_said(names[::-1])))
            yield NearMiss("one to a line", finish=Finish("\n".join(names)))
        else:
            yield NearMiss("with blanks", finish=Finish(f" {right.answer} ", NOT_FOUND))

    def _by_address(self, page: Any, p: Critics) -> Moves:
        page = yield navigate(_address(p, rating=f"lte:{p.stars}"))
        page, names = yield from _nicknames(page, p)
        if not names:
            page = yield navigate(_address(p, rating=""))
            page, names = yield from _nicknames(page, p)
            yield finish(names[0], NOT_FOUND)
            return
        yield finish(_said(names))


def _address(p: Critics, *, rating: str) -> str:
    stars = {"rating": rating} if rating else {}
    return counts.address(product=f"contains:{p.name}", status="in:approved", **stars)


def _nicknames(page: Any, p: Critics) -> Moves:
    """Read the nicknames on the reviews of the product, page by page; returns the last page and the nicknames."""
    page, rows = yield from every_row(page, "Reviews")
    return page, [row["Nickname"] for row in rows if row["Product"] == p.name]


def _said(nicknames: Sequence[str]) -> str:
    return str(List([Text(name) for name in nicknames]))


def _approved(there: Voices, of: int) -> list[Row]:
    return [row for row in there.by_product.get(of, []) if row.status == "approved"]


def _few(there: Voices, p: Critics) -> list[Row]:
    """The reviews of the product with few stars, of any status."""
    return [row for row in there.by_product[p.of] if row.rating <= p.stars]


def _meant(there: Voices, p: Critics) -> list[Row]:
    return [row for row in _few(there, p) if row.status == "approved"]


def _mark_of(nicknames: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(name.casefold() for name in nicknames))


def _mark(there: Voices, p: Critics, found: Sequence[Row]) -> tuple[str, ...]:
    """What tells this outcome from others; empty where it is not to be asked for."""
    if found:
        names = _mark_of(row.nickname for row in found)
        return names if len(set(names)) == len(names) <= _MOST else ()
    approved = _approved(there, p.of)
    if not is_newest(approved):
        return ()
    return ("", approved[-1].nickname.casefold())
