"""The secret key of a sealed set: what is drawn by it, and hashes that only whoever has it can make or compare.

All of it is HMAC-SHA-256, so nothing that is published tells the key, the seeds or what was hashed.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

from ..errors import UsageError

LEAST = 32
"""Characters of a key, at least."""


class Key:
    """A secret. Neither `repr` nor anything that is pickled or written as JSON shows it."""

    __slots__ = ("_secret",)

    def __init__(self, text: str) -> None:
        if len(text) < LEAST:
            raise UsageError(f"a key has at least {LEAST} characters, not {len(text)}: have one made")
        self._secret = text.encode()

    @classmethod
    def read(cls, path: Path) -> Key:
        """The key in a file, without blanks around it. Raises `UsageError`, which does not show it."""
        try:
            return cls(path.read_text(encoding="utf-8").strip())
        except (OSError, UnicodeDecodeError) as cause:
            raise UsageError(f"no key can be read from {path}: {getattr(cause, 'strerror', cause)}") from None

    @classmethod
    def make(cls, path: Path) -> Key:
        """A new key in a new file that only its owner can read. Raises `UsageError` where it can't be written."""
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(32) + "\n")
        except OSError as cause:
            raise UsageError(f"no key can be written to {path}: {cause.strerror}") from cause
        return cls.read(path)

    @property
    def fingerprint(self) -> str:
        """Names the key without telling it: 16 hexadecimal digits."""
        return self.of("fingerprint")[:16]

    def of(self, text: str) -> str:
        """The keyed hash of a text, in hexadecimal digits."""
        return hmac.new(self._secret, text.encode(), sha256).hexdigest()

    def number(self, what: str, below: int) -> int:
        """A number from 0 that is drawn for `what`; always the same."""
        return int(self.of(f"number {what}"), 16) % below

    def __repr__(self) -> str:
        return f"Key({self.fingerprint})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not to be pickled")


def data_seed(key: Key) -> int:
    """The seed of the data that a sealed set is on: of the held-out ones, and out of reach of guessing."""
    return 10 * key.number("data seed", 2 * 10**8) + 8


def first_seed(key: Key, task: str) -> int:
    """The first of the consecutive seeds of a template's instances; even, so that twins stay together."""
    return 2 * key.number(f"first seed of {task}", 10**6)
