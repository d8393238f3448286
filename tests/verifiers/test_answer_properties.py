"""What holds of typed answers whatever the values: a right one passes in any wrapping, any other one is refused."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sitegym.verifiers.answers import Answer, Date, Email, Enum, Int, List, Money, Month, OrderNo, Phone, Record, Text
from sitegym.verifiers.text import normal, visible

from .spellings import ACCEPTED

LETTERS = "abcdzABCDZßẞäÄéÉøØłŁİıΣσςñ'’-"
MARKS = LETTERS + ' ,;:.*?%()[]{}"`|/&01\u00a0\u200b'
OPTIONS = ("pending", "on_hold", "in_payment", "complete")


def readable(text: str) -> bool:
    return bool(visible(text).strip().strip('"').strip()) and "```" not in text


DAYS = st.dates(date(1000, 1, 1)).map(date.isoformat)
NAMES = st.text(LETTERS, min_size=1, max_size=8)
SINGLE: dict[str, st.SearchStrategy[Answer]] = {
    "money": st.integers(-(10**7), 10**7).map(Money),
    "int": st.integers(-(10**7), 10**7).map(Int),
    "date": DAYS.map(Date),
    "month": DAYS.map(lambda day: Month(day[:7])),
    "name": NAMES.map(Text),
    "text": st.text(MARKS, min_size=1, max_size=12).filter(readable).map(Text),
    "email": st.builds("{}@{}.example".format, *[st.text("abcz.-+0", min_size=1, max_size=6)] * 2).map(Email),
    "phone": st.integers(10**7, 10**14).map(lambda number: Phone(f"+{number}")),
    "number": st.builds("{}{}".format, st.sampled_from(["", "INV-", "shp-"]), st.integers(0, 10**9)).map(OrderNo),
    "enum": st.sampled_from(OPTIONS).map(lambda option: Enum(option, OPTIONS)),
}
SEVERAL: dict[str, st.SearchStrategy[Answer]] = {
    "list": st.lists(SINGLE["name"], min_size=1, max_size=5).map(List),
    "row": st.lists(SINGLE["money"], min_size=1, max_size=5).map(lambda values: List(values, ordered=True)),
    "record": st.builds(lambda a, b: Record({"name": a, "e-mail": b}), SINGLE["text"], SINGLE["email"]),
    "records": st.lists(
        st.builds(lambda a, b: Record({"name": a, "total": b}), SINGLE["text"], SINGLE["money"]), min_size=1, max_size=4
    ).map(List),
}
EVERY = {**SINGLE, **SEVERAL}


def of(kinds: dict[str, st.SearchStrategy[Answer]]) -> Callable[..., Any]:
    """One test for each kind, called with its strategy."""
    return pytest.mark.parametrize("kind", [pytest.param(values, id=name) for name, values in kinds.items()])


@of(EVERY)
@given(data=st.data())
def test_its_own_spelling_is_accepted_in_every_wrapping(kind: st.SearchStrategy[Answer], data: st.DataObject) -> None:
    answer = data.draw(kind)
    text = str(answer)
    for said in (
        answer.spelled(), text, json.dumps(answer.spelled()), f"\n  {text}\t\n", f"\u00a0{text}\ufeff",
        f"```\n{text}\n```", f"```json\n{text}\n```\n", unicodedata.normalize("NFD", text),
    ):  # fmt: skip
        assert answer.problem(said) is None


@of(EVERY)
@given(data=st.data())
def test_any_other_value_is_refused(kind: st.SearchStrategy[Answer], data: st.DataObject) -> None:
    one, other = data.draw(kind), data.draw(kind)
    assume(not alike(one, other))
    for said in (other.spelled(), str(other), json.dumps(other.spelled())):
        assert one.problem(said) is not None


def alike(one: Answer, other: Answer) -> bool:
    """Whether two answers of one type mean the same, told without the verifier's own reading."""
    match one, other:
        case List(), List():
            mine, theirs = list(one.values), list(other.values)
            if len(mine) != len(theirs) or one.ordered:
                return len(mine) == len(theirs) and all(map(alike, mine, theirs))
            return all(sum(alike(a, b) for a in mine) == sum(alike(a, b) for a in theirs) for b in mine)
        case Record(), Record():
            return all(map(alike, one.values.values(), other.values.values()))
    first, second = (unicodedata.normalize("NFC", str(answer)) for answer in (one, other))
    if not isinstance(one, Text):
        return first.lower() == second.lower()
    keys = []
    for text in (first, second):
        text = text.replace("\u200b", "").replace("\u00a0", " ").replace("ς", "σ").replace("Σ", "σ")
        keys.append(" ".join(text.strip().strip('"').lower().split()))
    return keys[0] == keys[1]


