"""What a browser session consists of at a moment, as plain data; taken without touching the pages."""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

from . import branch_refs
from .branch_refs import Numbers
from .look import Memory

if TYPE_CHECKING:
    from playwright.async_api import Page

    from .check import Ledger
    from .session import Session

_KEEP = "() => globalThis.__sitegym ? globalThis.__sitegym.keep() : null"
_DOCUMENTS = 400
"""Documents of one tab among which the number of an unnumbered one is looked for."""


@dataclass(frozen=True, kw_only=True)
class TabState:
    """One tab: its history, the document it shows, and the numbers of that document's elements."""

    page: Mapping[str, Any]
    """What branch.js keeps of the document."""
    entries: tuple[str, ...]
    """Addresses of its history, oldest first."""
    index: int
    document: int
    numbers: Numbers
    view: int | None
    """The server's record of what it shows; not compared."""


@dataclass(frozen=True, kw_only=True)
class SessionState:
    """A session at a moment. `slow` says why only the same actions lead there again; it is empty where there is a
    faster way, and then the rest is filled."""

    slow: str = ""
    now: int = 0
    mouse: tuple[float, float] | None = None
    settled: bool = True
    active: int = 0
    cookies: tuple[Mapping[str, Any], ...] = ()
    """As Playwright gives them; `expires` counts from now, in seconds, -1 for the end of the session."""
    storage: Mapping[str, Any] = field(default_factory=dict)
    """Origin to its localStorage, name and value."""
    tabs: tuple[TabState, ...] = ()
    result: str = ""
    memory: Memory | None = None
    """What was seen; not compared."""
    ledger: Ledger | None = None
    """Which references were ever shown; not compared."""


async def capture(session: Session) -> SessionState:
    """The state of a session, for `branch_restore`."""
    if reason := _busy(session):
        return SessionState(slow=reason)
    tabs = session.tabs
    looking = asyncio.gather(*(_tab(session, page) for page in tabs.pages))
    stored: Any
    stored, found = await asyncio.gather(session.context.storage_state(), looking)
    reasons = [one for one in found if isinstance(one, str)]
    if reasons:
        return SessionState(slow=reasons[0])
    now = time.time()
    return SessionState(
        now=session.clock.now,
        mouse=session.clock.mouse,
        settled=session.settled,
        active=tabs.pages.index(tabs.active),
        cookies=tuple(_lasting(cookie, now) for cookie in stored["cookies"]),
        storage={
            one["origin"]: {each["name"]: each["value"] for each in one["localStorage"]} for one in stored["origins"]
        },
        tabs=tuple(one for one in found if isinstance(one, TabState)),
        result=session.result,
        memory=without_pictures(session.eyes.memory),
        ledger=twin(session.ledger),
    )


def _busy(session: Session) -> str:
    """What of the session is no data; "" for nothing."""
    if session.dialogs.open is not None:
        return "a dialog is open"
    if session.held:
        return "keys or buttons are held down"
    if session.tabs.downloads.names:
        return "files were downloaded"
    if session.tabs.clip is not None:
        return "something was copied"
    if session.tabs.framed:
        return "a tab has had frames"
    if session.tabs.posted:
        return "a page is the answer to a form"
    return ""


async def _tab(session: Session, page: Page) -> TabState | str:
    """One tab, or why only actions lead to it."""
    protocol = await session.tabs.protocol(page)
    try:
        kept, history, numbers = await asyncio.gather(
            page.evaluate(_KEEP), protocol.send("Page.getNavigationHistory"), branch_refs.read(protocol)
        )
    except Error as error:
        return f"a page does not answer: {error.message.splitlines()[0]}"
    if kept is None or numbers is None:
        return "a tab shows no page of ours"
    if reason := kept.pop("slow"):
        return str(reason)
    document = numbers.document if numbers.refs else await _document(page)
    return TabState(
        page=kept,
        entries=tuple(entry["url"] for entry in history["entries"]),
        index=history["currentIndex"],
        document=document,
        numbers=numbers,
        view=session.tabs.views.get(page),
    )


async def _document(page: Page) -> int:
    """The number of a document whose elements have none: Playwright refuses every other number."""
    for number in range(1, _DOCUMENTS):
        try:
            await page.query_selector(f"aria-ref=f{number}e0")
        except Error:
            continue
        return number
    return 0


def _lasting(cookie: Mapping[str, Any], now: float) -> Mapping[str, Any]:
    expires = float(cookie["expires"])
    return {**cookie, "expires": expires if expires < 0 else round(expires - now)}


def without_pictures(memory: Memory) -> Memory:
    """A copy of what was seen, as text and trees."""
    values = {kind: value for kind, value in memory.values.items() if not kind.startswith("screenshot")}
    return replace(memory, values=values, starts=dict(memory.starts))


def twin(ledger: Ledger) -> Ledger:
    """A copy that grows apart."""
    made = copy.copy(ledger)
    for name, value in vars(ledger).items():
        setattr(made, name, copy.copy(value))
    return made


def differences(one: SessionState, other: SessionState) -> list[str]:
    """What is not the same, in words; what is not compared is left out."""
    if one.slow or other.slow:
        return [one.slow or other.slow]
    found = [
        name for name in ("now", "mouse", "settled", "active", "storage") if getattr(one, name) != getattr(other, name)
    ]
    if _plain(one.cookies) != _plain(other.cookies):
        found.append("cookies")
    if len(one.tabs) != len(other.tabs):
        return [*found, "the number of tabs"]
    for number, (mine, theirs) in enumerate(zip(one.tabs, other.tabs, strict=True)):
        found += [f"{name} of tab {number}" for name in _unlike(mine, theirs)]
    return found


def _unlike(one: TabState, other: TabState) -> list[str]:
    names = [each.name for each in fields(TabState) if each.name not in ("page", "view")]
    found = [name for name in names if getattr(one, name) != getattr(other, name)]
    return found + [name for name in one.page if one.page[name] != other.page.get(name)]


def _plain(cookies: Sequence[Mapping[str, Any]]) -> list[list[tuple[str, str]]]:
    """Cookies without how long they last, which real time moves."""
    return sorted((sorted((k, str(v)) for k, v in one.items() if k != "expires")) for one in cookies)
