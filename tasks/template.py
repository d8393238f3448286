"""A task template: one class with its instances, what is asked, what must be left behind, and how it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from ..verifiers import Expectation, Finish, Snapshot
from .page import Attempt, Moves
from .splits import split_of_all


class Kind(StrEnum):
    """What a task asks for. A template of any kind may have instances that can't be done."""

    RETRIEVE = "retrieve"
    CHANGE = "change"
    NAVIGATE = "navigate"


@dataclass(frozen=True, kw_only=True)
class Params:
    """The parameters of one instance; a template adds its own."""

    feasible: bool = True
    """False for the twin that can't be done."""

    def entities(self) -> tuple[str, ...]:
        """Whom and what the instance is about, such as `customer:ann@example.com`; decides its split."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The parameters by name."""
        return asdict(self)


P = TypeVar("P", bound=Params)


@dataclass(frozen=True)
class Call:
    """One use case of the service layer, called by a person with this role."""

    use_case: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    actor: str = "manager"


@dataclass(frozen=True)
class NearMiss:
    """Another way to play an instance, through the browser (`ui`) or straight on the service layer (`calls`).

    As a near miss it must earn 0, as a variant that is still right it must earn 1.
    """

    name: str
    calls: tuple[Call, ...] = ()
    ui: Attempt | None = None
    finish: Finish = Finish()  # noqa: RUF009  (frozen, so it can be shared)
    view: Any = None
    """The view to grade with; None is the one that the oracle reached."""


@dataclass(frozen=True)
class Unrelated:
    """A write that has nothing to do with an instance, and the calls that put everything back."""

    write: tuple[Call, ...]
    undo: tuple[Call, ...]


class Template(Generic[P]):
    """Base of all templates. The docstring of a template says what it asks for, its traps, and what fails."""

    id: ClassVar[str]
    kind: ClassVar[Kind]
    tags: ClassVar[tuple[str, ...]] = ()
    """Patterns and traps that an instance meets, such as P07 and T2."""
    site: ClassVar[str] = "store"
    role: ClassVar[str] = "manager"
    start_url: ClassVar[str] = "http://admin.shop.localhost/"
    detour: ClassVar[str] = "/customers"
    """A page that no instance needs, to look at on the way."""
    max_steps: ClassVar[int] = 40
    few: ClassVar[str] = ""
    """Why there are fewer than 20 outcomes, where there are."""

    def instances(self, db: Snapshot, rng: Random) -> Iterator[P]:
        """Every instance that the data offers, no two with the same outcome, the trapped ones early."""
        raise NotImplementedError

    def intents(self, p: P) -> Sequence[str]:
        """What a person would write, in several phrasings; twins share them word for word."""
        raise NotImplementedError

    def expected(self, before: Snapshot, p: P) -> Expectation:
        """What the instance must leave behind, computed from the database before."""
        raise NotImplementedError

    def start(self, p: P) -> str:
        """The address that an episode starts on."""
        return self.start_url

    def oracle(self, page: Any, p: P) -> Moves:
        """Play the instance as a person would, finding things by role and name."""
        raise NotImplementedError

    def calls(self, before: Snapshot, p: P) -> Sequence[Call]:
        """The use cases that do the same."""
        return ()

    def finish(self, before: Snapshot, p: P) -> Finish:
        """How the instance ends when it is played by calls."""
        return right_finish(self.expected(before, p))

    def unrelated(self, before: Snapshot, p: P) -> Iterator[Unrelated]:
        """Writes that have nothing to do with the instance, and how they are undone; one is enough."""
        return iter(())

    def asides(self, p: P) -> Iterator[NearMiss]:
        """The right way after something that leaves traces of no weight, such as a saved view; as for all of a site."""
        return iter(())

    def near_misses(self, before: Snapshot, p: P) -> Iterator[NearMiss]:
        """Attempts that come close and must earn nothing."""
        return iter(())

    def still_right(self, before: Snapshot, p: P) -> Iterator[NearMiss]:
        """Attempts by other roads that must earn 1 as well."""
        return iter(())


def right_finish(expectation: Expectation) -> Finish:
    """The finish that an expectation asks for."""
    wanted = expectation.answer or expectation.blocker
    return Finish(None if wanted is None else str(wanted), expectation.outcome)


def interleaved(rng: Random, *groups: Sequence[P]) -> Iterator[P]:
    """Instances shuffled within their groups, one of each group in turn as long as it lasts: the rarest trap first."""
    drawn = [rng.sample(list(some), len(some)) for some in groups]
    for number in range(max(map(len, drawn))):
        for some in drawn:
            yield from some[number : number + 1]


def twins(can: Iterable[P], can_not: Iterable[P], cell: Callable[[P], object]) -> Iterator[P]:
    """Pairs of an instance that can be done and one that can't, both of one cell and one split, in the order of `can`.

    A cell is what the wording gives away: with as many of each kind in every cell it says nothing about the outcome.
    """
    waiting: dict[object, list[P]] = {}
    for p in can_not:
        waiting.setdefault((split_of_all(p.entities()), cell(p)), []).append(p)
    for p in can:
        if others := waiting.get((split_of_all(p.entities()), cell(p))):
            yield p
            yield others.pop(0)
