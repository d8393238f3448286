"""What a benchmark returns, and how it is summed up and shown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measured thing: the median and 95th percentile of many runs, beside what it is compared with."""

    what: str
    """Such as "reset, first observation included"."""
    unit: str
    """Such as "ms", "MB" or "tokens"."""
    median: float
    p95: float | None = None
    runs: int = 1
    beside: float | None = None
    """The median of the thing compared with, measured side by side in the same run; same unit."""
    beside_p95: float | None = None
    """The 95th percentile of that."""
    beside_what: str = ""
    """Such as "raw Playwright calls"."""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs; None where there is nothing beside."""
        return self.median / self.beside if self.beside else None


def measured(what: str, unit: str, values: Sequence[float], beside: Sequence[float] = (), beside_what: str = "") -> Row:
    """The row of `values` (and of the values measured alternately `beside` them)."""
    ordered, others = sorted(values), sorted(beside)
    return Row(
        what=what,
        unit=unit,
        median=statistics.median(ordered),
        p95=_p95(ordered),
        runs=len(ordered),
        beside=statistics.median(others) if others else None,
        beside_p95=_p95(others) if others else None,
        beside_what=beside_what,
    )


def _p95(ordered: Sequence[float]) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def as_dicts(rows: Iterable[Row]) -> list[dict[str, object]]:
    """The rows as plain values, for JSON."""
    return [{**asdict(row), "ratio": row.ratio} for row in rows]


def show(rows: Iterable[Row], console: Console) -> None:
    """Print the rows as a table."""
    table = Table()
    table.add_column("what", min_width=50)
    table.add_column("unit", no_wrap=True)
    for name in ("median", "p95", "runs", "beside", "its p95", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("beside what")
    for row in rows:
        cells = [_number(row.median), _number(row.p95), str(row.runs)]
        cells += [_number(row.beside), _number(row.beside_p95), _number(row.ratio)]
        table.add_row(row.what, row.unit, *cells, row.beside_what)
    console.print(table)


def _number(value: float | None) -> str:
    """Three digits that matter."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
