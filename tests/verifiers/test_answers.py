"""Typed answers: what each type accepts, what it refuses, and that it says why."""

from __future__ import annotations

import json
import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegym.errors import VerifierError
from sitegym.verifiers.answers import Answer, Date, Email, Enum, Int, List, Money, Month, OrderNo, Record, Text

PERSON = Record({"name": Text("Zoë O'Dell"), "email": Email("zoe@example.com")})
STATUSES = Enum("on_hold", ("pending", "on_hold", "complete"))
NUMBERS = List([OrderNo("100123"), OrderNo("100124")])
RANKED = List([Text("Tent, small"), Text("Stove"), Text("Tent, small")], ordered=True)

ACCEPTED: list[tuple[Answer, list[object]]] = [
    (Money(123450), ["1234.50", "1,234.50", "$1,234.50", "$ 1234.5", " 1234.50 ", "USD 1,234.50", "1234.50 USD", 1234.5,
                    "US$1,234.50", '"1234.50"']),
    (Money(4100), ["41", "41.00", "41.0", 41, 41.0, "$41"]),
    (Money(-500), ["-5.00", "−5.00", "-$5"]),
    (Money(0), ["0", "0.00", "$0.00"]),
    (Int(1234), ["1234", "1,234", 1234, " 1234\n", '"1234"']),
    (Int(-3), ["-3", "−3", -3]),
    (Date("2026-03-05"), ["2026-03-05", "2026-3-5", "March 5, 2026", "Mar 5, 2026", "5 March 2026",
                         "mar. 05 2026", "5 Mar, 2026"]),
    (Month("2026-02"), ["2026-02", "2026-2", "February 2026", "Feb 2026", "feb. 2026"]),
    (Text("Łukasz Żak"), ["Łukasz Żak", "łukasz żak", "  Łukasz   Żak ", unicodedata.normalize("NFD", "Łukasz Żak"),
                         '"Łukasz Żak"', json.dumps("Łukasz Żak")]),
    (Text('The "Ridge" Pack'), ['The "Ridge" Pack', 'the "ridge" pack']),
    (Text("1,234.50; or so: yes"), ["1,234.50; or so: yes"]),
    (Email("zoe@example.com"), ["zoe@example.com", "ZOE@Example.com", " zoe@example.com "]),
    (OrderNo("100123"), ["100123", "#100123", "# 100123".replace(" ", ""), 100123]),
    (OrderNo("INV-000123"), ["INV-000123", "inv-000123", "#INV-000123"]),
    (STATUSES, ["on_hold", "On hold", "ON-HOLD", "on  hold"]),
    (NUMBERS, [["100123", "100124"], '["100124", "100123"]', "100123, 100124", "100124\n#100123", "100123;100124",
              [100123, 100124], "[100123, 100124]"]),
    (List([OrderNo("100123")]), ["100123", ["100123"], '["#100123"]']),
    (RANKED, [["tent, small", "stove", "Tent, small"], "Tent, small\nStove\nTent, small",
             "Tent, small; Stove; Tent, small"]),
    (PERSON, [
        {"name": "Zoë O'Dell", "email": "zoe@example.com"},
        '{"E-mail": "Zoe@example.com", "Name": "zoë o\'dell"}',
        "name: Zoë O'Dell\nemail: zoe@example.com",
        "Name: Zoë O'Dell; E-Mail: zoe@example.com",
        '```json\n{"name": "Zoë O\'Dell", "email": "zoe@example.com"}\n```',
    ]),
]  # fmt: skip

