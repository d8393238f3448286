"""The string form of an action: exactly one call with literal arguments, read without guessing.

call     = name "(" [ argument { "," argument } ] ")"
argument = [ name "=" ] value
value    = text in "…" or '…' | number | true | false | null | JSON object | "[" value { "," value } "]" (two levels)
"""

from __future__ import annotations

import json
import re

from .param import LONGEST, InvalidAction

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,3})?(?![A-Za-z0-9_.])", re.ASCII)
_SPACE = re.compile(r"[ \t\r\n]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'"}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_LONGEST = 12 * LONGEST  # a character beyond the first plane is written as twelve
_EXAMPLE = 'one call such as click("e12") or type("e3", "blue", submit=true)'


def parse_call(text: str) -> tuple[str, list[object], dict[str, object]]:
    """Name, positional and named arguments of the one call in `text`; `InvalidAction` says where it is wrong."""
    if len(text) > _LONGEST:
        raise InvalidAction(f"an action has at most {_LONGEST:,} characters, not {len(text):,}")
    try:
        return _Reader(text).call()
    except RecursionError:
        raise InvalidAction(f"an action is {_EXAMPLE}; this is nested too deeply") from None


class _Reader:
    """Reads one call from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def call(self) -> tuple[str, list[object], dict[str, object]]:
        self._space()
        name = self._name()
        self._space()
        if name is None or not self._take("("):
            found = f"this begins with {self._excerpt(0)}" if self.text.strip() else "this is empty"
            if name is not None and self.at == len(self.text):
                found += f", which has no parentheses; without arguments it is {name}()"
            elif self.text.lstrip().startswith("{"):
                found += ": JSON is to be given as what it says, a dict (json.loads)"
            raise InvalidAction(f"an action is {_EXAMPLE} and nothing else; {found}")
        positional, named = self._arguments(name)
        self._space()
        if self.at < len(self.text):
            raise InvalidAction(self._trailing(name))
        return name, positional, named

    def _arguments(self, name: str) -> tuple[list[object], dict[str, object]]:
        positional: list[object] = []
        named: dict[str, object] = {}
        self._space()
        if self._take(")"):
            return positional, named
        while True:
            key, value = self._argument(name)
            if key is None and named:
                raise InvalidAction(f"{name}: arguments without a name come first")
            if key is None:
                positional.append(value)
            elif key in named:
                raise InvalidAction(f"{name}: {key} is given twice")
            else:
                named[key] = value
            self._space()
            if self._take(")"):
                return positional, named
            if not self._take(","):
                raise self._expected("a comma or the closing parenthesis")

    def _argument(self, name: str) -> tuple[str | None, object]:
        self._space()
        start = self.at
        key = self._name()
        self._space()
        if key is not None and self._take("="):
            self._space()
            return key, self._value()
        self.at = start
        return None, self._value()

    def _value(self, depth: int = 0) -> object:
        char = self.text[self.at : self.at + 1]
        if char in ('"', "'") and char:
            return self._quoted(char)
        if char == "[" and depth < 2:
            return self._list(depth + 1)
        if char == "{":
            return self._object()
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return float(number[0]) if number[1] or number[2] else int(number[0])
        start = self.at
        word = self._name()
        if word in _WORDS:
            return _WORDS[word]
        self.at = start
        raise self._expected('a value: text in quotes, a whole number, true, false, null or a list such as ["a", "b"]')

    def _list(self, depth: int) -> list[object]:
        self.at += 1
        items: list[object] = []
        self._space()
        if self._take("]"):
            return items
        while True:
            self._space()
            items.append(self._value(depth))
            self._space()
            if self._take("]"):
                return items
            if not self._take(","):
                raise self._expected("a comma or the end of the list")

    def _object(self) -> object:
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            raise InvalidAction(f"the braces at {self._excerpt(self.at)} hold no JSON object") from None
        return value

    def _quoted(self, quote: str) -> str:
        opened = self.at
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == quote:
                return "".join(parts)
            parts.append(self._escape() if char == "\\" else char)
        raise InvalidAction(f"the quote opened at {self._excerpt(opened)} is never closed; inside it, write \\{quote}")

    def _escape(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in _ESCAPES and char:
            return _ESCAPES[char]
        if char in ("u", "x"):
            return self._code(4 if char == "u" else 2)
        raise InvalidAction(f"\\{char} is no escape; write \\\\ for a backslash")

    def _code(self, digits: int) -> str:
        code = self._hex(digits)
        if 0xD800 <= code < 0xDC00 and self.text.startswith("\\u", self.at):
            start = self.at
            self.at += 2
            low = self._hex(4)
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00)
            self.at = start
        return chr(code)

    def _hex(self, digits: int) -> int:
        text = self.text[self.at : self.at + digits]
        if not re.fullmatch(rf"[0-9a-fA-F]{{{digits}}}", text):
            raise InvalidAction(f"an escape needs {digits} hex digits, not {text!r}; write \\\\ for a backslash")
        self.at += digits
        return int(text, 16)

    def _name(self) -> str | None:
        match = _NAME.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match[0] if match else None

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _take(self, char: str) -> bool:
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def _excerpt(self, at: int) -> str:
        rest = self.text[at : at + 30]
        return repr(rest + "…" if len(self.text) > at + 30 else rest) if rest else "the end of the text"

    def _expected(self, what: str) -> InvalidAction:
        return InvalidAction(f"expected {what} at {self._excerpt(self.at)}; an action is {_EXAMPLE}")

    def _trailing(self, name: str) -> str:
        rest = self.text[self.at :]
        if re.match(r"[;,&]*\s*[A-Za-z_]+\s*\(", rest):
            return f"one action at a time: after {name}(…) there is another call, {self._excerpt(self.at)}"
        return f"nothing may follow the call {name}(…), but there is {self._excerpt(self.at)}; an action is {_EXAMPLE}"