@of(SINGLE)
@given(data=st.data())
def test_over_answering_is_refused(kind: st.SearchStrategy[Answer], data: st.DataObject) -> None:
    right, other = data.draw(kind), data.draw(kind)
    for said in (
        f"{right} or {other}", f"{other} / {right}", f"{right}, {other}", f"{right}\n{other}", f"{right}; {right}",
        f"The answer is {right}.", f"{right} (I think)", json.dumps([right.spelled()]),
        json.dumps({"answer": right.spelled()}), f"```\n{right}\n```\n```\n{other}\n```",
    ):  # fmt: skip
        assert right.problem(said) is not None


@of(EVERY)
@given(
    data=st.data(),
    pattern=st.sampled_from([".*", ".+", "*", "%", "?*", "^.*$", r"[\s\S]*", "(?s).*", "_%", "//*", "null"]),
)
def test_a_pattern_is_never_an_answer(kind: st.SearchStrategy[Answer], data: st.DataObject, pattern: str) -> None:
    answer = data.draw(kind)
    assume(str(answer).strip() != pattern and pattern not in answer.spelled())  # type: ignore[operator]
    assert answer.problem(pattern) is not None


@of(SEVERAL)
@given(data=st.data())
def test_a_part_or_a_surplus_is_refused(kind: st.SearchStrategy[Answer], data: st.DataObject) -> None:
    answer = data.draw(kind)
    spelled: Any = answer.spelled()
    if isinstance(spelled, dict):
        worse = [{**spelled, "more": 1}, {"name": spelled["name"]}, [spelled]]
    else:
        worse = [[*spelled, spelled[0]], spelled[1:] or "[]", [spelled], {"answer": spelled}]
    for said in worse:
        assert answer.problem(json.dumps(said)) is not None


@given(st.lists(st.integers(0, 99), min_size=1, max_size=8), st.randoms())
def test_a_list_is_a_bag_unless_its_order_was_asked_for(values: list[int], random: Any) -> None:
    shuffled = values.copy()
    random.shuffle(shuffled)
    bag, row = List([Int(v) for v in values]), List([Int(v) for v in values], ordered=True)
    assert bag.problem(shuffled) is None
    assert (row.problem(shuffled) is None) == (shuffled == values)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_amounts_and_numbers_are_equal_only_if_they_are(one: int, other: int) -> None:
    for spelled in (f"{other / 100:,.2f}", f"{other / 100:.2f} USD", json.dumps(other / 100)):
        assert (Money(one).problem(spelled) is None) == (one == other)
    assert (Int(one).problem(f"{other:,}") is None) == (one == other)


@given(st.dates(date(1000, 1, 1)), st.dates(date(1000, 1, 1)))
def test_two_days_are_equal_only_if_they_are(one: date, other: date) -> None:
    assert (Date(one.isoformat()).problem(f"{other:%B} {other.day}, {other.year}") is None) == (one == other)


@given(st.text())
def test_the_normal_form_of_a_text_is_its_own(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    assert normal(unicodedata.normalize("NFD", text)) == normal(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.text() | st.text("0123456789.,-+$€ #@:;/\"'[]{}`\n\\ae", max_size=60) | JSON)
def test_nothing_whatsoever_breaks_the_reader(said: object) -> None:
    for answer, _ in ACCEPTED:
        problem = answer.problem(said)
        assert problem is None or 0 < len(problem) < 500