REFUSED: list[tuple[Answer, list[object]]] = [
    (Money(123450), ["1234.51", "1234.49", "1.234,50", "1234,50", "12,34.50", "123450", "1234.500", "1234.4999",
                    "about 1234.50",
                    "1234.50 or 1234.00", "1234.50, 99.00", "total: 1234.50", "€1234.50", ".*", "nan", "1e3", "one", "",
                    None, True,
                    ["1234.50"], {"total": "1234.50"}, "1234.50 1234.50", "١٢٣٤.50", "--1234.50", "12" * 400]),
    (Int(12), ["13", "11", "12.0", 12.5, "1 2", "12 orders", "twelve", "12, 13", "0x0c", "[12]", [12], "-12",
              True, "１２", "9" * 9999, 10**400]),
    (Date("2026-03-05"), ["2026-03-06", "2026-05-03", "03/05/2026", "5.3.2026", "2026-03-05T10:00:00Z", "March 2026",
                         "today", "2026-02-30", "Marble 5, 2026", "2026-03-05 or 2026-03-06", "20260305",
                         "2026-3-005"]),
    (Month("2026-02"), ["2026-03", "2026-13", "02/2026", "February", "2026-02-01", "2026", "Feb 26"]),
    (Text("Łukasz Żak"), ["Lukasz Zak", "Łukasz", "Łukasz Żak, Anna Nowak", "The customer is Łukasz Żak", ".*",
                         "Łukasz Żak.", "%",
                         ["Łukasz Żak"], True, "x" * 50_000]),
    (Text("a.c"), ["abc", "a?c", ".*"]),
    (Email("zoe@example.com"), ["zoe@example.org", "zoe@example.com, ann@example.com", "mailto:zoe@example.com",
                               "<zoe@example.com>",
                               "Zoe <zoe@example.com>", "zoe", ".*@.*", "zoe@@example.com"]),
    (OrderNo("100123"), ["100124", "100132", "order 100123", "100123 100124", "##100123", "1001233",
                         "INV-100123", ".*", "0100123"]),
    (OrderNo("INV-000123"), ["000123", "INV-123", "INV000123", "INV-000124", "CM-000123"]),
    (STATUSES, ["pending", "hold", "on_hold or pending", "on", "on_hold, pending", ".*"]),
    (NUMBERS, ["100123", "100123, 100124, 100125", "100123, 100123, 100124", "100123 100124", {"a": 1},
              '{"a": "100123"}', "[]", [],
              [["100123", "100124"]], "100123 and 100124", [None, "100123"], "[" * 9000]),
    (RANKED, [["Stove", "Tent, small", "Tent, small"], ["Tent, small", "Stove"], "Tent, small, Stove, Tent, small"]),
    (PERSON, [
        {"name": "Zoë O'Dell"},
        {"name": "Zoë O'Dell", "email": "zoe@example.com", "phone": "1"},
        {"name": "Zoë O'Dell", "email": ["zoe@example.com", "ann@example.com"]},
        {"name": "zoe@example.com", "email": "Zoë O'Dell"},
        '{"name": "Ann", "name": "Zoë O\'Dell", "email": "zoe@example.com"}',
        '{"name": "Zoë O\'Dell", "Name": "Zoë O\'Dell", "email": "zoe@example.com"}',
        "name: Zoë O'Dell\nname: Zoë O'Dell\nemail: zoe@example.com",
        'Here:\n```json\n{"name": "Zoë O\'Dell", "email": "zoe@example.com"}\n```',
        "Zoë O'Dell, zoe@example.com", "name: Zoë O'Dell", '["Zoë O\'Dell", "zoe@example.com"]', None, 7, "{" * 9000,
    ]),
]  # fmt: skip


NESTED = lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)  # noqa: E731


def cases(table: list[tuple[Answer, list[object]]]) -> list[object]:
    return [
        pytest.param(answer, said, id=f"{type(answer).__name__}-{str(said)[:40]!r}-{index}")
        for answer, several in table
        for index, said in enumerate(several)
    ]


@pytest.mark.parametrize(("answer", "said"), cases(ACCEPTED))
def test_the_right_value_is_accepted_in_every_usual_spelling(answer: Answer, said: object) -> None:
    assert answer.problem(said) is None


@pytest.mark.parametrize(("answer", "said"), cases(REFUSED))
def test_anything_else_is_refused_and_shown(answer: Answer, said: object) -> None:
    problem = answer.problem(said)
    assert problem
    assert len(problem) < 400


@pytest.mark.parametrize("answer", [answer for answer, _ in ACCEPTED], ids=str)
def test_its_own_spelling_is_accepted_as_text_and_as_json(answer: Answer) -> None:
    assert answer.problem(str(answer)) is None
    assert answer.problem(answer.spelled()) is None
    assert answer.problem(json.dumps(answer.spelled())) is None
    assert answer.ask()


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_two_amounts_are_equal_only_if_their_cents_are(one: int, other: int) -> None:
    assert (Money(one).problem(str(Money(other))) is None) == (one == other)
    assert Money(one).problem(f"{one / 100:,.2f}") is None


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_two_numbers_are_equal_only_if_they_are(one: int, other: int) -> None:
    assert (Int(one).problem(f"{other:,}") is None) == (one == other)


@given(st.dates(date(1000, 1, 1)), st.dates(date(1000, 1, 1)))
def test_two_days_are_equal_only_if_they_are(one: date, other: date) -> None:
    assert (Date(one.isoformat()).problem(f"{other:%B} {other.day}, {other.year}") is None) == (one == other)


@given(st.text(min_size=1), st.text())
def test_a_text_matches_itself_whatever_its_spacing_and_case(text: str, other: str) -> None:
    answer = Text(text)
    if " ".join(text.split()):
        assert answer.problem(json.dumps(text)) is None
    if other.casefold().split() == text.casefold().split() and text.strip() and not text.strip().startswith('"'):
        assert answer.problem(other) is None


@given(st.lists(st.integers(0, 99), min_size=1, max_size=8), st.randoms())
def test_a_list_is_a_bag_unless_its_order_was_asked_for(values: list[int], random: object) -> None:
    shuffled = values.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    bag, row = List([Int(v) for v in values]), List([Int(v) for v in values], ordered=True)
    assert bag.problem(shuffled) is None
    assert (row.problem(shuffled) is None) == (shuffled == values)
    assert bag.problem([*values, values[0]]) is not None
    assert bag.problem(values[1:] or "[]") is not None


@given(st.text())
def test_no_answer_whatsoever_breaks_the_reader(said: str) -> None:
    for answer, _ in ACCEPTED:
        answer.problem(said)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), NESTED))
def test_no_json_value_whatsoever_breaks_the_reader(said: object) -> None:
    for answer, _ in ACCEPTED:
        answer.problem(said)


def test_an_empty_list_can_not_be_wanted() -> None:
    with pytest.raises(VerifierError, match="NOT_FOUND"):
        List([])


def test_an_enum_value_outside_its_options_can_not_be_wanted() -> None:
    with pytest.raises(VerifierError, match="none of the options"):
        Enum("lost", ("pending",))
