"""Dashboard, audit log, profile, staff and settings, asked directly: rules, roles, and numbers that agree."""

from __future__ import annotations

import html
import json
import re

import pytest
from people_shop import PASSWORD
from sitegym.sites.kit.rules import Forbidden, Refused, Stale
from sitegym.sites.store import sales
from sitegym.sites.store.admin import chart
from sitegym.sites.store.models import AuditRow, OutboxEmail, Setting, Staff, WebSession
from sitegym.sites.store.sales import Bucket, Span, Sum
from sitegym.sites.store.services import USE_CASES, Actor, actor_for, passwords, profile, sessions
from sqlalchemy import select

OWNER, MANAGER, CLERK, ANALYST, GONE = 1, 2, 4, 5, 6


def run(world, use_case: str, *, by: str = "owner", **fields):
    return USE_CASES[use_case](world, actor_for(world, by), **fields)


def account(world, id: int) -> dict:
    with world.read() as db:
        return {c.name: getattr(db.get_one(Staff, id), c.name) for c in Staff.__table__.columns}


def trail(world) -> list[tuple]:
    with world.read() as db:
        rows = db.scalars(select(AuditRow).where(AuditRow.entity.in_(("staff", "setting"))).order_by(AuditRow.id))
        return [(row.action, row.entity, row.entity_id, json.loads(row.changes_json)) for row in rows]


# sales


def test_the_span_before_has_the_same_length_and_ends_the_day_before():
    span = Span(first="2026-03-01", last="2026-03-18")
    assert (span.before(), span.days) == (Span(first="2026-02-11", last="2026-02-28"), 18)


def test_sales_are_orders_by_day_without_canceled_ones_and_fraud_reviews(people):
    with people.read() as db:
        days = sales.by_day(db, Span(first="2026-02-28", last="2026-03-10"))
    assert days["2026-02-28"] == Sum(orders=1, total=100_000)  # placed a second before midnight
    assert "2026-03-01" not in days  # the only one of that day was canceled
    assert days["2026-03-10"].orders == 11  # of twelve, one is in fraud review


@pytest.mark.parametrize(
    ("first", "last", "starts"),
    [
        ("2026-03-16", "2026-03-18", ["2026-03-16", "2026-03-17", "2026-03-18"]),
        ("2026-01-01", "2026-03-18", ["2026-01-01", "2026-01-05", "2026-01-12"]),
        ("2024-11-15", "2026-03-18", ["2024-11-15", "2024-12-01", "2025-01-01"]),
    ],
    ids=["days", "weeks-from-monday", "months"],
)
def test_long_spans_are_shown_in_longer_parts_that_add_up(first, last, starts):
    span = Span(first=first, last=last)
    days = {day: Sum(orders=1, total=n) for n, day in enumerate(span.each_day())}
    parts = sales.buckets(days, span)
    assert [part.first for part in parts][:3] == starts
    assert (parts[0].first, parts[-1].last) == (first, last)
    assert sales.add(part.now for part in parts) == sales.total(days, span)


