"""What the reviews of a product criticise or praise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ....verifiers import Expectation, Finish, Row, Snapshot
from ....verifiers.answers import Enum, List
from ...page import Moves, back, finish, navigate
from ...template import Kind, NearMiss, Params, interleaved
from ..admin import AdminTemplate
from ..lists import filtered
from ..products import look_alikes, product_entity, sibling
from . import counts, lexicon, mass
from .voices import Voices, contradicts, voices

_MOST = 8
"""Reviews that one task has read."""
_OFFERED = 8
"""Aspects to choose from, where all of them are clear."""


@dataclass(frozen=True, kw_only=True)
class Opinions(Params):
    """Which product, as the task names it; whether its best or its worst reviews; and the aspects to choose from."""

    of: int
    product: str
    name: str
    praise: bool
    offered: tuple[str, ...]

    def entities(self) -> tuple[str, ...]:
        """The product."""
        return (product_entity(self.of),)

    @property
    def span(self) -> tuple[int, int]:
        """The fewest and the most stars of the reviews."""
        return (4, 5) if self.praise else (1, 2)


class ReviewOpinions(AdminTemplate[Opinions]):
    """Which of some aspects the approved reviews of a product with few stars criticise, or those with many praise.

    Every text is made of sentences about one aspect each; where a sentence could be taken for another aspect, that one
    is not offered. Traps: aspects that only other reviews speak of, praise in bad reviews and criticism in good ones,
    stars that contradict the text (T13). Also fails: aspects of pending reviews, of all stars, of the other mood.
    """

    id = "store.admin/review-opinions"
    kind = Kind.RETRIEVE
    tags = ("P16", "P57", "T13")
    max_steps = 50

    def instances(self, db: Snapshot, rng: Random) -> Iterator[Opinions]:
        """Every product and mood with a few reviews that all readers understand alike, each list of aspects once."""
        there = voices(db)
        alike = look_alikes(db)
        contrary: list[Opinions] = []
        trapped: list[Opinions] = []
        plain: list[Opinions] = []
        seen: set[frozenset[str]] = set()
        every = [(id_, words, praise) for id_, words in there.named_products(db) for praise in (False, True)]
        for id_, words, praise in rng.sample(every, len(every)):
            p = Opinions(of=id_, product=words, name=there.products[id_], praise=praise, offered=())
            texts = _texts(there, p)
            found = frozenset(lexicon.aspects(texts, praise=praise))
            if found and found not in seen and len(texts) <= _MOST and lexicon.clear(texts, praise=praise):
                others = _elsewhere(there, p) - found - lexicon.doubtful(texts, praise=praise)
                seen.add(found)
                p = Opinions(**{**p.to_dict(), "offered": _offer(found, others, texts, p, rng)})
                against = any(map(contradicts, there.by_product[id_]))
                (contrary if against else trapped if id_ in alike or others else plain).append(p)
        yield from interleaved(rng, contrary, trapped, plain)

    def intents(self, p: Opinions) -> Sequence[str]:
        """The aspects to choose from, and that titles don't count."""
        do, stars = ("praise", "4 or 5 stars") if p.praise else ("criticize", "1 or 2 stars")
        offered = ", ".join(lexicon.NAMES[aspect] for aspect in p.offered)
        how = (
            f"Choose from this list: {offered}. Go by what the texts of the reviews say, not by their titles or stars;"
            " it is enough if one review says it. Answer with a JSON list of all that apply."
        )
        return [
            f"Which aspects do the approved reviews of {p.product} with {stars} {do}? {how}",
            f"Read the approved reviews of {p.product} that have {stars}. What do they {do}? {how}",
            f"What do customers {do} in the approved reviews of {stars} for {p.product}? {how}",
            f"Approved reviews of {p.product} with {stars}: what do they {do}? {how}",
            f"I am writing to the maker of {p.product}. Please read its approved reviews with {stars} and tell me which"
            f" things they {do}. {how}",
        ]

    def expected(self, before: Snapshot, p: Opinions) -> Expectation:
        """The aspects, out of those that are offered."""
        found = lexicon.aspects(_texts(voices(before), p), praise=p.praise)
        return Expectation(answer=_answer(found, p))

    def oracle(self, page: Any, p: Opinions) -> Moves:
        """Filter by product, status and stars; open one review after the other and note what it says."""
        typed = [("Product contains", p.name), ("Stars from", str(p.span[0])), ("Stars to", str(p.span[1]))]
        page = yield from filtered(page, "Reviews", choices=[("Status", "Approved")], typed=typed)
        yield from self._read(page, p)

    def _read(self, page: Any, p: Opinions) -> Moves:
        texts: list[str] = []
        for line in mass.lines(page, Product=p.name):
            page = yield from mass.opened(page, line)
            texts.append(page.text_of(page.find("article", "Review")))
            page = yield back()
        yield finish(str(_answer(lexicon.aspects(texts, praise=p.praise), p)))

    def near_misses(self, before: Snapshot, p: Opinions) -> Iterator[NearMiss]:
        """What other reviews say, what these say in the other mood, and a choice too few or too many."""
        there = voices(before)
        right = lexicon.aspects(_texts(there, p), praise=p.praise) & set(p.offered)
        own = there.by_product[p.of]
        in_span = [row.body for row in own if p.span[0] <= row.rating <= p.span[1]]
        twin = there.by_product.get(sibling(before, p.of, there.by_product) or 0, [])
        readings = {
            "of all stars": lexicon.aspects([row.body for row in own], praise=p.praise),
            "of any status": lexicon.aspects(in_span, praise=p.praise),
            "the other mood": lexicon.aspects(_texts(there, p), praise=not p.praise),
            "all that is mentioned": right | lexicon.aspects(_texts(there, p), praise=not p.praise),
            "of the newest only": lexicon.aspects(_texts(there, p)[-1:], praise=p.praise),
            "of the product with a similar name": lexicon.aspects([row.body for row in twin], praise=p.praise),
            "all that are offered": set(p.offered),
            "all but one": set(sorted(right)[1:]),
            "one too many": right | {min(set(p.offered) - right)},
        }
        for name, found in readings.items():
            if found & set(p.offered) not in (right, set()):
                yield NearMiss(name, finish=Finish(str(_answer(found, p))))

    def still_right(self, before: Snapshot, p: Opinions) -> Iterator[NearMiss]:
        """By address; in another order; with underscores; one to a line."""
        yield NearMiss("by filters in the address", ui=lambda page: self._by_address(page, p))
        right = sorted(lexicon.aspects(_texts(voices(before), p), praise=p.praise))
        yield NearMiss("one to a line, turned around", finish=Finish("\n".join(right[::-1])))
        names = ", ".join(lexicon.NAMES[aspect].capitalize() for aspect in right)
        yield NearMiss("separated by commas", finish=Finish(names))

    def _by_address(self, page: Any, p: Opinions) -> Moves:
        stars = f"between:{p.span[0]}..{p.span[1]}"
        page = yield navigate(counts.address(product=f"contains:{p.name}", status="in:approved", rating=stars))
        yield from self._read(page, p)


