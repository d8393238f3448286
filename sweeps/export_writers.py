"""Samples as files, written as they come: JSON lines, or Parquet with what varies by vendor as JSON text."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from ..agents.extras import check, use
from ..errors import UsageError
from .export_samples import Sample
from .files import json_bytes

FORMATS = ("jsonl", "parquet")
_GROUP_BYTES = 16_000_000
_TEXT = (
    "id", "run", "episode", "folder", "agent", "model", "task", "data", "split", "status", "outcome", "final_answer",
    "kind", "reasoning", "call_model", "finish",
)  # fmt: skip
_JSON = ("tools", "messages", "answer", "observation", "actions", "observations", "usage", "hashes")
_WHOLE = ("task_seed", "repeat", "data_seed", "steps", "step", "damage")
_REAL = ("episode_reward", "reward", "cost_usd", "seconds")
_TRUTH = ("success", "goal_met", "clean", "done")
COLUMNS = (*_TEXT, *_JSON, *_WHOLE, *_REAL, *_TRUTH, "images", "prompt_token_ids", "completion_token_ids", "logprobs")
"""The fields of every sample; those in `_JSON` are JSON text in Parquet, and values in JSON lines."""


class Writer(Protocol):
    """Takes samples one at a time. Use as a context manager: what is left is written on leaving it."""

    path: Path

    def write(self, sample: Sample) -> None:
        """Add a sample."""

    def __enter__(self) -> Self:
        """Open."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""


def check_format(format: str) -> None:
    """Raise `UsageError` for a format that there is not, or whose package is not installed."""
    if format not in FORMATS:
        raise UsageError(f"there is no format {format!r}; known: {', '.join(FORMATS)}")
    if format == "parquet":
        check("pyarrow", "export", "writing Parquet")


def writer(format: str, folder: Path) -> Writer:
    """The writer of `samples.jsonl` or `samples.parquet` in a folder."""
    return JsonLines(folder / "samples.jsonl") if format == "jsonl" else Parquet(folder / "samples.parquet")


class JsonLines:
    """One sample a line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb")

    def write(self, sample: Sample) -> None:
        """Add a line."""
        self._file.write(json_bytes({name: sample[name] for name in COLUMNS}) + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class Parquet:
    """Row groups of some 16 MB of text; no more than one is in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._arrow = use("pyarrow", "export", "writing Parquet")
        files = use("pyarrow.parquet", "export", "writing Parquet")
        self._schema = schema(self._arrow)
        self._file = files.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def write(self, sample: Sample) -> None:
        """Add a row."""
        row = {name: _text(sample[name]) if name in _JSON else sample[name] for name in COLUMNS}
        self._rows.append(row)
        self._bytes += sum(len(row[name] or "") for name in _JSON)
        if self._bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._bytes = [], 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._flush()
        finally:
            self._file.close()


def schema(arrow: Any) -> Any:
    """The columns with their types; `arrow` is the package `pyarrow`."""
    lists = {
        "images": arrow.string(),
        "prompt_token_ids": arrow.int64(),
        "completion_token_ids": arrow.int64(),
        "logprobs": arrow.float64(),
    }
    kinds = (
        ((*_TEXT, *_JSON), arrow.string()),
        (_WHOLE, arrow.int64()),
        (_REAL, arrow.float64()),
        (_TRUTH, arrow.bool_()),
    )
    types = {name: kind for names, kind in kinds for name in names} | {n: arrow.list_(k) for n, k in lists.items()}
    return arrow.schema([(name, types[name]) for name in COLUMNS])


def digest(path: Path) -> str:
    """SHA-256 (hex) of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _text(value: Any) -> str | None:
    """JSON text; half a surrogate pair, which Arrow can't hold, stays an escape."""
    return None if value is None else json_bytes(value).decode()
