"""The frame around every page: who is signed in, which form may be believed, and how a page or a change is answered.

A request carries `g.world`, `g.token` (session), `g.actor` (for services) and `g.staff` (for the page).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, g, make_response, redirect, render_template, request, send_from_directory
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Answer

from ...kit import csrf
from ...kit.forms import Form, is_whole
from ...kit.rules import Forbidden, Refused
from .. import messages
from ..models import Staff
from ..services import notifications, permissions, profile, sessions
from . import scripts
from .assets import ALL_STYLES, FOLDERS, styles

T = TypeVar("T")

FLASH = "flash"
ASIDE = "sitegym.aside"
"""Set in the environment of a request that the application makes of itself: what it renders is nobody's view."""

LONGEST_WAY_BACK = 2000
"""Characters of an address that somebody is brought back to after signing in: it travels in a header."""

FOREVER = 365 * 24 * 3600
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LASTING = frozenset({"admin.asset", "admin.pictures.show"})
"""What the browser may keep for good: an address that changes when its content does."""
PUBLIC = frozenset({"admin.asset", "admin.login.form", "admin.login.sign_in", "admin.login.sign_out"})


def install(admin: Blueprint) -> None:
    """Put the static files on the back office's blueprint."""
    admin.add_url_rule("/assets/<folder>/<version>/<path:name>", "asset", asset)


def asset(folder: str, version: str, name: str) -> Response:
    """A style sheet, script or picture; its address carries a version, so that it may be kept for good."""
    if folder not in FOLDERS:
        abort(404)
    if (folder, name) == ("admin", ALL_STYLES):
        return Response(styles(), mimetype="text/css")
    return send_from_directory(FOLDERS[folder], name, max_age=FOREVER, conditional=False, etag=False)


def enter() -> Answer | None:
    """Who is it, and did the form come from their own session?"""
    g.token, g.actor = request.cookies.get(sessions.COOKIE, ""), None
    if request.endpoint == "admin.asset":
        return None
    if request.method in SAFE:
        db()  # one session for the whole page: who asks is then read once
    g.actor = sessions.current(g.world, g.token) if g.token else None
    if request.method not in SAFE:
        check_csrf()
    if g.actor is None and request.endpoint not in PUBLIC:
        return to_login()
    return None


def check_csrf() -> None:
    """Refuse a write whose token is not that of the session."""
    given = request.form.get(csrf.FIELD) or request.headers.get(csrf.HEADER, "")
    if not csrf.valid(g.world.secret, session_key(), given):
        raise Forbidden(messages.say("CSRF"), action="csrf", code="CSRF")


def session_key() -> str:
    """What the form token is bound to: the session, or nothing before sign-in."""
    return g.token if g.actor is not None else ""


def to_login() -> Answer:
    """Send somebody unknown to the sign-in page, and back afterwards; scripts get a plain 401."""
    g.world.refused = "the session is none of this shop's" if g.token else "nobody is signed in"
    if "application/json" in request.headers.get("Accept", ""):
        return make_response("", 401)
    here = request.full_path.rstrip("?") if request.method in SAFE else "/"
    back = here != "/" and len(here) <= LONGEST_WAY_BACK
    return redirect(f"/login?{urlencode({'next': here})}" if back else "/login", 303)


def leave(response: Response) -> Response:
    """Pages are never kept by the browser: Back asks the server again, which is also what it has on record."""
    if request.endpoint not in LASTING or response.status_code != 200:
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
    else:
        scope = "public" if request.endpoint == "admin.asset" else "private"
        response.headers["Cache-Control"] = f"{scope}, max-age={FOREVER}, immutable"
        response.headers.pop("Last-Modified", None)
    return response


def close(_error: BaseException | None = None) -> None:
    """Give back the read session of this request."""
    stack = g.pop("reads", None)
    if stack is not None:
        stack.close()
    g.pop("session", None)


def db() -> Session:
    """This request's read session; a POST must not hold it while a service writes."""
    if "session" not in g:
        g.reads = ExitStack()
        g.session = g.reads.enter_context(g.world.read())
    session: Session = g.session
    return session


def once(db: Session, name: object, read: Callable[[], T]) -> T:
    """What `read` gives, asked once until something is written: lists of choices are wanted in many places."""
    found: T = g.world.remembered(("once", name), lambda _: read())
    return found


def detached(db: Session, row: T) -> T:
    """A row with its columns that needs its session no more, for what outlives a request."""
    if row is not None:
        db.expunge(row)
    return row


def signed_in() -> bool:
    """Whether this request comes from somebody known."""
    return g.get("actor") is not None


