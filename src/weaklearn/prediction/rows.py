"""Rows of X as a fitted model reads them."""

from __future__ import annotations

from typing import Any

from ..base.sample import Rows
from ..engines import Engine
from ..intake.cells import KnownColumns
from ..intake.missing import refuse_missing


def read_rows(
    schema: KnownColumns, X: Any, engine: Engine, *, unseen: str, strict: bool, table: Any = None
) -> Rows:
    """X by the columns of training; ``strict`` refuses missing values and levels never seen.

    ``table`` is X as a table, where X itself may have any shape.
    """
    cells = schema.read(X if table is None else table, unseen="error" if strict else unseen)
    if strict:
        refuse_missing(cells, schema)
    return Rows(cells, X, engine)
