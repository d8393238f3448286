"""Native dialogs (alert, confirm, prompt, "leave this page?"): they stay open until the agent answers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from .host import forget

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page

T = TypeVar("T")


class DialogOpened(Exception):
    """A dialog opened, so that the work of the action waits for its answer."""


class Dialogs:
    """The open dialogs of a context, oldest first, and the work that waits for them.

    While a dialog is open its page runs no script, so that nothing may be asked of it: every call goes through `race`.
    """

    def __init__(self) -> None:
        self.queue: list[Dialog] = []
        self._opened = asyncio.Event()
        self._waiting: asyncio.Future[Any] | None = None

    @property
    def open(self) -> Dialog | None:
        """The dialog that is to be answered next."""
        return self.queue[0] if self.queue else None

    def add(self, dialog: Dialog) -> None:
        """A page opened a dialog."""
        self.queue.append(dialog)
        self._opened.set()

    def on(self, page: Page) -> bool:
        """Whether `page` has an open dialog."""
        return any(dialog.page is page for dialog in self.queue)

    def drop(self, page: Page) -> None:
        """`page` closed, and its dialogs with it."""
        self.queue = [dialog for dialog in self.queue if dialog.page is not page]

    async def race(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`; raises `DialogOpened` where a dialog opens first, and keeps the work for `resume`."""
        return await self._race(asyncio.ensure_future(work))

    async def _race(self, work: asyncio.Future[T]) -> T:
        self._opened.clear()
        opened = asyncio.ensure_future(self._opened.wait())
        either: list[asyncio.Future[Any]] = [work, opened]
        try:
            if not self.queue:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            opened.cancel()
        if work.done() and not self.queue:
            return work.result()
        work.add_done_callback(forget)
        if not work.done():
            self._waiting = work
        raise DialogOpened

    async def answer(self, accept: bool, text: str | None) -> None:
        """Answer the oldest dialog; raises `DialogOpened` where the page opens the next one at once."""
        dialog = self.queue.pop(0)
        if accept:
            await dialog.accept(text if text is not None else dialog.default_value)
        else:
            await dialog.dismiss()
        if dialog.type == "beforeunload" and not accept:
            self.abandon()

    async def resume(self) -> bool:
        """Go on with the work that waited; false where none did."""
        work, self._waiting = self._waiting, None
        if work is not None:
            await self._race(work)
        return work is not None

    def abandon(self) -> None:
        """Give up the work that waits: the navigation that it began does not take place."""
        work, self._waiting = self._waiting, None
        if work is not None:
            work.cancel()