def staff() -> Staff | None:
    """The person signed in, for the page; one query a request."""
    if g.get("actor") is None:
        return None
    if "staff" not in g:
        g.staff = g.world.remembered(("staff", g.actor.id), lambda db: detached(db, db.get(Staff, g.actor.id)))
    person: Staff | None = g.staff
    return person


def preferences() -> dict[str, Any]:
    """How the back office looks to the person signed in: theme, locale, page_size, tiles."""
    if "preferences" not in g:
        g.preferences = profile.preferences_of(staff())
    found: dict[str, Any] = g.preferences
    return found


def page(
    template: str,
    *,
    status: int = 200,
    filters: Mapping[str, object] | None = None,
    sort: Sequence[str] = (),
    extra: Mapping[str, object] | None = None,
    **context: object,
) -> Response:
    """Render a main view, and put it on the server's own record: path, filters and sort as parsed, not as typed.

    The world sends the record's id along in `X-View`, so that the harness knows which view a tab shows.
    """
    html = scripts.place(template, render_template(template, **context))
    response = make_response(html, status)
    about = {"staff_id": g.actor.id if signed_in() else None, **(extra or {})}
    if ASIDE not in request.environ:
        g.world.record_view(path=request.path, filters=dict(filters or {}), sort=list(sort), extra=about)
    if request.cookies.get(FLASH):
        response.delete_cookie(FLASH)
    return response


def done(code: str, *, to: str, tone: str = "good", **values: object) -> Answer:
    """Answer a change: go to a page which says so in a toast."""
    return saying(messages.say(code, **values), tone, to)


def refused(error: Refused, *, to: str) -> Answer:
    """Answer a refused change that has no form of its own: go to a page which says why in a toast."""
    return saying(error.message, "bad", to)


def saying(text: str, tone: str, to: str) -> Answer:
    """A redirect with a toast; it travels in a sealed cookie without a time, and is shown once."""
    response = redirect(to, 303)
    message = json.dumps({"text": text, "tone": tone}, sort_keys=True)
    response.set_cookie(FLASH, csrf.sealed(g.world.secret, message), httponly=True, samesite="Lax")
    return response


def require(use_case: str) -> None:
    """Raise `Forbidden` where the person signed in may not open the page of a use case."""
    if not may(use_case):
        raise Forbidden(messages.say("FORBIDDEN", doing=permissions.PERMISSIONS[use_case].doing), action=use_case)


def toast() -> dict[str, str] | None:
    """What the last change left to be said, once."""
    text = csrf.unsealed(g.world.secret, request.cookies.get(FLASH, ""))
    return dict(json.loads(text)) if text else None


def posted() -> Form:
    """The form of this request."""
    return Form(messages.CATALOGUE, request.form)


def blank(initial: Mapping[str, object] | None = None) -> Form:
    """A form not sent yet, filled with what is stored."""
    return Form(messages.CATALOGUE, None, initial)


def form_version(form: Form) -> int:
    """The version that a form was made from; a form without one is stale by definition (-1)."""
    text = str(form.typed.get("v", "")) if form.typed is not None else ""
    return int(text) if is_whole(text) else -1


def local_path(text: str) -> str:
    """A path of this site to return to; anything that leads elsewhere becomes the start page."""
    safe = text.startswith("/") and not text.startswith(("//", "/\\")) and "\\" not in text
    return text if safe and not text.startswith("/login") else "/"


def context() -> dict[str, Any]:
    """What every template of the back office may use."""
    return {
        "staff": staff(),
        "theme": preferences()["theme"],
        "locale": preferences()["locale"],
        "csrf_field": csrf.FIELD,
        "csrf_token": csrf.token(g.world.secret, session_key()),
        "toast": toast(),
        "today": g.world.today(),
        "now": g.world.now(),
        "may": lambda use_case: may(use_case),
        "look": lambda use_case: look(use_case),
        "bell": bell,
    }


def bell() -> dict[str, int]:
    """What the bell shows: how many lines are unread, and the newest line that the page knows of."""
    if "bell" not in g:
        unread, last = g.world.remembered(("bell", g.actor.id), lambda db: notifications.told(db, g.actor.id))
        g.bell = {"unread": unread, "last": last}
    found: dict[str, int] = g.bell
    return found


def may(use_case: str) -> bool:
    """Whether the person signed in is allowed a use case."""
    return g.get("actor") is not None and permissions.allowed(g.actor.role, use_case)


def look(use_case: str) -> str:
    """How the control of a use case is drawn for the person signed in: shown, disabled or hidden."""
    return permissions.control(g.actor.role if g.get("actor") else None, use_case)
