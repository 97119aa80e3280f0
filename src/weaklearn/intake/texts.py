"""Texts as examples, for kernels on texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.messages.value_text import row_number, show
from .object_column import is_missing


def texts_of(X: Any) -> list[str]:
    """Texts, one per example: a list, an array or a series of them, or a table of one column."""
    items = _items(X)
    for row, item in enumerate(items):
        if is_missing(item):
            raise ValueError(
                f"Input X contains NaN: row {row_number(row)} is {show(item)}, and a kernel of "
                "texts needs a text there; fill it in, or leave the row out."
            )
        if not isinstance(item, str):
            raise ValueError(
                f"X, row {row_number(row)} holds {show(item)}, and a kernel of texts needs a "
                "text there; convert it, or take another kernel."
            )
    return [str(item) for item in items]


def _items(X: Any) -> list[Any]:
    if isinstance(X, str):
        raise ValueError("X is a single text; pass a list of texts, one per example.")
    values = X.to_numpy() if hasattr(X, "to_numpy") else X
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ValueError(
            f"X has shape {values.shape}; a kernel of texts takes one text per example."
        )
    return list(values)
