"""Near misses and still-right variants that every template has, derived from what it expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ..verifiers import DONE, NOT_ALLOWED, NOT_FOUND, OUTCOMES, Finish, Snapshot
from ..verifiers.answers import Answer, Date, Email, Int, List, Money, OrderNo, Phone, Record, Text
from .page import Attempt, Moves, back, navigate, reload
from .template import NearMiss

if TYPE_CHECKING:
    from .task import Task


def near_misses(task: Task, before: Snapshot) -> Iterator[NearMiss]:
    """Everything right but the end: another code, another answer, or one unrelated write on top."""
    want = task.expectation(before)
    calls, end = tuple(task.service_oracle), task.service_finish
    other_codes = (
        [NOT_ALLOWED, NOT_FOUND] if want.outcome == DONE else [code for code in OUTCOMES if code != want.outcome]
    )
    for code in other_codes:
        yield NearMiss(f"ends with {code}", calls, finish=Finish(end.answer, code))
    for what, asked in (("answer", want.answer), ("blocker", want.blocker)):
        if asked is not None:
            yield NearMiss(f"no {what}", calls, finish=Finish(None, want.outcome))
            for name, said in wrong_answers(asked):
                yield NearMiss(f"{what}: {name}", calls, finish=Finish(said, want.outcome))
    for extra in task.template.unrelated(before, task.instance):
        yield NearMiss("one unrelated write on top", (*calls, *extra.write), finish=end)


def still_right(task: Task, before: Snapshot) -> Iterator[NearMiss]:
    """The right way with reading, reloading and a corrected error on the way."""
    yield NearMiss("looks around first", ui=looking_around(task.oracle(), task.template.detour))
    for extra in task.template.unrelated(before, task.instance):
        undone = (*extra.write, *extra.undo, *task.service_oracle)
        yield NearMiss("an error on the way is put right", undone, finish=task.service_finish)


def looking_around(attempt: Attempt, path: str) -> Attempt:
    """The same attempt after a look at another page, a reload and a step back."""

    def play(page: object) -> Moves:
        yield navigate(path)
        yield reload()
        page = yield back()
        yield from attempt(page)

    return play


def wrong_answers(asked: Answer) -> Iterator[tuple[str, str]]:
    """Answers that come close to the right one, with a name for each."""
    right = str(asked)
    if isinstance(asked, Money):
        yield "one cent more", str(Money(asked.cents + 1))
        yield "another decimal place", str(Money(asked.cents * 10))
    elif isinstance(asked, Int):
        yield "one more", str(asked.value + 1)
    elif isinstance(asked, Date):
        yield "one day later", (date.fromisoformat(asked.iso) + timedelta(days=1)).isoformat()
    elif isinstance(asked, Phone):
        yield "one digit off", right[:-1] + str((int(right[-1]) + 1) % 10)
    elif isinstance(asked, OrderNo):
        yield "the number after it", asked.value[:-1] + str((int(asked.value[-1]) + 1) % 10)
    elif isinstance(asked, Text | Email):
        yield "one letter short", right[:-1]
    elif isinstance(asked, List):
        spelled = [value.spelled() for value in asked.values]
        yield "one missing", _json(spelled[:-1])
        yield "one twice", _json([*spelled, spelled[-1]])
    elif isinstance(asked, Record):
        yield from _wrong_records(asked)
    yield "in a sentence", f"The answer is {right}."
    yield "a pattern", ".*"
    yield "two candidates", f"{right} or {right}x"


def _wrong_records(asked: Record) -> Iterator[tuple[str, str]]:
    for name, value in asked.values.items():
        for how, said in wrong_answers(value):
            if how not in ("in a sentence", "a pattern", "two candidates"):
                fields = {**asked.spelled(), name: said}
                yield f"{name} {how}", _json(fields)
        yield f"without {name}", _json({key: one for key, one in asked.spelled().items() if key != name})
    yield "one field more", _json({**asked.spelled(), "note": "-"})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
