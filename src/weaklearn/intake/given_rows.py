"""Rows as they are handed in: those of weight 0 left out, X of any shape as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.sample import take_rows
from ..base.types import Floats
from .containers import settled
from .labels import counts, name_of, read_labels, read_weights


@dataclass(frozen=True)
class Given:
    """X, y and weights without the rows of weight 0; ``used`` tells which these were not.

    Weights that are all whole numbers are ``copies`` too. ``target`` is the name that y came with.
    """

    X: Any
    y: Any
    weights: Floats | None
    copies: NDArray[np.int64] | None
    used: NDArray[np.bool_] | None
    target: str | None

    @property
    def n_dropped(self) -> int:
        return 0 if self.used is None else int(np.count_nonzero(~self.used))


def given_rows(X: Any, y: Any, sample_weight: Any) -> Given:
    """The rows that count."""
    target = name_of(y)
    X, y, weights, used = _weighed(X, y, sample_weight)
    return Given(X, y, weights, counts(weights), used, target)


def _weighed(
    X: Any, y: Any, sample_weight: Any
) -> tuple[Any, Any, Floats | None, NDArray[np.bool_] | None]:
    """X, y and weights without the rows of weight 0, and which rows these were not: None, all."""
    if sp.issparse(X) and (sample_weight is not None or not _in_lines(X)):
        X = _selectable(settled(X))  # rows of it may be left out, or drawn
    weights = None if sample_weight is None else read_weights(sample_weight, _rows_of(X))
    if weights is None or weights.all():
        return X, y, weights, None
    used = weights > 0
    kept = np.flatnonzero(used)
    return take_rows(X, kept), _take_labels(y, kept, len(weights)), weights[kept], used


def as_table(X: Any) -> Any:
    """X of any shape as rows and columns: a text is one column, a picture has one a dot."""
    if isinstance(X, np.ndarray) and X.ndim > 2:
        return X.reshape(len(X), math.prod(X.shape[1:]))
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    if flat and len(X) > 0 and isinstance(next(iter(X)), str):
        return np.array(list(X), dtype=object).reshape(-1, 1)
    return X


def _selectable(X: Any) -> Any:
    """A sparse matrix of which rows can be chosen."""
    return X if _in_lines(X) else X.tocsr()


def _in_lines(X: Any) -> bool:
    """Whether a sparse matrix is kept by rows or by columns."""
    return X.format in ("csr", "csc")


def _rows_of(X: Any) -> int:
    try:
        return int(_num_samples(X))
    except TypeError:
        return int(np.asarray(X).shape[0]) if np.ndim(X) else 1


def _take_labels(y: Any, kept: NDArray[np.intp], n_rows: int) -> Any:
    """The labels of the kept rows."""
    if y is None or _num_samples(y) != n_rows:
        read_labels(y, n_rows)  # which refuses them
    return take_rows(y, kept)
