"""Asking the application directly, without server or browser: who is signed in, what comes back, what is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Flask
from sitegym.sites.kit import csrf
from sitegym.sites.kit.views import View
from sitegym.sites.kit.world import WorldContext
from sitegym.sites.store.services import sessions
from sqlalchemy import select
from werkzeug.test import TestResponse

ORIGIN = "http://admin.shop.localhost"


class Asker:
    """A person (or nobody) at the application; each request sees the world as a real one does."""

    def __init__(self, app: Flask, world: WorldContext, role: str | None) -> None:
        self.world = world
        self.moment = world.moment
        self.client = app.test_client(use_cookies=True)
        self.token = ""
        if role:
            cookie = sessions.sign_in(world, role)
            self.token = cookie.value
            self.client.set_cookie(cookie.name, cookie.value, domain=cookie.host)

    def ask(self, method: str, path: str, **kwargs: Any) -> TestResponse:
        """One request, redirects not followed."""
        environ = {"sitegym.world": WorldContext(self.moment, host="admin.shop.localhost", face="admin")}
        response = self.client.open(path, method=method, base_url=ORIGIN, environ_overrides=environ, **kwargs)
        response.get_data()
        response.close()
        return response

    def get(self, path: str, **kwargs: Any) -> TestResponse:
        """Open a page."""
        return self.ask("GET", path, **kwargs)

    def post(self, path: str, fields: Mapping[str, Any] | None = None, *, token: str | None = None) -> TestResponse:
        """Send a form with its session's token."""
        seal = csrf.token(self.world.secret, self.token) if token is None else token
        return self.ask("POST", path, data={csrf.FIELD: seal, **(fields or {})})

    def said(self, response: TestResponse) -> str:
        """The message that the next page will show."""
        for line in response.headers.getlist("Set-Cookie"):
            if found := re.match(r'flash="?([^;"]+)', line):
                return csrf.unsealed(self.world.secret, found[1]) or ""
        return ""

    def view(self) -> View:
        """The view recorded last."""
        return self.moment.views.all()[-1]

    def one(self, model: Any, **equals: Any) -> Any:
        """The one row with these values."""
        with self.world.read() as db:
            row = db.scalars(select(model).filter_by(**equals)).one()
            db.expunge(row)
            return row

    def count(self, model: Any, **equals: Any) -> int:
        """How many rows have these values."""
        with self.world.read() as db:
            return len(db.scalars(select(model).filter_by(**equals)).all())
