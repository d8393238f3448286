"""Each use case writes exactly the rows that its effect lists, and nothing where it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sitegym.sites.kit.rules import Forbidden, NotFound, Refused, Stale
from sitegym.sites.kit.world import WorldContext
from sitegym.sites.store import models
from sitegym.sites.store.recompute import recompute
from sitegym.sites.store.services import PERMISSIONS, USE_CASES, Actor, actor_for, allowed, control, sessions
from sitegym.sites.store.services.permissions import EVERYBODY, ROLES
from sqlalchemy import select

SILENT = {"v", "updated_at"}
Changes = dict[str, Any]


def dump(world: WorldContext) -> dict[str, dict[Any, dict[str, Any]]]:
    """Every row of every table but the audit log and the sequences, by key."""
    with world.read() as db:
        return {
            table.name: {
                tuple(row[c.name] for c in table.primary_key): {k: v for k, v in row.items() if k not in SILENT}
                for row in db.execute(select(table)).mappings()
            }
            for table in models.Base.metadata.sorted_tables
            if table.name not in {"audit_log", "sequences", "web_sessions"}
        }


def changes(before: Any, after: Any) -> Changes:
    """`+table` and `-table` to rows, and `table` to a list of what changed in each row."""
    found: Changes = {}
    for name, rows in after.items():
        old = before[name]
        if new := [row for key, row in rows.items() if key not in old]:
            found[f"+{name}"] = new
        if gone := [row for key, row in old.items() if key not in rows]:
            found[f"-{name}"] = gone
        changed = [
            {k: v for k, v in row.items() if v != old[key][k]} for key, row in rows.items() if old.get(key, row) != row
        ]
        if changed:
            found[name] = changed
    return found


@pytest.fixture
def run(world: WorldContext) -> Callable[..., Changes]:
    """Calls a use case as the manager and gives what it changed."""

    def call(use_case: str, *, role: str = "manager", **fields: Any) -> Changes:
        before = dump(world)
        USE_CASES[use_case](world, actor_for(world, role), **fields)
        return changes(before, dump(world))

    return call


@pytest.fixture
def audits(world: WorldContext) -> Callable[[], list[models.AuditRow]]:
    """The audit rows, oldest first."""

    def read() -> list[models.AuditRow]:
        with world.read() as db:
            return list(db.scalars(select(models.AuditRow).order_by(models.AuditRow.id)))

    return read


def one(world: WorldContext, model: Any, **equals: Any) -> Any:
    """The one row with these values."""
    with world.read() as db:
        return db.scalars(select(model).filter_by(**equals)).one()


def shipments_of(world: WorldContext, number: str) -> list[models.Shipment]:
    """An order's shipments, oldest first."""
    order = one(world, models.Order, number=number)
    with world.read() as db:
        return list(db.scalars(select(models.Shipment).filter_by(order_id=order.id).order_by(models.Shipment.id)))


def test_cancel_writes_status_lines_stock_history_and_mail(run, number, world):
    made = run("orders.cancel", number=number("pending"), reason="out_of_stock")
    order = one(world, models.Order, number=number("pending"))
    assert made.pop("orders") == [{"status": "canceled", "cancel_reason": "out_of_stock"}]
    assert made.pop("order_items") == [{"qty_canceled": 2}, {"qty_canceled": 1}]
    assert [set(row) for row in made.pop("stock")] == [{"reserved"}, {"reserved"}]
    moves = made.pop("+stock_moves")
    assert [(m["kind"], m["d_on_hand"], m["d_reserved"], m["ref_id"]) for m in moves] == [
        ("release", 0, -2, order.id),
        ("release", 0, -1, order.id),
    ]
    (event,) = made.pop("+order_events")
    assert (event["kind"], event["from_status"], event["to_status"]) == ("status", "pending", "canceled")
    (mail,) = made.pop("+outbox_emails")
    assert (mail["to_email"], mail["template"], mail["entity_id"]) == (order.email, "order_canceled", order.id)
    assert made == {}


def test_cancel_without_mail_sends_none(run, number):
    assert "+outbox_emails" not in run("orders.cancel", number=number("pending"), reason="fraud", notify=False)


