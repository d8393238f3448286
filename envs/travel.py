"""Addresses and tabs: navigate, back, forward, reload, new, switch and close, within the world only."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from playwright.async_api import Error

from ..errors import EnvironmentFault
from .refusal import Refusal
from .tabs import MOST_TABS

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

    from .tabs import Tabs

LOAD_S = 20.0
"""Real time in which an address must answer; a world is local, so that longer is a fault."""


_ELSEWHERE = (
    "ERR_UNSAFE_REDIRECT", "ERR_INVALID_REDIRECT", "ERR_TOO_MANY_REDIRECTS", "ERR_TUNNEL_CONNECTION_FAILED",
    "ERR_UNKNOWN_URL_SCHEME", "ERR_BLOCKED_BY", "ERR_DISALLOWED_URL_SCHEME", "ERR_ACCESS_DENIED", "ERR_UNSAFE_PORT",
    "ERR_INVALID_RESPONSE", "ERR_RESPONSE_HEADERS",
)  # fmt: skip
"""Errors of the browser's that a page brings about by where it leads; others mean that the world does not answer."""


def address(url: str, base: str) -> str:
    """The address to open for what the agent wrote; raises `Refusal` for anything that leaves the world."""
    text = url.strip()
    if text == "about:blank":
        return text
    if re.match(r"[/?#]", text) and not text.startswith("//") and base.startswith("http"):
        return urljoin(base, text)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", text)
    if scheme and scheme[1].lower() != "http":
        raise Refusal(
            f"{scheme[1]}: addresses are not part of this world; use an http:// address or a path such as /orders"
        )
    if text.startswith("/") and not text.startswith("//"):
        raise Refusal(
            f"this tab shows no page that {url!r} could belong to; write the address in full (http://host/path)"
        )
    if not re.match(r"(?i)http://[^/?#]", text) or not _host(text):
        raise Refusal(f"{url!r} is no address; write it in full (http://host/path) or as a path such as /orders")
    return text


def _host(url: str) -> str | None:
    """The host of an address; raises `Refusal` where it names a port, since the sites of a world have none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if port not in (None, 80):
        raise Refusal(f"{url!r} names a port, and nothing listens there in this world")
    return parts.hostname


class Travel:
    """Moves the active tab and changes which one is active. Every method raises `Refusal` where that cannot be."""

    def __init__(self, tabs: Tabs, hosts: Collection[str] = ()) -> None:
        self._tabs = tabs
        self._hosts = hosts

    async def navigate(self, url: str) -> None:
        """Open an address in the active tab."""
        page = self._tabs.active
        await self._open(page, self._address(url))

    def _address(self, url: str) -> str:
        where = address(url, self._tabs.active.url)
        host = urlsplit(where).hostname
        if host is not None and self._hosts and host not in self._hosts:
            sites = ", ".join(f"http://{name}/" for name in self._hosts)
            raise Refusal(f"{host} is not part of this world; its sites are {sites}")
        return where

    async def _open(self, page: Page, url: str) -> None:
        try:
            await page.goto(url, wait_until="commit", timeout=LOAD_S * 1000)
        except Error as error:
            raise _unopened(url, error) from None

    async def back(self) -> None:
        """Go back one page."""
        await self._step(-1, "back")

    async def forward(self) -> None:
        """Go forward one page."""
        await self._step(1, "forward")

    async def _step(self, by: int, word: str) -> None:
        page = self._tabs.active
        session: CDPSession = await self._tabs.protocol(page)
        history = await session.send("Page.getNavigationHistory")
        index = history["currentIndex"] + by
        entries = history["entries"]
        if not 0 <= index < len(entries) or (index == 0 and entries[0]["url"] == "about:blank"):
            raise Refusal(f"there is no page to go {word} to in this tab")
        try:
            move = page.go_back if by < 0 else page.go_forward
            await move(wait_until="commit", timeout=LOAD_S * 1000)
        except Error as error:
            raise _unopened(entries[index]["url"], error) from None

    async def reload(self) -> None:
        """Load the page again."""
        page = self._tabs.active
        try:
            await page.reload(wait_until="commit", timeout=LOAD_S * 1000)
        except Error as error:
            raise _unopened(page.url, error) from None

    async def new_tab(self, url: str) -> None:
        """Open a tab, with an address or blank."""
        where = self._address(url) if url else None
        if len(self._tabs.pages) >= MOST_TABS:
            raise Refusal(f"{MOST_TABS} tabs are open, and there can't be more; close one first")
        page = await self._tabs.context.new_page()
        self._tabs.own(page)
        if where is not None:
            await self._open(page, where)

    async def switch_tab(self, tab: int) -> None:
        """Make tab number `tab` the active one."""
        page = self._numbered(tab)
        self._tabs.switch(page)
        await page.bring_to_front()

    async def close_tab(self, tab: int | None) -> None:
        """Close a tab; a page may ask first ("leave this page?")."""
        page = self._tabs.active if tab is None else self._numbered(tab)
        if len(self._tabs.pages) == 1:
            raise Refusal("this is the only tab, and it stays open")
        closed = self._tabs.closing(page)
        await page.close(run_before_unload=True)
        await closed

    def _numbered(self, tab: int) -> Page:
        if tab >= len(self._tabs.pages):
            raise Refusal(f"there is no tab {tab}; tabs are numbered from 0 to {len(self._tabs.pages) - 1}")
        return self._tabs.pages[tab]


def _unopened(url: str, error: Error) -> Exception:
    """What it means that an address gave no page."""
    text = str(error)
    if any(sign in text for sign in _ELSEWHERE):
        return Refusal(f"{url} leads to where nothing of this world is; use an address of its sites", touched=True)
    if "ERR_ABORTED" in text or "Download is starting" in text:
        return Refusal(f"{url} gave no page (a download, an empty answer, or the page kept you)")
    if "invalid URL" in text:
        return Refusal(f"{url!r} is no valid address")
    return EnvironmentFault(f"{url} does not answer: {text.splitlines()[0]}", cause="site_unreachable")
