"""Uploaded pictures: what may come in, told by the content of a file and never by its name."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath

from PIL import Image, UnidentifiedImageError

from ..messages import refused
from ..regions import tidy

MOST_BYTES = 2 * 1024 * 1024
MOST_PIXELS = 5000
MIMES = {"JPEG": "image/jpeg", "PNG": "image/png"}
"""Pillow's name of a format to the type that it is served with."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture that was checked: its columns in `files`."""

    name: str
    mime: str
    data: bytes

    @property
    def sha256(self) -> str:
        """What tasks recognise an upload by."""
        return hashlib.sha256(self.data).hexdigest()


def decoded(filename: str, data_base64: str) -> Picture:
    """A picture from base64. Raises `Refused` as `checked` does."""
    try:
        data = base64.b64decode(data_base64, validate=True)
    except (binascii.Error, ValueError):
        raise refused("FILE_BROKEN", "files", name=_name(filename)) from None
    return checked(filename, data)


def checked(filename: str, data: bytes) -> Picture:
    """A JPG or PNG picture of at most 2 MB that can be read to its end.

    Raises `Refused` FILE_SIZE, FILE_TYPE, IMAGE_SIDES or FILE_BROKEN, each naming the file.
    """
    name = _name(filename)
    if len(data) > MOST_BYTES:
        raise refused("FILE_SIZE", "files", name=name)
    try:
        picture = Image.open(BytesIO(data), formats=tuple(MIMES))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise refused("FILE_TYPE", "files", name=name) from None
    with picture:
        if max(picture.size) > MOST_PIXELS:
            raise refused("IMAGE_SIDES", "files", name=name, most=MOST_PIXELS)
        mime = MIMES[str(picture.format)]
        try:
            picture.draft("RGB", (64, 64))  # a JPG is then read to its end without being made whole
            picture.load()
        except (OSError, ValueError, SyntaxError):
            raise refused("FILE_BROKEN", "files", name=name) from None
    return Picture(name=name, mime=mime, data=data)


def _name(filename: str) -> str:
    """The last part of a file's name, whichever system it came from, at most 100 characters."""
    last = PurePath(tidy(filename).replace("\\", "/")).name
    stem, dot, suffix = last.rpartition(".")
    return (f"{stem[:90]}{dot}{suffix[:8]}" if dot and stem else last[:100]) or "picture"
