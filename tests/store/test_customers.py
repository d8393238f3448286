"""What staff do to customers, asked directly: each change is exactly that, and what is refused writes nothing."""

from __future__ import annotations

import json
import re

import pytest
from people_shop import BLOCKED, QUIET, TWIN
from sitegym.sites.kit.rules import Forbidden
from sitegym.sites.store import models
from sitegym.sites.store.models import Address, AuditRow, Customer, Order, Review
from sitegym.sites.store.services import USE_CASES, actor_for
from sqlalchemy import select

PROFILE = {"v": "1", "first_name": "Mara", "last_name": "Lindqvist", "email": "mara.l@post.example",
           "phone": "+1 614-555-0134", "group": "vip", "note": ""}  # fmt: skip
ADDRESS = {"label": "Cabin", "full_name": "Mara Lindqvist", "line1": "1 Fir Road", "line2": "", "company": "",
           "country": "CA", "region": "ON", "city": "Ottawa", "postcode": "k1a 0b1", "phone": ""}  # fmt: skip


def everything(world) -> dict[str, list[tuple]]:
    """All rows but sessions."""
    with world.read() as db:
        return {
            table.name: [tuple(row) for row in db.execute(select(table).order_by(*table.primary_key))]
            for table in models.Base.metadata.sorted_tables
            if table.name not in ("web_sessions", "sequences")
        }


def differing(before, after) -> set[str]:
    """The tables that differ."""
    return {name for name in before if before[name] != after[name]}


def test_saving_a_profile_changes_these_columns_and_writes_one_audit_row(ask):
    manager = ask()
    before = everything(manager.world)
    response = manager.post(
        f"/customers/{TWIN}", {**PROFILE, "phone": "(614) 555-0199", "note": "Call first\r\nalways"}
    )
    assert (response.status_code, response.location) == (303, f"/customers/{TWIN}")
    assert "Mara Lindqvist was saved." in manager.said(response)
    assert differing(before, everything(manager.world)) == {"customers", "audit_log"}
    customer = manager.one(Customer, id=TWIN)
    assert (customer.phone, customer.note, customer.v) == ("+16145550199", "Call first\nalways", 2)
    audit = json.loads(manager.one(AuditRow, entity="customer", entity_id=TWIN).changes_json)
    assert {change["field"] for change in audit} == {"phone", "note"}
    assert customer.search_key == " 16145550199 example l lindqvist mara mara.l@post.example post"


def test_an_unchanged_profile_writes_nothing(ask):
    manager = ask()
    before = everything(manager.world)
    response = manager.post(f"/customers/{TWIN}", PROFILE)
    assert "Nothing was changed" in manager.said(response)
    assert everything(manager.world) == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"email": "ANN.ODELL@mail.example"}, "ann.odell@mail.example already belongs to Ann O&#39;Dell (customer 4)."),
        ({"email": "no-at-sign"}, "Enter an e-mail address such as name@example.com."),
        ({"first_name": " "}, "First name is required."),
        ({"last_name": "x" * 61}, "Last name may have at most 60 characters."),
        ({"phone": "555"}, "Enter a phone number with its country code, such as +1 614 555 0134."),
        ({"group": "royal"}, "Choose a group from the list."),
    ],
)
def test_a_wrong_field_is_named_and_everything_typed_is_kept(ask, changed, message):
    manager = ask()
    before = everything(manager.world)
    response = manager.post(f"/customers/{TWIN}", {**PROFILE, "note": "typed & kept", **changed})
    assert response.status_code == 422
    assert response.text.count(message) == 2  # in the summary, and beside the field
    assert "typed &amp; kept" in response.text
    assert everything(manager.world) == before


def test_all_problems_are_told_at_once(ask):
    text = (
        ask().post("/customers/new", {"first_name": "", "last_name": "", "email": "x", "phone": "1", "group": ""}).text
    )
    assert "Please check 5 fields" in text


