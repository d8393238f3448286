"""Tokens that bind a form to its session: an HMAC of the session's token, with no time in it.

A token stays the same for the life of a session, so that pages are byte-equal between runs.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

FIELD = "csrf"
"""Name of the hidden form field."""

HEADER = "X-CSRF-Token"
"""Name of the header that scripts send instead."""


def token(secret: bytes, session: str) -> str:
    """The token for the forms of one session; `session` is empty for pages before sign-in."""
    return seal(secret, f"csrf:{session}")


def valid(secret: bytes, session: str, given: str) -> bool:
    """Whether a form came from this session."""
    return hmac.compare_digest(token(secret, session).encode(), given.encode())


def seal(secret: bytes, text: str) -> str:
    """A short URL-safe seal on a text; nobody without the secret can make it."""
    digest = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def sealed(secret: bytes, text: str) -> str:
    """The text with its seal in front, fit for a cookie."""
    body = base64.urlsafe_b64encode(text.encode()).decode()
    return f"{seal(secret, text)}.{body}"


def unsealed(secret: bytes, cookie: str) -> str | None:
    """The text of a sealed cookie, or None where it is missing, cut or forged."""
    mark, _, body = cookie.partition(".")
    try:
        text = base64.urlsafe_b64decode(body.encode()).decode()
    except ValueError:
        return None
    return text if hmac.compare_digest(seal(secret, text).encode(), mark.encode()) else None
