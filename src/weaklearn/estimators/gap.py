"""Missing cells, for learners that cannot do with any."""

from __future__ import annotations

import numpy as np

from .array_table import labeller
from .known_columns import Cells, KnownColumns


def refuse_missing(cells: Cells, schema: KnownColumns) -> None:
    """Names the first missing cell, for learners that cannot do with one."""
    found = _first_missing(cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row}, {labeller(schema.names)(j)} is missing, and "
            "missing='error' asks to refuse that; fill it in, or set missing='branch'."
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