def test_cancel_forgets_that_a_coupon_was_used(run, number):
    made = run("orders.cancel", number=number("with coupon"), reason="other")
    assert len(made["-coupon_uses"]) == 1
    assert made["coupons"] == [{"used_count": 0}]


def test_cancel_gives_store_credit_back(run, number, world):
    made = run("orders.cancel", number=number("by credit"), reason="customer_request")
    order = one(world, models.Order, number=number("by credit"))
    assert [(row["delta"], row["customer_id"]) for row in made["+store_credit_entries"]] == [(order.total, 1)]


def test_rejecting_a_fraud_review_is_a_cancel_for_fraud(run, number):
    made = run("orders.reject_fraud", number=number("fraud"))
    assert made["orders"] == [{"status": "canceled", "cancel_reason": "fraud"}]
    assert "+stock_moves" in made
    assert "+outbox_emails" in made


def test_accepting_a_fraud_review_writes_the_status_and_its_event(run, number):
    made = run("orders.accept_fraud", number=number("fraud"))
    assert made.pop("orders") == [{"status": "pending"}]
    assert len(made.pop("+order_events")) == 1
    assert made == {}


def test_hold_remembers_the_status_and_release_brings_it_back(run, number):
    held = run("orders.hold", number=number("invoiced"), reason="stock_check")
    assert held.pop("orders") == [{"status": "on_hold", "prev_status": "processing", "hold_reason": "stock_check"}]
    assert [event["to_status"] for event in held.pop("+order_events")] == ["on_hold"]
    assert held == {}
    released = run("orders.unhold", number=number("invoiced"))
    assert released.pop("orders") == [{"status": "processing", "prev_status": None, "hold_reason": None}]
    assert len(released.pop("+order_events")) == 1
    assert released == {}


@pytest.mark.parametrize("notify", [True, False])
def test_a_comment_is_one_event_and_a_mail_only_if_asked_for(run, number, notify):
    made = run("orders.comment", number=number("guest"), body="  It ships on Monday.\r\nPromised. ", notify=notify)
    (event,) = made.pop("+order_events")
    assert (event["kind"], event["body"]) == ("comment", "It ships on Monday.\nPromised.")
    assert event["notify_customer"] is notify
    mails = made.pop("+outbox_emails", [])
    assert [mail["to_email"] for mail in mails] == (["soren@guest.example"] if notify else [])
    assert all("It ships on Monday." in mail["body"] for mail in mails)
    assert made == {}


def test_an_address_edit_touches_that_address_only(run, number, world):
    made = run("orders.edit_address", number=number("pending"), kind="shipping", line1=" 7  Elm St ", city="Łódź",
               region="BE", country="DE", postcode="10115", phone="030 1234567")  # fmt: skip
    assert made.pop("order_addresses") == [
        {"line1": "7 Elm St", "city": "Łódź", "city_key": "lodz", "region": "BE", "country": "DE", "postcode": "10115",
         "phone": "+49301234567"}
    ]  # fmt: skip
    assert len(made.pop("+order_events")) == 1
    assert made == {}


def test_an_unchanged_form_writes_nothing_at_all(run, number, world, audits):
    before = len(audits())
    address = one(world, models.OrderAddress, order_id=one(world, models.Order, number=number("pending")).id,
                  kind="shipping")  # fmt: skip
    assert run("orders.edit_address", number=number("pending"), kind="shipping", line1=address.line1) == {}
    assert run("orders.assign", number=number("pending"), staff_id=None) == {}
    assert run("orders.tag", number=number("pending"), remove=["gift"]) == {}
    assert len(audits()) == before


def test_assigning_tells_the_person(run, number):
    made = run("orders.assign", number=number("pending"), staff_id=4)
    assert made.pop("orders") == [{"assigned_to": 4}]
    assert [(row["staff_id"], row["kind"]) for row in made.pop("+notifications")] == [(4, "order_assigned")]
    assert made == {}


def test_tags_are_put_on_and_taken_off(run, number):
    assert len(run("orders.tag", number=number("pending"), add=["gift", "vip"])["+order_tags"]) == 2
    made = run("orders.tag", number=number("pending"), add=["rush", "vip"], remove=["gift"])
    assert (len(made["+order_tags"]), len(made["-order_tags"]), len(made)) == (1, 1, 2)


