"""What staff do to reviews: each change is exactly that, and averages follow approved reviews only."""

from __future__ import annotations

import json
import re

import pytest
from people_shop import TWIN
from sitegym.sites.kit.rules import Forbidden, NotFound, Refused, Stale
from sitegym.sites.kit.world import WorldContext
from sitegym.sites.store import keys, models
from sitegym.sites.store.models import AuditRow, Product, Review, ReviewVote
from sitegym.sites.store.recompute import recompute
from sitegym.sites.store.services import USE_CASES, actor_for
from sqlalchemy import select

FIVE, TWO = 1, 2
"""Two approved reviews of product 1, with five stars and two."""


@pytest.fixture
def reviewed(people: WorldContext) -> WorldContext:
    """The shop with a pending review by a guest of product 1, and two votes for the review of five stars."""
    with people.write() as db:
        guest = Review(id=50, product_id=1, customer_id=None, nickname="Guest <b>", title="Bad & worse",
                       body="See www.cheap.example\nCall me.", rating=1, status="pending",
                       created_at="2026-03-18T08:00:00Z")  # fmt: skip
        keys.fill_keys(guest)
        db.add(guest)
        for number, customer in enumerate((2, TWIN), 1):
            db.add(ReviewVote(id=number, review_id=FIVE, customer_id=customer))
    return people


def run(world: WorldContext, use_case: str, *, role: str = "manager", **fields):
    return USE_CASES[use_case](world, actor_for(world, role), **fields)


def stored(world: WorldContext, id: int) -> dict:
    with world.read() as db:
        return {c.name: getattr(db.get_one(Review, id), c.name) for c in Review.__table__.columns}


def rating(world: WorldContext) -> tuple[int, int, int]:
    with world.read() as db:
        product = db.get_one(Product, 1)
        return product.rating_avg_x100, product.rating_count, product.v


def audits(world: WorldContext) -> list[tuple]:
    with world.read() as db:
        rows = db.scalars(select(AuditRow).where(AuditRow.entity == "review").order_by(AuditRow.id))
        return [(row.action, row.entity_id, row.actor_id, json.loads(row.changes_json)) for row in rows]


@pytest.mark.parametrize(
    ("id", "status", "average"),
    [(50, "approved", (267, 3)), (TWO, "rejected", (500, 1)), (FIVE, "pending", (200, 1)), (50, "rejected", (350, 2))],
)
def test_a_decision_changes_the_status_and_the_average_of_approved_reviews(reviewed, id, status, average):
    run(reviewed, "reviews.moderate", id=50, status="approved", role="clerk")
    run(reviewed, "reviews.moderate", id=50, status="pending", role="clerk")
    before = stored(reviewed, id)
    run(reviewed, "reviews.moderate", id=id, status=status, role="clerk")
    after = stored(reviewed, id)
    assert {name for name in after if after[name] != before[name]} == {"status", "v"}
    assert rating(reviewed) == (*average, 1)  # what follows is no new version of the product
    change = {"field": "status", "old": before["status"], "new": status}
    assert audits(reviewed)[-1] == ("reviews.moderate", id, 4, [change])


def test_derived_columns_equal_their_recomputation_after_everything(reviewed):
    run(reviewed, "reviews.moderate", id=50, status="approved")
    run(reviewed, "reviews.delete", id=TWO)
    run(reviewed, "reviews.reply", id=FIVE, body="Thanks!")

    class Rows:
        def rows(self, table: str, **equals):
            with reviewed.read() as db:
                found = [dict(row) for row in db.execute(select(models.Base.metadata.tables[table])).mappings()]
            return [row for row in found if all(_fits(row[name], value) for name, value in equals.items())]

    def _fits(value, wanted) -> bool:
        return value in wanted if isinstance(wanted, list) else value == wanted

    with reviewed.read() as db:
        product = db.get_one(Product, 1)
        wanted = recompute(Rows(), {"reviews": {FIVE, 50}})["products"][1]
        assert wanted == {"rating_avg_x100": product.rating_avg_x100, "rating_count": product.rating_count}


