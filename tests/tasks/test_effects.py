"""Effects: what each use case writes is exactly what its effect declares, on every kind of order there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from sitegym.sites.world import World
from sitegym.tasks import Call
from sitegym.tasks.store import calls, effects
from sitegym.verifiers import Expectation, Finish, Inserted, Snapshot, Updated
from sitegym.verifiers.mutate import REFUSED, SURVIVED, mutate

from .conftest import STORE, Played

ADDRESS = {"full_name": "Zoë O'Dell", "line1": "12 Elm St", "line2": "Apt 4", "city": "Portland", "region": "OR",
           "postcode": "97201", "country": "US"}  # fmt: skip


def picked(tiny: Snapshot, where: str) -> str:
    """The first order of `tiny` like this."""
    found = tiny.query(f"SELECT o.number FROM orders o WHERE {where} ORDER BY o.id")
    assert found, where
    return str(found[0].number)


ORDERS = {
    "plain": "status = 'pending'",
    "with-a-coupon": "status = 'pending' AND EXISTS (SELECT 1 FROM coupon_uses u WHERE u.order_id = o.id)",
    "of-several-lines": "status = 'pending' AND (SELECT count(*) FROM order_items i WHERE i.order_id = o.id) > 1",
    "in-fraud-review": "status = 'fraud_review'",
}


@pytest.mark.parametrize("mail", [True, False, None])
@pytest.mark.parametrize("where", ORDERS.values(), ids=ORDERS)
def test_cancel(played: Played, tiny: Snapshot, where: str, mail: bool | None) -> None:
    number = picked(tiny, where)
    want = effects.cancel(tiny, number, "duplicate", mail=mail)
    for notify in (True, False):
        verdict = played(want, [calls.cancel(number, "duplicate", notify=notify)])
        assert verdict.reward == float(mail is None or mail is notify), verdict.reason
    assert played(want, [calls.cancel(number, "other", notify=bool(mail))]).reward == 0.0


def test_cancel_gives_store_credit_back(base: Snapshot) -> None:
    number = base.query("SELECT number FROM orders WHERE status = 'pending' AND pay_method = 'store_credit'")[0].number
    order = base.row("orders", number=number)
    want = effects.cancel(base, number, "other")
    (credit,) = [part for part in want.must if part.table == "store_credit_entries"]
    assert credit.values["delta"] == order.total > 0  # type: ignore[union-attr]


def test_hold_and_unhold(played: Played, tiny: Snapshot) -> None:
    number, held = picked(tiny, "status = 'pending'"), picked(tiny, "status = 'on_hold'")
    want = effects.hold(tiny, number, "stock_check")
    assert played(want, [calls.hold(number, "stock_check")]).reward == 1.0
    assert played(want, [calls.hold(number, "other")]).reward == 0.0
    assert played(want, [calls.hold(number, "stock_check"), calls.unhold(number)]).reward == 0.0
    assert played(effects.unhold(tiny, held), [calls.unhold(held)]).reward == 1.0


def test_held_and_released_is_clean(played: Played, tiny: Snapshot) -> None:
    number = picked(tiny, "status = 'pending'")
    assert played(Expectation(), [calls.hold(number), calls.unhold(number)]).reward == 1.0
    assert played(Expectation(), [calls.hold(number)]).reward == 0.0


@pytest.mark.parametrize("notify", [True, False])
def test_note(played: Played, tiny: Snapshot, notify: bool) -> None:
    number = picked(tiny, "status = 'complete'")
    want = effects.note(tiny, number, "We'll call   you.", notify=notify)
    note = calls.note(number, "we'll call you.", notify=notify)
    assert played(want, [note]).reward == 1.0
    assert played(want, [calls.note(number, "We'll call you.", notify=not notify)]).reward == 0.0
    assert played(want, [note, note]).reward == 0.0
    assert played(want, [calls.note(number, "We'll call you!", notify=notify)]).reward == 0.0


@pytest.mark.parametrize("kind", ["shipping", "billing"])
def test_addr(played: Played, tiny: Snapshot, kind: str) -> None:
    number = picked(tiny, "status = 'pending'")
    want = effects.addr(tiny, number, kind, ADDRESS)
    other = "billing" if kind == "shipping" else "shipping"
    assert played(want, [calls.addr(number, kind, ADDRESS)]).reward == 1.0
    assert played(want, [calls.addr(number, kind, {**ADDRESS, "line2": "Apt 5"})]).reward == 0.0
    assert played(want, [calls.addr(number, kind, {k: v for k, v in ADDRESS.items() if k != "line2"})]).reward == 0.0
    assert played(want, [calls.addr(number, other, ADDRESS)]).reward == 0.0
    assert played(want, [calls.addr(number, one, ADDRESS) for one in (kind, other)]).reward == 0.0


def test_track(played: Played, tiny: Snapshot) -> None:
    shipment = tiny.rows("shipments")[0].number
    want = effects.track(tiny, shipment, "ups", "1ZAAAAAAAAAAAAAAA7")
    assert played(want, [calls.track(shipment, "ups", "1zaaaaaaaaaaaaaaa7")]).reward == 1.0
    assert played(want, [calls.track(shipment, "ups", "1ZAAAAAAAAAAAAAAA8")]).reward == 0.0
    assert played(want, [calls.track(shipment, "other", "1ZAAAAAAAAAAAAAAA7")]).reward == 0.0


def test_two_effects_add_up(played: Played, tiny: Snapshot) -> None:
    number, other = picked(tiny, "status = 'pending'"), picked(tiny, "status = 'processing'")
    want = effects.cancel(tiny, number, "unpaid") + effects.note(tiny, other, "done", notify=False)
    both = [calls.note(other, "done", notify=False), calls.cancel(number, "unpaid")]
    assert played(want, both).reward == 1.0
    assert played(want, both[:1]).reward == 0.0
    assert played(want, both[1:]).reward == 0.0


def test_a_note_beside_a_correction_stays_when_the_correction_is_undone(played: Played, tiny: Snapshot) -> None:
    row = tiny.rows("stock")[0]

    def corrected(to: int, note: str) -> Call:
        return Call("stock.set_on_hand", {"variant_id": row.variant_id, "on_hand": to, "note": note})

    there, back = corrected(row.on_hand + 1, ""), corrected(row.on_hand, "")
    assert played(Expectation(), [there, back]).reward == 1.0
    for calls_ in ([corrected(row.on_hand + 1, "Counted."), back], [there, corrected(row.on_hand, "A slip.")]):
        verdict = played(Expectation(), calls_)
        assert (verdict.reward, verdict.clean) == (0.0, False)
        assert [one.table for one in verdict.damage] == ["stock_moves"]
        assert "note" in str(verdict.damage[0])


def test_every_mutant_of_a_move_with_a_note_is_refused_by_name(world: World, tiny: Snapshot, tmp_path: Path) -> None:
    """Such a move is data, but where its units no longer add up it is the stock that is named."""
    row = tiny.rows("stock")[0]
    on_hand, note = row.on_hand + 3, "Counted."
    world.reset()
    world.call("stock.set_on_hand", actor="manager", variant_id=row.variant_id, on_hand=on_hand, note=note)
    move = {"variant_id": row.variant_id, "kind": "correction", "d_on_hand": 3, "d_reserved": 0, "ref_kind": None,
            "ref_id": None, "note": note, "actor_id": effects.staff_of(tiny)}  # fmt: skip
    stock = Updated("stock", row.variant_id, {"on_hand": on_hand})
    want = Expectation(must=(stock, Inserted("stock_moves", move)))
    with Snapshot(world.freeze(tmp_path / "after.db"), STORE.metadata) as after:
        run = mutate(want, tiny, after, Finish(), recompute=STORE.recompute, rows=2, tables=["stock_moves"])
    assert run.by(lambda mutant: mutant.kind).keys() == {"delete", "change", "insert", "swap"}
    assert run.counts()[REFUSED] > 40
    assert [str(trial.mutant) for trial in run.trials if trial.result == SURVIVED or not trial.named] == []
