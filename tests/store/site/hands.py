"""What a person does on the pages of orders: open one, choose, press, read the message at the bottom."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from small_shop import NUMBERS

HOST = "http://admin.shop.localhost"

NAMELESS = """() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length))
  .map((element) => element.outerHTML.slice(0, 120))"""
"""Gives the visible controls of a page that have no name."""

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Gives how far a page can be scrolled sideways."""


def go(page: Page, case: str, tab: str = "") -> Page:
    """Open a tab of the order of a case."""
    page.goto(f"/orders/{NUMBERS[case]}{tab}")
    return page


def choose(page: Page, box: str, option: str) -> None:
    """Choose from a combobox of the open dialog, as a person does."""
    page.get_by_role("dialog").get_by_role("combobox", name=box).click()
    page.get_by_role("option", name=option, exact=True).click()


def press(page: Page, button: str) -> None:
    """Press a button of the page or of the open dialog."""
    page.get_by_role("button", name=button, exact=True).click()


def toast(page: Page, text: str) -> None:
    """Wait for a message at the bottom."""
    expect(page.get_by_role("status").get_by_text(text)).to_be_visible()
