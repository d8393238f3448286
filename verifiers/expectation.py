"""What an episode must and may leave behind, computed before it starts from the database of that moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import VerifierError
from .matchers import Matcher, New, matches
from .outcomes import DONE, OUTCOMES
from .shape import DERIVED, GENERATED, ORDER, TRAIL, VOLATILE, Key, Shape, shape_of
from .snapshot import Snapshot
from .views import ViewExpectation

if TYPE_CHECKING:
    from .answers import Answer


@dataclass(frozen=True)
class Updated:
    """A row that ends with these values; each value is exact, or a matcher."""

    table: str
    key: Key
    values: Mapping[str, object]
    name: str = ""
    """What a person calls the row ("order 100123"), for messages."""


@dataclass(frozen=True)
class Inserted:
    """A row that is new. Every column of class data or preference has to be given; generated ones are filled in."""

    table: str
    values: Mapping[str, object]
    label: str = ""
    """A name by which other new rows refer to this one's key: `New(label)`."""
    name: str = ""


@dataclass(frozen=True)
class Deleted:
    """A row that is gone."""

    table: str
    key: Key
    name: str = ""


@dataclass(frozen=True)
class Ordered:
    """A sequence of rows in exactly this order; `within` names the sequence by its columns' values."""

    table: str
    within: Mapping[str, object]
    keys: tuple[Key, ...]
    name: str = ""


@dataclass(frozen=True)
class Summed:
    """New rows with these values that together come to at least so much in one column, however many they are.

    Accounts for no row: say with `Inserted` which of them may be there, where their class does not.
    """

    table: str
    where: Mapping[str, object]
    column: str
    least: int
    name: str = ""


Part = Updated | Inserted | Deleted | Ordered | Summed


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """Everything that decides an episode. What it does not mention must stay as it is.

    `must` has to happen, `may` is allowed (each part once). An expectation for a task that can't be done names the
    `outcome` code and, where one thing blocks it, that thing as `blocker`, which the agent gives as its answer.
    """

    must: tuple[Part, ...] = ()
    may: tuple[Part, ...] = ()
    answer: Answer | None = None
    outcome: str = DONE
    blocker: Answer | None = None
    view: ViewExpectation | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "must", tuple(self.must))
        object.__setattr__(self, "may", tuple(self.may))
        if self.outcome not in OUTCOMES:
            raise VerifierError(f"no outcome {self.outcome!r}; known: {', '.join(OUTCOMES)}")
        if self.outcome != DONE and (self.must or self.answer or self.view):
            raise VerifierError(f"an expectation that ends with {self.outcome} can't ask for changes, answers or views")
        if self.outcome == DONE and self.blocker:
            raise VerifierError("a blocker needs an outcome code other than DONE")

    def __add__(self, other: Expectation) -> Expectation:
        """Both expectations at once; `VerifierError` where they contradict each other."""
        if self.outcome != other.outcome or (self.answer and other.answer) or (self.view and other.view):
            raise VerifierError("these two expectations can't both hold")
        return replace(
            self,
            must=_merged(self.must + other.must),
            may=self.may + other.may,
            answer=self.answer or other.answer,
            view=self.view or other.view,
        )

    def check(self, before: Snapshot) -> None:
        """Raise `VerifierError` for parts that can't be graded: no such row or column, data left open, lost labels."""
        labels = {part.label for part in self.must if isinstance(part, Inserted) and part.label}
        for part in (*self.must, *self.may):
            shape = shape_of(before.metadata, part.table)
            if isinstance(part, Updated | Deleted) and before.get(part.table, part.key) is None:
                raise VerifierError(f"{part_name(part)} is expected to change, but there is no such row before")
            if isinstance(part, Summed):
                _check_sum(shape, part)
            if isinstance(part, Updated | Inserted):
                _check_columns(shape, part)
                lost = {value.label for value in part.values.values() if isinstance(value, New)} - labels
                if lost:
                    raise VerifierError(f"{part_name(part)} refers to new rows that nobody declares: {sorted(lost)}")


def nothing_changes() -> Expectation:
    """Done, and no data differs: what a navigation asks for."""
    return Expectation()


def part_name(part: Part) -> str:
    """What a part is about, for messages."""
    if part.name:
        return part.name
    if isinstance(part, Inserted):
        return f"new row of {part.table}"
    if isinstance(part, Ordered):
        return f"order of {part.table} in {dict(part.within)}"
    if isinstance(part, Summed):
        return f"{part.column} of new rows of {part.table}"
    return f"{part.table} {part.key}"


def targets(parts: Sequence[Part]) -> frozenset[str]:
    """The tables that parts speak of."""
    return frozenset(part.table for part in parts)


def insertable(shape: Shape, part: Inserted, row: Mapping[str, object], keys: Mapping[str, Key]) -> list[str]:
    """Columns in which a new row is not what is wanted; `keys` holds the new rows known so far."""
    wrong = [name for name, wanted in part.values.items() if not matches(wanted, row[name], keys)]
    for name in shape.of(GENERATED):
        if name not in part.values and (row[name] is None) != (name in shape.nullable and name not in shape.key):
            wrong.append(name)
    return wrong


def _check_sum(shape: Shape, part: Summed) -> None:
    for name in (*part.where, part.column):
        if name not in shape.classes:
            raise VerifierError(f"table {shape.name} has no column {name!r}")


def _check_columns(shape: Shape, part: Updated | Inserted) -> None:
    for name, value in part.values.items():
        cls = shape.classes.get(name)
        if cls is None:
            raise VerifierError(f"table {shape.name} has no column {name!r}")
        if cls in (DERIVED, VOLATILE):
            raise VerifierError(f"{shape.name}.{name} is {cls}: it is never declared")
        if isinstance(value, Matcher) and not isinstance(value, New):
            continue
        if isinstance(part, Updated) and cls == ORDER:
            raise VerifierError(f"{shape.name}.{name} is a position: declare the sequence with Ordered")
    if isinstance(part, Inserted):
        free = (DERIVED, VOLATILE, GENERATED, ORDER, TRAIL)
        missing = [name for name in shape.columns if shape.classes[name] not in free and name not in part.values]
        if missing:
            raise VerifierError(f"{part_name(part)} leaves open {', '.join(missing)}: say what they must be")


def _merged(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """One `Updated` for each row, so that two effects on one row are graded together."""
    found: dict[object, Part] = {}
    for part in parts:
        where: object = (part.table, part.key) if isinstance(part, Updated) else object()
        known = found.get(where)
        if isinstance(part, Updated) and isinstance(known, Updated):
            clash = [name for name, value in part.values.items() if known.values.get(name, value) != value]
            if clash:
                raise VerifierError(f"{part_name(part)} is asked to end with two values in {', '.join(clash)}")
            found[where] = replace(known, values={**known.values, **part.values})
        else:
            found[where] = part
    return tuple(found.values())
