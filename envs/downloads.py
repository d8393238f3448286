"""Files that pages gave to the agent: which there are, and what they say, read as text a part at a time."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from playwright.async_api import Error

from ..errors import EnvironmentFault
from . import pdf
from .refusal import Refusal

if TYPE_CHECKING:
    from playwright.async_api import Download, FilePayload, Frame

PART = 8_000
"""Characters of a file in one answer."""

ARRIVE_S = 5.0
"""Real time in which a download that a page began must appear."""

COME_S = 20.0
"""Real time in which a download must be complete; a world is local, so that longer is a fault."""

_FETCH = """async () => {
  const bytes = new Uint8Array(await (await fetch(location.href)).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16", "cp1252": "Windows-1252 (a guess)"}


@dataclass(frozen=True)
class Shown:
    """A PDF that a tab shows in the browser's viewer, of which neither tree nor text is to be had otherwise."""

    url: str
    frame: Frame

    async def read(self, name: str) -> bytes:
        """The file, which its tab fetches again; raises `Refusal` where it shows another page by now."""
        if self.frame.is_detached() or self.frame.url != self.url:
            raise Refusal(f"{name} is no longer shown in a tab; open it again, or download it")
        try:
            return base64.b64decode(await self.frame.evaluate(_FETCH))
        except Error as error:
            raise EnvironmentFault(f"{self.url} does not answer: {error}", cause="site_unreachable") from None


class Downloads:
    """The downloads of a context, by the names under which a browser would save them. They go away with the context."""

    def __init__(self) -> None:
        self.begun = 0
        """How many downloads pages have begun, as far as their documents and requests say."""
        self._files: dict[str, Download | Shown] = {}
        self._pdfs: dict[str, tuple[str, str]] = {}
        self._news = asyncio.Event()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order in which the downloads began."""
        return tuple(self._files)

    def add(self, download: Download) -> None:
        """A page began a download; a second `a.csv` is `a (1).csv`."""
        self._files[self._free(download.suggested_filename)] = download
        self._news.set()

    def show(self, frame: Frame) -> None:
        """A tab shows a PDF instead of downloading it; it is listed once for each address."""
        shown = Shown(frame.url, frame)
        if shown not in self._files.values():
            self.begun += 1
            self._files[self._free(PurePosixPath(unquote(urlsplit(frame.url).path)).name or "document.pdf")] = shown

    def _free(self, suggested: str) -> str:
        name = PurePosixPath(suggested)
        free, number = suggested, 0
        while free in self._files:
            number += 1
            free = f"{name.stem} ({number}){name.suffix}"
        return free

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
        if pdf.START in data[:1024]:
            said, text = await self._pdf(name, data)
            what += f", {said}"
            if not text:
                return what
        else:
            decoded, encoding = decode(data)
            if decoded is None:
                return f"{what}, no text"
            what, text = f"{what}, {_NAMES[encoding]}", decoded
        if offset and offset >= len(text):
            raise Refusal(
                f"{name} has {len(text)} character{'' if len(text) == 1 else 's'}, so that nothing is at {offset}"
            )
        end = min(offset + PART, len(text))
        rest = f'; read_download("{name}", offset={end}) reads on' if end < len(text) else ""
        return f"{what}, characters {offset} to {end} of {len(text)}{rest}\n\n{text[offset:end]}"

    async def _pdf(self, name: str, data: bytes) -> tuple[str, str]:
        if name not in self._pdfs:
            self._pdfs[name] = await asyncio.to_thread(pdf.read, data)
        return self._pdfs[name]

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
        file = self._files[name]
        if isinstance(file, Shown):
            return await file.read(name)
        try:
            async with asyncio.timeout(COME_S):
                return await _read(file)
        except TimeoutError:
            raise EnvironmentFault(f"the download {name} does not end", cause="download_hangs") from None
        except Error:
            failure = await file.failure()
            raise Refusal(f"{name} did not arrive ({failure}); download it again") from None


async def _read(file: Download) -> bytes:
    """What was downloaded, by way of a copy: the file itself is where the browser is, which may be elsewhere."""
    with tempfile.TemporaryDirectory(prefix="sitegym-download-") as folder:
        copy = Path(folder, "file")
        await file.save_as(copy)
        return await asyncio.to_thread(copy.read_bytes)


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
