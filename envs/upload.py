"""Uploads: files that the task offers or that were downloaded, for file fields, buttons that ask, and drop zones."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from .check import Checker, Target
from .refusal import Refusal
from .settle import PageClock

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, FilePayload

    from .pointer import Pointer
    from .tabs import Tabs

_FIELDS = ("input", "textarea", "select")
_BUTTONS = ("button", "submit", "image")


def files_of(task: object) -> Mapping[str, FilePayload]:
    """The files that a task offers, by name."""
    return getattr(task, "files", None) or {}


class Uploads:
    """Gives files to a page. `files` are what the task offers, by name."""

    def __init__(
        self, tabs: Tabs, clock: PageClock, checker: Checker, pointer: Pointer, files: Mapping[str, FilePayload]
    ) -> None:
        self._tabs = tabs
        self._clock = clock
        self._checker = checker
        self._pointer = pointer
        self.files = files

    async def upload(self, ref: str, files: str | list[str]) -> None:
        """Give files to a file field, to what stands for one, to where files are dropped, or to what asks for them."""
        page = self._tabs.active
        element = await self._checker.handle(page, ref)
        field = (await element.evaluate_handle("element => window.__sitegym.fileField(element)")).as_element()
        target = await self._checker.check(page, ref) if field is None else None
        if target is not None and target.tag in _FIELDS and target.type not in _BUTTONS:
            raise Refusal(f"{self._checker.ledger.who(ref)} is no file field; find the one that takes files")
        payloads = [await self._offered(name) for name in ([files] if isinstance(files, str) else files)]
        if target is not None:
            if await self._checker.ask(page, ref, "dropFiles", [_plain(payload) for payload in payloads]):
                return
            field = await self._asked(ref, element, target)
        assert field is not None
        await self._give(ref, field, payloads)

    async def _asked(self, ref: str, element: ElementHandle, target: Target) -> ElementHandle:
        """The field whose chooser opens at a click on the element."""
        await self._pointer.click(target.x, target.y)
        await self._clock.run(0)
        chooser = (await element.evaluate_handle("() => window.__sitegym.takeChooser()")).as_element()
        if chooser is None:
            who = self._checker.ledger.who(ref)
            raise Refusal(f"{who} was clicked, but asks for no files; find the field, button or area that takes files")
        return chooser

    async def _give(self, ref: str, field: ElementHandle, payloads: list[FilePayload]) -> None:
        takes = cast("dict[str, bool]", await field.evaluate("({ multiple, disabled }) => ({ multiple, disabled })"))
        if takes["disabled"]:
            raise Refusal(f"{self._checker.ledger.who(ref)} is disabled, and takes no files now")
        if len(payloads) > 1 and not takes["multiple"]:
            raise Refusal(f"{self._checker.ledger.who(ref)} takes one file, not {len(payloads)}")
        await field.set_input_files(payloads)

    async def _offered(self, name: str) -> FilePayload:
        downloads = self._tabs.downloads
        payload = self.files.get(name) or await downloads.payload(name)
        if payload is None:
            offered = ", ".join(dict.fromkeys([*self.files, *downloads.names]))
            raise Refusal(f"no file {name!r} is offered; there are: {offered or 'none'}")
        return payload


def _plain(payload: FilePayload) -> dict[str, str]:
    """A file as the page's script takes it."""
    content = base64.b64encode(payload["buffer"]).decode()
    return {"name": payload["name"], "mimeType": payload["mimeType"], "base64": content}