@pytest.mark.parametrize("total", [0, 1, 99_99, 100_00, 123_456_78])
def test_a_chart_stays_inside_its_frame_and_its_axis_is_above_every_bar(total):
    parts = [
        Bucket(first="2026-03-01", last="2026-03-01", now=Sum(orders=1, total=amount), before=Sum(total=total // 2))
        for amount in (0, total // 3, total)
    ]
    drawn = chart.draw(parts, ["a", "b", "c"])
    assert 2 <= len(drawn.ticks) <= 6
    assert drawn.ticks[-1].cents >= total
    assert all(drawn.top <= bar.y and abs(bar.y + bar.height - drawn.floor) < 0.2 for bar in drawn.bars)
    assert drawn.bars[0].height == 0
    assert all(drawn.left <= bar.x and bar.x + bar.width <= drawn.right for bar in drawn.bars)


# dashboard


def test_the_dashboard_says_the_same_in_tiles_chart_and_table(ask):
    text = ask().get("/?from=2026-02-01&to=2026-03-18").text
    tile = re.search(r'aria-label="Sales: (\$[\d,.]+), ', text)
    total = re.search(r'<tfoot><tr><th scope="row">Total</th><td class="num"><b>(\d+)</b></td>'
                      r'<td class="num"><b>(\$[\d,.]+)</b>', text)  # fmt: skip
    assert tile
    assert total
    assert tile[1] == total[2]
    orders = re.search(r'aria-label="Orders: (\d+), ', text)
    assert orders
    assert orders[1] == total[1] == "12"
    rows = re.findall(r'<th scope="row">([^<]+)</th><td class="num">(\d+)</td><td class="num">(\$[\d,.]+)</td>', text)
    bars = re.findall(r'<g class="slot" data-name="([^"]+)" data-now="(\$[\d,.]+) · (\d+) orders?"', text)
    assert [(name, count, amount) for name, amount, count in bars] == rows
    assert len(rows) == 46


def test_cards_lead_to_lists_that_hold_as_many_rows(ask):
    manager = ask()
    text = manager.get("/?from=2026-02-01&to=2026-03-18").text
    for label, href, count in re.findall(
        r'<a href="([^"]+)" aria-label="(Orders|New customers|New reviews): (\d+)', text
    ):
        label, href = href, label
        listed = manager.get(html.unescape(href)).text
        assert re.search(rf">{count} (order|customer|review)s?<", listed), (label, href)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("from=2026-03-18&to=2026-03-01", "The first date must not be after the last one."),
        ("from=x&to=2026-03-01", "From must be a date such as 2026-03-18."),
        ("from=2026-03-01", "To is required."),
        ("from=1999-01-01&to=2026-03-01", "Choose at most 800 days."),
    ],
)
def test_a_wrong_span_is_told_and_the_usual_one_shown(ask, asked, message):
    response = ask().get(f"/?{asked}")
    assert response.status_code == 422
    assert message in html.unescape(response.text)
    assert "Key figures from Feb 17, 2026 to Mar 18, 2026" in response.text


def test_the_order_of_tiles_is_kept_for_the_person_and_leaves_no_trail(ask):
    manager, owner = ask(), ask("owner")
    before = account(manager.world, MANAGER)
    assert manager.post("/dashboard/tiles", {"tiles": "reviews,sales,gone"}).status_code == 200
    tiles = re.findall(r'data-tile="(\w+)"', manager.get("/").text)
    assert tiles == ["reviews", "sales", "orders", "average", "refunds", "customers"]
    assert re.findall(r'data-tile="(\w+)"', owner.get("/").text)[0] == "sales"
    after = account(manager.world, MANAGER)
    assert {name for name in after if after[name] != before[name]} == {"preferences_json"}
    assert trail(manager.world) == []
    assert manager.post("/dashboard/tiles", {"tiles": "a b,<c>"}).status_code == 422


# audit


def test_the_log_comes_in_blocks_that_neither_repeat_nor_miss_an_entry(ask, people):
    with people.write() as db:
        for number in range(1000, 1130):
            db.add(AuditRow(id=number, at="2026-03-17T08:00:00Z", actor_kind="system", action="orders.cancel",
                            entity="order", entity_id=1))  # fmt: skip
    analyst = ask("analyst")
    text = analyst.get("/audit").text
    seen = re.findall(r'data-entry="(\d+)"', text)
    more = re.search(r'data-more="(\d+)"', text)
    while more:
        block = json.loads(analyst.get(f"/audit/more?before={more[1]}").text)
        assert len(re.findall("<tr data-entry", block["rows"])) == block["count"]
        seen += re.findall(r'data-entry="(\d+)"', block["rows"])
        more = re.match(r"(\d+)", str(block["more"]))
    assert seen == sorted(set(seen), key=int, reverse=True)
    assert len(seen) == analyst.count(AuditRow)


@pytest.mark.parametrize(
    ("asked", "recorded", "shown"),
    [
        ("actor=staff-2", {"actor": [["in", ["staff-2"]]]}, 12),
        ("entity=order&action=orders.hold", {"entity": [["in", ["order"]]], "action": [["in", ["orders.hold"]]]}, 1),
        ("from=2026-03-01&to=2026-03-18", {"at": [["between", ["2026-03-01", "2026-03-18"]]]}, 13),
        ("from=2027-01-01", {"at": [["gte", "2027-01-01"]]}, 0),
    ],
)
def test_the_log_is_filtered_and_the_filter_put_on_record(ask, people, asked, recorded, shown):
    run(people, "profile.edit", by="clerk", name="Carl Clerk", phone="+1 614 555 0199")
    manager = ask()
    text = manager.get(f"/audit?{asked}").text
    assert manager.view().filters == recorded
    total = int(re.search(r">(\d+) entr(?:y|ies)<", text)[1])
    assert total == len(re.findall('data-entry="', text)) == shown


def test_an_entry_tells_fields_in_words_and_hides_phones_from_analysts(ask, people):
    run(people, "profile.edit", by="clerk", name="Carl Clerk", phone="+1 614 555 0199")
    assert "+1 614-555-0199" in ask().get("/audit").text
    masked = ask("analyst").get("/audit").text
    assert "•" in masked
    assert "614-555" not in masked
    assert "Edited the own profile" in masked


# profile


def test_a_profile_is_saved_with_its_key_and_an_unchanged_one_writes_nothing(people):
    saved = run(people, "profile.edit", by="clerk", name="Cárl  Clerk", phone="(614) 555-0199", v=1)
    after = account(people, CLERK)
    assert (after["name"], after["name_key"], after["phone"]) == ("Cárl Clerk", "carl clerk", "+16145550199")
    assert saved == {"v": 2, "changed": True}
    assert run(people, "profile.edit", by="clerk", name="Cárl Clerk", phone="+16145550199") == {
        "v": 2, "changed": False}  # fmt: skip
    assert [(action, id) for action, _, id, _ in trail(people)] == [("profile.edit", CLERK)]
    with pytest.raises(Stale):
        run(people, "profile.edit", by="clerk", name="Other", phone=None, v=1)


def test_a_new_password_opens_the_door_and_the_log_does_not_tell_it(people):
    run(people, "profile.password", by="clerk", current=PASSWORD, new="four green frogs")
    assert sessions.login(people, "carl@fernhill.example", "four green frogs")
    with pytest.raises(Refused):
        sessions.login(people, "carl@fernhill.example", PASSWORD)
    assert trail(people) == [
        ("profile.password", "staff", CLERK, [{"field": "password", "old": None, "new": "changed"}])
    ]


@pytest.mark.parametrize(
    ("current", "new", "code"),
    [
        ("wrong", "four green frogs", "PASSWORD_WRONG"),
        (PASSWORD, "short", "PASSWORD_LENGTH"),
        (PASSWORD, "", "REQUIRED"),
        (PASSWORD, PASSWORD, "PASSWORD_SAME"),
    ],
)
def test_a_bad_password_is_refused(people, current, new, code):
    before = account(people, CLERK)
    with pytest.raises(Refused) as error:
        run(people, "profile.password", by="clerk", current=current, new=new)
    assert error.value.code == code
    assert account(people, CLERK) == before


def test_passwords_are_never_sent_back(ask):
    fields = {"v": "1", "current": "sesame-1", "new": "sesame-22", "again": "sesame-33"}
    response = ask().post("/profile/password", fields)
    assert response.status_code == 422
    assert "The two new passwords differ." in response.text
    assert "sesame" not in response.text


@pytest.mark.parametrize(
    ("locale", "total", "day"),
    [
        ("en-US", "$1,000.00", "Feb 28, 2026"),
        ("en-GB", "US$1,000.00", "28 Feb 2026"),
        ("de-DE", "1.000,00\u00a0$", "28.02.2026"),
    ],
)
def test_numbers_and_dates_follow_the_locale(ask, people, locale, total, day):
    run(people, "profile.preferences", by="manager", locale=locale)
    text = ask().get("/orders?f=status:in:complete").text
    assert total in text
    assert day in text


def test_rows_per_page_and_theme_are_kept_for_the_person(ask, people):
    manager = ask()
    fields = {"theme": "dark", "locale": "en-US", "page_size": "50"}
    assert manager.post("/profile/preferences", fields).status_code == 303
    text = manager.get("/customers").text
    assert (manager.view().size, 'data-bs-theme="dark"' in text) == (50, True)
    assert manager.post("/profile/preferences", {**fields, "theme": "pink"}).status_code == 422
    assert 'data-bs-theme="light"' in ask("clerk").get("/customers").text
    assert ask(None).get("/login").status_code == 200


def test_preferences_that_are_none_are_as_usual():
    class Somebody:
        preferences_json = '{"theme": "neon", "locale": "de-DE", "page_size": 7}'

    found = profile.preferences_of(Somebody())  # type: ignore[arg-type]
    assert (found["theme"], found["locale"], found["page_size"]) == ("light", "de-DE", 20)


# staff


def test_an_invitation_makes_an_account_whose_mailed_password_works(people):
    made = run(people, "staff.invite", name="Nora New", email="Nora@Fernhill.example ", role="clerk")
    after = account(people, made["id"])
    assert (after["email"], after["role"], after["active"]) == ("nora@fernhill.example", "clerk", True)
    with people.read() as db:
        mail = db.scalars(select(OutboxEmail).where(OutboxEmail.template == "staff_invited")).one()
    word = passwords.first(people, "nora@fernhill.example")
    assert (mail.to_email, word in mail.body) == ("nora@fernhill.example", True)
    assert sessions.login(people, "nora@fernhill.example", word)
    assert word not in json.dumps(trail(people))


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"email": "max@fernhill.example"}, ["EMAIL_TAKEN"]),
        ({"email": "max"}, ["EMAIL_FORMAT"]),
        ({"name": " ", "role": "king", "phone": "12"}, ["REQUIRED", "PHONE_FORMAT", "NOT_A_CHOICE"]),
    ],
)
def test_a_wrong_invitation_names_every_problem(people, fields, codes):
    with pytest.raises(Refused) as error:
        run(people, "staff.invite", **{"name": "Nora", "email": "n@fernhill.example", "role": "clerk", **fields})
    assert [problem.code for problem in error.value.problems] == codes


