"""The report tells expected changes, missing ones, damage and bookkeeping apart, and says actions in words."""

from __future__ import annotations

from typing import Any

import pytest
from sitegym.sweeps.report.changes import sort_changes
from sitegym.sweeps.report.drawing import drawing, line_of, sentence

ORDERS: dict[str, Any] = {
    "key": ["id"],
    "columns": ["id", "number", "status", "total", "v"],
    "classes": {"id": "generated", "number": "data", "status": "data", "total": "data", "v": "volatile"},
    "rows": "data",
    "trail": [],
    "labels": ["100123"],
    "inserted": [],
    "deleted": [[7, "100007", "pending", 100, 1]],
    "updated": [[[123], {"status": ["pending", "canceled"], "total": [100, 99], "v": [1, 2]}]],
}
AUDIT: dict[str, Any] = {
    "key": ["id"],
    "columns": ["id", "what"],
    "classes": {"id": "trail", "what": "trail"},
    "rows": "trail",
    "trail": [0],
    "labels": [],
    "inserted": [[1, "orders.cancel"]],
    "deleted": [],
    "updated": [],
}
LINKS: dict[str, Any] = {
    "key": ["a", "b"],
    "columns": ["a", "b", "weight"],
    "classes": {"a": "data", "b": "data", "weight": "data"},
    "rows": "data",
    "trail": [],
    "labels": [None],
    "inserted": [[1, 2, None]],
    "deleted": [],
    "updated": [[[3, 4], {"weight": [None, 5]}]],
}


def damage(table: str, key: str, column: str | None, old: Any, new: Any) -> dict[str, Any]:
    return {"table": table, "key": key, "column": column, "old": old, "new": new, "why": ""}


def test_every_changed_cell_is_in_exactly_one_group() -> None:
    verdict = {
        "checks": [
            {"what": "order 100123: status", "wanted": "canceled", "found": "canceled", "ok": True},
            {"what": "answer", "wanted": "41.50", "found": "nothing", "ok": False},
        ],
        "damage": [
            damage("orders", "123", "total", 100, 99),
            damage("orders", "7", None, {"number": "100007", "status": "pending"}, None),
        ],
    }
    found = sort_changes({"orders": ORDERS, "audit_log": AUDIT}, verdict)
    assert [(row.name, row.kind, [cell.column for cell in row.cells]) for row in found.damage] == [
        ("100123 (#123)", "updated", ["total"]),
        ("100007 (#7)", "deleted", ["number", "status"]),
    ]
    assert [(row.table, [cell.column for cell in row.cells]) for row in found.expected] == [("orders", ["status", "v"])]
    assert [cell.column for cell in found.expected[0].cells if cell.quiet] == ["v"]
    assert [row.table for row in found.side] == ["audit_log"]
    assert [check["what"] for check in found.missing] == ["answer"]


def test_a_row_of_which_only_counters_changed_is_bookkeeping() -> None:
    only_counter = {**ORDERS, "deleted": [], "updated": [[[123], {"v": [1, 2]}]]}
    found = sort_changes({"orders": only_counter}, {"checks": [], "damage": []})
    assert (len(found.expected), len(found.side)) == (0, 1)


def test_rows_with_composite_keys_are_matched_with_the_verdict() -> None:
    found = sort_changes({"links": LINKS}, {"checks": [], "damage": [damage("links", "3/4", "weight", None, 5)]})
    assert [row.name for row in found.damage] == ["#3/4"]
    assert [row.name for row in found.expected] == ["#1/2"]
    assert [cell.new for cell in found.expected[0].cells] == ["1", "2", "NULL"]


TREE = '- main:\n  - button "Cancel \\"order\\"" [ref=e4]\n  - searchbox "Find" [ref=e40]\n  - img [ref=e41]'


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("click", {"ref": "e4"}, "Click button “Cancel \"order\"”"),
        ("double_click", {"ref": "e41"}, "Double click img e41"),
        ("click", {"ref": "e999"}, "Click e999"),
        ("type", {"ref": "e40", "text": "7", "submit": True}, "Type “7” into searchbox “Find” and press Enter"),
        ("select", {"ref": "e40", "option": ["a", "b"]}, "Choose “a”, “b” in searchbox “Find”"),
        ("check", {"ref": "e4", "checked": False}, "Untick button “Cancel \"order\"”"),
        ("press", {"key": "Enter", "ref": None}, "Press Enter"),
        ("drag", {"ref": "e41", "to": "e4"}, "Drag img e41 to button “Cancel \"order\"”"),
        ("finish", {"outcome": "NOT_FOUND"}, "Finish: NOT_FOUND"),
        ("finish", {"answer": "41.50", "outcome": "DONE"}, "Finish: DONE with the answer “41.50”"),
        ("accept_dialog", {}, "Accept dialog"),
        ("unreadable", {"text": "I will click"}, "Not an action: I will click"),
    ],
)  # fmt: skip
def test_an_action_is_said_in_words(name: str, arguments: dict[str, Any], words: str) -> None:
    assert sentence(name, arguments, TREE) == words


def test_a_ref_is_found_only_where_it_is_whole() -> None:
    assert line_of(TREE, "e4") == 1
    assert line_of(TREE, "e") is None


@pytest.mark.parametrize(
    ("name", "arguments", "box", "drawn"),
    [
        ("click", {"ref": "e4"}, [10, 20, 100, 40], {"box": [10, 20, 100, 40], "point": [60, 40]}),
        ("click", {"ref": "e4"}, None, {}),
        ("mouse_click", {"x": 5, "y": 6}, None, {"point": [5, 6]}),
        ("mouse_drag", {"x": 1, "y": 2, "to_x": 3, "to_y": 4}, None, {"point": [1, 2], "to": [3, 4]}),
        ("type", {"ref": "e4", "text": "a"}, [0, 0, 9, 9], {"box": [0, 0, 9, 9], "label": "“a”"}),
    ],
)
def test_an_action_is_drawn_where_it_happened(
    name: str, arguments: dict[str, Any], box: list[float] | None, drawn: dict[str, Any]
) -> None:
    assert drawing(name, arguments, box) == drawn
