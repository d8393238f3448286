"""Changes told to people: money as money, and texts of several lines set off from what follows."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from sitegym.demo.words import MONEY, print_row, told_cells
from sitegym.sites import registry
from sitegym.sweeps.report.changes import Cell, RowChange
from sqlalchemy import Integer


def printed(row: RowChange, width: int = 60) -> list[str]:
    """The lines of a row on a terminal."""
    console = Console(file=io.StringIO(), width=width)
    print_row(console, row)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("table", "cell", "old", "new"),
    [
        pytest.param("variants", Cell("price", "7100", "8000"), "$71.00", "$80.00", id="price"),
        pytest.param("variants", Cell("sale_price", "NULL", "5"), "NULL", "$0.05", id="none-before"),
        pytest.param("store_credit_entries", Cell("delta", None, "-123456"), None, "-$1,234.56", id="below-zero"),
        pytest.param("variants", Cell("weight_g", "7100", "8000"), "7100", "8000", id="no-money"),
        pytest.param("promotions", Cell("amount", "2000", "2500"), "2000", "2500", id="maybe-a-rate"),
        pytest.param("import_jobs", Cell("total", "20", "25"), "20", "25", id="a-count"),
    ],
)
def test_cents_are_told_as_money_and_other_numbers_as_they_are(
    table: str, cell: Cell, old: str | None, new: str | None
) -> None:
    (told,) = told_cells(RowChange(table, "#5", "updated", (cell,)))
    assert (told.old, told.new) == (old, new)
    assert (
        f"{cell.column}: " + " → ".join(filter(None, (old, new))).replace("NULL", "nothing")
        in printed(RowChange(table, "#5", "updated", (cell,)))[1]
    )


def test_every_column_of_money_is_one_of_the_store_and_none_is_forgotten() -> None:
    whole = {
        (table.name, column.name)
        for table in registry.get("store").metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, Integer)
    }
    listed = {(table, column) for table, columns in MONEY.items() for column in columns}
    assert listed <= whole
    words = ("price", "total", "subtotal", "amount", "tax", "shipping", "discount", "fee", "cost", "paid", "refunded")
    counted = {
        ("import_jobs", "total"),
        ("promotions", "uses_total"),
        ("promotions", "amount"),
        ("order_items", "qty_refunded"),
    }
    named = {(table, column) for table, column in whole if column.split("_")[-1] in words}
    assert named - counted <= listed


def test_a_mail_of_several_lines_stays_beneath_its_column() -> None:
    body = "Hello Ann,\n\nyour order is on its way, and it will be with you in a day or two at the latest.\nThe shop"
    lines = printed(
        RowChange("outbox_emails", "#1", "inserted", (Cell("body", None, body), Cell("kind", None, "sent")))
    )
    assert lines[1:3] == ["      body: Hello Ann,", ""] or lines[1:3] == ["      body: Hello Ann,", " " * 8]
    assert [line for line in lines[3:] if not line.startswith(" " * 8)] == ["      kind: sent"]
    assert max(map(len, lines)) <= 60
