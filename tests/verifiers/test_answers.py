"""Typed answers: what each type accepts, what it refuses, and that it says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sitegym.errors import VerifierError
from sitegym.verifiers.answers import Answer, Date, Email, Enum, Int, List, OrderNo, Phone, Record, Text
from sitegym.verifiers.text import shown

from .spellings import ACCEPTED, REFUSED


def cases(table: list[tuple[Answer, list[Any]]]) -> list[object]:
    return [
        pytest.param(answer, said, id=f"{type(answer).__name__}-{str(said)[:40]!r}-{index}")
        for answer, several in table
        for index, said in enumerate(several)
    ]


@pytest.mark.parametrize(("answer", "said"), cases(ACCEPTED))
def test_the_right_value_is_accepted_in_every_usual_spelling(answer: Answer, said: object) -> None:
    assert answer.problem(said) is None


@pytest.mark.parametrize(("answer", "refusal"), cases(REFUSED))
def test_anything_else_is_refused_and_the_reason_tells_why(answer: Answer, refusal: tuple[object, str]) -> None:
    said, reason = refusal
    problem = answer.problem(said)
    assert problem
    assert reason in problem.removeprefix(shown(said))
    assert len(problem) < 400


@pytest.mark.parametrize("answer", [answer for answer, _ in ACCEPTED], ids=str)
def test_its_own_spelling_is_accepted_as_text_and_as_json(answer: Answer) -> None:
    assert answer.problem(str(answer)) is None
    assert answer.problem(answer.spelled()) is None
    assert answer.problem(json.dumps(answer.spelled())) is None
    assert answer.ask()


def test_an_empty_list_can_not_be_wanted() -> None:
    with pytest.raises(VerifierError, match="NOT_FOUND"):
        List([])


def test_an_enum_value_outside_its_options_can_not_be_wanted() -> None:
    with pytest.raises(VerifierError, match="none of the options"):
        Enum("lost", ("pending",))


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: Text("  "), id="blank"),
        pytest.param(lambda: Text("\u200b"), id="invisible"),
        pytest.param(lambda: Date("2026-3-5"), id="date-not-iso"),
        pytest.param(lambda: Date("2026-02-30"), id="no-such-day"),
        pytest.param(lambda: Email("zoe"), id="no-address"),
        pytest.param(lambda: Phone("503-555-0123"), id="no-country-code"),
        pytest.param(lambda: Phone("+1 503-555-0123"), id="phone-not-as-kept"),
        pytest.param(lambda: OrderNo("order 5"), id="no-number"),
        pytest.param(lambda: List([Int(1), Text("a")]), id="mixed-list"),
        pytest.param(lambda: List([Enum("a", ("a", "b")), Enum("a", ("a", "c"))]), id="mixed-options"),
        pytest.param(lambda: Enum("on hold", ("on_hold", "On hold")), id="two-options-one-name"),
        pytest.param(lambda: Record({"E-mail": Int(1), "email": Int(2)}), id="two-fields-one-name"),
        pytest.param(lambda: Record({}), id="no-fields"),
    ],
)
def test_what_no_answer_could_match_is_the_authors_error(make: Callable[[], Answer]) -> None:
    with pytest.raises(VerifierError):
        make()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("x" * 100_000, id="letters"),
        pytest.param("9" * 100_000, id="digits"),
        pytest.param("1," * 50_000, id="commas"),
        pytest.param("[" * 100_000, id="brackets"),
        pytest.param("```" + "\n" * 19_900, id="an-open-fence-of-line-breaks"),
        pytest.param("```\n" + " \n" * 9_000 + "x```", id="a-fence-that-never-ends"),
        pytest.param('"' * 20_000, id="quotes"),
        pytest.param('\\"' * 9_000, id="escapes"),
        pytest.param("{" * 19_000 + "}" * 900, id="braces"),
        pytest.param("or " * 6_000, id="candidates"),
        pytest.param("(a+)+" * 99, id="a-pattern-to-choke-on"),
    ],
)
def test_giant_answers_are_refused_at_once(said: str) -> None:
    for answer, _ in ACCEPTED:
        assert len(answer.problem(said) or "") in range(1, 400)
