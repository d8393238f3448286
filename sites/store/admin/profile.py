"""One's own profile: name and phone, preferences, password, and what the role may do."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, g, jsonify, request
from werkzeug.wrappers import Response as Answer

from ...kit.forms import Form
from ...kit.grid import SIZES
from ...kit.phones import written
from ...kit.rules import Refused
from .. import messages
from ..services import permissions
from ..services import profile as service
from . import blueprint, frame

bp = blueprint("profile", __name__, url_prefix="/profile")

THEMES = (("light", "Light"), ("dark", "Dark"), ("system", "System"))
LOCALES = (
    ("en-US", "English (US): $1,250.50, Mar 18, 2026"),
    ("en-GB", "English (UK): US$1,250.50, 18 Mar 2026"),
    ("de-DE", "German (Germany): 1.250,50 $, 18.03.2026"),
)
HERE = "/profile"


@bp.get("")
def show() -> Answer:
    """The profile."""
    return page()


def page(forms: Mapping[str, Form] | None = None, status: int = 200) -> Answer:
    """The profile as it is stored, or with what somebody sent wrongly in one of its forms."""
    staff = frame.staff()
    assert staff is not None
    granted = [item for item in permissions.PERMISSIONS.values() if g.actor.role in item.roles]
    rights = dict.fromkeys(item.doing[0].upper() + item.doing[1:] for item in granted)
    stored: dict[str, Mapping[str, object]] = {
        "about": {"name": staff.name, "phone": written(staff.phone) if staff.phone else ""},
        "taste": frame.preferences(),
        "password": {},
    }
    sent = forms or {}
    for name, form in sent.items():
        form.initial = dict(stored[name])
    return frame.page(
        "admin/profile.html",
        status=status,
        rights=list(rights),
        forms={name: sent.get(name) or frame.blank(initial) for name, initial in stored.items()},
        themes=THEMES,
        locales=LOCALES,
        sizes=[(size, str(size)) for size in SIZES],
    )


@bp.post("")
def save() -> Answer:
    """Save name and phone."""
    form = frame.posted()
    fields = {"name": form.value("name"), "phone": form.value("phone")}
    try:
        saved = service.edit(g.world, g.actor, v=frame.form_version(form), **fields)
    except Refused as refused:
        form.refuse(refused)
        return page({"about": form}, 422)
    return frame.done("PROFILE_SAVED" if saved["changed"] else "NOTHING_CHANGED", to=HERE)


@bp.post("/preferences")
def preferences() -> Answer:
    """Save how the back office looks."""
    form = frame.posted()
    size = form.whole("page_size", "Rows per page", required=True)
    theme, locale = form.value("theme"), form.value("locale")
    try:
        form.check()
        service.preferences(g.world, g.actor, theme=theme, locale=locale, page_size=size)
    except Refused as refused:
        form.refuse(refused)
        return page({"taste": form}, 422)
    return frame.done("PREFERENCES_SAVED", to=HERE)


@bp.post("/theme")
def theme() -> Response:
    """Keep the theme chosen in the menu; sent by the page's script, which has changed its colors already."""
    try:
        kept = service.preferences(g.world, g.actor, theme=request.form.get("theme", ""))
    except Refused as refused:
        response = jsonify(code=refused.code, message=refused.message)
        response.status_code = 422
        return response
    return jsonify(theme=kept["theme"])


@bp.post("/password")
def password() -> Answer:
    """Change the password; none is ever sent back."""
    form = frame.posted()
    current, new, again = (form.value(name) for name in ("current", "new", "again"))
    try:
        if new != again:
            raise messages.refused("PASSWORD_REPEAT", "again")
        service.password(g.world, g.actor, current=current, new=new, v=frame.form_version(form))
    except Refused as refused:
        form.refuse(refused)
        form.typed = {}
        return page({"password": form}, 422)
    return frame.done("PASSWORD_CHANGED", to=HERE)
