"""What people change about themselves: name and phone, the password, and how the back office looks to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from werkzeug.security import check_password_hash

from ...kit.grid import SIZES
from ...kit.rules import Refused
from ..keys import fill_keys
from ..messages import refused
from ..models import Staff
from . import passwords
from .base import Actor, begin
from .staff import checked

if TYPE_CHECKING:
    from ...kit.world import WorldContext

Result = dict[str, Any]

THEMES = ("light", "dark", "system")
LOCALES = ("en-US", "en-GB", "de-DE")
CHOICES: Mapping[str, Sequence[Any]] = {"theme": THEMES, "locale": LOCALES, "page_size": SIZES}
DEFAULTS: Mapping[str, Any] = {"theme": "light", "locale": "en-US", "page_size": 20, "tiles": ()}
MOST_TILES = 20


def edit(world: WorldContext, actor: Actor, *, name: str, phone: str | None, v: int | None = None) -> Result:
    """Change one's own name and phone. An unchanged form writes nothing. Raises `Refused`, `Stale`."""
    with begin(world, actor, "profile.edit", Staff, id=actor.id) as w:
        staff = w.subject
        values, wrong = checked(w.db, {"name": name, "phone": phone, "email": staff.email}, own_id=staff.id)
        w.check(staff, v, {"name": values["name"], "phone": values["phone"]})
        if wrong:
            raise Refused.of(wrong)
        changed = w.set(staff, **values)
        if changed:
            fill_keys(staff)
        return {"v": staff.v, "changed": changed}


def password(world: WorldContext, actor: Actor, *, current: str, new: str, v: int | None = None) -> Result:
    """Change one's own password; the audit says that, never what it is. Raises `Refused` PASSWORD_WRONG and others."""
    with begin(world, actor, "profile.password", Staff, id=actor.id) as w:
        staff = w.subject
        w.check(staff, v)
        if not check_password_hash(staff.password_hash, current):
            raise refused("PASSWORD_WRONG", "current")
        if wrong := passwords.problems(new, "new"):
            raise Refused.of(wrong)
        if check_password_hash(staff.password_hash, new):
            raise refused("PASSWORD_SAME", "new")
        w.set(staff, tell=False, password_hash=passwords.hashed(world, new, staff.email))
        w.note(staff, [{"field": "password", "old": None, "new": "changed"}])
        return {"v": staff.v}


def preferences(world: WorldContext, actor: Actor, *, v: int | None = None, **wanted: Any) -> Result:
    """Change how the back office looks to this person: theme, locale, page_size, tiles (codes in order).

    Comforts are no records: they leave no audit row and no new version. Raises `Refused` NOT_A_CHOICE.
    """
    for name, value in wanted.items():
        _check(name, value)
    with world.write() as db:
        staff = db.get_one(Staff, actor.id)
        kept = {**json.loads(staff.preferences_json), **{name: _plain(value) for name, value in wanted.items()}}
        staff.preferences_json = json.dumps(kept, sort_keys=True)
        return {**DEFAULTS, **kept}


def preferences_of(staff: Staff | None) -> dict[str, Any]:
    """How the back office looks to somebody; what was never chosen, or is no choice any more, is as usual."""
    kept = json.loads(staff.preferences_json) if staff is not None else {}
    sane = {name: value for name, value in kept.items() if name not in CHOICES or value in CHOICES[name]}
    return {**DEFAULTS, **sane}


def _check(name: str, value: Any) -> None:
    """Refuse what is not on offer. Raises `TypeError` for a preference that nobody has."""
    if name not in DEFAULTS:
        raise TypeError(f"there is no preference {name!r}; there are {', '.join(DEFAULTS)}")
    if name in CHOICES and value not in CHOICES[name]:
        raise refused("NOT_A_CHOICE", name, label=f"a {name.replace('_', ' ')}")
    if name == "tiles" and (len(value) > MOST_TILES or any(not str(code).isidentifier() for code in value)):
        raise refused("NOT_A_CHOICE", name, label="tiles")


def _plain(value: Any) -> Any:
    return [str(code) for code in value] if isinstance(value, (list, tuple)) else value


USE_CASES: Mapping[str, Callable[..., Result]] = {
    "profile.edit": edit,
    "profile.password": password,
    "profile.preferences": preferences,
}
"""The use cases of this module by name."""