def test_tracking_goes_to_the_shipment_that_was_named(run, number, world):
    _, second = shipments_of(world, number("two parcels"))
    made = run("shipments.add_track", number=second.number, carrier="ups", tracking="1z 999aa1 0123456784")
    (track,) = made.pop("+shipment_tracks")
    assert (track["shipment_id"], track["carrier"], track["title"]) == (second.id, "ups", "UPS")
    assert track["number"] == "1Z999AA10123456784"
    assert len(made.pop("+order_events")) == 1
    assert made == {}


@pytest.mark.parametrize(
    ("carrier", "good", "bad"),
    [
        ("fedex", ["123456789012", "123456789012345"], ["1234567890123", "12345678901a", ""]),
        ("ups", ["1Z999AA10123456784"], ["1Z999AA1012345678", "2Z999AA10123456784", "1Z999AA101234567845"]),
        ("usps", ["9" * 20, "9" * 22], ["9" * 19, "9" * 23]),
        ("dhl", ["1234567890"], ["123456789", "12345678901", "١٢٣٤٥٦٧٨٩٠"]),
        ("other", ["ABCD", "x" * 40], ["abc", "x" * 41]),
        ("pigeon", [], ["123456789012"]),
    ],
)
def test_tracking_formats(world, number, run, carrier, good, bad):
    (shipment,) = shipments_of(world, number("shipped"))
    for tracking in good:
        run("shipments.add_track", number=shipment.number, carrier=carrier, tracking=tracking)
    for tracking in bad:
        before = dump(world)
        with pytest.raises(Refused) as error:
            run("shipments.add_track", number=shipment.number, carrier=carrier, tracking=tracking)
        assert error.value.code in {"TRACKING_FORMAT", "REQUIRED", "NOT_A_CHOICE"}
        assert error.value.field in {"tracking", "carrier"}
        assert dump(world) == before


def test_invoicing_by_card_takes_the_money_at_once(run, number, world):
    made = run("invoices.create", number=number("pending"))
    order = one(world, models.Order, number=number("pending"))
    (invoice,) = made.pop("+invoices")
    assert (invoice["status"], invoice["total"], invoice["shipping"]) == ("paid", order.total, 500)
    assert [row["amount"] for row in made.pop("+payments")] == [order.total]
    assert made.pop("orders") == [{"status": "processing", "paid": order.total}]
    assert made.pop("order_items") == [{"qty_invoiced": 2}, {"qty_invoiced": 1}]
    assert len(made.pop("+invoice_items")) == 2
    assert len(made.pop("+order_events")) == 1
    assert len(made.pop("+outbox_emails")) == 1
    assert made == {}


def test_a_bank_transfer_waits_until_it_is_marked_paid(run, number, world):
    made = run("invoices.create", number=number("transfer"), lines={_items(world, number("transfer"))[0]: 2})
    assert "+payments" not in made
    (invoice,) = made["+invoices"]
    with pytest.raises(Refused) as error:
        run("shipments.create", number=number("transfer"))
    assert error.value.code == "NOT_PAID"
    paid = run("invoices.mark_paid", number=invoice["number"])
    assert set(paid) == {"invoices", "+payments", "orders"}
    assert paid["orders"] == [{"paid": invoice["total"]}]


def test_part_invoices_add_up_to_the_order(run, number, world):
    item = _items(world, number("transfer"))[0]
    totals = [run("invoices.create", number=number("transfer"), lines={item: 1})["+invoices"][0] for _ in range(3)]
    order = one(world, models.Order, number=number("transfer"))
    assert sum(invoice["total"] for invoice in totals) == order.total
    assert [invoice["shipping"] for invoice in totals] == [500, 0, 0]


