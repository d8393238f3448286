"""The pages that all contenders play beside the real shop: a form with 20 rows, tables with 100 and 1,000 rows."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from flask import Flask, Response, abort, g, request
from sqlalchemy import Connection, insert
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from ...sites.kit.site import Cookie, Site

HOST = "bench.localhost"
NAME = "rivals"
ROWS = {"form20": 20, "table100": 100, "table1000": 1000}
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "juniper")


class Base(DeclarativeBase):
    """Tables of the site: one, since a world has a database."""


class Mark(Base):
    """A row that says that the database is there."""

    __tablename__ = "marks"
    __table_args__ = ({"info": {"class": "data"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


def build(connection: Connection, data: str, seed: int) -> None:
    """The same row for every seed."""
    Base.metadata.create_all(connection)
    connection.execute(insert(Mark), [{"id": 1, "text": "here"}])


def create_app() -> Flask:
    """Static pages, made at start."""
    app = Flask(__name__)
    made = {name: _page(name, count) for name, count in ROWS.items()}

    @app.before_request
    def bind() -> None:
        g.world = request.environ["sitegym.world"]

    @app.get("/<name>")
    def show(name: str) -> Response:
        if name not in made:
            abort(404)
        g.world.record_view(path=f"/{name}", filters={}, sort=[])
        return Response(made[name], mimetype="text/html")

    return app


def _page(name: str, count: int) -> str:
    title = f"{count} rows"
    rows = "".join(_field(number) if name.startswith("form") else _row(number) for number in range(1, count + 1))
    body = f"<form>{rows}<button>Save</button></form>" if name.startswith("form") else f"<table>{_HEAD}{rows}</table>"
    style = (
        "td, th { padding: 2px 8px; border-bottom: 1px solid #ccc } form label { display: inline-block; width: 20em }"
    )
    return f"<!doctype html><title>{title}</title><style>{style}</style><h1>{title}</h1>{body}"


_HEAD = "<tr><th>Select</th><th>Number</th><th>Name</th><th>Status</th><th>Total</th><th>Action</th></tr>"


def _row(number: int) -> str:
    cells = [f"<input type='checkbox' aria-label='Select row {number}'>", f"<a href='#{number}'>{100_000 + number}</a>"]
    cells += [escape(text) for text in (_name(number), ("open", "paid", "sent")[number % 3], f"{number * 7 % 900}.50")]
    cells += [f"<button type='button'>Edit {number}</button>"]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _field(number: int) -> str:
    text = f"<label>Name {number} <input value='{escape(_name(number))}'></label>"
    kind = "".join(f"<option>{word}" for word in _WORDS[:4])
    tick = f"<label><input type='checkbox'> Select row {number}</label>"
    return f"<div>{text}<label>Kind {number} <select>{kind}</select></label>{tick}</div>"


def _name(number: int) -> str:
    return f"{_WORDS[number % 10]} {_WORDS[number * 3 % 7]}"


def _sign_in(world: Any, role: str) -> Cookie:
    return Cookie(name="who", value=role, host=HOST)


def _actor(world: Any, role: str) -> str:
    return role


def paths() -> Iterator[str]:
    """The paths of all pages."""
    return (f"/{name}" for name in ROWS)


PAGES = Site(
    name=NAME,
    metadata=Base.metadata,
    hosts={HOST: "bench"},
    start="2026-03-18T10:00:00Z",
    build=build,
    create_app=create_app,
    sign_in=_sign_in,
    actor=_actor,
    data_sets=("tiny",),
    sources=(__name__,),
)