def _texts(there: Voices, p: Opinions) -> list[str]:
    """The texts that are to be read, oldest first."""
    least, most = p.span
    return [r.body for r in there.by_product[p.of] if r.status == "approved" and least <= r.rating <= most]


def _elsewhere(there: Voices, p: Opinions) -> set[str]:
    """Aspects that other reviews of the product speak of in this mood, or these in the other."""
    rest: list[Row] = [r for r in there.by_product[p.of] if not p.span[0] <= r.rating <= p.span[1]]
    return lexicon.aspects([row.body for row in rest], praise=p.praise) | lexicon.aspects(
        _texts(there, p), praise=not p.praise
    )


def _offer(found: frozenset[str], others: set[str], texts: Sequence[str], p: Opinions, rng: Random) -> tuple[str, ...]:
    """The right aspects among wrong ones: first those that others speak of, then any that nobody could see here."""
    free = set(lexicon.NAMES) - found - others - lexicon.doubtful(texts, praise=p.praise)
    wrong = rng.sample(sorted(others), len(others))[:4]
    more = max(0, max(_OFFERED, len(found) + 3) - len(found) - len(wrong))
    return tuple(sorted([*found, *wrong, *rng.sample(sorted(free), more)]))


def _answer(found: set[str], p: Opinions) -> List:
    names = tuple(lexicon.NAMES[aspect] for aspect in p.offered)
    return List([Enum(lexicon.NAMES[aspect], names) for aspect in sorted(found & set(p.offered))])