def test_shipping_everything_completes_the_order(run, number):
    made = run("shipments.create", number=number("invoiced"), notify=False,
               tracks=[{"carrier": "dhl", "number": "1234567890"}])  # fmt: skip
    assert made.pop("orders") == [{"status": "complete"}]
    assert [row["status"] for row in made.pop("+shipments")] == ["shipped"]
    assert [set(row) for row in made.pop("stock")] == [{"on_hand", "reserved"}] * 2
    assert [(m["kind"], m["d_on_hand"], m["d_reserved"]) for m in made.pop("+stock_moves")] == [
        ("ship", -2, -2),
        ("ship", -1, -1),
    ]
    assert made.pop("order_items") == [{"qty_shipped": 2}, {"qty_shipped": 1}]
    assert len(made.pop("+shipment_items")) == 2
    assert len(made.pop("+shipment_tracks")) == 1
    assert len(made.pop("+order_events")) == 1
    assert made == {}


def test_cash_on_delivery_ships_before_it_is_paid(run, number):
    run("invoices.create", number=number("on delivery"))
    assert run("shipments.create", number=number("on delivery"))["orders"] == [{"status": "complete"}]


def test_a_full_refund_closes_the_order_and_restocks_what_was_ticked(run, number, world):
    first, second = _items(world, number("shipped"))
    made = run("refunds.create", number=number("shipped"), restock=[first], shipping=500)
    order = one(world, models.Order, number=number("shipped"))
    assert made.pop("orders") == [{"status": "closed", "refunded": order.paid}]
    assert [row["total"] for row in made.pop("+refunds")] == [order.paid]
    assert made.pop("order_items") == [{"qty_refunded": 2}, {"qty_refunded": 1}]
    assert [(m["kind"], m["d_on_hand"]) for m in made.pop("+stock_moves")] == [("restock", 2)]
    assert [(row["kind"], row["amount"]) for row in made.pop("+payments")] == [("refund", order.paid)]
    assert [row["restock"] for row in made.pop("+refund_items")] == [True, False]
    assert set(made) == {"stock", "+order_events", "+outbox_emails"}
    assert second


def test_units_not_yet_shipped_are_canceled_by_a_refund(run, number, world):
    first, _ = _items(world, number("invoiced"))
    made = run("refunds.create", number=number("invoiced"), lines={first: 1}, restock=[first], method="store_credit")
    assert made["order_items"] == [{"qty_refunded": 1, "qty_canceled": 1}]
    assert [(m["kind"], m["d_reserved"]) for m in made["+stock_moves"]] == [("release", -1)]
    assert "+payments" not in made
    assert [row["delta"] for row in made["+store_credit_entries"]] == [2200]
    assert run("shipments.create", number=number("invoiced"))["orders"] == [{"status": "complete"}]


def test_a_clerk_above_the_limit_only_asks(run, number, world, audits):
    made = run("refunds.create", role="clerk", number=number("invoiced"))
    assert set(made) == {"+refunds", "+refund_items", "+notifications"}
    (refund,) = made["+refunds"]
    assert refund["status"] == "pending_approval"
    issued = run("refunds.decide", number=refund["number"], approve=True)
    assert issued["refunds"] == [
        {"status": "issued", "decided_by": 2, "decided_at": world.now()}
    ]  # the note stays empty
    assert "+payments" in issued