def test_a_stale_profile_shows_who_was_faster_and_both_values(ask):
    manager = ask()
    USE_CASES["customers.edit"](manager.world, actor_for(manager.world, "owner"), id=TWIN, note="Theirs")
    response = manager.post(f"/customers/{TWIN}", {**PROFILE, "note": "Mine"})
    assert response.status_code == 409
    for text in ("Olga Owner", "Theirs", "Mine", "Reload theirs", "Overwrite with mine"):
        assert text in response.text
    assert "614" not in re.sub(r"<input[^>]*>", "", response.text), "a phone written differently is no difference"
    assert manager.one(Customer, id=TWIN).note == "Theirs"
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', response.text))
    assert manager.post(f"/customers/{TWIN}", hidden).status_code == 303
    assert manager.one(Customer, id=TWIN).note == "Mine"


def test_a_clerk_cannot_overwrite_a_conflict(ask):
    clerk = ask("clerk")
    USE_CASES["customers.edit"](clerk.world, actor_for(clerk.world, "owner"), id=TWIN, note="Theirs")
    text = clerk.post(f"/customers/{TWIN}", {"v": "1", "phone": "", "note": "Mine"}).text
    assert "Overwrite" not in text
    assert "Reload theirs" in text


def test_a_clerk_may_write_phone_and_note_only(ask):
    clerk = ask("clerk")
    assert clerk.post(f"/customers/{TWIN}", {"v": "1", "phone": "", "note": "Moved"}).status_code == 303
    assert clerk.one(Customer, id=TWIN).phone is None
    before = clerk.one(Customer, id=TWIN)
    for changed in ({"group": "general"}, {"first_name": "Mia"}, {"email": "m@mail.example"}):
        response = clerk.post(f"/customers/{TWIN}", {"v": "2", **changed})
        assert response.status_code == 403
    assert clerk.one(Customer, id=TWIN).v == before.v
    assert clerk.count(AuditRow, action="denied") == 3


@pytest.mark.parametrize("use_case", [name for name in USE_CASES if name.startswith("customers.")])
def test_an_analyst_may_do_nothing(ask, use_case):
    analyst = ask("analyst")
    fields = {
        "customers.create": {},
        "customers.edit": {"id": TWIN, "note": "x"},
        "customers.merge": {"id": TWIN, "into": 1},
        "customers.erase": {"id": QUIET, "confirm": "quiet@mail.example"},
        "customers.add_address": {"id": TWIN, **ADDRESS},
        "customers.edit_address": {"id": TWIN, "address_id": 1, "city": "X"},
        "customers.delete_address": {"id": TWIN, "address_id": 2},
        "customers.default_address": {"id": TWIN, "address_id": 2, "kind": "shipping"},
    }.get(use_case, {"id": TWIN})
    before = everything(analyst.world)
    with pytest.raises(Forbidden):
        USE_CASES[use_case](analyst.world, actor_for(analyst.world, "analyst"), **fields)
    assert differing(before, everything(analyst.world)) == {"audit_log"}


def test_a_new_customer_is_added_with_usual_values(ask):
    manager = ask()
    typed = {
        "first_name": " Zoë ",
        "last_name": "Ng",
        "email": "Zoe@Mail.Example",
        "phone": "020 7946 0999",
        "group": "vip",
    }
    assert manager.post("/customers/new", typed).status_code == 422  # a British number needs its country code here
    response = manager.post("/customers/new", {**typed, "phone": "+44 20 7946 0999"})
    assert response.location == "/customers/30"
    made = manager.one(Customer, email="zoe@mail.example")
    assert (made.first_name, made.phone, made.status, made.name_key) == ("Zoë", "+442079460999", "active", "zoe ng")


def test_blocking_and_unblocking_change_the_status_alone(ask):
    manager = ask()
    assert manager.post(f"/customers/{TWIN}/block", {"v": "1"}).status_code == 303
    assert manager.one(Customer, id=TWIN).status == "blocked"
    assert manager.post(f"/customers/{BLOCKED}/unblock", {"v": "1"}).status_code == 303
    assert manager.one(Customer, id=BLOCKED).status == "active"
    assert ask("clerk").post(f"/customers/{TWIN}/unblock", {"v": "2"}).status_code == 403


