"""Examples that kernels compare: rows of numbers, dense or sparse, texts, or anything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats

Points = Any  # a float matrix, a sparse one by rows, or a list of examples


def count(X: Points) -> int:
    """The number of examples."""
    return len(X) if isinstance(X, list) else int(X.shape[0])


def take(X: Points, rows: NDArray[Any]) -> Points:
    """The listed examples."""
    return [X[i] for i in rows] if isinstance(X, list) else X[rows]


def joined(X: Points, Z: Points) -> Points:
    """The examples of X, then those of Z."""
    if isinstance(X, list):
        return X + Z
    if isinstance(X, np.ndarray) and isinstance(Z, np.ndarray):
        return np.concatenate([X, Z])
    start = np.concatenate([X.indptr, int(X.indptr[-1]) + Z.indptr[1:].astype(np.int64)])
    cells = (np.concatenate([X.data, Z.data]), np.concatenate([X.indices, Z.indices]), start)
    return type(X)(cells, shape=(X.shape[0] + Z.shape[0], X.shape[1]))


def points_of(X: Any, takes: str) -> Points:
    """Examples in the form in which kernels of numbers, of texts or of anything compare them."""
    if hasattr(X, "tocsr"):
        if takes == "texts":
            raise ValueError("X is a sparse matrix; a kernel of texts compares texts.")
        rows: Any = X.tocsr().astype(np.float64)
        rows.sum_duplicates()
        return rows
    if takes == "texts":
        return _texts(X)
    if takes == "anything" and not _is_table(X):
        return list(X)
    try:
        matrix = np.asarray(X, np.float64)
    except (TypeError, ValueError):
        raise ValueError("X does not consist of rows of numbers of equal length.") from None
    if matrix.ndim != 2:
        raise ValueError(f"X has shape {matrix.shape}; a kernel of numbers compares rows of them.")
    if not np.isfinite(matrix).all():
        raise ValueError("X holds NaN or infinity; a kernel compares finite numbers.")
    return matrix


def _is_table(X: Any) -> bool:
    """Whether X is rows of numbers, and not a list of other examples."""
    if isinstance(X, np.ndarray):
        return X.ndim == 2 and X.dtype.kind in "fiub"
    if isinstance(X, (list, tuple)):
        rows = [isinstance(x, (list, tuple, np.ndarray)) and np.ndim(x) == 1 for x in X]
        plain = all(rows) and len({len(x) for x in X}) == 1
        return plain and all(np.asarray(x).dtype.kind in "fiub" for x in X)
    return False


def _texts(X: Any) -> list[str]:
    texts = [X] if isinstance(X, str) else list(X)
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"example {i} is {text!r}; a kernel of texts compares texts.")
    return texts


def examples_of(X: Points) -> Any:
    """Examples one by one: a sparse matrix is written out."""
    return X if isinstance(X, (list, np.ndarray)) else X.toarray()


def panel(X: Points, Z: Points) -> Floats:
    """The rows of Z side by side, feature after feature."""
    if X.shape[1] != Z.shape[1]:
        raise ValueError(
            f"examples of {X.shape[1]} and of {Z.shape[1]} numbers were given; a kernel compares "
            "rows of equal length."
        )
    return np.ascontiguousarray(examples_of(Z).T, np.float64)
