"""Sessions, form tokens and roles: forged, cut, of another session, of another world, of somebody else."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from sitegym.sites import registry
from sitegym.sites.kit import csrf
from sitegym.sites.store.services.sessions import COOKIE
from sitegym.sites.world import World, WorldServer
from sitegym.verifiers import Snapshot, diff
from visiting import Visitor

from .attacks import attack
from .conftest import SHOP, Agent

HOST = "admin.shop.localhost"
WORDS = [
    "admin",
    "_admin",
    "api",
    "api/v1",
    "debug",
    "console",
    "reset",
    "_reset",
    "__reset__",
    "control",
    "world",
    "grade",
    "verify",
    "verdict",
    "finish",
    "answer",
    "oracle",
    "task",
    "expected",
    "baseline",
    "freeze",
    "checkpoint",
    "restore",
    "fork",
    "advance",
    "clock",
    "views",
    "errors",
    "refusals",
    "snapshot",
    "db",
    "database",
    "sql",
    "dump",
    "backup",
    "export",
    "shell",
    "eval",
    "exec",
    "status",
    "health",
    "metrics",
    "env",
    ".env",
    ".git/config",
    "config",
    "server-status",
    "wp-admin",
    "phpmyadmin",
    "actuator",
    "graphql",
    "swagger",
    "openapi.json",
    "robots.txt",
    ".well-known/security.txt",
    "static/../app.py",
    "login/as/owner",
    "impersonate",
    "sudo",
    "json/version",
    "json/list",
    "devtools",
    "sitegym",
]
"""Where agents have looked for a way behind the scenes."""


@dataclass
class Place:
    """A world of the shop, somebody in it, and an order that can be held."""

    world: World
    visitor: Visitor
    number: str
    v: str

    @property
    def hold(self) -> str:
        """Where the form that holds the order goes."""
        return f"/orders/{self.number}/hold"

    def changed(self) -> list[str]:
        """Tables that hold data and are not as they were."""
        metadata = registry.get("store").metadata
        with (
            Snapshot(self.world.baseline.path, metadata) as before,
            Snapshot(self.world.freeze(), metadata) as after,
        ):
            found = diff(before, after)
            return [
                name
                for name, table in found.tables.items()
                if metadata.tables[name].info.get("class") == "data" and table
            ]


@pytest.fixture
def place(shop_world: World) -> Iterator[Callable[[str | None], Place]]:
    """Gives somebody with a role in a world of the shop: `place("clerk")`."""
    made: list[Place] = []

    def enter(role: str | None = "manager") -> Place:
        world = shop_world.server.open("store", "tiny", 1)
        visitor = Visitor(world, HOST, role)
        with Snapshot(world.baseline.path, registry.get("store").metadata) as before:
            order = next(row for row in before.rows("orders", status="pending") if row.hold_reason is None)
        made.append(Place(world, visitor, order.number, str(order.v)))
        return made[-1]

    yield enter
    for one in made:
        one.visitor.close()
        one.world.close()


@attack(
    "sessions",
    tried="session cookies that are empty, cut, changed in each place, of other bytes, sealed with the world's own "
    "secret "
    "for a session that was never begun, or of a session that has ended",
    against="a session is a row of the world; a token is looked up, not believed",
    trace="each among the world's refused requests, as a session of nobody",
)
def test_no_made_up_session_gets_in(place: Callable[..., Place]) -> None:
    here = place("manager")
    good = here.visitor.cookies[COOKIE]
    assert here.visitor.ask("GET", "/orders").status == 200
    digest = hmac.new(here.world.baseline.secret, b"staff session 2", hashlib.sha256).digest()
    forged = [
        "", "x", good[:-1], f"{good}=", good.swapcase(), good[::-1], "null", "1", "' OR 1=1 --",
        "é" * 9, base64.urlsafe_b64encode(digest[:24]).decode(), "A" * 100_000,
    ]  # fmt: skip
    forged += [good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :] for at in range(len(good))]
    for token in forged:
        answer = here.visitor.ask("GET", "/orders", Cookie=f"{COOKIE}={token}".encode().decode("latin-1"))
        assert answer.status in (303, 400, 431), token[:50]
        assert "Orders" not in answer.text
    csrf_token = csrf.token(here.world.baseline.secret, good)
    assert here.visitor.ask("POST", "/logout", {"csrf": csrf_token}, Cookie=f"{COOKIE}={good}").status == 303
    assert here.visitor.ask("GET", "/orders", Cookie=f"{COOKIE}={good}").status == 303
    told = here.world.refusals()
    assert len(told) >= len(forged)
    assert sum("session is none" in one.why for one in told) > len(good)
    assert here.changed() == []


@attack(
    "sessions",
    tried="forms without a token, with a cut, changed or empty one, with that of no session, of another session, of "
    "another "
    "baseline; in the form, in the address, in the header; by GET, PUT and a method in a header",
    against="a token is an HMAC of its session, compared in constant time, and read from form or header only",
    trace="each among the world's refused requests (403)",
)
def test_no_made_up_token_moves_a_form(place: Callable[..., Place]) -> None:
    here = place("manager")
    mine = here.visitor.cookies[COOKIE]
    secret = here.world.baseline.secret
    good = csrf.token(secret, mine)
    theirs = here.world.sign_in("owner").value
    fields = {"v": here.v, "reason": "other"}
    tokens = ["", "x", good[:-1], good.swapcase(), csrf.token(secret, ""), csrf.token(secret, theirs),
              csrf.token(b"another", mine), "' OR 1=1 --", "é", "A" * 10_000]  # fmt: skip
    for token in tokens:
        assert here.visitor.ask("POST", here.hold, {**fields, "csrf": token}).status == 403, token[:40]
        header = token.encode().decode("latin-1")
        assert here.visitor.ask("POST", here.hold, fields, X_CSRF_Token=header).status in (400, 403, 431)
    assert here.visitor.ask("POST", f"{here.hold}?csrf={good}", fields).status == 403
    for method in ("GET", "PUT", "DELETE", "PATCH", "TRACE", "HOLD"):
        answer = here.visitor.ask(method, here.hold, {**fields, "csrf": good}, X_HTTP_Method_Override="POST")
        assert answer.status in (302, 403, 404, 405), method  # GET leads back to the order, and does nothing
    assert here.changed() == []
    assert sum(one.status == 403 for one in here.world.refusals()) >= 2 * len(tokens)
    assert here.visitor.ask("POST", here.hold, {**fields, "csrf": good}).status == 303, "the true one does"


@attack(
    "sessions",
    tried="a token of another world, where somebody with more rights has the same session; the cookies of a page in "
    "another world's browser context",
    against="sessions are rows of one world, contexts share nothing",
    trace="the refused request; the world's record of views",
)
def test_nothing_of_one_world_counts_in_another(
    place: Callable[..., Place], lab: Agent, server: WorldServer, lab_world: World
) -> None:
    here, there = place("analyst"), place("owner")
    token = there.visitor.cookies[COOKIE]
    fields = {"v": here.v, "reason": "other", "csrf": csrf.token(there.world.baseline.secret, token)}
    assert here.visitor.ask("POST", here.hold, fields, Cookie=f"{COOKIE}={token}").status == 403
    ghost = there.world.sign_in("owner").value
    assert here.visitor.ask("GET", "/", Cookie=f"{COOKIE}={ghost}").status == 303
    assert (here.changed(), len(here.world.refusals())) == ([], 2)
    lab.act({"action": "navigate", "url": "/taste?to=bitter"}, "reload()")
    assert "Cookie: bitter" in lab.now.axtree
    with server.open("lab", "tiny", 1) as other:
        second = Agent(type(lab.episode)(lab.episode.host, other), lab.task)
        second.act({"action": "navigate", "url": "/taste"})
        assert "Cookie: none" in second.now.axtree
        second.rests()
        second.episode.close()
        assert other.views()
    lab.rests()


@attack(
    "sessions",
    tried="every route that changes something, as the role with the fewest rights and as nobody, with a valid form "
    "token",
    against="each route asks for its permission before it does anything",
    trace="each among the world's refused requests (403, or the way to the sign-in page)",
)
@pytest.mark.parametrize("role", ["analyst", None])
def test_no_role_does_more_than_it_may(place: Callable[..., Place], role: str | None) -> None:
    from sitegym.sites.store.app import create_app

    here = place(role)
    token = csrf.token(here.world.baseline.secret, here.visitor.cookies.get(COOKIE, ""))
    own = re.compile(r"/(login|logout|profile|notifications|grids/[a-z]+/(views|columns)|views)\b")
    tried = 0
    for rule in create_app().url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or own.search(rule.rule):
            continue
        path = re.sub(r"<int:[^>]+>", "1", re.sub(r"<any\(([^),]+).*?>", r"\1", rule.rule))
        path = re.sub(r"<[^>]*number>", here.number, path)
        path = re.sub(r"<[^>]+>", "orders", path)
        answer = here.visitor.ask("POST", path, {"csrf": token, "v": "1", "reason": "other", "name": "escaped"})
        assert answer.status in ((303,) if role is None else (303, 400, 403, 404, 405, 409, 422)), (path, answer.status)
        tried += 1
    assert tried > 60
    assert here.changed() == []
    assert here.world.errors() == []
    assert len(here.world.refusals()) > tried / 2


@attack(
    "routes",
    tried="guessed routes behind the scenes (administration, reset, grading, control, debugging, the browser's "
    "debugger), at "
    "several depths and by several methods, as the owner",
    against="none exists: a world is controlled over a pipe, and graded in the harness",
    trace="each among the world's refused requests (404, 405)",
)
def test_no_route_leads_behind_the_scenes(place: Callable[..., Place]) -> None:
    here = place("owner")
    before, writes = here.world.now(), here.world.writes()
    token = csrf.token(here.world.baseline.secret, here.visitor.cookies[COOKIE])
    for word, prefix in itertools.product(WORDS, ("/", "/__", "/api/")):
        for method in ("GET", "POST"):
            fields = {"csrf": token, "id": "1"} if method == "POST" else None
            answer = here.visitor.ask(method, f"{prefix}{word}", fields)
            assert answer.status in (404, 405, 308), (method, prefix, word, answer.status)
    assert (here.world.now(), here.world.writes(), here.changed()) == (before, writes, [])
    told = here.world.refusals()
    assert len(told) == 200, "all that are kept"
    assert {one.status for one in told} <= {404, 405}


@attack(
    "routes",
    tried="the same words as addresses in the browser, and as hosts",
    against="no such page; no such site",
    trace="the step's error, or the address among what the record tells as refused",
)
def test_no_address_leads_behind_the_scenes(shop: Callable[..., Agent]) -> None:
    agent = shop("clerk")
    for word in ("reset", "__reset__", "admin", "json/version", "../reset", "//control.localhost/", "?reset=1&debug=1"):
        known = len(agent.refused)
        agent.act({"action": "navigate", "url": word if word.startswith("/") else f"{SHOP}/{word}"})
        assert agent.now.error or len(agent.refused) > known or word.startswith("?")
    for host in ("control", "world", "grader", "localhost", "shop.localhost", "admin.shop.localhost.evil"):
        name = host if "localhost" in host else f"{host}.localhost"
        assert "not part of this world" in agent.act({"action": "navigate", "url": f"http://{name}/"}).error
    agent.rests()


@attack(
    "sessions",
    tried="signing in by guessing: the names of roles, the shop's own addresses with passwords that are tried "
    "everywhere",
    against="passwords are salted hashes; a wrong pair says no more than that it is one",
    trace="each among the world's refused requests (422)",
)
def test_no_guess_signs_in(place: Callable[..., Place]) -> None:
    here = place(None)
    with Snapshot(here.world.baseline.path, registry.get("store").metadata) as before:
        people = [row.email for row in before.rows("staff") if row.active][:3]
    token = csrf.token(here.world.baseline.secret, "")
    guesses = ("password", "admin", "letmein", "' OR '1'='1", "", *string.digits[:2])
    for email, password in itertools.product((*people, "owner", "admin' --"), guesses):
        answer = here.visitor.ask("POST", "/login", {"csrf": token, "email": email, "password": password})
        assert answer.status == 422, (email, password)
        assert COOKIE not in here.visitor.cookies
    assert len(here.world.refusals()) == 5 * len(guesses)
    assert here.changed() == []
