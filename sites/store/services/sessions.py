"""Signing in and out: sessions are rows, and their tokens are seals of the world's secret on a counter.

No token holds a time or chance, so the same episode always hands out the same ones.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select
from werkzeug.security import check_password_hash

from ...kit.ids import next_id
from ...kit.site import Cookie
from ..messages import refused
from ..models import Staff, WebSession
from .base import Actor, actor_for

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from ...kit.world import WorldContext

COOKIE = "staff_session"
HOST = "admin.shop.localhost"


def sign_in(world: WorldContext, role: str) -> Cookie:
    """Sign in the first active member of staff with this role; returns the cookie that a browser needs."""
    actor = actor_for(world, role)
    assert actor.id is not None
    return Cookie(name=COOKIE, value=_mint(world, actor.id), host=HOST)


def login(world: WorldContext, email: str, password: str) -> str:
    """The token of a new session for who knows the password. Raises `Refused` SIGN_IN_FAILED, saying no more."""
    with world.read() as db:
        staff = db.scalars(select(Staff).where(Staff.email == email.strip().lower(), Staff.active)).first()
        if staff is None or not check_password_hash(staff.password_hash, password):
            raise refused("SIGN_IN_FAILED")
        staff_id = int(staff.id)
    return _mint(world, staff_id)


def logout(world: WorldContext, token: str) -> None:
    """End a session; a token that is none changes nothing."""
    with world.write() as db:
        if (session := _find(db, token)) is not None:
            db.delete(session)


def current(world: WorldContext, token: str | None) -> Actor | None:
    """Who is signed in with this token; None where nobody is, or the account is no longer active."""
    if not token:
        return None

    def read(db: Session) -> Actor | None:
        session = _find(db, token)
        staff = db.get(Staff, session.principal_id) if session is not None else None
        return Actor("staff", staff.id, staff.role, staff.name) if staff is not None and staff.active else None

    return world.remembered(("signed in", token), read)


def kept(db: Session, token: str, name: str) -> Any:
    """What a session remembers under a name; None where it remembers nothing."""
    session = _find(db, token)
    return json.loads(session.data_json).get(name) if session is not None else None


def keep(world: WorldContext, token: str, name: str, change: Callable[[Any], Any]) -> Any:
    """Let a session remember something: `change` gets what it remembers under `name`, and gives what it shall."""
    with world.write() as db:
        session = _find(db, token)
        data = json.loads(session.data_json) if session is not None else {}
        value = change(data.get(name))
        if session is not None:
            session.data_json = json.dumps({**data, name: value}, sort_keys=True)
        return value


def _mint(world: WorldContext, staff_id: int) -> str:
    with world.write() as db:
        number = next_id(db, WebSession)
        digest = hmac.new(world.secret, f"staff session {number}".encode(), hashlib.sha256).digest()
        token = base64.urlsafe_b64encode(digest[:24]).decode()
        db.add(WebSession(id=number, token=token, principal="staff", principal_id=staff_id, created_at=world.now()))
    return token


_BY_TOKEN = select(WebSession).where(WebSession.token == bindparam("token"), WebSession.principal == "staff")
"""Asked for on every page, so it is put together once."""


def _find(db: Session, token: str) -> WebSession | None:
    return db.scalars(_BY_TOKEN, {"token": token}).first()
