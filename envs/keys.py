"""Names of keys and chords, as browsers call them."""

from __future__ import annotations

from ..errors import closest
from .refusal import Refusal

MODIFIERS = ("Control", "Shift", "Alt", "Meta", "ControlOrMeta")

NAMED = (
    "Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Space", "ArrowUp", "ArrowDown", "ArrowLeft",
    "ArrowRight", "Home", "End", "PageUp", "PageDown", "CapsLock", "ContextMenu", *(f"F{n}" for n in range(1, 13)),
    *MODIFIERS,
)  # fmt: skip


def check(chord: str) -> None:
    """Raise `Refusal` where `chord` is no key or chord such as `Enter`, `a`, `?`, `Control+Shift+A`."""
    *held, key = split(chord)
    if not key:
        raise Refusal(
            f"{chord!r} lacks the key that is pressed, as in {chord + 'a'!r}; the plus key is {chord + '+'!r}"
        )
    for modifier in held:
        if modifier not in MODIFIERS:
            raise Refusal(f"no modifier {modifier!r}{_close(modifier, MODIFIERS)}; there are: {', '.join(MODIFIERS)}")
    if len(key) == 1 and not _types_one(key):
        raise Refusal(f"no key of a US keyboard types {key!r}; use keyboard_type({key!r}), or type into a field")
    if key not in NAMED and not _types_one(key):
        raise Refusal(f"no key {key!r}{_close(key, NAMED)}; keys are single characters or: {', '.join(NAMED)}")


def split(chord: str) -> list[str]:
    """The parts of a chord; of two pluses at its end, the last is the key itself."""
    if chord == "+" or chord.endswith("++"):
        return [*filter(None, chord[:-2].split("+")), "+"]
    return chord.split("+")


_SIGNS = dict(zip("-=[]\\;'`,./", (
    "Minus", "Equal", "BracketLeft", "BracketRight", "Backslash", "Semicolon", "Quote", "Backquote", "Comma", "Period",
    "Slash",
), strict=True))  # fmt: skip


def physical(key: str) -> str:
    """The key of a US keyboard that types this character, so that Shift has its effect; other keys as they are."""
    if len(key) == 1 and key.isalpha():
        return f"Key{key.upper()}"
    if key.isdecimal():
        return f"Digit{key}"
    return _SIGNS.get(key, key)


def _types_one(key: str) -> bool:
    """A key of a US keyboard, which is what Playwright knows how to press."""
    return len(key) == 1 and " " <= key <= "~"


def _close(name: str, known: tuple[str, ...]) -> str:
    folded = {each.lower(): each for each in known} | {
        "ctrl": "Control",
        "esc": "Escape",
        "cmd": "Meta",
        "return": "Enter",
    }
    close = closest(name, folded)
    return f" (did you mean {folded[close]!r}?)" if close and folded[close] in known else ""
