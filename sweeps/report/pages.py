"""The templates of the report's pages, and how they write numbers."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..statistics import Estimate, Interval
from .plots import told_rate

_PACKAGE = __package__ or "sitegym.sweeps.report"
SCRIPTS = ("report.js", "viewer.js", "overview.js")
EPISODE_SCRIPTS = ("report.js", "viewer.js")
STYLES = ("report.css", "summary.css")
EPISODE_KEYS = (
    (("←", "→"), "step before, next step"),
    (("Home", "End"), "first step, the end"),
    (("p", "n"), "episode before and after, in the list it was opened from"),
    (("u",), "up to the overview"),
    (("t",), "light or dark"),
    (("?",), "these keys"),
)
"""What the keyboard does on the page of an episode, as its help says."""


@cache
def environment() -> Environment:
    """The templates; every value is escaped, and a name that does not exist is an error.

    It is shared, as each template is compiled once in it: `overlay` it to change it.
    """
    found = Environment(
        loader=PackageLoader(_PACKAGE, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    found.filters["seconds"] = seconds
    found.filters["percent"] = lambda part, whole: f"{100 * part / whole:.0f} %" if whole else "–"
    found.filters["rate"] = lambda value: "–" if value is None else f"{100 * value:.0f} %"
    found.filters["points"] = points
    found.filters["span"] = span
    found.filters["told"] = told_rate
    found.filters["p_value"] = p_value
    found.filters["number"] = number
    found.filters["dollars"] = dollars
    found.filters["short"] = short
    found.filters["moment"] = moment
    return found


def static(name: str) -> str:
    """The text of a script or style sheet."""
    return (files(_PACKAGE) / "static" / name).read_text("utf-8")


def seconds(value: float | None) -> str:
    """`0.42 s`, `12.3 s`, `4 min 20 s`; a dash for None."""
    if value is None:
        return "–"
    if value >= 600:
        return f"{value / 3600:.1f} h" if value >= 7200 else f"{value / 60:.0f} min"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"


def points(value: float | None, *, signed: bool = True) -> str:
    """A difference of shares: `+12.5`, `0.0` without a sign; a dash for None."""
    if value is None:
        return "–"
    text = f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"
    text = text.lstrip("+-") if float(text) == 0 else text
    return text.replace("-", "−")


def span(found: Estimate | Interval | None, *, signed: bool = False) -> str:
    """`48–74 %` of an interval of shares, `−3.1 to +8.0` of one of differences; a dash for None."""
    interval = found.interval if isinstance(found, Estimate) else found
    if interval is None:
        return "–"
    if signed:
        return f"{points(interval.low)} to {points(interval.high)}"
    return f"{100 * interval.low:.0f}–{100 * interval.high:.0f} %"


def p_value(value: float | None) -> str:
    """`0.03`, `< 0.0001`; a dash for None."""
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"


def number(value: float | None) -> str:
    """`12,345`, `7.3`; a dash for None."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"


def dollars(value: float | None) -> str:
    """`$1.20`, `$0.0042`; a dash for None."""
    if value is None:
        return "–"
    return f"${value:,.2f}" if value >= 0.1 or value == 0 else f"${value:.4f}"


def moment(text: str) -> str:
    """`2026-11-30 13:51 UTC` of a time as ISO 8601 has it; other text stays as it is."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    zone = at.tzname() or ""
    return f"{at:%Y-%m-%d %H:%M} {zone}".rstrip()


def short(name: str, most: int = 30) -> str:
    """A name without its middle where it is longer: what tells long names apart is often at their ends."""
    return name if len(name) <= most else f"{name[: most - most // 2 - 1]}…{name[-(most // 2) :]}"