def test_a_role_is_changed_at_once_but_not_ones_own_nor_the_last_owners(people):
    token = sessions.sign_in(people, "clerk").value
    run(people, "staff.edit", id=CLERK, role="manager")
    assert sessions.current(people, token).role == "manager"
    with pytest.raises(Refused) as own:
        run(people, "staff.edit", id=OWNER, role="clerk")
    assert own.value.code == "OWN_ROLE"
    second = Actor("staff", MANAGER, "owner", "Max")
    with pytest.raises(Refused) as last:
        USE_CASES["staff.edit"](people, second, id=OWNER, role="clerk")
    assert last.value.code == "LAST_OWNER"


def test_the_last_owner_stays_and_nobody_deactivates_the_own_account(people):
    with pytest.raises(Refused) as own:
        run(people, "staff.deactivate", id=OWNER)
    assert own.value.code == "OWN_ACCOUNT"
    second = Actor("staff", MANAGER, "owner", "Max")
    with pytest.raises(Refused) as last:
        USE_CASES["staff.deactivate"](people, second, id=OWNER)
    assert last.value.code == "LAST_OWNER"
    run(people, "staff.edit", id=MANAGER, role="owner")
    USE_CASES["staff.deactivate"](people, second, id=OWNER)
    assert account(people, OWNER)["active"] is False


