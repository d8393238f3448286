"""A site of two pages and four tables: small enough to know every byte of, with all that a world must get right."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Flask, Response, abort, g, make_response, redirect, request
from sitegym.errors import UnknownRole
from sitegym.sites.kit import live
from sitegym.sites.kit.ids import next_id
from sitegym.sites.kit.rules import Refused
from sitegym.sites.kit.site import Cookie, Site
from sitegym.sites.kit.world import WorldContext
from sqlalchemy import Connection, ForeignKey, Integer, String, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The micro site's tables."""


class Person(Base):
    """Somebody who writes notes."""

    __tablename__ = "people"
    __table_args__ = ({"info": {"class": "data"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[str]


class Note(Base):
    """A note; `pad` makes rows as large as a test wants them."""

    __tablename__ = "notes"
    __table_args__ = ({"info": {"class": "data"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    text: Mapped[str]
    created_at: Mapped[str]
    pad: Mapped[str] = mapped_column(default="")


class SignIn(Base):
    """A session."""

    __tablename__ = "sign_ins"
    __table_args__ = ({"info": {"class": "volatile"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(unique=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))


class Counter(Base):
    """The counters that ids come from."""

    __tablename__ = "sequences"
    __table_args__ = ({"info": {"class": "volatile"}},)
    name: Mapped[str] = mapped_column(String, primary_key=True)
    last: Mapped[int] = mapped_column(Integer)


_NOTES = {"tiny": 20, "six": 6_000, "thirty": 30_000}


def build(connection: Connection, data: str, seed: int) -> None:
    """Two people and some notes; about a kilobyte a note."""
    Base.metadata.create_all(connection)
    people = [{"id": 1, "name": "Ada", "role": "manager"}, {"id": 2, "name": "Bo", "role": "clerk"}]
    connection.execute(insert(Person), people)
    count = _NOTES[data]
    notes = [
        {
            "id": n,
            "author_id": 1 + n % 2,
            "text": f"note {n} of {seed}",
            "created_at": "2026-01-01T00:00:00Z",
            "pad": "x" * 960,
        }
        for n in range(1, count + 1)
    ]
    connection.execute(insert(Note), notes)
    counters = {"people": 2, "notes": count, "sign_ins": 0}
    connection.execute(insert(Counter), [{"name": name, "last": last} for name, last in counters.items()])


def add_note(world: WorldContext, actor: Person, text: str) -> dict[str, Any]:
    """Write a note."""
    if not text.strip():
        raise Refused("TEXT_REQUIRED", "Write something.", "text")
    with world.write() as db:
        note = Note(id=next_id(db, Note), author_id=actor.id, text=text, created_at=world.now(), pad="")
        db.add(note)
        db.flush()
        world.ring()
        return {"id": note.id, "text": note.text, "created_at": note.created_at}


def break_down(world: WorldContext, actor: Person) -> None:
    """A use case with a bug in it."""
    with world.write() as db:
        db.add(Note(id=next_id(db, Note), author_id=actor.id, text="half", created_at=world.now()))
        db.flush()
        raise KeyError("a bug")


def actor(world: WorldContext, role: str) -> Person:
    """The first person with a role."""
    with world.read() as db:
        person = db.scalars(select(Person).where(Person.role == role).order_by(Person.id)).first()
    if person is None:
        raise UnknownRole(role, ["manager", "clerk"])
    return person


def sign_in(world: WorldContext, role: str) -> Cookie:
    """A session for the first person with a role."""
    person = actor(world, role)
    with world.write() as db:
        id = next_id(db, SignIn)
        token = hashlib.sha256(world.secret + f"{id}".encode()).hexdigest()
        db.add(SignIn(id=id, token=token, person_id=person.id))
    return Cookie(name="who", value=token, host="notes.localhost")


def create_app() -> Flask:
    """The application; both hosts share it."""
    app = Flask(__name__)

    @app.before_request
    def bind() -> None:
        g.world = request.environ["sitegym.world"]

    @app.get("/")
    def home() -> Response:
        with g.world.read() as db:
            notes = db.scalars(select(Note).order_by(Note.id.desc()).limit(10)).all()
            token = request.cookies.get("who", "")
            who = db.scalar(select(Person.name).join(SignIn).where(SignIn.token == token))
        items = "".join(f"<li>{note.text}</li>" for note in notes)
        g.world.record_view(path="/", filters={}, sort=["-id"], extra={"size": 10})
        return make_response(
            f'<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="/static/icon.svg">'
            f"<h1>Notes of {g.world.face}</h1><p>Now {g.world.now()}</p><p id=who>{who or 'nobody'}</p><ul>{items}</ul>"
            f'<form method="post" action="/notes"><label>Text <input name="text"></label><button>Add</button></form>'
            f'<form method="post" action="/upload" enctype="multipart/form-data">'
            f'<label>File <input type="file" name="file"></label><button>Upload</button></form>'
            f'<a href="/download" download>Download</a>'
        )

    @app.post("/notes")
    def add() -> Any:
        add_note(g.world, actor(g.world, "manager"), request.form["text"])
        return redirect("/")

    @app.post("/upload")
    def upload() -> Any:
        content = request.files["file"].read()
        add_note(g.world, actor(g.world, "manager"), f"file {len(content)} {hashlib.sha256(content).hexdigest()[:8]}")
        return redirect("/")

    @app.get("/download")
    def download() -> Response:
        return Response(bytes(range(256)) * 1000, mimetype="application/octet-stream")

    @app.get("/away")
    def away() -> Any:
        return redirect("http://files.localhost/")

    @app.get("/cookie")
    def cookie() -> Response:
        response = make_response("set")
        response.set_cookie("taste", "sweet", max_age=3600)
        return response

    @app.get("/events")
    def events() -> Response:
        """Every note after a number, and those to come."""

        def pending(world: WorldContext, last: int) -> list[live.Event]:
            with world.read() as db:
                notes = db.scalars(select(Note).where(Note.id > last).order_by(Note.id)).all()
                return [live.Event(note.id, "note", note.text) for note in notes]

        return live.stream(g.world, pending, int(request.args["after"]))

    @app.get("/undeclared")
    def undeclared() -> str:
        return "<p>nothing said</p>"

    @app.get("/bug")
    def bug() -> str:
        raise KeyError("a bug")

    @app.get("/missing")
    def missing() -> str:
        abort(404)

    @app.get("/echo")
    def echo() -> dict[str, Any]:
        names = ("host", "origin", "referer", "connection", "proxy-connection", "x-forwarded-for")
        return {name: request.headers.get(name) for name in names}

    @app.post("/hold")
    def hold() -> str:
        """Read the newest note, wait for a reader at the other end of a named pipe, read it again."""
        with g.world.read() as db:
            first = db.scalar(select(Note.text).order_by(Note.id.desc()).limit(1))
        with open(request.form["reached"], "w") as reached:
            reached.write("here")
        with open(request.form["go_on"]) as go_on:
            go_on.read()
        with g.world.write() as db:
            db.add(Note(id=next_id(db, Note), author_id=1, text="late", created_at=g.world.now()))
        with g.world.read() as db:
            count = len(db.scalars(select(Note.id)).all())
        return f"{first}|{count}"

    return app


MICRO = Site(
    name="micro",
    metadata=Base.metadata,
    hosts={"notes.localhost": "notes", "files.localhost": "files"},
    start="2026-03-18T10:00:00Z",
    build=build,
    create_app=create_app,
    sign_in=sign_in,
    actor=actor,
    use_cases={"notes.add": add_note, "notes.break": break_down},
    data_sets=("tiny", "six", "thirty"),
    sources=("micro_site",),
)
