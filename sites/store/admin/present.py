"""How values look on a page: money, times, counts and the names of codes."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from flask import g
from markupsafe import Markup, escape

from ...kit.money import FORMATS, money
from ...kit.phones import written
from .. import labels
from ..regions import region_name
from ..services.permissions import mask_phone, sees_phones
from . import frame

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOTHING = Markup('<span class="nothing">—</span>')


def plain_money(amount: int) -> str:
    """Cents as `1250.00`, the way an input shows them."""
    return f"{amount // 100}.{amount % 100:02d}"


def locale() -> str:
    """How the person signed in wants numbers and dates: `en-US`, `en-GB`, `de-DE`."""
    try:
        found: str = g.locale
    except AttributeError:
        found = g.locale = str(frame.preferences()["locale"])
    return found


def amount(cents: int) -> str:
    """Cents as `$1,250.00`, in the way of the person signed in."""
    return money(cents, locale())


def short_money(cents: int) -> str:
    """Whole amounts on an axis: `$500`, `$2.5k`, `$12k`."""
    dollars = cents // 100
    style = FORMATS[locale()]
    if dollars < 1000:
        return style.pattern.format(dollars)
    text = f"{dollars / 1000:.1f}".removesuffix(".0").replace(".", style.decimal)
    return style.pattern.format(f"{text}k")


def number(value: int, decimals: int = 0) -> str:
    """A number as `1,250`; with `decimals`, the last digits of a whole number stand behind the point: `12.5`."""
    style = FORMATS[locale()]
    whole, rest = divmod(abs(value), 10**decimals)
    text = f"{whole:,}".replace(",", style.thousands) + (f"{style.decimal}{rest:0{decimals}d}" if decimals else "")
    return f"-{text}" if value < 0 else text


@cache
def _day(text: str, locale: str) -> str:
    year, month, day = text[:10].split("-")
    if locale == "de-DE":
        return f"{day}.{month}.{year}"
    name = MONTHS[int(month) - 1]
    return f"{int(day)} {name} {year}" if locale == "en-GB" else f"{name} {int(day)}, {year}"


def day(text: str | None) -> str:
    """A date or time as `Mar 18, 2026`."""
    return _day(text[:10], locale()) if text else "—"


def clock(text: str | None) -> str:
    """A time as `Mar 18, 2026, 09:41`; all times of the shop are UTC."""
    return f"{_day(text[:10], locale())}, {text[11:16]}" if text else "—"


def moment(text: str | None) -> Markup:
    """A time as an element that says the exact instant to machines."""
    if not text:
        return NOTHING
    return Markup(f'<time datetime="{text}">{clock(text)}</time>')  # stored instants hold nothing to escape


@cache
def badge(code: str) -> Markup:
    """The coloured name of a status."""
    return Markup('<span class="badge-x tone-{}">{}</span>').format(labels.tone(code), labels.label(code))


@cache
def stars(rating: int) -> Markup:
    """A rating as a row of stars, and as text for whoever cannot see them."""
    return Markup('<span class="stars stars-{0}"></span><span class="visually-hidden">{0} of 5 stars</span>').format(
        rating
    )


def ago(text: str | None, now: str) -> str:
    """How long before `now` something was, coarsely: `3 h ago`, `2 days ago`."""
    if not text:
        return "never"
    seconds = int((_instant(now) - _instant(text)).total_seconds())
    for unit, size in (("day", 86400), ("h", 3600), ("min", 60)):
        count = seconds // size
        if count >= 1:
            return f"{count} {unit}{'s' if unit == 'day' and count > 1 else ''} ago"
    return "just now"


def count(number: int, one: str, many: str = "") -> str:
    """`1 order`, `2,500 orders`."""
    style = FORMATS[locale()]
    return f"{number:,}".replace(",", style.thousands) + f" {one if number == 1 else many or one + 's'}"


def size(count: int) -> str:
    """A number of bytes as `78 KB`, `1.4 MB`."""
    return f"{count / 1048576:.1f} MB" if count >= 1048576 else f"{max(1, round(count / 1024))} KB"


def initials(name: str) -> str:
    """The one or two letters of an avatar."""
    words = [word for word in name.split() if word[:1].isalnum()]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper() or "?"


def phone(number: str | None) -> str:
    """A stored number as people write it; masked for roles that may not see it."""
    if not number:
        return "—"
    text = written(number)
    return text if sees_phones(g.actor.role if g.get("actor") else None) else mask_phone(text)


def region_label(code: str | None) -> str:
    """`US-OR` as "Oregon, US"; a dash where there is none."""
    if not code:
        return "—"
    country, _, region = code.partition("-")
    return f"{region_name(country, region)}, {country}"


def lines(text: str) -> Markup:
    """Plain text with its line breaks kept."""
    return Markup("<br>\n").join(escape(part) for part in text.splitlines())


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
