"""Delete the reviews of a product or of somebody, if there are any."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ....sites.store.labels import REVIEW_STATUS
from ....verifiers import NOT_FOUND, Expectation, Finish, Row, Snapshot
from ....verifiers.answers import Text
from ...page import Moves, click, finish, navigate
from ...template import Call, Kind, NearMiss, Params, interleaved, twins
from ..admin import AdminTemplate
from ..kept import kept
from ..lists import Line, filtered
from ..products import look_alikes, product_entity, sibling
from . import counts, mass, writes
from .voices import Voices, is_newest

_MOST = 12
"""Reviews that one task deletes."""


@dataclass(frozen=True, kw_only=True)
class Delete(Params):
    """Which reviews: those of a product (`of`) or signed by a nickname, of some stars and statuses."""

    of: int = 0
    product: str = ""
    nickname: str = ""
    status: str = ""
    most: int = 5
    """The most stars they may have."""

    def entities(self) -> tuple[str, ...]:
        """The product, or whoever signs so."""
        return (product_entity(self.of),) if self.of else (f"nickname:{self.nickname}",)


class DeleteReviews(AdminTemplate[Delete]):
    """Delete the pending reviews of a product with few stars, its reviews below some stars, or all by a nickname.

    Its twin asks for reviews that don't exist: NOT_FOUND, with the name on the newest review of that product, or the
    product of that person's newest review. Traps: products and nicknames that resemble each other (T1), and the
    browser's own question, which has to be answered twice. Also fails: rejected instead of deleted, one star too many.
    """

    id = "store.admin/delete-reviews"
    kind = Kind.CHANGE
    tags = ("P08", "P13", "P16", "P50", "T1")
    max_steps = 80

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Delete]:
        """The three sorts in turn, each set of reviews once; as twins the same sorts, statuses and stars in vain."""
        there = _found(db)
        alike = look_alikes(db)
        sorts = [_pending_ones(there, db), _low_ones(there, db), _by_nickname(there)]
        both = []
        for feasible in (True, False):
            drawn = []
            for every in sorts:
                fair = [replace(p, feasible=feasible) for p in every if bool(there.meant(p)) is feasible]
                trapped = [p for p in fair if p.of in alike or there.longer(p.nickname)]
                drawn.append(interleaved(rng, trapped, [p for p in fair if p not in trapped]))
            both.append(_in_turn(drawn, lambda p: _mark(there, p)))
        can, can_not = both
        yield from twins(can, can_not, lambda p: (bool(p.of), p.status, p.most))

    def intents(self, p: Delete) -> Sequence[str]:
        """Twins say the same."""
        which, evidence = _words(p), _evidence(p)
        otherwise = (
            f"If there are none, change nothing, and finish with the outcome NOT_FOUND and, as the answer, {evidence}."
        )
        every = re.sub("^(all|the) ", "", which)
        return [
            f"Delete {which}. {otherwise}",
            f"Please get rid of {which}: delete them for good, don't just reject them. {otherwise}",
            f"I don't want to keep {re.sub('^all ', 'any ', which)}. Delete them all, and nothing else. {otherwise}",
            f"To be deleted (not rejected): {which}. {otherwise}",
            f"Hi, could you look for {every}? If you find any, please delete every one of them. {otherwise}",
        ]

    def expected(self, before: Snapshot, p: Delete) -> Expectation:
        """E.reviewdel for each of them, or who wrote the newest one there is."""
        there = _found(before)
        found = there.meant(p)
        return writes.deleted(before, found) if found else Expectation(outcome=NOT_FOUND, blocker=there.evidence(p))

    def oracle(self, page: Any, p: Delete) -> Moves:
        """Filter the list, tick those that are meant and delete them together; or read the newest of the others."""
        page = yield from self._listed(page, p)
        page, meant = yield from _turned(page, p)
        while meant:
            page = yield from mass.pick(page, meant)
            page = yield from mass.act(page, "Delete")
            page = yield from _agreed(page)
            page = yield navigate(_address(p))
            page, meant = yield from _turned(page, p)
        if not p.feasible:
            page = yield from self._listed(page, replace(p, status="", most=5))
            page, meant = yield from _turned(page, p)
            yield finish(meant[0]["Nickname"] if p.of else meant[0]["Product"], NOT_FOUND)

    def _listed(self, page: Any, p: Delete) -> Moves:
        """The reviews of the product or nickname, of the status and stars, newest first."""
        choices = [("Status", REVIEW_STATUS[p.status])] if p.status else []
        typed = [("Product contains", _name(p.product)) if p.of else ("Nickname contains", p.nickname)]
        typed += [("Stars to", str(p.most))] if p.most < 5 else []
        return (yield from filtered(page, "Reviews", choices=choices, typed=typed))

    def calls(self, before: Snapshot, p: Delete) -> Sequence[Call]:
        """One call for each review."""
        return [writes.delete(row.id) for row in _found(before).meant(p)]

    def near_misses(self, before: Snapshot, p: Delete) -> Iterator[NearMiss]:
        """Rejected instead, one left, one too many of each sort, only asked once; or something deleted all the same."""
        there, end = _found(before), self.finish(before, p)
        meant = there.meant(p)
        right = tuple(writes.delete(row.id) for row in meant)
        twin = sibling(before, p.of, there.by_product) if p.of else None
        for name, row in there.others(p, twin):
            yield NearMiss(f"{name} deleted", (*right, writes.delete(row.id)), finish=end)
        if not right:
            yield from self._wrong_evidence(there, p, end)
            return
        if any(row.status != "rejected" for row in meant):
            yield NearMiss("rejected instead", tuple(writes.moderate(row.id, "rejected") for row in meant))
        yield NearMiss("one left", right[:-1])
        yield NearMiss("the browser's question refused", ui=lambda page: self._refused(page, p, first=True))
        yield NearMiss("the browser's second question refused", ui=lambda page: self._refused(page, p, first=False))

    def _wrong_evidence(self, there: _Found, p: Delete, end: Finish) -> Iterator[NearMiss]:
        around = there.around(p)
        for row in around[:-1][-2:]:
            other = row.nickname if p.of else there.products[row.product_id]
            if other.casefold() != str(end.answer).casefold():
                yield NearMiss(f"review {row.id} taken for the newest", finish=Finish(other, NOT_FOUND))
        status = "rejected" if around[-1].status != "rejected" else "approved"
        yield NearMiss("the newest one moderated", (writes.moderate(around[-1].id, status),), finish=end)

    def _refused(self, page: Any, p: Delete, *, first: bool) -> Moves:
        page = yield from self._listed(page, p)
        page, meant = yield from _turned(page, p)
        page = yield from mass.opened(page, meant[0])
        page = yield click(page.find("button", "Delete review"))
        if not first:
            yield {"action": "accept_dialog"}
        yield {"action": "dismiss_dialog"}

    def still_right(self, before: Snapshot, p: Delete) -> Iterator[NearMiss]:
        """Newest first; by the page's own address; with a wrong decision on the way."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = tuple(self.calls(before, p))
        if right:
            yield NearMiss("newest first", right[::-1])
            yield NearMiss("one approved before", (writes.moderate(right[0].fields["id"], "approved"), *right))
        else:
            end = self.finish(before, p)
            yield NearMiss("spelled in capitals", finish=replace(end, answer=str(end.answer).upper()))

    def _by_address(self, page: Any, p: Delete) -> Moves:
        page = yield navigate(_address(p))
        page, meant = yield from _turned(page, p)
        while meant:
            page = yield from mass.opened(page, meant[-1])
            page = yield click(page.find("button", "Delete review"))
            page = yield from _agreed(page)
            page = yield navigate(_address(p))
            page, meant = yield from _turned(page, p)
        if not p.feasible:
            page = yield navigate(_address(replace(p, status="", most=5)))
            page, meant = yield from _turned(page, p)
            yield finish(meant[0]["Nickname"] if p.of else meant[0]["Product"], NOT_FOUND)


