"""Passwords of staff: rules, hashes in werkzeug's form, and first ones; all from the world's secret, not by chance."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from ...kit.rules import Problem
from ..messages import problem

if TYPE_CHECKING:
    from ...kit.world import WorldContext

SHORTEST, LONGEST = 8, 128
ROUNDS = 60_000
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What first passwords are made of: no letter that looks like another one."""


def problems(text: str, name: str) -> list[Problem]:
    """What is wrong with a new password."""
    if not text:
        return [problem("REQUIRED", name, label="New password")]
    if not SHORTEST <= len(text) <= LONGEST:
        return [problem("PASSWORD_LENGTH", name, least=SHORTEST, most=LONGEST)]
    return []


def hashed(world: WorldContext, text: str, owner: str) -> str:
    """The hash to store for `owner` (something that only one account has, such as its address)."""
    salt = hmac.new(world.secret, f"password of {owner}".encode(), hashlib.sha256).hexdigest()[:16]
    digest = hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), ROUNDS)
    return f"pbkdf2:sha256:{ROUNDS}${salt}${digest.hex()}"


def first(world: WorldContext, owner: str) -> str:
    """A first password for a new account, such as `kd7m-x3np-q8ra`."""
    digest = hmac.new(world.secret, f"first password of {owner}".encode(), hashlib.sha256).digest()
    letters = "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:12])
    return "-".join(letters[start : start + 4] for start in (0, 4, 8))
