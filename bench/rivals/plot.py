"""A plot of rows as SVG: bars for each thing, the median as the bar and the 95th percentile as a thin line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, BAR, GAP, LEFT, RIGHT = 980, 15, 16, 350, 130
COLORS = {"sitegym": "#00897b", "raw Playwright": "#78909c", "BrowserGym, waits 0": "#fb8c00", "BrowserGym": "#e53935"}
TICKS = tuple(digit * 10**power for power in range(-2, 5) for digit in (1, 2, 5))


def groups(rows: Sequence[Mapping[str, Any]], unit: str = "ms") -> dict[str, dict[str, tuple[float, float]]]:
    """Thing to contender to median and 95th percentile, where what stands beside is one of the contenders."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for row in rows:
        if row["unit"] == unit and row["beside_what"] in COLORS:
            group = found.setdefault(row["what"], {"sitegym": (row["median"], row["p95"])})
            group[row["beside_what"]] = (row["beside"], row["beside_p95"])
    return {what: {name: group[name] for name in COLORS if name in group} for what, group in found.items()}


def svg(rows: Sequence[Mapping[str, Any]], unit: str = "ms") -> str:
    """The plot, with a logarithmic scale, as a text that stands alone; empty where there is nothing to show."""
    wanted = groups(rows, unit)
    values = [value for group in wanted.values() for pair in group.values() for value in pair]
    if not values:
        return ""
    low = max((tick for tick in TICKS if tick <= min(values)), default=TICKS[0])
    high = min((tick for tick in TICKS if tick >= max(values)), default=TICKS[-1])

    def across(value: float) -> float:
        share = math.log(max(value, low) / low) / math.log(high / low) if high > low else 1.0
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    parts, y = [], 40.0
    for what, group in wanted.items():
        parts.append(_label(LEFT - 10, y + len(group) * BAR / 2 + 4, what, "end"))
        for name, (median, p95) in group.items():
            parts += _bar(across, y, COLORS[name], median, p95)
            y += BAR
        y += GAP
    return _framed(parts, y, [(tick, across(tick)) for tick in TICKS if low <= tick <= high], unit)


def _bar(across: Any, y: float, color: str, median: float, p95: float) -> list[str]:
    end, far = across(median), across(p95)
    return [
        f'<rect x="{LEFT}" y="{y + 1:.0f}" width="{max(1.0, end - LEFT):.1f}" height="{BAR - 3}" fill="{color}"/>',
        f'<line x1="{end:.1f}" x2="{far:.1f}" y1="{y + BAR / 2:.1f}" y2="{y + BAR / 2:.1f}" stroke="{color}"/>',
        _label(far + 5, y + BAR - 4, f"{median:,.0f}" if median >= 10 else f"{median:.1f}", "start"),
    ]


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'


def _framed(parts: Sequence[str], height: float, ticks: Sequence[tuple[float, float]], unit: str) -> str:
    lines = [
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="30" y2="{height:.0f}" stroke="#8884" stroke-width="1"/>'
        + _label(x, height + 12, f"{tick:,g}", "middle")
        for tick, x in ticks
    ]
    legend, x = [], float(LEFT)
    for name, color in COLORS.items():
        legend.append(
            f'<rect x="{x:.0f}" y="8" width="12" height="12" fill="{color}"/>' + _label(x + 17, 18, name, "start")
        )
        x += 40 + 6.4 * len(name)
    legend.append(_label(WIDTH - RIGHT + 60, height + 12, unit, "start"))
    body = "\n".join([*lines, *parts, *legend])
    size = f'viewBox="0 0 {WIDTH} {height + 20:.0f}" width="100%"'
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style} role="img">\n{body}\n</svg>'
