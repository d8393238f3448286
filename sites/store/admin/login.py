"""Signing in and out."""

from __future__ import annotations

from flask import g, redirect, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.rules import Refused
from ..services import sessions
from . import blueprint, frame

bp = blueprint("login", __name__)


@bp.get("/login")
def form() -> Answer:
    """The sign-in page; somebody signed in already goes on."""
    after = frame.local_path(request.args.get("next", "/"))
    return redirect(after, 303) if frame.signed_in() else page(frame.blank(), after)


def page(form: Form, after: str, status: int = 200) -> Answer:
    """Show the form; a password is never sent back."""
    return frame.page("admin/login.html", status=status, form=form, next=after)


@bp.post("/login")
def sign_in() -> Answer:
    """Check e-mail and password; a wrong pair says no more than that."""
    form, after = frame.posted(), frame.local_path(request.form.get("next", "/"))
    try:
        email = form.email("email")
        password = form.text("password", "Password", required=True)
        form.check()
        token = sessions.login(g.world, email, password)
    except Refused as refused:
        form.refuse(refused)
        form.typed = {"email": form.value("email")}
        return page(form, after, 422)
    response = redirect(after, 303)
    response.set_cookie(sessions.COOKIE, token, httponly=True, samesite="Lax")
    return response


@bp.post("/logout")
def sign_out() -> Answer:
    """End the session, wherever it is; go to the sign-in page."""
    if g.token:
        sessions.logout(g.world, g.token)
    response = frame.done("SIGNED_OUT", to="/login", tone="plain")
    response.delete_cookie(sessions.COOKIE)
    return response
