"""Reading of numbers to predict: one a row, or several."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ..base.types import Array, Floats
from .labels import as_array, read_target

NumberForm = Literal["one", "columns"]


def read_numbers(
    y: Any,
    n_rows: int,
    form: NumberForm,
    *,
    estimator_name: str = "",
    largest: float = math.inf,
    argument: str = "y",
    n_targets: int | None = None,
) -> Floats:
    """The numbers to predict, (n,); of several targets, where ``form`` allows them, (n, targets).

    ``n_targets`` is how many there must be, as in training.
    """
    table = _table(y) if form == "columns" and y is not None else None
    k = table.shape[1] if table is not None and table.ndim == 2 else 1
    if n_targets is not None and k != n_targets:
        raise ValueError(
            f"{argument} holds {k} target(s) a row, and y in training {n_targets}; pass a column "
            "for each."
        )
    how: dict[str, Any] = {"estimator_name": estimator_name, "largest": largest}
    if table is None or k == 1:
        return read_target(y, n_rows, argument=argument, **how)
    columns = []
    for j in range(k):
        try:
            columns.append(read_target(table[:, j], n_rows, argument=argument, **how))
        except (TypeError, ValueError) as error:
            error.add_note(f"This is column {j} of {argument}, which has {k}.")
            raise
    return np.column_stack(columns)


def _table(y: Any) -> Array:
    """The values of a container of one dimension or two."""
    plain = isinstance(y, (np.ndarray, list, tuple))
    return as_array(y) if plain or np.ndim(y) != 2 else np.asarray(y)
