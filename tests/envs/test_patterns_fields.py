"""Micro pages for fields, choices, lists and forms: P01 to P29, each by a right way and by wrong ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Player
from .patterns import Way, answer, cell, corner, keep, right, use, wrong

SAVE = ("click", "button", "Save")
ANSWER_P17, ANSWER_P18 = "Which lot is the largest?", "Where is order 7 shipped to?"


def largest(player: Player) -> str:
    rows = [[c.text or c.name for c in row.children] for row in player.now.elements("row")][1:]
    return max(rows, key=lambda row: int(row[1]))[0]


def entries(player: Player) -> str:
    return str(len(player.now.elements("listitem")))


def to_the_end(player: Player) -> None:
    """Scroll the feed until nothing more comes."""
    count = ""
    while entries(player) != count:
        count = entries(player)
        player.on("scroll", "region", "Feed", "down", 5000)


def where_it_was(selector: str, *steps: str) -> object:
    """Click where something stood before other things happened."""

    def click(player: Player) -> None:
        left, top, width, height = corner(player, selector)
        for step in steps:
            player.play(step)
        player.play({"action": "mouse_click", "x": left + width // 2, "y": top + height // 2})

    return click


WAYS = [
    right("P01", ("select", "combobox", "Size", "Large"), SAVE, records="size=Large"),
    wrong("P01", "typed", ("type", "combobox", "Size", "Large"), refused="is no text field"),
    wrong("P01", "neighbour", ("select", "combobox", "Size", "Medium"), SAVE, records="size=Medium"),
    wrong("P01", "unknown", ("select", "combobox", "Size", "Huge"), refused="there are: 'Small', 'Medium', 'Large'"),
    right("P02", ("type", "textbox", "Colour", "bl"), ("click", "option", "blue"), SAVE, records="colour=blue"),
    wrong("P02", "only typed", ("type", "textbox", "Colour", "blue"), SAVE, records="colour="),
    wrong("P02", "typed on", ("type", "textbox", "Colour", "bl"), ("click", "option", "blue"),
          ("type", "textbox", "Colour", "k", {"clear": False}), SAVE, records="colour="),
    right("P03", *((pick) for name in ("Bug", "Later") for pick in
                   (("click", "button", "Labels"), ("click", "option", name))), SAVE, records="labels=Bug,Later"),
    wrong("P03", "last missed", ("click", "button", "Labels"), ("click", "option", "Bug"), SAVE, records="labels=Bug"),
    wrong("P03", "taken back", *(("select", "button", "Labels", name) for name in ("Bug", "Later", "Bug")), SAVE,
          records="labels=Later"),
    right("P04", ("click", "button", "Open calendar"), ("click", "button", "Month after"), ("click", "button", "15"),
          SAVE, records="starts=2026-04-15"),
    wrong("P04", "typed", ("type", "textbox", "Starts on", "2026-04-15"), refused="is read-only"),
    wrong("P04", "wrong month", ("click", "button", "Open calendar"), ("click", "button", "15"), SAVE,
          records="starts=2026-03-15"),
    right("P05", ("click", "button", "Last month"), records="2026-02-01 to 2026-02-28"),
    wrong("P05", "rolling", ("click", "button", "Last 30 days"), records="2026-02-17 to 2026-03-18"),
    wrong("P05", "this month", ("click", "button", "This month"), records="2026-03-01 to 2026-03-18"),
    right("P06", ("drag_by", "slider", "To", -80, 0), ("drag_by", "slider", "From", 120, 0), SAVE, records="30 to 80"),
    wrong("P06", "a step off", ("drag_by", "slider", "To", -120, 0), ("drag_by", "slider", "From", 120, 0), SAVE,
          records="30 to 70"),
    wrong("P06", "only hovered", ("hover", "slider", "To"), "mouse_move(400, 120)", SAVE, records="0 to 100"),
    right("P07", ("click", "button", "Share"), ("type", "textbox", "Name", "Ana"), ("click", "button", "Send"),
          ("click", "button", "Yes"), records="shared with Ana"),
    wrong("P07", "behind", keep("behind", "button", "Behind"), ("click", "button", "Share"),
          use("behind", "click"), refused='is covered by dialog "Share"'),
    wrong("P07", "closed beside it", ("click", "button", "Share"), ("type", "textbox", "Name", "Ana"),
          "mouse_click(5, 790)", ("click", "button", "Share"), ("click", "button", "Send"), ("click", "button", "Yes"),
          records="shared with "),
    right("P08", ("click", "button", "Delete"), "accept_dialog()", records="deleted"),
    right("P08", ("click", "button", "Rename"), 'accept_dialog("new")', records="renamed to new", name="prompt"),
    wrong("P08", "dismissed", ("click", "button", "Delete"), "dismiss_dialog()"),
    wrong("P08", "not answered", ("click", "button", "Delete"), "reload()", refused="a confirm dialog is open"),
    right("P09", ("type", "textbox", "Note", "milk"), SAVE, ("click", "link", "Elsewhere"), records="note=milk"),
    wrong("P09", "left", ("type", "textbox", "Note", "milk"), ("click", "link", "Elsewhere"), "accept_dialog()"),
    wrong("P09", "stayed", ("type", "textbox", "Note", "milk"), ("click", "link", "Elsewhere"), "dismiss_dialog()"),
    right("P10", ("type", "textbox", "E-mail", "ana.ruiz@example.com"), ("click", "button", "Erase"),
          records="erased ana.ruiz@example.com"),
    wrong("P10", "at once", ("click", "button", "Erase"), refused="is disabled"),
    wrong("P10", "mistyped", ("type", "textbox", "E-mail", "ana.ruiz@example.org"), ("click", "button", "Erase"),
          refused="is disabled"),
    right("P11", ("click", "button", "Archive"), "wait(6000)", records="archived"),
    wrong("P11", "undone", ("click", "button", "Archive"), ("click", "button", "Undo"), "wait(6000)", records="kept"),
    wrong("P11", "left", ("click", "button", "Archive"), ("click", "link", "Inbox"), "wait(6000)"),
    right("P12", ("double_click", "cell", "5"), ("type", "textbox", "Low at", "7", {"submit": True}),
          records="low_at=7"),
    wrong("P12", "clicked once", ("click", "cell", "5"), 'keyboard_type("7\\n")'),
    wrong("P12", "given up", ("double_click", "cell", "5"), ("type", "textbox", "Low at", "7"), 'press("Escape")'),
    right("P13", ("check", "checkbox", "All on this page"), ("click", "button", "Select all 7 matching"),
          ("click", "button", "Print"), records="printed 7"),
    wrong("P13", "this page", ("check", "checkbox", "All on this page"), ("click", "button", "Print"),
          records="printed 3"),
    wrong("P13", "one less", ("check", "checkbox", "All on this page"), ("click", "button", "Select all 7 matching"),
          ("check", "checkbox", "Order 1", False), ("click", "button", "Print"), records="printed 2"),
    right("P14", to_the_end, answer(entries, "How many entries?"), records="entries=25"),
    wrong("P14", "first screen", answer(entries, "How many entries?"), records="entries=10"),
    wrong("P14", "one turn", ("scroll", "region", "Feed", "down", 5000), answer(entries, "How many entries?"),
          records="entries=20"),
    right("P15", ("scroll", "region", "Rows", "down", 21000), ("click", "button", "Row 700"), records="Row 700"),
    wrong("P15", "the page is scrolled", "mouse_scroll(1000, 700, dy=21000)", ("click", "button", None),
          records="Row 0"),
    wrong("P15", "an old reference", keep("old", "button", "Row 7"),
          ("scroll", "region", "Rows", "down", 20800), use("old", "click"),
          refused="is stale"),
    right("P16", ("select", "combobox", "Status", "paused"), ("select", "combobox", "Sort by", "newest"),
          ("click", "button", "Apply"), records="status=paused&sort=newest"),
    wrong("P16", "default order", ("select", "combobox", "Status", "paused"), ("click", "button", "Apply"),
          records="status=paused&sort=hot"),
    wrong("P16", "not applied", ("select", "combobox", "Status", "paused"),
          ("select", "combobox", "Sort by", "newest")),
    right("P17", answer(largest, ANSWER_P17), records="lot=A"),
    wrong("P17", "first", answer(cell("Lot"), ANSWER_P17), records="lot=C"),
    wrong("P17", "last", answer(cell("Lot", 2), ANSWER_P17), records="lot=B"),
    right("P18", ("check", "checkbox", "Ship-to region"), answer(cell("Ship-to region"), ANSWER_P18),
          records="region=South"),
    wrong("P18", "the column beside", answer(cell("Bill-to region"), ANSWER_P18), records="region=North"),
    wrong("P18", "the first column", ("check", "checkbox", "Ship-to region"), answer(cell("Order"), ANSWER_P18),
          records="region=7"),
    right("P19", ("click", "tab", "Variants"), ("type", "textbox", "SKU", "L-1"), SAVE, records="name=Lamp&sku=L-1"),
    wrong("P19", "error not seen", ("type", "textbox", "Name", "Lamp 2"), SAVE),
    wrong("P19", "behind", ("click", "tab", "Variants"), keep("sku", "textbox", "SKU"),
          ("click", "tab", "General"), use("sku", "type", "L-1"),
          refused="is hidden"),
    right("P20", ("type", "textbox", "Name", "Ana"), ("click", "button", "Next"), ("type", "spinbutton", None, "3"),
          ("click", "button", "Next"), ("click", "button", "Create"), records="name=Ana&quantity=3"),
    wrong("P20", "back and forth", ("type", "textbox", "Name", "Ana"), ("click", "button", "Next"),
          ("type", "spinbutton", None, "3"), ("click", "button", "Back"), ("click", "button", "Next"),
          ("click", "button", "Next"), ("click", "button", "Create"), records="name=Ana&quantity=1"),
    wrong("P20", "not to the end", ("type", "textbox", "Name", "Ana"), ("click", "button", "Next")),
    right("P21", ("type", "textbox", "Tracking number", "AB1234", {"submit": True}), records="shipped AB1234"),
    wrong("P21", "refused by the server", ("type", "textbox", "Tracking number", "1234", {"submit": True})),
    wrong("P21", "empty", ("click", "button", "Ship")),
    right("P22", ("type", "textbox", "Title", "New"), SAVE, records="title=New"),
    wrong("P22", "not saved", ("type", "textbox", "Title", "New")),
    wrong("P22", "saved too early", SAVE, ("type", "textbox", "Title", "New"), records="title=Old"),
    right("P23", ("type", "textbox", "Note", "mine"), SAVE, ("click", "button", "Load theirs"),
          ("type", "textbox", "Note", "mine"), SAVE, records="price=12&note=mine"),
    wrong("P23", "not saved again", ("type", "textbox", "Note", "mine"), SAVE),
    wrong("P23", "overwritten", ("type", "textbox", "Note", "mine"), SAVE, ("click", "button", "Overwrite"),
          records="price=10&note=mine"),
    right("P24", ("click", "button", "Finish Sweep"), ("click", "button", "Start Paint"),
          records=("Sweep done", "Paint started")),
    wrong("P24", "believed", ("click", "button", "Start Paint")),
    wrong("P24", "too late", ("click", "button", "Start Paint"), ("click", "button", "Finish Sweep"),
          records="Sweep done"),
    right("P25", ("click", "button", "Pay"), "wait(4000)", records="paid"),
    wrong("P25", "twice", ("click", "button", "Pay"), ("click", "button", "Pay"), "wait(4000)",
          records=("paid", "paid")),
    wrong("P25", "left", ("click", "button", "Pay"), "reload()", "wait(4000)"),
    right("P26", ("type", "textbox", "Name", "Ana"), SAVE, ("click", "button", "Retry"), records="Ana"),
    wrong("P26", "given up", ("type", "textbox", "Name", "Ana"), SAVE),
    wrong("P26", "entered again", ("type", "textbox", "Name", "Ana"), SAVE, ("click", "button", "New"),
          ("type", "textbox", "Name", "Ana"), SAVE, records="Ana,Ana"),
    right("P27", "wait(5000)", ("click", "button", "Report"), records="report"),
    wrong("P27", "placeholder", ("click", "button", "Loading"), refused="is disabled"),
    wrong("P27", "where it was", "wait(1000)", where_it_was("#card button", "wait(5000)"), records="advert"),
    right("P28", ("type", "textbox", "Text", "long"), "wait(60000)", SAVE, ("type", "textbox", "Password", "secret"),
          ("click", "button", "Sign in"), SAVE, records="text=long"),
    wrong("P28", "not saved again", ("type", "textbox", "Text", "long"), "wait(60000)", SAVE,
          ("type", "textbox", "Password", "secret"), ("click", "button", "Sign in")),
    wrong("P28", "begun anew", ("type", "textbox", "Text", "long"), "wait(60000)", SAVE, "reload()", SAVE,
          records="text="),
    right("P29", ("type", "textbox", "Digit 1", "482913"), ("click", "button", "Sign in"), records="signed in"),
    right("P29", ("click", "textbox", "Digit 1"), 'keyboard_type("482913")', ("click", "button", "Sign in"),
          records="signed in", name="by keyboard"),
    wrong("P29", "the first in the list", ("type", "textbox", "Digit 1", "118204"), ("click", "button", "Sign in"),
          records="refused 118204"),
    wrong("P29", "one box for all", ("type", "textbox", "Digit 6", "482913"), ("click", "button", "Sign in"),
          records="refused 4"),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.pattern}-{way.name}")
def test_the_page_records_what_was_done(way: Way, walk: Callable[[Way], Player]) -> None:
    walk(way)
