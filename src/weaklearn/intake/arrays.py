"""Numpy arrays and lists of rows as a float matrix, or as raw columns.

Nothing here needs more than numpy, so that the runtime package uses it as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..base.messages.value_text import show
from ..base.types import Array
from .object_column import array_raw
from .raw_column import EXACT, Labeller, Raw, as_floats, check_finite, check_type, unnamed

Names: TypeAlias = tuple[str, ...] | None
RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


class Table(NamedTuple):
    """The content of a container: exactly one of `matrix`, `sparse` and `raws` is set.

    `integers` is the type of integers that a matrix came as: b, i or u.
    """

    shape: tuple[int, int]
    names: Names = None
    matrix: Array | None = None
    sparse: Any = None
    raws: list[Raw] | None = None
    integers: str = ""


def labeller(names: Names) -> Labeller:
    """The function that names the j-th column in messages."""
    return unnamed if names is None else lambda j: f"column {show(names[j])}"


def array_table(X: Array, label: Labeller, names: Names = None) -> Table:
    """The table of a numpy array of any type and layout; floats are not copied."""
    if isinstance(X, np.matrix):
        raise TypeError(
            "np.matrix is not supported. Please convert to a numpy array with np.asarray."
        )
    masked = None
    if type(X) is not np.ndarray and isinstance(X, np.ma.MaskedArray):  # np.ma is slow to import
        masked = np.ma.getmaskarray(X) if np.ma.is_masked(X) else None
        X = X.data
    X = np.asarray(X)
    check_type(X, label(0))
    _check_dimensions(X)
    matrix = as_floats(X, masked)
    if matrix is not None:
        check_finite(matrix, label)
        return Table(X.shape, names, matrix=matrix, integers=X.dtype.kind.strip("f"))
    raws = [
        array_raw(X[:, j], label(j), None if masked is None else masked[:, j])
        for j in range(X.shape[1])
    ]
    return Table(X.shape, names, raws=raws)


def _check_dimensions(X: Array) -> None:
    if X.ndim == 2:
        return
    if X.ndim > 2:
        raise ValueError(
            f"Found array with dim {X.ndim}, while dim <= 2 is required: X has shape {X.shape}; "
            "reshape it to one row per example."
        )
    found = "1D array" if X.ndim else "scalar array"
    raise ValueError(f"Expected 2D array, got {found} instead: X has shape {X.shape}. {RESHAPE}")


def from_rows(rows: Sequence[Any]) -> Array:
    """The array of a list of rows, whose values keep their types."""
    try:
        array = np.asarray(rows)
    except ValueError as error:
        widths = [len(row) if hasattr(row, "__len__") else 1 for row in rows]
        odd = next((i for i, width in enumerate(widths) if width != widths[0]), None)
        if odd is None:
            raise ValueError(f"X is no table of rows and columns: {error}.") from error
        raise ValueError(
            f"X is a ragged list, of inhomogeneous shape: row {odd} has {widths[odd]} values, "
            f"row 0 has {widths[0]}; give every row the same number of values."
        ) from error
    # Numpy turns [1, "a"] into two strings and rounds [2**60, 0.5] to floats: look at the values.
    largest = np.fmax.reduce(np.abs(array), axis=None, initial=0) if array.dtype.kind == "f" else 0
    blurred = array.dtype.kind in "US" or largest >= EXACT
    return np.array(rows, dtype=object) if blurred else array


def as_table(X: Any) -> Any:
    """X of any shape as rows and columns: a text is one column, a picture has one a dot."""
    if isinstance(X, np.ndarray) and X.ndim > 2:
        return X.reshape(len(X), math.prod(X.shape[1:]))
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    if flat and len(X) > 0 and isinstance(next(iter(X)), str):
        return np.array(list(X), dtype=object).reshape(-1, 1)
    return X
