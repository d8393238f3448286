"""Files that pages gave to the agent: which there are, and what they say, read as text a part at a time."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from playwright.async_api import Error

from ..errors import EnvironmentFault
from .check import Refusal

if TYPE_CHECKING:
    from playwright.async_api import Download, FilePayload

PART = 8_000
"""Characters of a file in one answer."""

ARRIVE_S = 5.0
"""Real time in which a download that a page began must appear."""

COME_S = 20.0
"""Real time in which a download must be complete; a world is local, so that longer is a fault."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252 (a guess)"}


class Downloads:
    """The downloads of a context, by the names under which a browser would save them. They go away with the context."""

    def __init__(self) -> None:
        self.begun = 0
        """How many downloads pages have begun, as far as their documents and requests say."""
        self._files: dict[str, Download] = {}
        self._news = asyncio.Event()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order in which the downloads began."""
        return tuple(self._files)

    def add(self, download: Download) -> None:
        """A page began a download; a second `a.csv` is `a (1).csv`."""
        name = PurePosixPath(download.suggested_filename)
        free, number = str(name), 0
        while free in self._files:
            number += 1
            free = f"{name.stem} ({number}){name.suffix}"
        self._files[free] = download
        self._news.set()

    async def arrive(self) -> bool:
        """Wait until all that was begun is there; false where it does not come, which is then waited for no longer."""
        try:
            async with asyncio.timeout(ARRIVE_S):
                while len(self._files) < self.begun:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            self.begun = len(self._files)
            return False
        return True

    async def read_download(self, name: str, offset: int) -> str:
        """A line that says what the file is, and a part of its text."""
        data = await self._bytes(name)
        kind = mimetypes.guess_type(name)[0] or "unknown type"
        what = f"{name}: {kind}, {len(data):,} bytes"
        text, encoding = decode(data)
        if text is None:
            return f"{what}, no text"
        what += f", {_NAMES[encoding]}"
        if offset and offset >= len(text):
            raise Refusal(f"{name} has {len(text)} characters, so that nothing is at {offset}")
        end = min(offset + PART, len(text))
        rest = f'; read_download("{name}", offset={end}) reads on' if end < len(text) else ""
        return f"{what}, characters {offset} to {end} of {len(text)}{rest}\n\n{text[offset:end]}"

    async def payload(self, name: str) -> FilePayload | None:
        """A downloaded file as something to upload; None where there is none of this name."""
        if name not in self._files:
            return None
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return {"name": name, "mimeType": kind, "buffer": await self._bytes(name)}

    async def _bytes(self, name: str) -> bytes:
        if name not in self._files:
            there = ", ".join(self._files) or "none yet"
            raise Refusal(f"no file {name!r} was downloaded; there are: {there}")
        try:
            async with asyncio.timeout(COME_S):
                path = await self._files[name].path()
        except TimeoutError:
            raise EnvironmentFault(f"the download {name} does not end", cause="download_hangs") from None
        except Error:
            failure = await self._files[name].failure()
            raise Refusal(f"{name} did not arrive ({failure}); download it again") from None
        return await asyncio.to_thread(Path(path).read_bytes)


def decode(data: bytes) -> tuple[str | None, str]:
    """The text of a file and its encoding; None where it is no text.

    A byte order mark decides; else UTF-8 where all of it is, else Windows-1252, which old office exports are in. What
    holds control characters is no text.
    """
    encodings = [encoding for mark, encoding in _MARKS if data.startswith(mark)] or ["utf-8", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(char < " " and char not in "\t\n\r\f" for char in text):
            return text, encoding
    return None, ""