def test_the_same_decision_again_writes_nothing(reviewed):
    assert run(reviewed, "reviews.moderate", id=FIVE, status="approved")["changed"] is False
    assert audits(reviewed) == []
    assert stored(reviewed, FIVE)["v"] == 1


def test_a_reply_has_an_author_and_a_time_and_can_be_reworded_and_removed(reviewed):
    run(reviewed, "reviews.reply", id=TWO, body=" Sorry!\r\nWrite to us. ", role="clerk")
    after = stored(reviewed, TWO)
    reply = {name: after[name] for name in ("reply_body", "reply_by", "reply_at", "v", "status")}
    assert reply == {"reply_body": "Sorry!\nWrite to us.", "reply_by": 4, "reply_at": reviewed.now(), "v": 2,
                     "status": "approved"}  # fmt: skip
    assert run(reviewed, "reviews.reply", id=TWO, body="Sorry!\nWrite to us.")["changed"] is False
    assert stored(reviewed, TWO)["reply_by"] == 4
    run(reviewed, "reviews.reply", id=TWO, body="Sorry.", role="owner")
    assert (stored(reviewed, TWO)["reply_by"], stored(reviewed, TWO)["v"]) == (1, 3)
    run(reviewed, "reviews.reply", id=TWO, body=None)
    gone = stored(reviewed, TWO)
    assert (gone["reply_body"], gone["reply_by"], gone["reply_at"]) == (None, None, None)
    assert [action for action, *_ in audits(reviewed)] == ["reviews.reply"] * 3


def test_deleting_takes_the_votes_along_and_nothing_else(reviewed):
    with reviewed.write() as db:
        db.add(ReviewVote(id=9, review_id=TWO, customer_id=1))
    assert run(reviewed, "reviews.delete", id=FIVE)["votes"] == 2
    with reviewed.read() as db:
        assert db.get(Review, FIVE) is None
        assert [vote.id for vote in db.scalars(select(ReviewVote))] == [9]
    assert rating(reviewed)[:2] == (200, 1)
    action, id, _, changes = audits(reviewed)[-1]
    assert (action, id) == ("reviews.delete", FIVE)
    assert {change["field"]: change["old"] for change in changes}["body"] == "Sturdy."


@pytest.mark.parametrize(
    ("use_case", "fields", "code"),
    [
        ("reviews.moderate", {"status": "hidden"}, "NOT_A_CHOICE"),
        ("reviews.reply", {"body": " \r\n "}, "REPLY_EMPTY"),
        ("reviews.reply", {"body": "x" * 2001}, "TOO_LONG"),
    ],
)
def test_what_makes_no_sense_is_refused_and_writes_nothing(reviewed, use_case, fields, code):
    before = stored(reviewed, FIVE)
    with pytest.raises(Refused) as error:
        run(reviewed, use_case, id=FIVE, **fields)
    assert error.value.code == code
    assert (stored(reviewed, FIVE), audits(reviewed)) == (before, [])


@pytest.mark.parametrize(
    ("role", "use_case", "may"),
    [
        ("clerk", "reviews.moderate", True), ("clerk", "reviews.reply", True), ("clerk", "reviews.delete", False),
        ("analyst", "reviews.moderate", False), ("analyst", "reviews.reply", False),
        ("analyst", "reviews.delete", False), ("manager", "reviews.delete", True),
    ],
)  # fmt: skip
def test_clerks_decide_and_reply_managers_delete_analysts_look(reviewed, role, use_case, may):
    fields = {"reviews.moderate": {"status": "rejected"}, "reviews.reply": {"body": "Hi"}, "reviews.delete": {}}
    before = stored(reviewed, FIVE)
    if may:
        run(reviewed, use_case, role=role, id=FIVE, **fields[use_case])
        return
    with pytest.raises(Forbidden):
        run(reviewed, use_case, role=role, id=FIVE, **fields[use_case])
    assert stored(reviewed, FIVE) == before
    assert [action for action, *_ in audits(reviewed)] == ["denied"]


