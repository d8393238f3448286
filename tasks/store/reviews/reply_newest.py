"""Reply to the newest bad review of a product that nobody has answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Row, Snapshot
from ...page import Moves, back, click, navigate, type_
from ...template import Call, Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate
from ..lists import filtered
from ..products import look_alikes, product_entity, sibling
from . import counts, mass, writes
from .voices import Voices, is_newest, voices

REPLIES = (
    "We are sorry about this. Please write to us and we will send you a new one.",
    "Thank you for telling us. Our workshop will mend it free of charge.",
    "That is not what we stand for. Send it back within 60 days and we pay the postage.",
    "Sorry to hear that! Our maker has changed this part since January.",
    "We would like to make this right. Please call us on weekdays between 9 and 5.",
    "Thank you for the honest words. We have passed them on to the maker.",
    "We have taken a closer look at this batch and will replace yours at no cost.",
)


@dataclass(frozen=True, kw_only=True)
class Reply(Params):
    """Which product, as the task names it; of how many stars the review is; and the answer."""

    of: int
    product: str
    name: str
    stars: int
    text: str

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)


class ReplyNewest(AdminTemplate[Reply]):
    """Put a reply under the newest review of a product with one to three stars that has none yet, whatever its status.

    Traps: newer ones that are answered already, pending ones, products of similar names (T1). Also fails: the answered
    one, an older one, approving it as well, another wording.
    """

    id = "store.admin/reply-newest-review"
    kind = Kind.CHANGE
    tags = ("P16", "P22", "P50", "T1")

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Reply]:
        """Every product and number of stars up to three with an unanswered review; those with traps in turn."""
        there = voices(db)
        alike = look_alikes(db)
        answered: list[Reply] = []
        similar: list[Reply] = []
        trapped: list[Reply] = []
        plain: list[Reply] = []
        for id_, words in there.named_products(db):
            for stars in (1, 2, 3):
                same = [row for row in there.by_product[id_] if row.rating == stars]
                open_ones = [row for row in same if row.reply_body is None]
                if not is_newest(open_ones):
                    continue
                p = Reply(of=id_, product=words, name=there.products[id_], stars=stars, text=rng.choice(REPLIES))
                if same[-1] is not open_ones[-1]:
                    answered.append(p)
                elif id_ in alike:
                    similar.append(p)
                else:
                    (trapped if len(open_ones) > 1 or open_ones[-1].status != "approved" else plain).append(p)
        yield from interleaved(rng, answered, similar, trapped, plain)

    def intents(self, p: Reply) -> Sequence[str]:
        """Newest and unanswered, of exactly so many stars, whatever its status."""
        stars = "1-star" if p.stars == 1 else f"{p.stars}-star"
        rest = "It doesn't matter whether it is approved, pending or rejected; leave that as it is."
        return [
            f'Reply to the newest {stars} review of {p.product} that has no reply yet: "{p.text}" {rest}',
            f"Among the {stars} reviews of {p.product} that nobody has replied to, take the newest and post this reply:"
            f' "{p.text}" {rest}',
            f'Post the reply "{p.text}" under the newest unanswered {stars} review of {p.product}. {rest}',
            f'Newest {stars} review of {p.product} without a reply: answer it with "{p.text}" {rest}',
            f"Hi, somebody gave {p.product} {stars[0]} star{'s' * (p.stars > 1)} and got no answer. Could you reply to"
            f' that review? If there are several such reviews without a reply, take the newest. Write: "{p.text}"'
            f" {rest}",
        ]

    def expected(self, before: Snapshot, p: Reply) -> Expectation:
        """E.reply on the newest of them."""
        return writes.replied(before, _open(voices(before), p)[-1], p.text)

    def oracle(self, page: Any, p: Reply) -> Moves:
        """Filter by product and stars; open one after the other, newest first, until one has no reply; write it."""
        stars = str(p.stars)
        typed = [("Product contains", p.name), ("Stars from", stars), ("Stars to", stars)]
        page = yield from filtered(page, "Reviews", typed=typed)
        page = yield from self._first_open(page, p)
        yield from _saved(page, p.text)

    def _first_open(self, page: Any, p: Reply) -> Moves:
        """The page of the first listed review of the product without a reply; returns the page."""
        for line in mass.lines(page, Product=p.name):
            page = yield from mass.opened(page, line)
            if not page.find_all("button", "Remove reply"):
                return page
            page = yield back()
        raise LookupError(f"every review of {p.name} has a reply")

    def calls(self, before: Snapshot, p: Reply) -> Sequence[Call]:
        """One call."""
        return [writes.reply(_open(voices(before), p)[-1].id, p.text)]

    def near_misses(self, before: Snapshot, p: Reply) -> Iterator[NearMiss]:
        """Another review, another wording, a decision on top, taken away again, typed and not saved."""
        there = voices(before)
        review = _open(there, p)[-1]
        right = writes.reply(review.id, p.text)
        for name, row in self._others(before, there, p):
            yield NearMiss(f"under {name}", (writes.reply(row.id, p.text),))
            yield NearMiss(f"under {name} as well", (right, writes.reply(row.id, p.text)))
        status = "approved" if review.status != "approved" else "rejected"
        yield NearMiss(f"{status} as well", (right, writes.moderate(review.id, status)))
        yield NearMiss("moderated instead", (writes.moderate(review.id, status),))
        yield NearMiss("the last letters lost", (writes.reply(review.id, p.text[:-2]),))
        yield NearMiss("with a greeting", (writes.reply(review.id, f"Hello! {p.text}"),))
        yield NearMiss("taken away again", (right, writes.reply(review.id, None)))
        yield NearMiss("typed, not saved", ui=lambda page: self._unsaved(page, p))

    def _others(self, before: Snapshot, there: Voices, p: Reply) -> Iterator[tuple[str, Row]]:
        own = there.by_product[p.of]
        answered = [row for row in own if row.rating == p.stars and row.reply_body is not None]
        if answered:
            yield "one that has a reply", answered[-1]
        if len(_open(there, p)) > 1:
            yield "an older one", _open(there, p)[-2]
        other = [row for row in own if row.rating != p.stars and row.reply_body is None]
        if other:
            yield "one with other stars", min(other, key=lambda row: (abs(row.rating - p.stars), -row.id))
        reviewed = [id_ for id_, rows in there.by_product.items() if any(row.reply_body is None for row in rows)]
        twin = sibling(before, p.of, reviewed)
        if twin is not None:
            found = [row for row in there.by_product[twin] if row.reply_body is None]
            yield "one of the product with a similar name", min(found, key=lambda row: (row.rating, -row.id))

    def _unsaved(self, page: Any, p: Reply) -> Moves:
        page = yield navigate(_address(p))
        page = yield from self._first_open(page, p)
        yield type_(page.find("textbox", "Reply"), p.text)

    def still_right(self, before: Snapshot, p: Reply) -> Iterator[NearMiss]:
        """By filters in the address; other words first, then corrected; a wrong review put right."""
        yield NearMiss("an empty reply first", ui=lambda page: self._empty_first(page, p))
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        review = _open(voices(before), p)[-1]
        right = writes.reply(review.id, p.text)
        yield NearMiss("other words first", (writes.reply(review.id, "We are sorry."), right))
        yield NearMiss("with blanks around it", (writes.reply(review.id, f"  {p.text}\n"),))
        other = next(row for row in before.rows("reviews") if row.reply_body is None and row.id != review.id)
        undone = (writes.reply(other.id, p.text), writes.reply(other.id, None), right)
        yield NearMiss("under the wrong one first, taken away there", undone)

    def _by_address(self, page: Any, p: Reply) -> Moves:
        page = yield navigate(_address(p))
        page = yield from self._first_open(page, p)
        yield from _saved(page, p.text)

    def _empty_first(self, page: Any, p: Reply) -> Moves:
        page = yield navigate(_address(p))
        page = yield from self._first_open(page, p)
        page = yield click(page.find("button", "Save reply"))
        yield from _saved(page, p.text)


def _saved(page: Any, text: str) -> Moves:
    """Write the reply on the page of a review."""
    page = yield type_(page.find("textbox", "Reply"), text)
    yield click(page.find("button", "Save reply"))


def _open(there: Voices, p: Reply) -> list[Row]:
    """The reviews of the product with these stars and no reply, oldest first."""
    return [row for row in there.by_product[p.of] if row.rating == p.stars and row.reply_body is None]


def _address(p: Reply) -> str:
    return counts.address(product=f"contains:{p.name}", rating=f"eq:{p.stars}", replied="in:no")
