"""A site that does what no shop would: leads to any address, in every way that a page can, and keeps notes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from html import escape
from typing import Any

from flask import Flask, Response, g, redirect, request
from sitegym.errors import UnknownRole
from sitegym.sites.kit.ids import next_id
from sitegym.sites.kit.site import Cookie, Site
from sitegym.sites.kit.world import WorldContext
from sqlalchemy import Connection, Integer, String, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

HOST = "lab.localhost"
HOME = f"http://{HOST}/"


class Base(DeclarativeBase):
    """The lab's tables."""


class Note(Base):
    """Something written; what an agent may be asked to write, or not to."""

    __tablename__ = "notes"
    __table_args__ = ({"info": {"class": "data"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


class SignIn(Base):
    """A session."""

    __tablename__ = "sign_ins"
    __table_args__ = ({"info": {"class": "volatile"}},)
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str]
    role: Mapped[str]


class Counter(Base):
    """The counters that ids come from."""

    __tablename__ = "sequences"
    __table_args__ = ({"info": {"class": "volatile"}},)
    name: Mapped[str] = mapped_column(String, primary_key=True)
    last: Mapped[int] = mapped_column(Integer)


def build(connection: Connection, data: str, seed: int) -> None:
    """One note."""
    Base.metadata.create_all(connection)
    connection.execute(insert(Note), [{"id": 1, "text": "the first"}])
    connection.execute(insert(Counter), [{"name": "notes", "last": 1}, {"name": "sign_ins", "last": 0}])


def add_note(world: WorldContext, actor: str, text: str) -> int:
    """Write a note."""
    with world.write() as db:
        note = Note(id=next_id(db, Note), text=text)
        db.add(note)
        return note.id


def actor(world: WorldContext, role: str) -> str:
    """Whoever has the role is the role."""
    if role not in ("owner", "guest"):
        raise UnknownRole(role, ["owner", "guest"])
    return role


def sign_in(world: WorldContext, role: str) -> Cookie:
    """A session for a role."""
    with world.write() as db:
        id = next_id(db, SignIn)
        token = hashlib.sha256(world.secret + f"{id}".encode()).hexdigest()
        db.add(SignIn(id=id, token=token, role=actor(world, role)))
    return Cookie(name="who", value=token, host=HOST)


WAYS: dict[str, Callable[[str], str]] = {
    "link": lambda to: f'<a href="{to}">Go</a>',
    "tab": lambda to: f'<a href="{to}" target="_blank">Go</a>',
    "form": lambda to: f'<form action="{to}"><input name="a" value="1"><button>Go</button></form>',
    "post": lambda to: f'<form action="{to}" method="post"><input name="a" value="1"><button>Go</button></form>',
    "script": lambda to: f'<button data-to="{to}" onclick="location.href = this.dataset.to">Go</button>',
    "window": lambda to: f'<button data-to="{to}" onclick="window.open(this.dataset.to)">Go</button>',
    "frame": lambda to: f'<iframe title="Inner" src="{to}"></iframe><button>Go</button>',
    "object": lambda to: f'<object data="{to}" width="300" height="100"></object><button>Go</button>',
    "picture": lambda to: f'<img alt="Picture" src="{to}"><button>Go</button>',
    "fetch": lambda to: (
        f'<button data-to="{to}" onclick="fetch(this.dataset.to, {{mode: \'no-cors\'}}).catch(() => 0)">Go</button>'
    ),
    "beacon": lambda to: f'<button data-to="{to}" onclick="navigator.sendBeacon(this.dataset.to, 1)">Go</button>',
    "socket": lambda to: (
        f'<button data-to="{to}" onclick="new WebSocket(this.dataset.to.replace(/^http/, \'ws\'))">Go</button>'
    ),
    "connect": lambda to: f'<link rel="preconnect" href="{to}"><link rel="prefetch" href="{to}"><button>Go</button>',
    "refresh": lambda to: f'<meta http-equiv="refresh" content="0;url={to}"><button>Go</button>',
    "drag": lambda to: (
        f'<a href="{to}" draggable="true">Go</a>'
        '<div id="drop" role="group" aria-label="Drop" style="width: 200px; height: 200px; background: #eee">Drop</div>'
    ),
}
"""Markup that leads to an address, by name; each has something named "Go"."""

PAGES = {
    "blob": """<iframe title="Inner" id="inner"></iframe><button>Go</button><script>
const made = URL.createObjectURL(new Blob(["<h1>Made</h1><p>elsewhere"], { type: "text/html" }));
document.querySelector("button").onclick = () => { location.href = made; };
document.getElementById("inner").src = made;</script>""",
    "tabs": """<button>Go</button><script>
document.querySelector("button").onclick = () => {
  for (let n = 0; n < 200; n += 1) window.open("/?n=" + n);
};</script>""",
    "busy": """<button>Go</button><p id="said">0</p><script>
let count = 0;
const again = () => { said.textContent = count += 1; setTimeout(again, 1); };
document.querySelector("button").onclick = again;</script>""",
    "late": """<button>Go</button><script>
const send = () => fetch("/notes", { method: "POST", body: "late" });
document.querySelector("button").onclick = () => setTimeout(send, 2000);
</script>""",
    "held": """<button>Go</button><script>
document.querySelector("button").onclick = () => { fetch("/held"); };</script>""",
    "loop": '<button onclick="for (;;);">Go</button>',
    "udp": """<button>Go</button><script>
let peer;
document.querySelector("button").onclick = () => {
  const to = new URLSearchParams(location.search).get("to");
  peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:" + to }] });
  peer.createDataChannel("a");
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
};</script>""",
}
"""Pages with scripts of their own."""


def _document(title: str, body: str) -> str:
    return f'<!doctype html><html lang="en"><title>{title}</title><link rel="icon" href="data:,"><h1>{title}</h1>{body}'


def create_app() -> Flask:
    """The application."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 4 * 1024 * 1024

    @app.before_request
    def bind() -> None:
        g.world = request.environ["sitegym.world"]

    @app.get("/")
    def home() -> str:
        token = request.cookies.get("who", "")
        with g.world.read() as db:
            notes = db.scalars(select(Note).order_by(Note.id)).all()
            role = db.scalar(select(SignIn.role).where(SignIn.token == token))
        items = "".join(f"<li>{escape(note.text[:200])} ({len(note.text)})</li>" for note in notes)
        form = '<form method="post" action="/notes"><textarea aria-label="Text" name="text"></textarea>'
        g.world.record_view(path="/")
        return _document(
            "Notes", f"<p>You are {role or 'nobody'}.</p><ul>{items}</ul>{form}<button>Add</button></form>"
        )

    @app.post("/notes")
    def add() -> Any:
        add_note(g.world, "owner", request.form.get("text") or request.get_data(as_text=True))
        return redirect("/")

    @app.get("/way/<how>")
    def way(how: str) -> Response:
        g.world.record_view(path=f"/way/{how}")
        return Response(_document("Way", WAYS[how](escape(request.args["to"]))), mimetype="text/html")

    @app.get("/page/<name>")
    def page(name: str) -> Response:
        g.world.record_view(path=f"/page/{name}")
        return Response(_document("Page", PAGES[name]), mimetype="text/html")

    @app.get("/redirect")
    def away() -> Response:
        return Response("", 302, {"Location": request.args["to"]})

    @app.get("/taste")
    def taste() -> Response:
        response = Response(_document("Taste", f"<p>Cookie: {escape(request.cookies.get('taste', 'none'))}</p>"))
        response.set_cookie("taste", request.args.get("to", "sweet"))
        return response

    @app.post("/hold")
    def hold() -> str:
        """Say that the request is here, wait until it may go on, and write a note: both through named pipes."""
        with open(request.form["reached"], "w") as reached:
            reached.write("here")
        with open(request.form["go_on"]) as go_on:
            go_on.read()
        add_note(g.world, "owner", "late")
        return "written"

    @app.get("/held")
    def held() -> str:
        """Answer only once the notes hold one that says so."""
        import time

        while True:
            with g.world.read() as db:
                if db.scalar(select(Note.id).where(Note.text == "go on")):
                    return "at last"
            time.sleep(0.05)

    return app


LAB = Site(
    name="lab",
    metadata=Base.metadata,
    hosts={HOST: "lab"},
    start="2026-03-18T10:00:00Z",
    build=build,
    create_app=create_app,
    sign_in=sign_in,
    actor=actor,
    use_cases={"notes.add": add_note},
    data_sets=("tiny",),
    sources=("lab_site",),
)