def test_an_address_is_added_checked_and_may_become_the_default(ask):
    manager = ask()
    response = manager.post(f"/customers/{TWIN}/addresses", {**ADDRESS, "shipping": "1"})
    assert response.status_code == 303
    added = manager.one(Address, label="Cabin")
    assert (added.postcode, added.company, added.city_key) == ("K1A 0B1", None, "ottawa")
    twin = manager.one(Customer, id=TWIN)
    assert (twin.default_shipping_id, twin.default_billing_id) == (added.id, 1)


def test_the_first_address_becomes_the_default_for_both(ask):
    manager = ask()
    manager.post(f"/customers/{QUIET}/addresses", ADDRESS)
    quiet = manager.one(Customer, id=QUIET)
    assert quiet.default_shipping_id == quiet.default_billing_id == manager.one(Address, label="Cabin").id


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"region": "OR"}, "This region does not belong to the country (Canada)."),
        ({"postcode": "97205"}, "This is not a valid postcode (Canada)."),
        ({"label": ""}, "Label is required."),
        ({"country": "FR"}, "Choose a country from the list."),
    ],
)
def test_a_wrong_address_comes_back_in_its_dialog(ask, changed, message):
    manager = ask()
    response = manager.post(f"/customers/{TWIN}/addresses", {**ADDRESS, **changed})
    assert response.status_code == 422
    assert message in response.text
    assert re.search(r'<dialog[^>]*id="address-add"[^>]*data-open-now', response.text)
    assert manager.count(Address) == 2


def test_an_edited_address_keeps_its_row_and_a_stale_one_is_a_conflict(ask):
    manager = ask()
    fields = {**ADDRESS, "v": "1", "label": "Home"}
    assert manager.post(f"/customers/{TWIN}/addresses/1", fields).status_code == 303
    assert (manager.one(Address, id=1).city, manager.count(Address)) == ("Ottawa", 2)
    assert manager.post(f"/customers/{TWIN}/addresses/1", {**fields, "city": "Kanata"}).status_code == 409


def test_a_default_address_stays_until_another_takes_its_place(ask):
    manager = ask()
    refused = manager.post(f"/customers/{TWIN}/addresses/1/delete", {"v": "1"})
    assert "make another one the default first" in manager.said(refused)
    for kind in ("shipping", "billing"):
        manager.post(f"/customers/{TWIN}/addresses/2/default", {"kind": kind})
    assert manager.post(f"/customers/{TWIN}/addresses/1/delete", {"v": "1"}).status_code == 303
    assert manager.count(Address) == 1


def test_an_address_of_somebody_else_is_not_found(ask):
    assert ask().post("/customers/1/addresses/1", {**ADDRESS, "v": "1"}).status_code == 404


def test_merging_moves_everything_and_leaves_what_clashes(ask):
    manager = ask()
    before = everything(manager.world)
    assert manager.post(f"/customers/{TWIN}/merge/1", {"v": "1"}).location == "/customers/1"
    gone, stays = manager.one(Customer, id=TWIN), manager.one(Customer, id=1)
    assert (gone.status, gone.merged_into, gone.default_shipping_id) == ("merged", 1, None)
    assert (stays.first_name, stays.phone, stays.group_id) == ("Mara", None, 1)
    assert (manager.count(Order, customer_id=1), manager.count(Order, customer_id=TWIN)) == (13, 0)
    assert (manager.count(Address, customer_id=1), manager.count(models.StoreCreditEntry, customer_id=TWIN)) == (2, 0)
    owners = {(review.product_id, review.rating): review.customer_id for review in _all(manager, Review)}
    assert owners == {(1, 5): 1, (1, 2): TWIN, (2, 4): 1}
    touched = {"customers", "orders", "addresses", "reviews", "wishlist_items", "store_credit_entries", "audit_log"}
    assert differing(before, everything(manager.world)) == touched
    assert {review.verified for review in _all(manager, Review) if review.customer_id == TWIN} == {False}
    assert "merged into" in manager.get(f"/customers/{TWIN}").text


