"""Screenshots of an episode as WebP files, encoded beside the episode and stored once where nothing changed."""

from __future__ import annotations

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

from PIL import Image


class Pictures:
    """Saves arrays (height x width x 3, uint8) under `folder`; `save` returns the path to note at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self._names: dict[bytes, str] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._pending: list[Future[None]] = []

    def save(self, picture: Any) -> str:
        """Store the picture, once for all equal ones; returns its path relative to the episode's folder."""
        digest = hashlib.sha256(memoryview(picture).cast("B")).digest()  # processors have it built in
        if digest not in self._names:
            name = f"{len(self._names):03d}.webp"
            self._names[digest] = name
            self._pending.append(self._pool.submit(_write, picture, self.folder / name))
        return f"{self.folder.name}/{self._names[digest]}"

    def close(self) -> None:
        """Wait until all are on disk; raises the first error in writing them."""
        self._pool.shutdown()
        pending, self._pending = self._pending, []
        for future in pending:
            future.result()

    def __enter__(self) -> Pictures:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write(picture: Any, path: Path) -> None:
    beside = path.with_suffix(".part")
    Image.fromarray(picture).save(beside, "WEBP", lossless=True, quality=20, method=1)  # every pixel, and no slower
    beside.replace(path)
