"""Names of keys as vendors write them (X keysyms, `event.key`, `event.code`, capitals), made into those of actions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import closest
from ..actions import InvalidAction

MODIFIERS = ("Control", "Shift", "Alt", "Meta")
"""Keys that are held while another one is pressed, in the order in which chords name them."""

_HELD = {
    "ctrl": "Control", "control": "Control", "control_l": "Control", "control_r": "Control", "controlleft": "Control",
    "controlright": "Control", "ctl": "Control", "controlormeta": "Control",
    "shift": "Shift", "shift_l": "Shift", "shift_r": "Shift", "shiftleft": "Shift", "shiftright": "Shift",
    "alt": "Alt", "alt_l": "Alt", "alt_r": "Alt", "altleft": "Alt", "altright": "Alt", "option": "Alt", "opt": "Alt",
    "meta": "Meta", "meta_l": "Meta", "meta_r": "Meta", "metaleft": "Meta", "metaright": "Meta", "cmd": "Meta",
    "command": "Meta", "super": "Meta", "super_l": "Meta", "super_r": "Meta", "win": "Meta", "windows": "Meta",
}  # fmt: skip

_NAMED = {
    "enter": "Enter", "return": "Enter", "kp_enter": "Enter", "numpadenter": "Enter", "linefeed": "Enter",
    "escape": "Escape", "esc": "Escape", "tab": "Tab", "backspace": "Backspace", "back_space": "Backspace",
    "delete": "Delete", "del": "Delete", "kp_delete": "Delete", "insert": "Insert", "ins": "Insert",
    "space": "Space", "spacebar": "Space", "kp_space": "Space", "up": "ArrowUp", "arrowup": "ArrowUp",
    "arrow_up": "ArrowUp", "kp_up": "ArrowUp", "down": "ArrowDown", "arrowdown": "ArrowDown",
    "arrow_down": "ArrowDown", "kp_down": "ArrowDown", "left": "ArrowLeft", "arrowleft": "ArrowLeft",
    "arrow_left": "ArrowLeft", "kp_left": "ArrowLeft", "right": "ArrowRight", "arrowright": "ArrowRight",
    "arrow_right": "ArrowRight", "kp_right": "ArrowRight", "home": "Home", "kp_home": "Home", "end": "End",
    "kp_end": "End", "pageup": "PageUp", "page_up": "PageUp", "prior": "PageUp", "pgup": "PageUp",
    "kp_page_up": "PageUp", "kp_prior": "PageUp", "pagedown": "PageDown", "page_down": "PageDown", "next": "PageDown",
    "pgdn": "PageDown", "kp_page_down": "PageDown", "kp_next": "PageDown", "capslock": "CapsLock",
    "caps_lock": "CapsLock", "menu": "ContextMenu", "contextmenu": "ContextMenu", "apps": "ContextMenu",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}  # fmt: skip

_TYPED = {
    "plus": "+", "kp_add": "+", "numpadadd": "+", "add": "+", "minus": "-", "kp_subtract": "-", "numpadsubtract": "-",
    "subtract": "-", "hyphen": "-", "equal": "=", "equals": "=", "comma": ",", "separator": ",", "period": ".",
    "dot": ".", "kp_decimal": ".", "numpaddecimal": ".", "decimal": ".", "slash": "/", "kp_divide": "/",
    "numpaddivide": "/", "divide": "/", "backslash": "\\", "semicolon": ";", "colon": ":", "apostrophe": "'",
    "quote": "'", "quotedbl": '"', "grave": "`", "backquote": "`", "bracketleft": "[", "bracketright": "]",
    "braceleft": "{", "braceright": "}", "parenleft": "(", "parenright": ")", "less": "<", "greater": ">",
    "question": "?", "exclam": "!", "at": "@", "numbersign": "#", "dollar": "$", "percent": "%", "asciicircum": "^",
    "ampersand": "&", "asterisk": "*", "kp_multiply": "*", "numpadmultiply": "*", "multiply": "*", "underscore": "_",
    "bar": "|", "asciitilde": "~",
    **{f"{prefix}{digit}": str(digit) for prefix in ("digit", "kp_", "numpad") for digit in range(10)},
}  # fmt: skip

ALIASES = {**_HELD, **_NAMED, **_TYPED}
"""Every name that is understood, in small letters, and the key it stands for."""

_CODE = re.compile("key([a-z])", re.IGNORECASE)


def key(name: str) -> str:
    """The key as actions call it: `Return` is `Enter`, `ctrl` is `Control`, `KeyA` is `a`, a character is itself.

    Raises `InvalidAction` for a name that stands for no key of a US keyboard.
    """
    if len(name) == 1 and " " < name <= "~":
        return name
    if name == " ":
        return "Space"
    folded = name.strip().lower()
    if folded in ALIASES:
        return ALIASES[folded]
    if code := _CODE.fullmatch(folded):
        return code[1]
    close = closest(folded, ALIASES)
    hint = f" (did you mean {ALIASES[close]!r}?)" if close else ""
    raise InvalidAction(f'no key {name!r}{hint}; keys are single characters and names such as "Enter" or "ctrl"')


def split(chord: str) -> list[str]:
    """The keys of a chord such as `ctrl+shift+t`, in order; a plus at its end is the key itself."""
    if chord == " ":
        return ["Space"]
    if not chord.strip():
        raise InvalidAction('a key is a name or a chord such as "Enter" or "ctrl+a", not an empty text')
    parts = [*chord[:-1].rstrip("+").split("+"), "+"] if chord.endswith("+") else chord.split("+")
    return [key(part) for part in parts if part or len(parts) == 1]


def chord(keys: Sequence[str]) -> str:
    """One chord of keys in the spelling of actions: modifiers first, then the one key that is pressed with them.

    A letter is a small one where another key than Shift is held, as a keyboard gives it. Raises `InvalidAction` where
    there are several keys that are no modifiers.
    """
    held = [name for name in MODIFIERS if name in keys]
    others = [name for name in keys if name not in MODIFIERS]
    if len(others) > 1:
        raise InvalidAction(f"one key at a time beside modifiers, not {' and '.join(others)}")
    if not others:
        return "+".join(held)
    letter = others[0]
    if len(letter) == 1 and held:
        letter = letter.upper() if "Shift" in held else letter.lower()
    return "+".join([*held, letter])


def modifiers(keys: Sequence[str]) -> list[str]:
    """The keys as modifiers that a click takes; raises `InvalidAction` where one of them is none."""
    for name in keys:
        if name not in MODIFIERS:
            raise InvalidAction(f"{name} is no modifier; while clicking these can be held: {', '.join(MODIFIERS)}")
    return [name for name in MODIFIERS if name in keys]
