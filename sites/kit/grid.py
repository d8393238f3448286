"""What a list is asked for: `?q=&f=col:op:value&f=…&sort=-col,col2&page=1&size=20&cols=a,b&view=3`, parsed and written.

One parsed query is one value: two addresses that mean the same list are equal after parsing, however they are written.
`view` names a saved view: alone it stands for all that was saved; beside other parts these count, and the view is the
one being worked on. An empty `f=` says that there is no condition, where leaving it out would mean the saved ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal
from urllib.parse import quote

from .forms import cents, is_day, is_whole

Kind = Literal["text", "enum", "money", "number", "time"]
Op = Literal["eq", "in", "ne", "contains", "gte", "lte", "between", "empty"]
Value = str | int | tuple[str, ...] | tuple[int, int]

OPS: dict[Kind, tuple[Op, ...]] = {
    "text": ("contains", "eq", "empty"),
    "enum": ("in", "eq", "ne", "empty"),
    "money": ("between", "gte", "lte", "eq", "empty"),
    "number": ("between", "gte", "lte", "eq", "empty"),
    "time": ("between", "gte", "lte", "eq", "empty"),
}
SIZES = (20, 50, 100, 200)
MOST_PAGES = 100_000
ALL = 0
"""`view=all`: no saved view, also where one is shown unless somebody asks."""
SAVED = ("q", "f", "sort", "cols")
"""The parts of an address that a saved view stands for."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a list: its name in addresses, its label, and the SQL that shows, sorts and filters it.

    `show` is the value on the page; `sort` and `match` default to it, and are stored keys for text. `options` are the
    codes and labels of an enum. `default` says whether it is shown unless asked for.
    """

    name: str
    label: str
    kind: Kind = "text"
    show: Any
    sort: Any = None
    match: Any = None
    options: tuple[tuple[str, str], ...] = ()
    default: bool = True
    typed: Callable[[str], str] | None = None
    """What typed text becomes before it is compared: a key where `match` is a stored key, digits for phones."""
    where: Callable[[tuple[str, ...]], Any] | None = None
    """For an enum whose codes are not what is stored: the SQL condition for a set of codes."""
    sortable: bool = True
    filterable: bool = True

    @property
    def numeric(self) -> bool:
        """Whether its values stand right-aligned."""
        return self.kind in ("money", "number")


@dataclass(frozen=True, order=True)
class Filter:
    """One condition. `value` is typed: cents for money, a tuple for `in` and `between`, a date for times."""

    column: str
    op: Op
    value: Value

    def plain(self) -> list[Any]:
        """Op and value as they are recorded: `["in", ["pending"]]`."""
        return [self.op, list(self.value) if isinstance(self.value, tuple) else self.value]


@dataclass(frozen=True, kw_only=True)
class Query:
    """A parsed request for a list. `sort` is the one in effect, each with `-` in front where it descends."""

    q: str = ""
    filters: tuple[Filter, ...] = ()
    sort: tuple[str, ...] = ()
    page: int = 1
    size: int = 20
    columns: tuple[str, ...] = ()
    view: int | None = field(default=None, compare=False)
    """The saved view being looked at or worked on; `ALL` where somebody asked for none."""
    ignored: tuple[str, ...] = field(default=(), compare=False)
    """Parts of the address that mean nothing here; shown to the person, and left out."""

    def recorded(self) -> dict[str, list[list[Any]]]:
        """The filters as the server puts them on record."""
        found: dict[str, list[list[Any]]] = {}
        for each in sorted(self.filters, key=lambda f: (f.column, f.op)):
            found.setdefault(each.column, []).append(each.plain())
        return found

    def of(self, column: str) -> tuple[Filter, ...]:
        """The conditions on one column."""
        return tuple(each for each in self.filters if each.column == column)

    def without(self, gone: Filter) -> Query:
        """The same list without one condition, from its first page."""
        return replace(self, filters=tuple(each for each in self.filters if each != gone), page=1)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What one list offers: its path, columns, and how it is sorted when nobody says."""

    path: str
    columns: tuple[Column, ...]
    sort: tuple[str, ...]
    nouns: tuple[str, str]
    """What a row is called: one, and many."""
    size: int = 20
    views: Mapping[int, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """What each saved view says, as the parts of an address."""
    home: int | None = None
    """The saved view that the bare path shows."""
    prepared: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """Statements made for these columns, kept as long as they are."""

    def column(self, name: str) -> Column | None:
        """A column by name."""
        return next((column for column in self.columns if column.name == name), None)

    def parse(self, args: Mapping[str, Sequence[str]]) -> Query:
        """Read an address. What is not understood is named in `ignored`, never guessed."""
        ignored: list[str] = []
        view = self._view(args, ignored)
        if view and not any(part in args for part in SAVED):
            args = {**args, **self.views[view]}
        filters = self._filters(args.get("f", ()), ignored)
        return Query(
            q=" ".join(_last(args, "q").split())[:100],
            filters=filters,
            sort=self._sort(_last(args, "sort"), ignored) or self.sort,
            page=_whole(_last(args, "page"), 1, range(1, MOST_PAGES), ignored, "page"),
            size=_whole(_last(args, "size"), self.size, SIZES, ignored, "size"),
            columns=self._columns(_last(args, "cols"), ignored),
            view=view,
            ignored=tuple(ignored),
        )

    def saved(self, view: int) -> Query:
        """The list that a saved view stands for."""
        return replace(self.parse(self.views[view]), view=view, ignored=())

    def url(self, query: Query, **changes: Any) -> str:
        """The address of a list, defaults left out."""
        pairs = self.parts(replace(query, **changes))
        text = "&".join(f"{name}={quote(value, safe=':|,.-@ ').replace(' ', '+')}" for name, value in pairs)
        return f"{self.path}?{text}" if text else self.path

    def parts(self, asked: Query) -> list[tuple[str, str]]:
        """The names and values that the address of a list has."""
        return self._in_view(asked, self.full(asked))

    def full(self, asked: Query) -> list[tuple[str, str]]:
        """The names and values that say the same without a saved view."""
        pairs: list[tuple[str, str]] = [("q", asked.q)] if asked.q else []
        pairs += [("f", written(each, self.column(each.column))) for each in asked.filters]
        if asked.sort != self.sort:
            pairs.append(("sort", ",".join(asked.sort)))
        if asked.page != 1:
            pairs.append(("page", str(asked.page)))
        if asked.size != self.size:
            pairs.append(("size", str(asked.size)))
        if asked.columns != self.usual:
            pairs.append(("cols", ",".join(asked.columns)))
        return pairs

    def kept(self, asked: Query) -> list[tuple[str, str]]:
        """The names and values that a form on this list carries along."""
        pairs = self.full(asked)
        if asked.view in self.views:
            return [*pairs, ("view", str(asked.view))]
        return pairs if self.home is None else [*pairs, ("view", "all")]

    @cached_property
    def usual(self) -> tuple[str, ...]:
        """The columns shown where nobody chose any."""
        return tuple(column.name for column in self.columns if column.default)

    def _in_view(self, asked: Query, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The pairs with the view that they belong to; the view alone where they say no more than it does."""
        if asked.view in self.views and asked.view is not None:
            if replace(asked, page=1, size=self.size) == replace(self.saved(asked.view), page=1, size=self.size):
                pairs = [pair for pair in pairs if pair[0] not in SAVED]
            elif not any(name in SAVED for name, _ in pairs):
                pairs = [("f", ""), *pairs]
            return [*pairs, ("view", str(asked.view))]
        if self.home is not None and not any(name in SAVED for name, _ in pairs):
            return [*pairs, ("view", "all")]
        return pairs

    def _view(self, args: Mapping[str, Sequence[str]], ignored: list[str]) -> int | None:
        text = _last(args, "view")
        if text == "all":
            return ALL
        if not text:
            return None if any(part in args for part in SAVED) else self.home
        if is_whole(text) and int(text) in self.views:
            return int(text)
        ignored.append(f"view “{text[:20]}”")
        return ALL

    def canonical(self, filters: Iterable[Filter]) -> tuple[Filter, ...]:
        """Conditions without repetition, two bounds of one column joined, in the order of the columns."""
        unique = list(dict.fromkeys(filters))
        for column in self.columns:
            unique = _joined(unique, column.name)
        order = {column.name: index for index, column in enumerate(self.columns)}
        return tuple(sorted(unique, key=lambda each: (order[each.column], each.op, str(each.value))))

    def _filters(self, texts: Sequence[str], ignored: list[str]) -> tuple[Filter, ...]:
        found = []
        for text in filter(None, texts):
            one = self._filter(text)
            if one is None:
                ignored.append(f"filter “{text[:60]}”")
            else:
                found.append(one)
        return self.canonical(found)

    def _filter(self, text: str) -> Filter | None:
        name, _, rest = text.partition(":")
        op, _, value = rest.partition(":")
        column = self.column(name)
        if column is None or not column.filterable:
            return None
        known = next((each for each in OPS[column.kind] if each == op), None)
        return condition(column, known, value) if known else None

    def _sort(self, text: str, ignored: list[str]) -> tuple[str, ...]:
        found: dict[str, str] = {}
        for part in filter(None, text.split(",")):
            column = self.column(part.lstrip("-"))
            if column is None or not column.sortable:
                ignored.append(f"sort “{part[:40]}”")
            else:
                found.setdefault(column.name, f"-{column.name}" if part.startswith("-") else column.name)
        return tuple(found.values())

    def _columns(self, text: str, ignored: list[str]) -> tuple[str, ...]:
        asked = [name for name in text.split(",") if name]
        ignored += [f"column “{name[:40]}”" for name in asked if self.column(name) is None]
        known = tuple(dict.fromkeys(name for name in asked if self.column(name) is not None))
        return known or self.usual


def condition(column: Column, op: Op, text: str) -> Filter | None:
    """One condition from its text, typed and in its usual form; None where the text does not fit the column."""
    if op == "empty":
        return Filter(column.name, "empty", "")
    if column.kind == "enum":
        return _choice(column, op, text)
    if column.kind == "text":
        return Filter(column.name, op, text.strip()[:100]) if text.strip() else None
    if op == "between":
        low, dots, high = text.partition("..")
        bounds = (_scalar(column, low), _scalar(column, high))
        return _between(column.name, bounds) if dots else None
    value = _scalar(column, text)
    if value is None:
        return None
    return _between(column.name, (value, value)) if op == "eq" else Filter(column.name, op, value)


def written(each: Filter, column: Column | None) -> str:
    """A condition as it stands in an address."""
    money = column is not None and column.kind == "money"
    if isinstance(each.value, tuple):
        parts = [_text(value, money) for value in each.value]
        return f"{each.column}:{each.op}:{('..' if each.op == 'between' else '|').join(parts)}"
    return f"{each.column}:{each.op}:{_text(each.value, money)}"


def _choice(column: Column, op: Op, text: str) -> Filter | None:
    known = {code for code, _ in column.options}
    codes = tuple(sorted(dict.fromkeys(text.split("|") if op == "in" else [text])))
    if not codes or any(code not in known for code in codes):
        return None
    return Filter(column.name, "ne", codes[0]) if op == "ne" else Filter(column.name, "in", codes)


def _between(name: str, bounds: tuple[Any, Any]) -> Filter | None:
    low, high = bounds
    return None if low is None or high is None or low > high else Filter(name, "between", (low, high))


def _scalar(column: Column, text: str) -> int | str | None:
    if column.kind == "money":
        return cents(text)
    if column.kind == "number":
        return int(text) if is_whole(text.strip()) else None
    return text.strip() if is_day(text.strip()) and "1970" <= text.strip()[:4] <= "2999" else None


def _joined(filters: list[Filter], name: str) -> list[Filter]:
    """One `gte` and one `lte` of a column are a `between`."""
    low = [each for each in filters if each.column == name and each.op == "gte"]
    high = [each for each in filters if each.column == name and each.op == "lte"]
    if len(low) != 1 or len(high) != 1:
        return filters
    both = _between(name, (low[0].value, high[0].value))
    rest = [each for each in filters if each not in (low[0], high[0])]
    return [*rest, both] if both else filters


def _text(value: str | int, money: bool) -> str:
    if money and isinstance(value, int):
        return f"{value // 100}.{value % 100:02d}"
    return str(value)


def _last(args: Mapping[str, Sequence[str]], name: str) -> str:
    values = args.get(name, ())
    return values[-1] if values else ""


def _whole(text: str, default: int, allowed: Sequence[int] | range, ignored: list[str], name: str) -> int:
    if not text:
        return default
    if is_whole(text) and int(text) in allowed:
        return int(text)
    ignored.append(f"{name} “{text[:20]}”")
    return default
