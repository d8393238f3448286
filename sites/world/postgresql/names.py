"""The names that ours have on a server: by them leftovers are told from what somebody else keeps there.

`sitegym_<place>_<owner>_…` belongs to one running server of worlds, `sitegym_t_<hash>` is a template. `place` is the
number of the database that the address names, since locks that show who lives are seen only within one.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

TEMPLATE = "sitegym_t_"
_OWNED = re.compile(r"sitegym_(\d+)_([0-9a-f]{8})_\w+")


@dataclass(frozen=True)
class Names:
    """The names that one server of worlds gives."""

    place: int
    owner: str
    """Eight hexadecimal digits, drawn anew by each server of worlds."""

    @property
    def prefix(self) -> str:
        """How all of them begin."""
        return f"sitegym_{self.place}_{self.owner}_"

    def database(self, number: int) -> str:
        """A clone's."""
        return f"{self.prefix}d{number}"

    def role(self, number: int) -> str:
        """The login of a world's site."""
        return f"{self.prefix}w{number}"

    @property
    def reader(self) -> str:
        """The login that verdicts are read with."""
        return f"{self.prefix}read"


def owner_of(name: str, place: int) -> str | None:
    """Whose a database or role is; None where it is none of ours or was made from elsewhere."""
    found = _OWNED.fullmatch(name)
    return found[2] if found and int(found[1]) == place else None


def template(*parts: object) -> str:
    """A template's name, from what decides its content."""
    return TEMPLATE + hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:24]


def lock(owner: str) -> int:
    """An owner as the second half of an advisory lock's key, which has 32 bits and a sign."""
    return int.from_bytes(bytes.fromhex(owner[:8]), "big", signed=True)