def test_who_is_deactivated_is_signed_out_everywhere_and_others_are_not(people):
    tokens = [sessions.sign_in(people, "clerk").value for _ in range(2)]
    other = sessions.sign_in(people, "analyst").value
    run(people, "staff.deactivate", id=CLERK)
    assert [sessions.current(people, token) for token in tokens] == [None, None]
    assert sessions.current(people, other).id == ANALYST
    with people.read() as db:
        assert [row.principal_id for row in db.scalars(select(WebSession))] == [ANALYST]
    run(people, "staff.activate", id=CLERK)
    assert sessions.current(people, tokens[0]) is None  # the old sessions are gone for good
    assert [(action, id) for action, _, id, _ in trail(people)] == [
        ("staff.deactivate", CLERK), ("staff.activate", CLERK)]  # fmt: skip


@pytest.mark.parametrize("role", ["manager", "clerk", "analyst"])
@pytest.mark.parametrize(
    ("use_case", "fields"),
    [
        ("staff.invite", {"name": "N", "email": "n@n.example", "role": "owner"}),
        ("staff.edit", {"id": ANALYST, "role": "owner"}),
        ("staff.deactivate", {"id": ANALYST}),
        ("staff.activate", {"id": GONE}),
        ("settings.edit", {"key": "return_days", "value": 90}),
    ],
)
def test_only_the_owner_changes_accounts_and_settings(people, role, use_case, fields):
    before = [account(people, id) for id in (ANALYST, GONE)]
    with pytest.raises(Forbidden):
        run(people, use_case, by=role, **fields)
    assert [account(people, id) for id in (ANALYST, GONE)] == before
    ((action, *_, changes),) = trail(people)
    assert (action, changes[0]["new"]) == ("denied", use_case)


