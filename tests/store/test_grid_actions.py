"""Mass actions, asked directly: what is applied and what is refused, row by row, and what stops the whole of it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from asking import Asker
from sitegym.sites.kit import csrf
from sitegym.sites.store.models import AuditRow, Customer, CustomerTag, Order, OrderEvent, OrderTag, OutboxEmail
from small_shop import NUMBERS

PENDING, INVOICED, HELD, FRAUD = (NUMBERS[case] for case in ("pending", "invoiced", "held", "fraud"))
REASON = {"reason": "unpaid"}


def pick(asker: Asker, *numbers: str) -> list[str]:
    """Orders as the page names them: id and version."""
    orders = [asker.one(Order, number=number) for number in numbers]
    return [f"{order.id}:{order.v}" for order in orders]


def act(asker: Asker, action: str, fields: dict[str, Any], grid: str = "orders", turn: int = 1) -> Any:
    """Send the form of a mass action; the answer is for a script."""
    path = f"/grids/{grid}/actions/{action}"
    seal = {"csrf": csrf.token(asker.world.secret, asker.token), "turn": str(turn), "back": f"/{grid}", **fields}
    return asker.ask("POST", path, data=seal, headers={"Accept": "application/json"})


def results(asker: Asker, response: Any) -> dict[str, str]:
    """What the page says of each row after an action: "Done", or why not."""
    assert response.status_code == 200, response.text
    page = asker.get(response.json["to"]).text
    table = page[page.index('aria-label="Results"') :]
    rows = re.findall(r'<tr><td class="primary">(.*?)</td><td>.*?>(Done|Refused)<.*?<td class="wrap">(.*?)</td>', table)
    return {re.sub("<.*?>", "", name): why or said for name, said, why in rows}


def status(asker: Asker, number: str) -> str:
    """The status of an order."""
    return str(asker.one(Order, number=number).status)


def test_valid_rows_are_canceled_and_the_others_say_why(ask):
    asker = ask()
    answer = act(asker, "cancel", {"pick": pick(asker, PENDING, INVOICED, HELD, FRAUD), **REASON, "notify": "1"})
    assert results(asker, answer) == {
        f"Order {PENDING}": "Done",
        f"Order {FRAUD}": "Done",
        f"Order {INVOICED}": "Order cannot be canceled because it has been invoiced.",
        f"Order {HELD}": "Order cannot be canceled because it is on hold.",
    }
    assert [status(asker, number) for number in (PENDING, FRAUD, INVOICED, HELD)] == [
        "canceled",
        "canceled",
        "processing",
        "on_hold",
    ]
    assert asker.count(AuditRow, action="orders.cancel") == 2
    assert asker.count(OutboxEmail, template="order_canceled") == 2


def test_the_refused_rows_stay_chosen(ask):
    asker = ask()
    answer = act(asker, "cancel", {"pick": pick(asker, PENDING, INVOICED), **REASON})
    page = asker.get(answer.json["to"]).text
    order = asker.one(Order, number=INVOICED)
    assert f'data-carried="[&#34;{order.id}:{order.v}&#34;]"' in page
    assert "1 order canceled, 1 refused." in page


def test_one_row_is_told_by_a_toast(ask):
    asker = ask()
    done = act(asker, "hold", {"pick": pick(asker, PENDING), "reason": "stock_check"})
    assert f'data-text="Order {PENDING} put on hold." data-tone="good"' in asker.get(done.json["to"]).text
    again = act(asker, "hold", {"pick": pick(asker, PENDING), "reason": "stock_check"}, turn=2)
    page = asker.get(again.json["to"]).text
    assert f'data-text="Order {PENDING}: Order cannot be put on hold because it is on hold." data-tone="bad"' in page


def test_all_that_match_are_found_again_on_the_server(ask):
    asker = ask()
    query = "f=status:in:pending"
    found = asker.get("/grids/orders/selection", query_string={"list": query}).json
    with asker.world.read() as db:
        pending = db.query(Order).filter_by(status="pending").count()
    assert found["count"] == pending > 1
    answer = act(asker, "hold", {"all": "1", **found, "list": query, "reason": "other"})
    assert set(results(asker, answer).values()) == {"Done"}
    assert asker.count(Order, status="pending") == 0
    assert asker.count(OrderEvent, to_status="on_hold") == pending + 1  # the held one was held before


def test_another_number_of_rows_than_confirmed_does_nothing(ask):
    asker = ask()
    query = "f=status:in:pending"
    found = asker.get("/grids/orders/selection", query_string={"list": query}).json
    act(asker, "hold", {"pick": pick(asker, PENDING), "reason": "other"})
    before = asker.count(Order, status="on_hold")
    answer = act(asker, "hold", {"all": "1", **found, "list": query, "reason": "other"}, turn=2)
    assert (answer.status_code, answer.json["code"]) == (422, "SELECTION_COUNT")
    assert answer.json["message"] == (
        f"{found['count']} were chosen, but {found['count'] - 1} match now. Nothing was done; look at the list again."
    )
    assert asker.count(Order, status="on_hold") == before


def test_other_rows_than_confirmed_do_nothing_although_the_number_is_the_same(ask):
    asker = ask()
    query = "q=lindqvist"
    found = asker.get("/grids/orders/selection", query_string={"list": query}).json
    act(asker, "hold", {"pick": pick(asker, PENDING), "reason": "other"})
    answer = act(asker, "tag", {"all": "1", **found, "list": query, "tags": ["rush"]}, turn=2)
    assert (answer.status_code, answer.json["code"]) == (422, "SELECTION_CHANGED")
    assert asker.count(OrderTag, tag_id=2) == 0


def test_a_number_that_the_page_made_up_does_nothing(ask):
    asker = ask()
    answer = act(asker, "cancel", {"all": "1", "count": "9999", "mark": "x", "list": "", **REASON})
    assert answer.json["code"] == "SELECTION_COUNT"
    assert asker.count(Order, status="canceled") == 1


def test_a_form_sent_twice_is_carried_out_once(ask):
    asker = ask()
    fields = {"pick": pick(asker, PENDING, FRAUD), **REASON, "notify": "1"}
    first, second = act(asker, "cancel", fields), act(asker, "cancel", fields)
    assert first.json == second.json
    assert results(asker, second) == {f"Order {PENDING}": "Done", f"Order {FRAUD}": "Done"}
    assert asker.count(OutboxEmail, template="order_canceled") == 2


def test_two_tabs_with_the_same_turn_are_two_actions(ask):
    asker = ask()
    act(asker, "tag", {"pick": pick(asker, PENDING, FRAUD), "tags": ["rush"]})
    act(asker, "tag", {"pick": pick(asker, PENDING, FRAUD), "tags": ["gift"]})
    assert asker.count(OrderTag, tag_id=1) == 4  # two had it before
    assert asker.count(OrderTag, tag_id=2) == 2


def test_a_row_that_somebody_changed_meanwhile_is_refused_alone(ask):
    asker, other = ask(), ask("owner")
    picks = pick(asker, PENDING, FRAUD)
    act(other, "tag", {"pick": pick(other, PENDING), "tags": ["rush"]})
    answer = act(asker, "cancel", {"pick": picks, **REASON})
    assert results(asker, answer) == {f"Order {PENDING}": "Changed meanwhile by Olga Owner.", f"Order {FRAUD}": "Done"}


@pytest.mark.parametrize(
    "picks",
    [
        pytest.param([], id="none"),
        pytest.param(["99999:1"], id="no-such-row"),
        pytest.param(["one", "-3:1", "1e3", ""], id="no-ids"),
    ],
)
def test_forged_or_missing_rows_do_nothing(ask, picks):
    answer = act(ask(), "cancel", {"pick": picks, **REASON})
    assert (answer.status_code, answer.json["code"]) == (422, "SELECTION_EMPTY")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param({}, "REASON", id="missing"),
        pytest.param({"reason": "because"}, "REASON", id="made-up"),
    ],
)
def test_a_wrong_entry_in_the_dialog_is_told_beside_its_field(ask, fields, code):
    asker = ask()
    answer = act(asker, "cancel", {"pick": pick(asker, PENDING), **fields})
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json["problems"]] == ["reason"]
    assert status(asker, PENDING) == "pending"


@pytest.mark.parametrize(
    ("role", "grid", "action", "fields"),
    [
        pytest.param("analyst", "orders", "cancel", REASON, id="analyst-cancels"),
        pytest.param("analyst", "orders", "tag", {"tags": ["rush"]}, id="analyst-tags"),
        pytest.param("clerk", "customers", "block", {}, id="clerk-blocks"),
        pytest.param("clerk", "customers", "group", {"group": "vip"}, id="clerk-moves"),
    ],
)
def test_a_role_that_may_not_is_refused_and_noted(ask, role, grid, action, fields):
    asker = ask(role)
    answer = act(asker, action, {"pick": ["1", "2", "3"], **fields}, grid=grid)
    assert answer.status_code == 403
    assert answer.json["message"].startswith("Your role may not ")
    assert asker.count(AuditRow, action="denied") == 1
    assert asker.count(Customer, status="blocked") == 1


def test_forbidden_actions_look_as_the_fixed_map_says(ask):
    page = ask("analyst").get("/orders").text
    bar = page[page.index('aria-label="Selection"') : page.index("data-unpick")]
    shown = dict(
        re.findall(r'<button[^>]*?(aria-disabled="true"|data-act="[^"]+")[^>]*>.*?</svg>([^<]+)</button>', bar)
    )
    assert "Assign" not in bar
    assert re.search(r'aria-disabled="true"[^>]*>(<svg.*?</svg>)?Hold<', bar)
    assert 'data-act="action-cancel"' in bar
    assert shown


def test_a_form_of_another_session_does_nothing(ask):
    asker = ask()
    fields = {"pick": pick(asker, PENDING), **REASON, "back": "/orders", "turn": "1"}
    assert asker.post("/grids/orders/actions/cancel", fields, token="forged").status_code == 403
    assert status(asker, PENDING) == "pending"


def test_without_a_script_the_form_leads_back_to_the_list(ask):
    asker = ask()
    fields = {"pick": pick(asker, PENDING), **REASON, "back": "/orders?f=status:in:pending", "turn": "1"}
    response = asker.post("/grids/orders/actions/cancel", fields)
    assert response.status_code == 303
    assert response.location == "/orders?f=status:in:pending&result=1"


def test_the_way_back_stays_on_the_site(ask):
    asker = ask()
    fields = {"pick": pick(asker, PENDING), **REASON, "back": "//evil.example/x", "turn": "1"}
    assert urlsplit(asker.post("/grids/orders/actions/cancel", fields).location).netloc == ""


def test_customers_are_moved_tagged_and_blocked_together(ask):
    asker = ask()
    assert act(asker, "group", {"pick": ["1", "2"], "group": "vip"}, "customers").status_code == 200
    assert asker.count(Customer, group_id=3) == 3
    act(asker, "tag", {"pick": ["1", "2"], "tags": ["vip", "rush"]}, "customers", turn=2)
    act(asker, "untag", {"pick": ["2"], "tags": ["rush"]}, "customers", turn=3)
    assert (asker.count(CustomerTag, customer_id=1), asker.count(CustomerTag, customer_id=2)) == (2, 1)
    act(asker, "block", {"pick": ["1", "2"]}, "customers", turn=4)
    assert asker.count(Customer, status="blocked") == 3
    act(asker, "unblock", {"pick": ["1"]}, "customers", turn=5)
    assert asker.one(Customer, id=1).status == "active"


def test_assigning_to_nobody_is_a_choice(ask):
    asker = ask()
    act(asker, "assign", {"pick": pick(asker, PENDING, FRAUD), "staff_id": "4"})
    assert asker.one(Order, number=PENDING).assigned_to == 4
    act(asker, "assign", {"pick": pick(asker, PENDING), "staff_id": "none"}, turn=2)
    assert asker.one(Order, number=PENDING).assigned_to is None


def test_an_action_or_list_that_does_not_exist_is_not_found(ask):
    assert act(ask(), "explode", {"pick": ["1"]}).status_code == 404
    assert act(ask(), "cancel", {"pick": ["1"]}, grid="planets").status_code == 404


def test_names_that_look_like_html_stay_text_in_every_place(ask):
    asker = ask()
    evil = "<img src=x onerror='alert(1)'>\" data-v=\"9"
    with asker.world.write() as db:
        db.get(Customer, 1).first_name = evil
    page = asker.get("/customers?q=m.ist").text
    assert "<img src=x" not in page
    assert 'data-v="9"' not in page
    answer = act(asker, "block", {"pick": ["1", "2"]}, "customers")
    assert "<img src=x" not in asker.get(answer.json["to"]).text


def test_a_list_with_nothing_to_do_for_the_role_has_no_boxes(ask):
    page = ask("analyst").get("/brands").text
    assert "data-pick-all" not in page
    assert "Alder" in page
