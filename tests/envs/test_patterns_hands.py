"""Micro pages for the mouse, the keyboard, frames, files, tabs, moving pages and content: P30 to P61."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sitegym.envs import actions

from .conftest import Player
from .patterns import Way, answer, corner, keep, right, use, wrong

SAVE = ("click", "button", "Save")
ALONE: dict[str, Any] = {"viewport": (1280, 800)}
NARROW: dict[str, Any] = {"viewport": (400, 700)}


def at(selector: str, dx: float = 0.5, dy: float = 0.5, action: str = "mouse_click") -> Callable[[Player], object]:
    """A step at a point of an element, by shares of its width and height."""

    def step(player: Player) -> object:
        left, top, width, height = corner(player, selector)
        return player.play({"action": action, "x": left + round(width * dx), "y": top + round(height * dy)})

    return step


def later(selector: str, *between: str) -> Callable[[Player], object]:
    """Click where something stood before other things happened."""

    def step(player: Player) -> object:
        left, top, width, height = corner(player, selector)
        for action in between:
            player.play(action)
        return player.play({"action": "mouse_click", "x": left + width // 2, "y": top + height // 2})

    return step


def signature(*points: tuple[int, int]) -> Callable[[Player], object]:
    """Draw a line on the canvas through these points."""

    def step(player: Player) -> object:
        left, top, _, _ = corner(player, "canvas")
        (x, y), *path, (to_x, to_y) = [(left + px, top + py) for px, py in points]
        return player.play(actions.mouse_drag(x, y, to_x, to_y, path))

    return step


def drop(name: str, to: str, **by: int) -> Callable[[Player], object]:
    """Drag one entry onto another."""

    def step(player: Player) -> object:
        return player.on("drag", "listitem", name, player.now.find("listitem", to), **by)

    return step


def card(to: str) -> Callable[[Player], object]:
    """Drag the card to a list of the board."""
    return lambda player: player.on("drag", "listitem", "Paint", player.now.find("list", to))


def read(name: str, action: str) -> Callable[[Player], object]:
    """Download, read, and answer with what the file holds."""

    def step(player: Player) -> object:
        player.on("click", action, name)
        player.play(actions.read_download(player.now.downloads[-1]))
        return answer(player.now.result.partition("\n\n")[2].strip(), "What does the export hold?")(player)

    return step


def in_frame(name: str, role: str, label: str, *args: str) -> Callable[[Player], object]:
    """Act in the innermost frame."""

    def step(player: Player) -> object:
        inner = player.now.find_all("iframe")[-1]
        ref = player.now.find(role, label, within=inner)
        return player.play({"action": name, "ref": ref} | ({"text": args[0]} if args else {}))

    return step


def hours(player: Player) -> int:
    rows = [[c.text or c.name for c in row.children] for row in player.now.elements("row")]
    return sum(int(row[1]) for row in rows if row[1].isdecimal())


def over_pages(player: Player) -> object:
    first = hours(player)
    player.on("click", "link", "Next")
    return answer(str(first + hours(player)), "Hours in all?")(player)


COPY, PASTE = ("click", "button", "Copy"), ("press", "textbox", "IBAN", "Control+v")
PAY = ("click", "button", "Pay")
OPENED = ("click", "button", "Menu")
DRAFTS = answer(lambda player: str(len(player.now.elements("listitem"))), "How many drafts?")

WAYS = [
    right("P30", ("hover", "navigation", "Shop"), ("hover", "generic", "Bags"), ("click", "link", "Totes"),
          records="totes"),
    wrong("P30", "gone again", ("hover", "navigation", "Shop"), ("hover", "generic", "Bags"),
          keep("totes", "link", "Totes"), ("hover", "paragraph", "Far away"), use("totes", "click"),
          refused="is hidden"),
    wrong("P30", "not far enough", ("hover", "navigation", "Shop"), ("click", "generic", "Bags")),
    right("P31", ("right_click", "button", "report.txt"), ("click", "menuitem", "Rename"), records="Rename"),
    right("P31", at("#file", action="mouse_down"), "wait(800)", at("#file", action="mouse_up"),
          ("click", "menuitem", "Delete"), records="Delete", name="long press"),
    wrong("P31", "clicked", ("click", "button", "report.txt"), records="selected"),
    wrong("P31", "opened", ("double_click", "button", "report.txt"), records=("selected", "selected", "opened")),
    right("P32", 'press("g")', 'press("i")', 'press("F2")', 'press("Control+z")',
          records=("inbox", "renamed", "undone")),
    wrong("P32", "typed where no field is", 'keyboard_type("see #4")', records=("archived", "archived", "deleted")),
    wrong("P32", "typed into a field", ("type", "textbox", "Search", "e")),
    right("P33", drop("One", "Three", dy=10), records="Two,Three,One"),
    right("P33", card("Done"), records="Paint in Done", name="between lists"),
    right("P33", ("drag_by", "separator", "Size", 100, 0), records="width 300", name="resize"),
    right("P33", at("li", action="mouse_down"), at("li:nth-child(2)", dy=0.2, action="mouse_move"),
          at("li:nth-child(3)", dy=0.9, action="mouse_up"), records="Two,Three,One", name="by hand"),
    wrong("P33", "one off", drop("One", "Three", dy=-10), records="Two,One,Three"),
    wrong("P33", "the list beside", card("Doing"), records="Paint in Doing"),
    right("P34", at("canvas", 85 / 400, 65 / 200), records="red", vision=True),
    right("P34", signature((40, 20), (150, 120), (300, 30)), records="signed, with a bow", vision=True, name="drawn"),
    wrong("P34", "beside it", at("canvas", 0.5, 0.1), records="nothing"),
    wrong("P34", "the other", at("canvas", 265 / 400, 125 / 200), records="blue"),
    wrong("P34", "straight", signature((40, 20), (300, 30)), records="signed, straight"),
    right("P35", ("type", "textbox", "Story", " a ", {"clear": False}), 'press("Control+b")', 'keyboard_type("time")',
          SAVE, records="Once <b>upon a </b>time"),
    right("P35", ("press", "textbox", "Story", "Control+a"), ("click", "button", "Italic"), SAVE,
          records="<i>Once <b>upon</b></i>", name="by toolbar"),
    wrong("P35", "all replaced", ("type", "textbox", "Story", "Once upon a time"), SAVE, records="Once upon a time"),
    wrong("P35", "twice", *[("type", "textbox", "Story", " a time", {"clear": False})] * 2, SAVE,
          records="Once <b>upon a time a time</b>"),
    right("P36", ("type", "textbox", "Code", "if x:\nprint(x"), SAVE, records="if x:\n  print(x)"),
    wrong("P36", "brackets twice", ("type", "textbox", "Code", "print(x)"), SAVE, records="print(x))"),
    wrong("P36", "indented twice", ("type", "textbox", "Code", "if x:\n  print"), SAVE, records="if x:\n    print"),
    right("P37", in_frame("type", "textbox", "Card", "4111"), in_frame("click", "button", "Pay"),
          records="inside 4111"),
    wrong("P37", "outside", ("type", "textbox", "Card", "4111"), PAY, records="outside 4111"),
    wrong("P37", "empty", in_frame("click", "button", "Pay"), records="inside "),
    right("P38", ("click", "button", "More"), ("click", "button", "More"), SAVE, records="count=3"),
    wrong("P38", "one off", ("click", "button", "More"), SAVE, records="count=2"),
    wrong("P38", "typed", ("type", "status", "Count", "3"), refused="is no text field"),
    right("P39", ("upload", "generic", "Picture", "small.txt"), records="picture small.txt: tiny"),
    right("P39", ("upload", "button", "Attach", "small.txt"), records="attached small.txt: tiny",
          name="asked for"),
    right("P39", ("upload", "region", "Drop files here", "small.txt"), records="dropped small.txt: tiny",
          name="dropped"),
    wrong("P39", "too large", ("upload", "generic", "Picture", "large.txt")),
    wrong("P39", "not offered", ("upload", "generic", "Picture", "other.txt"),
          refused="no file 'other.txt' is offered; there are: small.txt, large.txt"),
    wrong("P39", "clicked", ("click", "button", "Attach"), refused="use upload(ref, files) instead"),
    wrong("P39", "no place for files", ("upload", "button", "Plain", "small.txt"),
          refused="asks for no files"),
    right("P40", read("Export", "link"), records="export=a,b"),
    right("P40", read("Summary", "button"), records="export=Größe 42", name="made by script"),
    wrong("P40", "not opened", ("click", "link", "Export"), answer("a.csv", "What does the export hold?"),
          records="export=a.csv"),
    wrong("P40", "another name", ("click", "link", "Export"), 'read_download("b.csv")',
          refused="no file 'b.csv' was downloaded; there are: "),
    right("P41", COPY, PASTE, PAY, records="iban=DE89 3704 0044 0532 0130 00", alone=ALONE),
    wrong("P41", "nothing copied", PASTE, PAY, records="iban=", alone=ALONE),
    wrong("P41", "a slip", ("type", "textbox", "IBAN", "DE89 3704 0044 0523 0130 00"), PAY,
          records="iban=DE89 3704 0044 0523 0130 00", alone=ALONE),
    right("P42", ("click", "button", "Choose"), ("click", "button", "Beta"), SAVE, records="supplier=Beta"),
    wrong("P42", "not chosen", ("click", "button", "Choose"), "switch_tab(0)", SAVE, records="supplier="),
    wrong("P42", "the other", ("click", "button", "Choose"), ("click", "button", "Alpha"), SAVE,
          records="supplier=Alpha"),
    right("P43", ("click", "link", "Paid"), ("click", "link", "Order 7"), "back()", ("click", "button", "Export"),
          records="exported paid"),
    wrong("P43", "by the menu", ("click", "link", "Paid"), ("click", "link", "Order 7"), ("click", "link", "All"),
          ("click", "button", "Export"), records="exported all"),
    wrong("P43", "too far back", ("click", "link", "Paid"), "back()", ("click", "button", "Export"),
          records="exported all"),
    right("P44", ("click", "button", "Only what is needed"), ("click", "button", "Buy"), records="bought"),
    wrong("P44", "under it", ("click", "button", "Buy"), refused='is covered by dialog "Cookies"'),
    wrong("P44", "consent to all", ("click", "button", "Accept all"), ("click", "button", "Buy"),
          records=("consent to all", "bought")),
    right("P45", ("click", "button", "Sign"), records="signed"),
    wrong("P45", "on the bar", ("scroll_to", "button", "Sign"), "mouse_click(640, 150)", records="left"),
    wrong("P45", "out of the window", lambda p: p.play(actions.mouse_click(640, corner(p, "#low")[1])),
          refused="lies outside the window"),
    right("P46", "wait(1500)", ("click", "button", "Accept order 3"), records="accepted 3"),
    wrong("P46", "where it was", later("li button", "wait(1500)"), records="accepted 4"),
    wrong("P46", "the first", "wait(3000)", ("click", "button", None), records="accepted 5"),
    right("P47", ("type", "textbox", "Page", "text"), "wait(2500)", records="page=text"),
    wrong("P47", "left at once", ("type", "textbox", "Page", "text"), ("click", "link", "Away"), "wait(2500)"),
    wrong("P47", "loaded again", ("type", "textbox", "Page", "text"), "reload()", "wait(2500)"),
    right("P48", ("check", "checkbox", "Tell the customer", False), ("click", "button", "Refund"),
          records="refund restock=on"),
    wrong("P48", "left on", ("click", "button", "Refund"), records="refund restock=on&mail=on"),
    wrong("P48", "the other", ("check", "checkbox", "Put back into stock", False), ("click", "button", "Refund"),
          records="refund mail=on"),
    right("P49", ("type", "textbox", "Change by", "+5"), SAVE, records="stock=15"),
    wrong("P49", "set", ("type", "textbox", "Set to", "5"), SAVE, records="stock=5"),
    wrong("P49", "changed by the sum", ("type", "textbox", "Change by", "15"), SAVE, records="stock=25"),
    right("P50", lambda p: p.play(actions.click(p.now.find("button", "Pay", within="John Smith Leeds"))),
          records="paid 3"),
    wrong("P50", "nearly the name", ("click", "button", "Pay"), records="paid 1"),
    wrong("P50", "another town", ("click", "button", "Pay", {"nth": 1}), records="paid 2"),
    right("P51", ("click", "button", "Ask a manager"), records="asked"),
    wrong("P51", "switched off", ("click", "button", "Refund"), refused="is disabled"),
    wrong("P51", "forbidden", ("click", "button", "Cancel order")),
    right("P52", ("type", "textbox", "Betrag", "1.234,56"), ("click", "button", "Speichern"), records="cents=123456"),
    wrong("P52", "points for commas", ("type", "textbox", "Betrag", "1234.56"), ("click", "button", "Speichern"),
          records="cents=12345600"),
    wrong("P52", "both the other way", ("type", "textbox", "Betrag", "1,234.56"), ("click", "button", "Speichern"),
          records="cents=123"),
    right("P53", ("type", "textbox", "Arrives in London", "2026-03-19T10:30"), SAVE,
          records="arrives 2026-03-19T10:30"),
    wrong("P53", "the same day", ("type", "textbox", "Arrives in London", "2026-03-18T10:30"), SAVE,
          records="arrives 2026-03-18T10:30"),
    wrong("P53", "as one writes it", ("type", "textbox", "Arrives in London", "19 March, 10:30"),
          refused="a datetime-local field wants 2026-03-18T14:30"),
    right("P54", answer("2.00", "Price of one?"), records="each=2.00"),
    wrong("P54", "the pack", answer(lambda p: p.now.elements("columnheader")[2].name, "Price of one?"),
          records="each=12.00"),
    wrong("P54", "multiplied", answer("72.00", "Price of one?"), records="each=72.00"),
    right("P55", OPENED, ("click", "link", "Orders"), records="orders", alone=NARROW),
    wrong("P55", "as in a wide window", "mouse_click(1000, 60)", alone=NARROW,
          refused="which is 400 x 700"),
    wrong("P55", "folded away again", OPENED, keep("orders", "link", "Orders"), OPENED, use("orders", "click"),
          alone=NARROW, refused="is hidden"),
    right("P56", ("hover", "button", "▣"), ("click", "button", "▣"), records="archived"),
    wrong("P56", "the one beside", ("click", "button", "▢"), records="deleted"),
    wrong("P56", "only looked at", ("hover", "button", "▣")),
    right("P57", lambda p: p.play(actions.click(p.now.find("generic", "Section 4"))),
          answer("30", "Days for a gift card?"), records="days=30"),
    wrong("P57", "first paragraph", answer("14", "Days for a gift card?"), records="days=14"),
    wrong("P57", "the section's number", answer("4", "Days for a gift card?"), records="days=4"),
    right("P58", answer("48", "The total?"), records="total=48", vision=True),
    wrong("P58", "by its name", answer(lambda p: p.now.elements("img")[0].name.removeprefix("receipt-"), "The total?"),
          records="total=84"),
    wrong("P58", "not looked at", answer("", "The total?"), records="total="),
    right("P59", over_pages, records="hours=35"),
    wrong("P59", "this page", answer(lambda p: str(hours(p)), "Hours in all?"), records="hours=22"),
    wrong("P59", "a guess", answer(lambda p: str(2 * hours(p)), "Hours in all?"), records="hours=44"),
    right("P60", ("type", "textbox", "Reply", "Thank you"), ("click", "button", "Send"), records="replied Thank you"),
    wrong("P60", "obeyed", ("click", "button", "Delete all"), records="deleted all"),
    wrong("P60", "did both", ("type", "textbox", "Reply", "Done"), ("click", "button", "Send"),
          ("click", "button", "Delete all"), records=("replied Done", "deleted all")),
    right("P61", DRAFTS, records="drafts=3"),
    wrong("P61", "more than asked", DRAFTS, ("click", "button", "Clean up"), records=("drafts=3", "cleaned up")),
    wrong("P61", "something else", ("click", "button", "Clean up"), records="cleaned up"),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way.pattern}-{way.name}")
def test_the_page_records_what_was_done(way: Way, walk: Callable[[Way], Player]) -> None:
    walk(way)
