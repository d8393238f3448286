"""WebM files: encoded frames put into a container that players can seek in (https://www.matroska.org)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CODECS = {"vp09": "V_VP9", "vp8": "V_VP8"}
"""The beginning of a WebCodecs name to Matroska's."""

_EBML, _SEGMENT, _SEEK_HEAD, _INFO, _TRACKS, _CUES = (
    0x1A45DFA3,
    0x18538067,
    0x114D9B74,
    0x1549A966,
    0x1654AE6B,
    0x1C53BB6B,
)
_CLUSTER, _BLOCK, _TIMECODE = 0x1F43B675, 0xA3, 0xE7


@dataclass(frozen=True)
class Chunk:
    """One encoded frame."""

    ms: int
    key: bool
    data: bytes


def webm(chunks: Sequence[Chunk], *, codec: str, width: int, height: int, duration_ms: int) -> bytes:
    """The whole file. The first chunk must be a key frame, and times must not go back."""
    info = _master(
        _INFO,
        _int(0x2AD7B1, 1_000_000),
        _float(0x4489, duration_ms),
        _text(0x4D80, "sitegym"),
        _text(0x5741, "sitegym"),
    )
    video = _master(0xE0, _int(0xB0, width), _int(0xBA, height))
    name = next(theirs for ours, theirs in CODECS.items() if codec.startswith(ours))
    track = _master(0xAE, _int(0xD7, 1), _int(0x73C5, 1), _int(0x83, 1), _int(0x9C, 0), _text(0x86, name), video)
    tracks = _master(_TRACKS, track)
    clusters = [_cluster(group) for group in _groups(chunks)]
    first = len(_seek_head(0, 0, 0)) + len(info) + len(tracks)
    at, points = first, []
    for group, cluster in zip(_groups(chunks), clusters, strict=True):
        place = _master(0xB7, _int(0xF7, 1), _int(0xF1, at, 8))
        points.append(_master(0xBB, _int(0xB3, group[0].ms), place))
        at += len(cluster)
    cues = _master(_CUES, *points)
    head = _seek_head(len(_seek_head(0, 0, 0)), len(_seek_head(0, 0, 0)) + len(info), at)
    ebml = _master(
        _EBML,
        _int(0x4286, 1),
        _int(0x42F7, 1),
        _int(0x42F2, 4),
        _int(0x42F3, 8),
        _text(0x4282, "webm"),
        _int(0x4287, 4),
        _int(0x4285, 2),
    )
    return ebml + _master(_SEGMENT, head, info, tracks, *clusters, cues)


def _groups(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Chunks from one key frame to the next: what a cluster holds."""
    groups: list[list[Chunk]] = []
    for chunk in chunks:
        if chunk.key or not groups:
            groups.append([])
        groups[-1].append(chunk)
    return groups


def _cluster(group: Sequence[Chunk]) -> bytes:
    start = group[0].ms
    blocks = (
        _element(_BLOCK, b"\x81" + struct.pack(">hB", chunk.ms - start, 0x80 if chunk.key else 0) + chunk.data)
        for chunk in group
    )
    return _master(_CLUSTER, _int(_TIMECODE, start), *blocks)


def _seek_head(info: int, tracks: int, cues: int) -> bytes:
    places = ((_INFO, info), (_TRACKS, tracks), (_CUES, cues))
    return _master(
        _SEEK_HEAD, *(_master(0x4DBB, _element(0x53AB, _id(what)), _int(0x53AC, at, 8)) for what, at in places)
    )


def _element(id: int, data: bytes) -> bytes:
    return _id(id) + struct.pack(">Q", 0x01 << 56 | len(data)) + data


def _master(id: int, *children: bytes) -> bytes:
    return _element(id, b"".join(children))


def _id(id: int) -> bytes:
    return id.to_bytes((id.bit_length() + 7) // 8, "big")


def _int(id: int, value: int, size: int = 0) -> bytes:
    return _element(id, value.to_bytes(size or max(1, (value.bit_length() + 7) // 8), "big"))


def _float(id: int, value: float) -> bytes:
    return _element(id, struct.pack(">d", value))


def _text(id: int, value: str) -> bytes:
    return _element(id, value.encode())


def elements(
    data: bytes, within: Iterable[int] = (_SEGMENT, _INFO, _TRACKS, _CLUSTER, 0xAE, 0xE0)
) -> list[tuple[int, bytes]]:
    """The elements of a file as (id, content), those of `within` opened: for looking into what was written."""
    found, at, opened = [], 0, set(within)
    while at < len(data):
        length = 9 - data[at].bit_length()
        id, at = int.from_bytes(data[at : at + length], "big"), at + length
        size, at = struct.unpack_from(">Q", data, at)[0] & ~(0x01 << 56), at + 8
        content, at = data[at : at + size], at + size
        found.append((id, content))
        if id in opened:
            found += elements(content, opened)
    return found
