"""Missing cells, for learners that cannot do with any."""

from __future__ import annotations

import numpy as np

from ..base.messages.value_text import show
from ..base.sample import Rows
from .arrays import labeller
from .cells import Cells, KnownColumns


def refuse_missing(cells: Cells, schema: KnownColumns) -> None:
    """Names the first missing cell, for learners that cannot do with one."""
    found = _first_missing(cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row}, {labeller(schema.names)(j)} is missing, and "
            "missing='error' asks to refuse that; fill it in, or set missing='branch'."
        )


def refuse_gaps(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Names the first missing number, for a rule on plain numbers."""
    for j in range(schema.n_features):
        gaps = np.flatnonzero(np.isnan(rows.column(j)))
        if len(gaps):
            raise ValueError(
                f"Input X contains NaN: row {gaps[0]}, {labeller(schema.names)(j)} is missing, and "
                f"{rule} needs a number there; fill it in, or use DecisionStumpClassifier, which "
                "gives missing values a label."
            )


def refuse_no_bits(rows: Rows, schema: KnownColumns, rule: str) -> None:
    """Names the first cell that is neither 0 nor 1, for a rule on variables that are."""
    for j in range(schema.n_features):
        x = rows.column(j)
        strange = np.flatnonzero((x != 0) & (x != 1))
        if len(strange):
            i = strange[0]
            raise ValueError(
                f"X, row {i}, {labeller(schema.names)(j)} holds {show(float(x[i]))}, and {rule} "
                "takes 0 and 1 only; ask a question of the column, such as x > t."
            )


def _first_missing(cells: Cells) -> tuple[int, int] | None:
    if cells.sparse is not None:
        entries = cells.sparse.tocsc().tocoo()
        gaps = np.flatnonzero(np.isnan(entries.data))
        return (int(entries.row[gaps[0]]), int(entries.col[gaps[0]])) if len(gaps) else None
    for j in range(cells.n_features):
        column = cells.matrix[:, j] if cells.matrix is not None else cells.columns[j]  # type: ignore[index]
        gaps = np.flatnonzero(column < 0 if column.dtype == np.int32 else np.isnan(column))
        if len(gaps):
            return int(gaps[0]), j
    return None
