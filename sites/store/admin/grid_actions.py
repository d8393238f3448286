"""What a list lets people do to chosen rows: the declaration of an action, and the values its dialog asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy.orm import Session

from ...kit.forms import Form
from ...kit.grid import Column, Kind

Options = tuple[tuple[str, str], ...]
Values = dict[str, Any]
Tone = Literal["plain", "primary", "danger"]
Typed = Literal["text", "whole", "money", "choice", "day"]

KINDS: dict[Kind, Typed] = {"text": "text", "enum": "choice", "money": "money", "number": "whole", "time": "day"}
"""How a value of a column is typed, by the column's kind."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One input of an action's dialog; the value goes to the use case under `name`.

    `choice` and `choices` (several) need `options`: pairs of code and label, or a function of the read session that
    gives them; `tick` is a checkbox; `whole`, `money` and `day` are typed; `text` is one line, `area` several.
    """

    name: str
    label: str
    kind: Literal["choice", "choices", "tick", "text", "area", "whole", "money", "day"] = "choice"
    options: Options | Callable[[Session], Options] = ()
    required: bool = True
    initial: str = ""
    """What stands there at first; for a tick, anything means ticked."""
    hint: str = ""

    def choices(self, db: Session) -> Options:
        """The options to choose from."""
        return self.options(db) if callable(self.options) else self.options

    def read(self, form: Form, db: Session) -> Any:
        """The typed value; what is wrong is noted in the form, and reads as None."""
        if self.kind == "tick":
            return form.ticked(self.name)
        if self.kind == "choice":
            return form.choice(self.name, self.label, [code for code, _ in self.choices(db)], required=self.required)
        if self.kind == "choices":
            return self._several(form, db)
        if self.kind == "whole":
            return form.whole(self.name, self.label, required=self.required)
        if self.kind == "money":
            return form.money(self.name, self.label, required=self.required)
        if self.kind == "day":
            return form.day(self.name, self.label, required=self.required)
        return form.text(self.name, self.label, required=self.required, most=1000)

    def _several(self, form: Form, db: Session) -> list[str]:
        picked = form.typed.getlist(self.name) if form.typed is not None else []
        known = {code for code, _ in self.choices(db)}
        if self.required and not picked:
            form.wrong("REQUIRED", self.name, label=self.label)
        if not set(picked) <= known:
            form.wrong("NOT_A_CHOICE", self.name, label=self.label)
        return [code for code in picked if code in known]


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something done to chosen rows: one use case, called once a row, each in a transaction of its own.

    It stands in the bar above a selection, and in the menu of a single row. `{rows}` in `title` becomes what is chosen:
    "Cancel 23 orders?", or "Cancel order 100123?".
    """

    name: str
    """In the address, and unique in its list: `cancel`."""
    label: str
    """On the button: "Cancel"."""
    use_case: str = ""
    """Called as `fn(world, actor, v=…, <key>=…, **fields)` for each row."""
    title: str = ""
    """The question of the dialog."""
    submit: str = ""
    """The button that says yes; `label` where it is empty."""
    done: str = ""
    """What was done to a row, completes "{rows} …": `canceled`, `put on hold`."""
    text: str = ""
    """A sentence in the dialog: what follows, what cannot be undone."""
    fields: tuple[Field, ...] = ()
    into: Callable[[Values], Values] | None = None
    """What the values of the dialog become before the use case gets them: `lambda v: {"add": v["tags"]}`."""
    permission: str = ""
    """Entry of the permission map; that of the use case where it is empty."""
    tone: Tone = "plain"
    icon: str = ""
    href: str = ""
    """Instead of a use case: a page that is opened for the selection (see `grids.chosen`)."""
    key: str = ""
    """Argument of the use case that names the row, where it is not that of the list."""
    when: Callable[[Any], bool] | None = None
    """Whether a row's own menu has it; the bar always does, and rows it does not fit are refused one by one."""
    native_confirm: str = ""
    """Questions asked by the browser itself after the dialog, one a line; `{question}` is that of the dialog."""
    single: bool = True
    """Whether a row's own menu has it."""

    @property
    def needs(self) -> str:
        """The entry of the permission map."""
        return self.permission or self.use_case

    def arguments(self, values: Values) -> Values:
        """What the use case gets beside the row."""
        return self.into(values) if self.into is not None else values


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A column that can be edited in place: `fn(world, actor, v=…, <key>=…, <field>=value)`."""

    use_case: str
    field: str = ""
    """Argument of the use case; the column's name where it is empty."""
    permission: str = ""
    kind: Typed | None = None
    """How it is typed; by the column's kind where it is None (enums are chosen, money is an amount)."""
    options: Options | Callable[[Session], Options] | None = None
    """What to choose from, where it is not the column's own options."""
    required: bool = True
    key: str = ""
    most: int = 200
    value: Callable[[Any], str] | None = None
    """What the input shows for a row, where it is not the column's value."""
    into: Callable[[Values], Values] | None = None

    @property
    def needs(self) -> str:
        """The entry of the permission map."""
        return self.permission or self.use_case

    def typed(self, column: Column) -> Typed:
        """How a value is typed."""
        return self.kind or KINDS[column.kind]

    def choices(self, column: Column, db: Session) -> Options:
        """What a value is chosen from; empty where it is typed."""
        if self.typed(column) != "choice":
            return ()
        if self.options is None:
            return column.options
        return self.options(db) if callable(self.options) else self.options


@dataclass(frozen=True, kw_only=True)
class Item:
    """A link in the menu of a row; `href` has the row's attributes in braces."""

    label: str
    href: str
    use_case: str = ""
    """Whose permission it needs; a role that may not use it does not get the link."""
    when: Callable[[Any], bool] | None = None


@dataclass(frozen=True, kw_only=True)
class Button:
    """A link in the head of a list: "New customer"."""

    label: str
    href: str
    use_case: str = ""
    tone: str = "primary"
    icon: str = "plus-lg"


@dataclass(frozen=True)
class Outcome:
    """What became of one row: `message` says why not."""

    id: int
    name: str
    href: str
    ok: bool
    message: str = ""
    code: str = ""

    def to_json(self) -> Mapping[str, Any]:
        """A plain form that a session keeps."""
        return self.__dict__
