"""Validation rows, and how those that a user passes are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import shared_warnings
from ..base.numeric.fixed_point import scale_weights
from ..base.rows import Rows
from . import later
from .arrays import as_table
from .elsewhere import in_memory_or_file, read_cells
from .labels import check_column_names, codes_among
from .weights import read_weights

if TYPE_CHECKING:
    from ..base.types import Floats
    from .multilabel import Signs
    from .prepare import Prepared


@dataclass(frozen=True)
class Validation:
    """Held-out rows with labels or numbers, class codes (0 without classes) and weights.

    ``signs`` are those of all labels, where rows may have several; ``name`` is that of a set among
    several, ``offset`` a known score of every row, and ``queries`` the number of its query.
    """

    rows: Rows
    y: NDArray[Any]
    codes: NDArray[np.int64]
    weights: NDArray[Any] | None
    signs: Signs | None = None
    name: str = ""
    offset: Floats | None = None
    queries: NDArray[np.int64] | None = None


def read_validation(
    X_val: Any,
    y_val: Any,
    sample_weight_val: Any,
    prepared: Prepared,
    any_shape: bool = False,
) -> Validation:
    """The user's validation rows; every label must be a class of training."""
    if y_val is None:
        raise ValueError(
            "X_val is given without y_val: pass the labels of the validation rows too."
        )
    classes, engine = prepared.classes, prepared.sample.engine
    over = engine.collective
    with shared_warnings(over):
        read = read_cells(prepared.schema, as_table(X_val) if any_shape else X_val)
        cells = in_memory_or_file(read)
    signs = None
    if prepared.indicator is not None:
        signs, _ = later.read_indicator(y_val, cells.n_rows, argument="y_val", known=classes)
        labels: NDArray[Any] = (signs > 0).astype(np.int64)
        codes = np.zeros(cells.n_rows, np.int64)
    elif prepared.sample.n_classes == 0:
        labels = _numbers(y_val, cells.n_rows, prepared)
        codes = np.zeros(cells.n_rows, np.int64)
    else:
        codes = codes_among(classes, y_val, cells.n_rows, "y_val")
        labels = classes[codes]
    weights = read_weights(sample_weight_val, cells.n_rows, over)
    weights = None if weights is None else scale_weights(weights, over)
    return Validation(Rows(cells, X_val, engine), labels, codes, weights, signs)


def _numbers(y_val: Any, n_rows: int, prepared: Prepared) -> Floats:
    """The numbers to predict, as many a row as in training."""
    y, target = prepared.sample.y, prepared.target
    n_targets = y.shape[1] if y.ndim == 2 else 1
    check_column_names(y_val, target.names, "y_val")
    how: Any = {"largest": target.largest, "argument": "y_val", "n_targets": n_targets}
    return later.read_numbers(y_val, n_rows, target.form, **how)
