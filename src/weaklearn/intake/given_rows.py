"""The rows of X, y and weights that count: those of a weight above 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.sample import take_rows
from ..base.types import Floats, Partitions
from .labels import name_of, read_labels
from .sparse import settled
from .weights import counts, read_weights


@dataclass(frozen=True)
class Given:
    """X, y and weights without the rows of weight 0; ``used`` marks the rows kept: None, all.

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


def given_rows(X: Any, y: Any, sample_weight: Any, over: Partitions) -> Given:
    """The rows that count."""
    names, used = over.gather(name_of(y)), None
    target = next((name for name in names if name is not None), None)
    in_lines = getattr(X, "format", None) in ("csr", "csc")  # by rows or by columns
    if sp.issparse(X) and (sample_weight is not None or not in_lines):
        checked = settled(X)  # rows of it may be left out, or drawn
        X = checked if in_lines else checked.tocsr()
    weights = read_weights(sample_weight, 0 if sample_weight is None else _rows_of(X), over)
    if weights is not None and not weights.all():
        used = weights > 0
        kept = np.flatnonzero(used)
        y = _take_labels(y, kept, len(weights))
        X, weights = take_rows(X, kept), weights[kept]
    return Given(X, y, weights, counts(weights, over), used, target)


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
