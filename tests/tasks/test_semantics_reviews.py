"""What tasks about reviews must never be: ambiguous. Checked again by other means on the whole of `base`."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from sitegym import tasks
from sitegym.sites.kit.text import tokens
from sitegym.sites.store.generate.phrases import PHRASES
from sitegym.tasks.splits import split_of_all
from sitegym.tasks.store.reviews import lexicon
from sitegym.tasks.task import every
from sitegym.verifiers import Row, Snapshot


def reviews_of(base: Snapshot, product_id: int) -> list[Row]:
    return sorted(base.rows("reviews", product_id=product_id), key=lambda row: row.created_at)


def test_a_period_counts_its_first_and_its_last_day(base: Snapshot) -> None:
    days = Counter(row.created_at[:10] for row in base.rows("reviews"))
    for p in every("store.admin/reviews-received"):
        want = tasks.template("store.admin/reviews-received").expected(base, p).answer
        assert str(want) == str(sum(number for day, number in days.items() if p.first <= day <= p.last))
        assert "2025-01-01" <= p.first <= p.last <= "2026-03-18"


def test_reading_searching_and_counting_a_word_agree(base: Snapshot) -> None:
    rows = base.rows("reviews")
    texts = [f"{row.title}\n{row.body}".casefold() for row in rows]
    for p in every("store.admin/reviews-mentioning"):
        want = str(tasks.template("store.admin/reviews-mentioning").expected(base, p).answer)
        assert want == str(sum(p.word in text for text in texts))
        assert want == str(sum(bool(re.search(rf"\b{p.word}\b", text)) for text in texts))
        assert want == str(sum(f" {p.word}" in row.search_key for row in rows))
        assert tokens(p.word) == [p.word]


def test_the_queue_to_approve_holds_pending_reviews_of_enough_stars_only(base: Snapshot) -> None:
    template = tasks.template("store.admin/approve-pending")
    for p in every("store.admin/approve-pending"):
        keys = {part.key for part in template.expected(base, p).must}
        queue = [row for row in base.rows("reviews", status="pending") if row.rating >= p.stars]
        assert keys == {row.id for row in queue if not p.first or p.first <= row.created_at[:10] <= p.last}


def test_twins_of_deletions_are_of_one_sort() -> None:
    for pair in range(40):
        one, other = (tasks.task("store.admin/delete-reviews", 2 * pair + place).params for place in (0, 1))
        assert (bool(one["of"]), one["status"], one["most"]) == (bool(other["of"]), other["status"], other["most"])


def test_no_wording_tells_twins_about_reviews_apart_in_any_split() -> None:
    cells = {"delete-reviews": lambda p: (bool(p.of), p.status, p.most), "review-critics": lambda p: p.stars}
    for name, cell in cells.items():
        count = Counter((split_of_all(p.entities()), cell(p), p.feasible) for p in every(f"store.admin/{name}"))
        assert all(count[split, of, True] == count[split, of, False] for split, of, _ in count)


def test_a_product_of_a_review_task_has_its_name_alone(base: Snapshot) -> None:
    names = Counter(row.name_key for row in base.rows("products"))
    found = {row.id: row for row in base.rows("products")}
    for name in ("delete-reviews", "review-critics", "worst-review-author", "review-opinions", "reply-newest-review"):
        for p in every(f"store.admin/{name}"):
            assert not p.of or names[found[p.of].name_key] == 1


def test_the_newest_and_the_worst_review_are_so_to_the_minute(base: Snapshot) -> None:
    for p in every("store.admin/reply-newest-review"):
        same = [r for r in reviews_of(base, p.of) if r.rating == p.stars and r.reply_body is None]
        assert same[-1].created_at[:16] not in [row.created_at[:16] for row in same[:-1]]
    for p in every("store.admin/worst-review-author"):
        mine = [row for row in reviews_of(base, p.of) if row.customer_id is not None]
        few = [row for row in mine if row.rating == min(one.rating for one in mine)]
        assert few[-1].created_at[:16] not in [row.created_at[:16] for row in few[:-1]]
        assert base.row("customers", id=few[-1].customer_id).email == p.email


def test_critics_have_a_nickname_each_and_are_approved(base: Snapshot) -> None:
    template = tasks.template("store.admin/review-critics")
    for p in every("store.admin/review-critics"):
        few = [r for r in reviews_of(base, p.of) if r.status == "approved" and r.rating <= p.stars]
        assert len({row.nickname.casefold() for row in few}) == len(few)
        assert bool(few) is p.feasible
        if few:
            answer = template.expected(base, p).answer
            assert answer is not None
            assert sorted(answer.spelled()) == sorted(row.nickname for row in few)  # type: ignore[call-overload]


def test_sentences_that_speak_of_two_aspects_are_known() -> None:
    said = {sentence for sides in PHRASES.values() for side in sides for sentence in side}
    assert set(lexicon.OPEN_TO) <= said
    assert {aspect for others in lexicon.OPEN_TO.values() for aspect in others} <= set(PHRASES)
    for aspect, sides in PHRASES.items():
        assert all(aspect not in lexicon.OPEN_TO.get(sentence, ()) for side in sides for sentence in side)
    for one, other in pairwise(sorted(said)):
        assert not other.startswith(one)


def test_no_offered_aspect_is_a_matter_of_opinion(base: Snapshot) -> None:
    template = tasks.template("store.admin/review-opinions")
    for p in every("store.admin/review-opinions"):
        texts = [
            row.body
            for row in reviews_of(base, p.of)
            if row.status == "approved" and p.span[0] <= row.rating <= p.span[1]
        ]
        answer = template.expected(base, p).answer
        assert answer is not None
        right = {name.replace(" ", "_") for name in answer.spelled()}  # type: ignore[attr-defined]
        assert right == lexicon.aspects(texts, praise=p.praise) < set(p.offered)
        assert not (set(p.offered) - right) & lexicon.doubtful(texts, praise=p.praise)
        assert 1 <= len(texts) <= 8
