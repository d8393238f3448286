"""An expectation in words, for the cards of tasks: what must differ, what may, and how the episode ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sitegym.verifiers import ANYTHING, PRESENT, Containing, Expectation, Given, OneOf
from sitegym.verifiers.expectation import Deleted, Inserted, Ordered, Part, Summed, Updated, part_name

MOST = 8
"""Parts that are told one by one."""


def told(want: Expectation) -> Iterator[str]:
    """The expectation as a list, an item for each part."""
    for part in want.must[:MOST]:
        yield f"- {_part(part)}"
    if len(want.must) > MOST:
        yield f"- {len(want.must) - MOST} more of these kinds"
    for part in want.may:
        yield f"- allowed: {_part(part)}"
    if want.view is not None:
        yield f"- the active tab shows {_code(str(want.view))}"
    if want.answer is not None:
        yield f"- the answer is {_code(str(want.answer))}, {want.answer.ask()}"
    if want.outcome != "DONE":
        named = f" and {_code(str(want.blocker))} as the answer" if want.blocker is not None else ""
        yield f"- the episode is finished with the outcome {_code(want.outcome)}{named}"
    yield "- nothing else in the data has changed" if want.must else "- nothing in the data has changed"


def _part(part: Part) -> str:
    match part:
        case Updated(_, _, values):
            return f"{part_name(part)} ends with {_values(values)}"
        case Inserted(table, values):
            return f"a new {_code(table)} row ({part_name(part)}) with {_values(values)}"
        case Deleted():
            return f"{part_name(part)} is gone"
        case Ordered(table):
            return f"the {_code(table)} stand in the order asked for"
        case Summed(_, _, _, least):
            return f"{part_name(part)}: at least {least} in sum"


def _values(values: Mapping[str, object]) -> str:
    """The columns that say something; those that are empty or free are left out."""
    said = [
        f"{name.replace('_', ' ')} {_code(_value(value))}"
        for name, value in values.items()
        if value is not None and value is not ANYTHING and value is not PRESENT and not re.search(r"(^|_)id$", name)
    ]
    return ", ".join(said) or "what belongs to it"


def _value(value: object) -> str:
    """A plain value, or what a matcher stands for."""
    match value:
        case Given(text):
            return str(text)
        case Containing(tokens):
            return f"… {' … '.join(tokens)} …"
        case OneOf(values):
            return " or ".join(map(str, values))
    return str(value)


def _code(text: str) -> str:
    return f"`{text.replace('`', ' ')}`"