@pytest.mark.parametrize(
    ("case", "use_case", "fields", "code"),
    [
        ("invoiced", "orders.cancel", {"reason": "fraud"}, "ORDER_INVOICED"),
        ("shipped", "orders.cancel", {"reason": "fraud"}, "ORDER_INVOICED"),
        ("held", "orders.cancel", {"reason": "fraud"}, "ORDER_STATE"),
        ("pending", "orders.cancel", {"reason": ""}, "REASON_REQUIRED"),
        ("pending", "orders.cancel", {"reason": "boredom"}, "REASON_REQUIRED"),
        ("held", "orders.hold", {"reason": "other"}, "ORDER_STATE"),
        ("shipped", "orders.hold", {"reason": "other"}, "ORDER_STATE"),
        ("pending", "orders.hold", {"reason": "fraud"}, "REASON_REQUIRED"),
        ("pending", "orders.unhold", {}, "ORDER_STATE"),
        ("pending", "orders.accept_fraud", {}, "ORDER_STATE"),
        ("pending", "orders.comment", {"body": " \n "}, "COMMENT_EMPTY"),
        ("pending", "orders.comment", {"body": "x" * 1001}, "TOO_LONG"),
        ("pending", "orders.assign", {"staff_id": 6}, "NOT_A_CHOICE"),
        ("pending", "orders.tag", {"add": ["nonsense"]}, "NOT_A_CHOICE"),
        ("shipped", "orders.edit_address", {"line1": "7 Elm St"}, "ORDER_SHIPPED"),
        ("pending", "orders.edit_address", {"line1": ""}, "REQUIRED"),
        ("pending", "orders.edit_address", {"country": "CA"}, "REGION_OF_COUNTRY"),
        ("pending", "orders.edit_address", {"country": "FR"}, "NOT_A_CHOICE"),
        ("pending", "orders.edit_address", {"postcode": "9720"}, "POSTCODE_FORMAT"),
        ("pending", "orders.edit_address", {"phone": "call me"}, "PHONE_FORMAT"),
        ("held", "invoices.create", {}, "ORDER_STATE"),
        ("shipped", "invoices.create", {}, "ORDER_STATE"),
        ("invoiced", "invoices.create", {}, "NOTHING_CHOSEN"),
        ("pending", "shipments.create", {}, "ORDER_STATE"),
        ("pending", "refunds.create", {}, "ORDER_STATE"),
        ("shipped", "refunds.create", {"lines": {}, "shipping": 501}, "REFUND_TOO_HIGH"),
        ("shipped", "refunds.create", {"lines": {}}, "REFUND_ZERO"),
        ("shipped", "refunds.create", {"method": "shells"}, "NOT_A_CHOICE"),
    ],
)
def test_a_refusal_has_its_code_and_writes_nothing(world, number, audits, case, use_case, fields, code):
    before, seen = dump(world), len(audits())
    with pytest.raises(Refused) as error:
        USE_CASES[use_case](world, actor_for(world, "manager"), number=number(case), **fields)
    assert error.value.code == code
    assert dump(world) == before
    assert len(audits()) == seen


def test_a_canceled_order_is_final(run, number):
    run("orders.cancel", number=number("pending"), reason="other")
    for use_case, fields in (("orders.cancel", {"reason": "other"}), ("orders.hold", {"reason": "other"})):
        with pytest.raises(Refused) as error:
            run(use_case, number=number("pending"), **fields)
        assert "canceled" in error.value.message


def test_units_that_are_not_on_hand_cannot_ship(run, number, world):
    with world.write() as db:
        db.get_one(models.Stock, 3).on_hand = 1
    with pytest.raises(Refused) as error:
        run("shipments.create", number=number("invoiced"))
    assert error.value.code == "NOT_ON_HAND"


def test_a_write_leaves_one_audit_row_with_old_and_new(run, number, audits, world):
    seen = len(audits())
    run("orders.hold", number=number("pending"), reason="address_check")
    (row,) = audits()[seen:]
    assert (row.action, row.entity, row.actor_kind, row.actor_id) == ("orders.hold", "order", "staff", 2)
    assert row.entity_id == one(world, models.Order, number=number("pending")).id
    changed = {change["field"]: (change["old"], change["new"]) for change in json.loads(row.changes_json)}
    assert changed == {
        "status": ("pending", "on_hold"),
        "prev_status": (None, "pending"),
        "hold_reason": (None, "address_check"),
    }


def test_a_stale_form_is_refused_with_who_when_and_both_values(run, number, world):
    order = one(world, models.Order, number=number("pending"))
    clerk = actor_for(world, "clerk")
    USE_CASES["orders.hold"](world, clerk, number=order.number, reason="other", v=order.v)
    before = dump(world)
    with pytest.raises(Stale) as error:
        run("orders.hold", number=order.number, reason="stock_check", v=order.v)
    conflict = error.value.conflict
    assert (conflict.by, conflict.at, conflict.version) == ("Carl Clerk", world.now(), order.v + 1)
    assert [(f.label, f.mine, f.theirs) for f in conflict.fields] == [("Hold reason", "stock_check", "other")]
    assert dump(world) == before


ORDER_USE_CASES = {
    "orders.cancel": {"reason": "other"},
    "orders.hold": {"reason": "other"},
    "orders.unhold": {},
    "orders.accept_fraud": {},
    "orders.reject_fraud": {},
    "orders.comment": {"body": "x"},
    "orders.edit_address": {"city": "Salem"},
    "orders.assign": {"staff_id": 4},
    "orders.tag": {"add": ["gift"]},
    "invoices.create": {},
    "shipments.create": {},
    "refunds.create": {},
}