def _agreed(page: Any) -> Moves:
    """Say yes to both questions of the browser; returns the page."""
    yield {"action": "accept_dialog"}
    return (yield {"action": "accept_dialog"})


def _turned(page: Any, p: Delete) -> Moves:
    """Turn to the first page of a list with a row that the task is about; returns the page and its rows."""
    while not _meant(page, p) and page.find_all("link", "Next", within=("main", None)):
        page = yield click(page.find("link", "Next", within=("main", None)))
    return page, _meant(page, p)


def _meant(page: Any, p: Delete) -> list[Line]:
    """The rows of the list that the task is about: those of exactly this product or nickname."""
    return mass.lines(page, Product=_name(p.product)) if p.of else mass.lines(page, Nickname=p.nickname)


def _address(p: Delete) -> str:
    filters = {"product": f"contains:{_name(p.product)}"} if p.of else {"nickname": f"contains:{p.nickname}"}
    if p.status:
        filters["status"] = f"in:{p.status}"
    if p.most < 5:
        filters["rating"] = f"lte:{p.most}"
    return counts.address(**filters)


def _name(words: str) -> str:
    """The product's own name, out of the words for it."""
    return re.search('"(.*)"', words)[1]  # type: ignore[index]


def _words(p: Delete) -> str:
    """The reviews that are meant, all or none of them."""
    if not p.of:
        return f'all {REVIEW_STATUS[p.status].lower()} reviews signed with the nickname "{p.nickname}"'
    stars = f"{p.most} or fewer stars" if p.most > 1 else "1 star"
    if p.status:
        return f"the {REVIEW_STATUS[p.status].lower()} reviews of {p.product} with {stars}"
    return f"all reviews of {p.product} with {stars}, whatever their status"


