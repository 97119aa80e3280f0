"""Refusal of missing values, for learners that cannot use them."""

from __future__ import annotations

import numpy as np

from ..base.messages.value_text import row_number, show
from ..base.sample import Cells, Rows
from .arrays import labeller
from .cells import KnownColumns


def refuse_missing(cells: Cells, schema: KnownColumns) -> None:
    """Raises an error that names the first missing value, if there is one."""
    found = _first_missing(cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row_number(row)}, {labeller(schema.names)(j)} is "
            "missing, and missing='error' asks to refuse that; fill it in, or set missing='branch'."
        )


def refuse_gaps(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Raises an error that names the first missing value, for a rule on numbers."""
    found = _first_missing(rows.cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row_number(row)}, {labeller(schema.names)(j)} is "
            f"missing, and {rule} needs a number there; fill it in, or use "
            "DecisionStumpClassifier, which gives missing values a label."
        )


def refuse_no_bits(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Raises an error that names the first value other than 0 and 1, for a rule on bits."""
    for j in range(schema.n_features):
        x = rows.column(j)
        strange = np.flatnonzero((x != 0) & (x != 1))
        if len(strange):
            i = strange[0]
            raise ValueError(
                f"X, row {row_number(i)}, {labeller(schema.names)(j)} holds "
                f"{show(float(x[i]))}, and {rule} takes 0 and 1 only; binarise the column, for "
                "example by x > t."
            )


def _first_missing(cells: Cells) -> tuple[int, int] | None:
    """Row and column of the first missing value."""
    if cells.sparse is not None:
        entries = cells.sparse.tocsc().tocoo()
        missing = np.flatnonzero(np.isnan(entries.data))
        k = missing[0] if len(missing) else None
        return None if k is None else (int(entries.row[k]), int(entries.col[k]))
    for j in range(cells.n_features):
        column = cells.matrix[:, j] if cells.matrix is not None else cells.columns[j]  # type: ignore[index]
        missing = np.flatnonzero(column < 0 if column.dtype == np.int32 else np.isnan(column))
        if len(missing):
            return int(missing[0]), j
    return None