@pytest.mark.parametrize("use_case", ORDER_USE_CASES)
def test_who_may_not_is_refused_and_leaves_only_a_denied_row(world, number, audits, use_case):
    before, seen = dump(world), len(audits())
    with pytest.raises(Forbidden):
        USE_CASES[use_case](world, actor_for(world, "analyst"), number=number("pending"), **ORDER_USE_CASES[use_case])
    (row,) = audits()[seen:]
    assert (row.action, row.entity, row.actor_id) == ("denied", "order", 5)
    assert row.entity_id == one(world, models.Order, number=number("pending")).id
    assert json.loads(row.changes_json)[0]["new"] == use_case
    assert dump(world) == before


@pytest.mark.parametrize("use_case", ["shipments.add_track", "shipments.mark_delivered", "shipments.mark_lost"])
def test_who_may_not_touch_a_shipment_is_refused(world, number, audits, use_case):
    fields = {"carrier": "dhl", "tracking": "1234567890"} if use_case.endswith("track") else {}
    (shipment,) = shipments_of(world, number("shipped"))
    with pytest.raises(Forbidden):
        USE_CASES[use_case](world, actor_for(world, "analyst"), number=shipment.number, **fields)
    assert (audits()[-1].action, audits()[-1].entity_id) == ("denied", shipment.id)


def test_an_unknown_number_is_not_found_for_everybody(world):
    for role in ("manager", "analyst"):
        with pytest.raises(NotFound):
            USE_CASES["orders.cancel"](world, actor_for(world, role), number="999999", reason="other")


def test_derived_columns_equal_their_recomputation_after_everything(run, number, world):
    run("orders.cancel", number=number("with coupon"), reason="other")
    run("orders.edit_address", number=number("pending"), city="Malmö", region="CA", postcode="90001")
    run("invoices.create", number=number("pending"))
    run("shipments.create", number=number("pending"))
    run("refunds.create", number=number("pending"), shipping=500)
    rows = dump(world)

    class Rows:
        def rows(self, table: str, **equals: Any) -> list[dict[str, Any]]:
            return [row for row in rows[table].values() if all(row[k] == v for k, v in equals.items())]

    for table, wanted in recompute(Rows(), ["orders", "order_addresses", "coupons", "stock"]).items():
        for key, values in wanted.items():
            found = rows[table][key if isinstance(key, tuple) else (key,)]
            values.pop("search_key", None)  # the small shop has none
            assert {name: found[name] for name in values} == values, (table, key)


def test_every_use_case_has_a_permission_and_forbidden_controls_look_as_planned():
    assert set(USE_CASES) <= set(PERMISSIONS)
    forbidding = [permission for permission in PERMISSIONS.values() if permission.roles != EVERYBODY]
    looks = [permission.look for permission in forbidding]
    for look, share in (("hidden", 1 / 2), ("disabled", 1 / 4), ("shown", 1 / 4)):
        assert abs(looks.count(look) - share * len(looks)) <= 1
    assert {control("owner", name) for name in PERMISSIONS} == {"shown"}
    assert all(control(role, name) == "shown" for role in ROLES for name in PERMISSIONS if allowed(role, name))


def test_session_tokens_come_from_the_secret_and_a_counter(world):
    first, second = sessions.sign_in(world, "manager"), sessions.sign_in(world, "manager")
    assert first.value != second.value
    assert sessions.current(world, first.value) == Actor("staff", 2, "manager", "Max Manager")
    sessions.logout(world, first.value)
    assert sessions.current(world, first.value) is None
    assert sessions.current(world, second.value) is not None
    assert sessions.current(world, "forged") is None


def test_a_session_dies_with_the_account(world):
    cookie = sessions.sign_in(world, "clerk")
    with world.write() as db:
        db.get_one(models.Staff, 4).active = False
    assert sessions.current(world, cookie.value) is None


def _items(world: WorldContext, number: str) -> list[int]:
    with world.read() as db:
        order = db.scalars(select(models.Order).filter_by(number=number)).one()
        return [item.id for item in order.items]