def test_managers_look_at_staff_and_settings_and_others_are_refused(ask):
    for path in ("/staff", "/staff/4", "/settings", "/settings/taxes"):
        statuses = {role: ask(role).get(path).status_code for role in ("owner", "manager", "clerk", "analyst")}
        assert statuses == {"owner": 200, "manager": 200, "clerk": 403, "analyst": 403}, path
    manager = ask()
    assert manager.get("/staff/new").status_code == 403
    assert re.search(r'<input[^>]*name="store_name"[^>]* disabled', manager.get("/settings").text)
    assert 'href="/staff"' in manager.get("/").text
    assert 'href="/staff"' not in ask("clerk").get("/").text
    assert ask("analyst").get("/grids/staff/export.csv").status_code == 403


# settings


def test_settings_of_a_tab_are_saved_together_with_one_audit_row(ask):
    owner = ask("owner")
    fields = {"v": "1", "clerk_refund_limit": "250", "fraud_review_over": "1,500.00", "return_days": "14",
              "low_stock_default": "5"}  # fmt: skip
    response = owner.post("/settings/orders", fields)
    assert (response.status_code, response.location) == (303, "/settings/orders")
    assert json.loads(owner.one(Setting, key="clerk_refund_limit").value_json) == 250_00
    assert json.loads(owner.one(Setting, key="return_days").value_json) == 14
    assert owner.count(Setting) == 2  # what was as usual is not written
    ((action, entity, _, changes),) = trail(owner.world)
    assert (action, entity) == ("settings.edit", "setting")
    assert {change["field"]: change["old"] for change in changes} == {"clerk_refund_limit": 1000, "return_days": 30}
    again = owner.post("/settings/orders", {**fields, "v": "3"})
    assert "Nothing was changed" in owner.said(again)
    assert owner.post("/settings/orders", {**fields, "return_days": "15"}).status_code == 409


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("return_days", 366, "OUT_OF_RANGE"), ("return_days", None, "REQUIRED"),
        ("clerk_refund_limit", -1, "OUT_OF_RANGE"), ("contact_email", "nobody", "EMAIL_FORMAT"),
        ("store_name", " ", "REQUIRED"), ("store_name", "x" * 81, "TOO_LONG"), ("support_phone", "12", "PHONE_FORMAT"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused_and_none_is_written(people, key, value, code):
    with pytest.raises(Refused) as error:
        run(people, "settings.save", values={"low_stock_default": 9, key: value})
    assert error.value.code == code
    assert trail(people) == []


def test_two_owners_who_change_one_setting_meet_in_a_conflict(people):
    run(people, "settings.edit", key="clerk_refund_limit", value=50_00)
    with pytest.raises(Stale) as error:
        run(people, "settings.edit", key="clerk_refund_limit", value=75_00, v=1)
    conflict = error.value.conflict
    assert (conflict.by, conflict.version) == ("Olga Owner", 2)
    assert [(field.label, field.mine, field.theirs) for field in conflict.fields] == [
        ("Refund limit of clerks", "75.00", "50.00")]  # fmt: skip
