"""Jinja's output written faster: what templates print is escaped in one step, since it is only joined afterwards.

Jinja wraps every printed value in a `Markup` of its own before it joins them; pages of hundreds of cells feel that.
What is compiled is kept in the cache folder, so that the next world server need not compile it again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.nodes import Expr
from markupsafe import Markup, escape


class Writer(CodeGenerator):
    """Compiles templates to call `environment.written` on what they print."""

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.written(")


def written(value: Any) -> str:
    """A printed value as HTML: text escaped, HTML as it is."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    return escape(value)


class Kept(FileSystemBytecodeCache):
    """Compiled templates in a folder; one that can't be used or written only makes the first pages slower."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read what is kept, where it can be read."""
        with suppress(OSError, EOFError, UnpicklingError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, where there is room for it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def install(environment: Environment, cache: Path) -> None:
    """Have the templates of an environment compiled this way, and kept in the folder `cache`; before any is."""
    environment.code_generator_class = Writer
    environment.written = written  # type: ignore[attr-defined]
    with suppress(OSError):
        folder = cache / f"templates-{_how()}"
        folder.mkdir(parents=True, exist_ok=True)
        environment.bytecode_cache = Kept(str(folder))


def _how() -> str:
    """A name for the way that templates are compiled; Jinja itself looks at their sources and at Python's version."""
    return hashlib.sha256(version("jinja2").encode() + Path(__file__).read_bytes()).hexdigest()[:16]
