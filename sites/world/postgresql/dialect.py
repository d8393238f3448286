"""PostgreSQL's dialect where it is made to answer as SQLite does, so that sites are written once.

Whole numbers have 64 bits, and LIKE takes ASCII letters of either case for one. What is left (order of NULL, grouping,
collation) is written alike in the sites' own queries.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.base import PGTypeCompiler
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg, PGDialect_psycopg

NAME = "postgresql.sitegym"


class _Types(PGTypeCompiler):
    def visit_INTEGER(self, type_: Any, **kw: Any) -> str:
        return "BIGINT"

    def visit_SMALLINT(self, type_: Any, **kw: Any) -> str:
        return "BIGINT"


class _Statements(PGCompiler_psycopg):
    def visit_like_op_binary(self, binary: Any, operator: Any, **kw: Any) -> str:
        return str(self.visit_ilike_op_binary(binary, operator, **kw))  # type: ignore[no-untyped-call]

    def visit_not_like_op_binary(self, binary: Any, operator: Any, **kw: Any) -> str:
        return str(self.visit_not_ilike_op_binary(binary, operator, **kw))  # type: ignore[no-untyped-call]


class _Integer(Integer):
    """Sent as wide as the number needs: not every function takes the widest."""

    render_bind_cast = False


class Dialect(PGDialect_psycopg):
    """psycopg's, with the two differences."""

    colspecs = {**PGDialect_psycopg.colspecs, Integer: _Integer}  # noqa: RUF012

    statement_compiler = _Statements
    type_compiler_cls = _Types
    supports_statement_cache = True


registry.register(NAME, __name__, "Dialect")
