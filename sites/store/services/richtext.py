"""Rich text that staff write: cut down to a small set of tags before it is stored, and read as plain text."""

from __future__ import annotations

import re
from html import unescape

import nh3

TAGS = frozenset({"p", "br", "strong", "em", "u", "h3", "ul", "ol", "li", "blockquote", "a"})
"""What a description may hold; `a` with an address, nothing else with any attribute."""

_ALSO = frozenset({"b", "i"})
_DROPPED = frozenset({"script", "style", "title", "iframe", "object", "noscript", "template", "svg", "math"})
_SAME = (("b", "strong"), ("i", "em"))
_LINK = re.compile(r"(?:https?://[^\s/]|mailto:[^\s@]+@|/(?![/\\]))", re.IGNORECASE)
_BLOCK = re.compile(r"</(?:p|h3|li|ul|ol|blockquote)>|<br>")
_TAG = re.compile(r"<[^>]*>")
_BARE_LINK = re.compile(r"<a>(.*?)</a>", re.DOTALL)


def clean(html: str) -> str:
    """The text with only allowed tags and addresses; nothing where no text is left.

    What is not allowed goes, and its text stays; scripts and styles go with theirs. `b` and `i` become `strong`, `em`.
    """
    kept = nh3.clean(
        html.replace("\r\n", "\n"),
        tags=set(TAGS | _ALSO),
        clean_content_tags=set(_DROPPED),
        attributes={"a": {"href"}},
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
        strip_comments=True,
    )
    for old, new in _SAME:
        kept = kept.replace(f"<{old}>", f"<{new}>").replace(f"</{old}>", f"</{new}>")
    kept = _BARE_LINK.sub(r"\1", kept).strip()
    return kept if plain(kept) else ""


def plain(html: str) -> str:
    """The words of cleaned rich text, one line a block."""
    text = unescape(_TAG.sub("", _BLOCK.sub("\n", html)))
    return "\n".join(line for part in text.replace("\xa0", " ").splitlines() if (line := " ".join(part.split())))


def _attribute(_tag: str, _name: str, value: str) -> str | None:
    """The address of a link as it may stay: http, https, mailto, or a path of the shop; else none at all."""
    address = value.strip()
    if not _LINK.match(address):
        return None
    return address.replace("<", "%3C").replace(">", "%3E").replace('"', "%22")