def _all(asker, model):
    with asker.world.read() as db:
        rows = list(db.scalars(select(model).order_by(model.id)))
        db.expunge_all()
        return rows


@pytest.mark.parametrize(("id", "into"), [(TWIN, TWIN), (1, 99)])
def test_a_merge_with_itself_or_nobody_is_refused(ask, id, into):
    manager = ask()
    before = everything(manager.world)
    manager.post(f"/customers/{id}/merge/{into}", {"v": "1"})
    assert everything(manager.world) == before


def test_a_merged_account_can_no_longer_be_changed(ask):
    manager = ask()
    manager.post(f"/customers/{TWIN}/merge/1", {"v": "1"})
    for path in (f"/customers/{TWIN}/block", f"/customers/{TWIN}/merge/2"):
        assert "can no longer be changed" in manager.said(manager.post(path, {"v": "2"}))
    assert "one account can take over" not in manager.said(manager.post(f"/customers/2/merge/{TWIN}", {"v": "1"}))
    assert manager.one(Customer, id=2).status == "active"


def test_likely_twins_are_offered_first(ask):
    text = ask().get(f"/customers/{TWIN}/merge").text
    assert re.findall(r"/customers/3/merge/(\d+)", text) == ["1"]


def test_erasing_needs_the_owner_the_address_and_no_open_order(ask):
    owner = ask("owner")
    before = everything(owner.world)
    assert (
        ask("manager").post(f"/customers/{TWIN}/erase", {"confirm": "mara.l@post.example", "v": "1"}).status_code == 403
    )
    wrong = owner.post(f"/customers/{TWIN}/erase", {"confirm": "mara@post.example", "v": "1"})
    assert wrong.status_code == 422
    assert "Type the e-mail address exactly as shown" in wrong.text
    open_order = owner.post("/customers/1/erase", {"confirm": "m.ist@mail.example", "v": "1"})
    assert "open order" in open_order.text
    assert differing(before, everything(owner.world)) == {"audit_log"}  # the manager's denied attempt


def test_erasing_removes_the_person_and_keeps_the_books(ask):
    owner = ask("owner")
    assert owner.post(f"/customers/{TWIN}/erase", {"confirm": "Mara.L@post.example", "v": "1"}).status_code == 303
    erased = owner.one(Customer, id=TWIN)
    assert (erased.first_name, erased.last_name, erased.email) == ("Erased", "", f"erased-{TWIN}@invalid.test")
    assert (erased.phone, erased.status, owner.count(Address)) == (None, "erased", 0)
    order = owner.one(Order, number="100135")
    assert (order.customer_name, order.total, order.email) == ("Erased", 100_000, f"erased-{TWIN}@invalid.test")
    left = json.dumps(
        [everything(owner.world)["order_addresses"][-4:], [str(value) for value in vars(erased).values()]]
    )
    for personal in ("Lindqvist", "Juniper", "post.example", "6145550134"):
        assert personal not in left
    assert owner.get(f"/customers/{TWIN}").status_code == 200
    assert owner.get("/orders?q=lindqvist&f=status:in:canceled").text.count('class="primary"') == 0


@pytest.mark.parametrize("tab", ["", "/addresses", "/orders", "/reviews", "/credit", "/activity"])
@pytest.mark.parametrize("id", [TWIN, QUIET])
@pytest.mark.parametrize("role", ["manager", "analyst"])
def test_every_tab_is_a_page_on_record(ask, role, id, tab):
    asker = ask(role)
    assert asker.get(f"/customers/{id}{tab}").status_code == 200
    assert asker.view().path == f"/customers/{id}{tab}"


def test_activity_tells_changes_in_words_and_masks_phones_for_analysts(ask):
    manager = ask()
    manager.post(f"/customers/{TWIN}", {**PROFILE, "phone": "+1 614 555 0177"})
    text = manager.get(f"/customers/{TWIN}/activity").text
    assert "Max Manager</b> edited the profile" in text
    assert "<del>+1 614-555-0134</del> → <ins>+1 614-555-0177</ins>" in text
    assert "614-555" not in ask("analyst").get(f"/customers/{TWIN}/activity").text