def _evidence(p: Delete) -> str:
    if p.of:
        return "the nickname on the newest review of that product, whatever its stars and status"
    return "the name of the product that the newest review with exactly that nickname is about, whatever its status"


def _in_turn(drawn: Sequence[Iterator[Delete]], mark: Callable[[Delete], object | None]) -> Iterator[Delete]:
    """One of each sort in turn, none with an outcome that was there before."""
    seen: set[object] = {None}
    left = list(drawn)
    while left:
        for every in list(left):
            p = next((p for p in every if mark(p) not in seen), None)
            if p is None:
                left.remove(every)
                continue
            seen.add(mark(p))
            yield p


def _mark(there: _Found, p: Delete) -> object | None:
    """What tells this outcome from others; None where it is not to be asked for."""
    found, around = there.meant(p), there.around(p)
    if p.feasible:
        return frozenset(row.id for row in found) if len(found) <= _MOST else None
    if not is_newest(around):
        return None
    answer = str(there.evidence(p).wanted())
    return None if any(_tells(answer, part) for part in (_words(p), _evidence(p))) else answer


def _tells(answer: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", part, re.IGNORECASE) is not None


def _pending_ones(there: _Found, db: Snapshot) -> list[Delete]:
    """Pending reviews of a product with one to four stars at most."""
    of = there.named_products(db)
    return [Delete(of=id_, product=words, status="pending", most=most) for id_, words in of for most in (1, 2, 3, 4)]


def _low_ones(there: _Found, db: Snapshot) -> list[Delete]:
    """Reviews of a product with one or two stars at most, of any status."""
    return [Delete(of=id_, product=words, most=most) for id_, words in there.named_products(db) for most in (1, 2)]


def _by_nickname(there: _Found) -> list[Delete]:
    """Reviews of one status with a nickname that is spelled in one way only, of several reviews or part of others."""
    return [
        Delete(nickname=name, status=status)
        for name in there.clear_nicknames()
        if len(there.by_nickname[name]) > 1 or there.longer(name)
        for status in REVIEW_STATUS
    ]


class _Found(Voices):
    """All reviews, and those that a task is about."""

    def around(self, p: Delete) -> list[Row]:
        """All reviews of the product, or with the nickname."""
        return self.by_product.get(p.of, []) if p.of else self.by_nickname.get(p.nickname, [])

    def meant(self, p: Delete) -> list[Row]:
        """Those that are to be deleted."""
        return [row for row in self.around(p) if row.rating <= p.most and p.status in ("", row.status)]

    def evidence(self, p: Delete) -> Text:
        """What shows that somebody has looked where there is nothing to delete."""
        row = self.around(p)[-1]
        return Text(row.nickname if p.of else self.products[row.product_id])

    def others(self, p: Delete, twin: int | None) -> Iterator[tuple[str, Row]]:
        """Reviews that somebody may take for one that is meant; `twin` is the product with a similar name."""
        around = [row for row in self.around(p) if row not in self.meant(p)]
        above = [row for row in around if p.status in ("", row.status)]
        if above:
            yield "one with a star too many", min(above, key=lambda row: (row.rating, row.id))
        other_status = [row for row in around if row.rating <= p.most and row.status != p.status]
        if other_status:
            yield "one of another status", other_status[-1]
        if p.of:
            if found := self.by_product.get(twin or 0):
                yield "one of the product with a similar name", min(found, key=lambda row: (row.rating, row.id))
        else:
            for row in self.longer(p.nickname)[:1]:
                yield "one with a longer nickname", row
            yield "a stranger's", next(row for row in self.rows if not row.nickname.startswith(p.nickname))


_found = kept(_Found)
