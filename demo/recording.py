"""A film of the stage: frames as the browser draws them, written as WebM by its own encoder or as GIF by Pillow."""

from __future__ import annotations

import asyncio
import base64
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image
from playwright.async_api import Error

from ..envs.host import BrowserHost, forget
from ..errors import EnvironmentFault, UsageError
from .webm import CODECS, Chunk, webm

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Route

    from .stage import Stage

SUFFIXES = (".webm", ".gif")
FRAME_S = 1 / 15
"""Frames come no faster."""
STILL_S = 1.0
"""A picture that stands still is repeated as often, so that players can seek."""
GIF_FRAME_S = 0.1
GIF_WIDTH = 1060
QUALITY = 92
BITS_PER_PIXEL = 1.6
_ADDRESS = "http://sitegym.localhost/"
_CODECS = ("vp09.00.40.08", "vp8")


def recordable(path: Path) -> Path:
    """The path, where a film can be written to it. Raises `UsageError` otherwise, before anything is played."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path} can't be recorded to: its name ends in {' or '.join(SUFFIXES)}")
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise UsageError(f"{path} can't be written: is its folder there, and may you write to it?")
    return path


@dataclass
class Recording:
    """Frames of a stage from `start` to `stop`, kept in a temporary folder until the film is written."""

    stage: Stage
    frames: list[tuple[Path, float]] = field(default_factory=list)
    """Each with its second."""
    seconds: float = 0.0
    """How long the film is."""
    begun: bool = False

    def start(self) -> None:
        """Begin with what the stage shows now."""
        self.stage.settle()
        self._folder = tempfile.TemporaryDirectory(prefix="sitegym-film-")
        self._begun = time.monotonic()
        self.stage.host.run(self._start())
        self.begun = True

    async def _start(self) -> None:
        self._protocol = await self.stage.page.context.new_cdp_session(self.stage.page)
        self._protocol.on("Page.screencastFrame", self._take)
        await self._protocol.send("Page.startScreencast", {"format": "jpeg", "quality": QUALITY, "everyNthFrame": 1})

    def _take(self, frame: dict[str, Any]) -> None:
        """Keep a frame; the browser sends the next one after it was acknowledged."""
        path = Path(self._folder.name) / f"{len(self.frames):06d}.jpg"
        path.write_bytes(base64.b64decode(frame["data"]))
        self.frames.append((path, time.monotonic() - self._begun))
        loop = asyncio.get_running_loop()
        loop.call_later(FRAME_S, self._acknowledge, loop, self._protocol, frame["sessionId"])

    @staticmethod
    def _acknowledge(loop: asyncio.AbstractEventLoop, protocol: CDPSession, session: int) -> None:
        loop.create_task(protocol.send("Page.screencastFrameAck", {"sessionId": session})).add_done_callback(forget)

    def stop(self) -> None:
        """End; a window that was closed has ended it already."""
        self.seconds = time.monotonic() - self._begun
        with suppress(EnvironmentFault, UsageError, Error):  # the window is gone
            self.stage.host.run(self._protocol.send("Page.stopScreencast"))

    def write(self, path: Path, host: BrowserHost) -> None:
        """Write the film; `host` is a browser that can encode."""
        if not self.frames:
            raise EnvironmentFault(f"{path} was not written: the window drew nothing", cause="no_frames")
        if path.suffix.lower() == ".gif":
            write_gif(self.frames, self.seconds, path)
        else:
            path.write_bytes(host.run(encode(host, self.frames, self.seconds)))

    def discard(self) -> None:
        """Delete the frames."""
        self._folder.cleanup()


async def encode(host: BrowserHost, frames: list[tuple[Path, float]], seconds: float) -> bytes:
    """The frames as a WebM film. Raises `UsageError` where this browser has no encoder for one."""
    from .stage import static

    with Image.open(frames[0][0]) as first:
        width, height = (side - side % 2 for side in first.size)
    timed = list(_steady(frames, seconds))

    async def answer(route: Route) -> None:
        name = route.request.url.removeprefix(_ADDRESS)
        if name.isdecimal():
            await route.fulfill(content_type="image/jpeg", body=await asyncio.to_thread(timed[int(name)][0].read_bytes))
        else:
            await route.fulfill(content_type="text/html", body="<!doctype html><title>Encoder</title>")

    context = await host.browser.new_context()
    try:
        await context.route(f"{_ADDRESS}**", answer)
        page = await context.new_page()
        await page.goto(_ADDRESS)
        await page.add_script_tag(content=static("encode.js"))
        codec = await page.evaluate("(given) => codecFor(...given)", [_CODECS, width, height])
        if codec is None:
            known = " or ".join(CODECS.values())
            raise UsageError(f"this browser encodes no {known}: record to a .gif, which needs no encoder")
        options = {"codec": codec, "width": width, "height": height, "bitrate": width * height * BITS_PER_PIXEL}
        given = {**options, "frames": [[f"{_ADDRESS}{i}", at] for i, (_, at) in enumerate(timed)]}
        found = await page.evaluate("(given) => encode(given)", given)
    finally:
        await context.close()
    chunks = [Chunk(round(at * 1000), key, base64.b64decode(data)) for at, key, data in found]
    return webm(chunks, codec=codec, width=width, height=height, duration_ms=round(seconds * 1000))


def _steady(frames: list[tuple[Path, float]], seconds: float) -> Iterator[tuple[Path, float]]:
    """The frames from second 0 on, each repeated while it stands still."""
    starts = [0.0, *(at for _, at in frames[1:]), seconds]
    for (path, _), begin, end in zip(frames, starts, starts[1:], strict=False):
        at = begin
        yield path, at
        while end - at > 1.5 * STILL_S:
            at += STILL_S
            yield path, at


def write_gif(frames: list[tuple[Path, float]], seconds: float, path: Path) -> None:
    """The frames as an animated GIF that plays for ever; colours are shared, so that only what moves is stored."""
    kept = list(_thinned(frames, seconds))
    palette = _palette([each for each, _ in kept])
    pictures = (_small(each).quantize(palette=palette, dither=Image.Dither.NONE) for each, _ in kept)
    durations = [round(shown * 100) * 10 for _, shown in kept]
    next(pictures).save(path, "GIF", save_all=True, append_images=pictures, duration=durations, loop=0, disposal=1)


def _thinned(frames: list[tuple[Path, float]], seconds: float) -> Iterator[tuple[Path, float]]:
    """Frames with the seconds that each is shown, none shorter than GIFs can be."""
    starts = [0.0, *(at for _, at in frames[1:])]
    begin = 0.0
    for (path, _), end in zip(frames, [*starts[1:], seconds], strict=True):
        if end - begin >= GIF_FRAME_S or end == seconds:
            yield path, max(end - begin, GIF_FRAME_S)
            begin = end


def _small(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        width = min(GIF_WIDTH, picture.width)
        return picture.convert("RGB").resize(
            (width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS
        )


def _palette(paths: list[Path]) -> Image.Image:
    """255 colours of pictures from all over the film.

    By the root of how often they occur: a small mark in a strong colour is worth more than one more grey.
    """
    counts = np.zeros(1 << 18, np.int64)
    for i in range(8):
        red, green, blue = np.moveaxis(
            np.asarray(_small(paths[round(i * (len(paths) - 1) / 7)])).astype(np.int64) >> 2, 2, 0
        )
        counts += np.bincount((red << 12 | green << 6 | blue).ravel(), minlength=1 << 18)
    codes = np.repeat(np.arange(1 << 18), np.ceil(np.sqrt(counts)).astype(np.int64))
    line = (np.stack([codes >> 12, codes >> 6 & 63, codes & 63], axis=1) << 2).astype(np.uint8)[np.newaxis]
    return Image.fromarray(line).quantize(255, method=Image.Quantize.MEDIANCUT)
