"""Identifier columns: texts that hardly ever repeat, and so predict nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import DataWarning, warn
from ..base.streamed_cells import StreamedCells
from ..base.types import Partitions
from .arrays import labeller
from .cells import Cells
from .column_schema import ColumnSchema
from .raw_column import Kind
from .schema import Schema

AnyCells = TypeVar("AnyCells", Cells, StreamedCells)

_NEARLY = 0.9  # share of distinct values from which a column counts as an identifier
_FEW = 20  # known values below which no column counts as one


def unsplittable(
    schema: Schema,
    cells: Cells | StreamedCells,
    repeats: NDArray[np.int64] | None,
    over: Partitions,
) -> list[int]:
    """The text columns in which nearly every value is distinct; ``repeats`` counts the rows."""
    texts = [j for j, column in schema.special.items() if _holds_texts(column)]
    if not texts:
        return []
    n_known = over.sum(np.array([_n_known(cells, repeats, j) for j in texts], np.int64))
    return [
        j
        for j, n in zip(texts, n_known.tolist(), strict=True)
        if hardly_repeat(len(schema.special[j].categories) + len(schema.special[j].pooled), n)
    ]


def _holds_texts(column: ColumnSchema) -> bool:
    values = (*column.categories[:1], *list(column.pooled)[:1])
    return column.kind is Kind.CATEGORY and bool(values) and isinstance(values[0], str)


def _n_known(cells: Cells | StreamedCells, repeats: NDArray[np.int64] | None, j: int) -> int:
    known = cells.column(j) >= 0
    return int(known.sum() if repeats is None else repeats[known].sum())


class IdentifierWarning(DataWarning):
    """Columns that look like identifiers are not learnt from."""


def hardly_repeat(n_distinct: int, n_known: int) -> bool:
    """Whether a column of texts with so many distinct values looks like an identifier.

    >>> hardly_repeat(95, 100), hardly_repeat(50, 100), hardly_repeat(5, 5)
    (True, False, False)
    """
    return n_known >= _FEW and n_distinct >= _NEARLY * n_known


def set_aside(
    schema: Schema,
    cells: AnyCells,
    repeats: NDArray[np.int64] | None,
    over: Partitions,
    *,
    tell: bool,
) -> tuple[Schema, AnyCells]:
    """Makes identifier columns constant, so that no tree can split on them; ``tell`` warns of it.

    All their values are pooled as rare ones, as unknown values are, and in training missing values
    are pooled with them.
    """
    found = unsplittable(schema, cells, repeats, over)
    if not found:
        return schema, cells
    special = dict(schema.special)
    for j in found:
        old = special[j]
        special[j] = replace(old, categories=(), pooled=old.pooled.union(old.categories))
    if tell:
        label = labeller(schema.names)
        listed = ", ".join(label(j) for j in found[:5]) + (", ..." if len(found) > 5 else "")
        warn(
            f"X has {len(found)} column(s) of texts that hardly ever repeat, such as names, which "
            f"no tree will split on: {listed}; drop them, or make categories of them that repeat.",
            IdentifierWarning,
        )
    return replace(schema, special=special), cells.with_constant(found)