def test_a_review_that_moved_on_or_is_gone_is_told_so(reviewed):
    run(reviewed, "reviews.moderate", id=50, status="approved", role="clerk")
    with pytest.raises(Stale) as error:
        run(reviewed, "reviews.moderate", id=50, status="rejected", v=1)
    (field,) = error.value.conflict.fields
    assert (error.value.conflict.by, field.mine, field.theirs) == ("Carl Clerk", "rejected", "approved")
    with pytest.raises(NotFound):
        run(reviewed, "reviews.delete", id=999)


def test_the_page_tells_everything_and_escapes_what_guests_write(ask, reviewed):
    manager = ask()
    text = manager.get("/reviews/50").text
    assert "Bad &amp; worse" in text
    assert "Guest &lt;b&gt;" in text
    assert "Guest <b>" not in text
    assert "1 of 5 stars" in text
    assert re.search(r"<dt>Customer</dt><dd>Guest", text)
    assert "2 people found this helpful" in manager.get(f"/reviews/{FIVE}").text
    assert manager.get("/reviews/999").status_code == 404


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("f=rating:lte:2", [50, 2]),
        ("f=status:in:pending", [50]),
        ("q=cheap", [50]),
        ("q=sturdy", [3, 2, 1]),
        ("f=product:contains:pack 2", [3]),
        ("f=verified:in:yes&f=replied:in:no", []),
        ("f=nickname:contains:guest", [50]),
        ("f=created_at:between:2026-03-18..2026-03-18", [50]),
        ("sort=rating", [50, 2, 3, 1]),
    ],
)
def test_the_list_finds_reviews_by_stars_status_words_product_and_day(ask, reviewed, asked, found):
    manager = ask()
    text = manager.get(f"/reviews?{asked}").text
    assert [int(id) for id in re.findall(r'<tr data-id="(\d+)"', text)] == found


def test_a_decision_by_the_page_stays_in_the_list_one_came_from(ask, reviewed):
    clerk = ask("clerk")
    text = clerk.get("/reviews/2?list=f%3Drating:lte:2%26sort%3Drating").text
    assert "2 of 2" in text
    assert 'rel="prev" href="/reviews/50?list=' in text
    back = "/reviews/2?list=f%3Drating%3Alte%3A2%26f%3Dstatus%3Ain%3Aapproved&at=0"
    response = clerk.post("/reviews/2/moderate", {"v": "1", "status": "rejected", "back": back})
    assert (response.status_code, response.location) == (303, back)
    assert "The review by M is rejected." in clerk.said(response)
    assert "Not in the list" in clerk.get(back).text


def test_a_clerk_who_deletes_is_answered_with_403_and_a_stale_form_with_409(ask, reviewed):
    clerk = ask("clerk")
    assert "Delete review" in clerk.get("/reviews/2").text  # drawn, and answered by 403: the fixed map
    assert clerk.post("/reviews/2/delete", {"v": "1"}).status_code == 403
    assert clerk.post("/reviews/2/moderate", {"v": "7", "status": "rejected"}).status_code == 409
    assert clerk.count(Review, id=2, status="approved") == 1


def test_an_empty_reply_comes_back_with_its_message(ask, reviewed):
    clerk = ask("clerk")
    response = clerk.post("/reviews/2/reply", {"v": "1", "body": "  "})
    assert response.status_code == 422
    assert response.text.count("Write a reply first.") == 2
    analyst = ask("analyst").get("/reviews/2").text
    assert re.search(r'<textarea[^>]*name="body"[^>]* disabled', analyst)
    assert "Your role may not reply to reviews." in analyst
    assert ">Approve<" not in analyst
