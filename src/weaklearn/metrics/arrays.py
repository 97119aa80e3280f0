"""Scores, grades and label sets as arrays, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Floats


def numbers(name: str, values: Any, n_dimensions: int = 1) -> Floats:
    """Finite numbers in so many dimensions."""
    array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    if array.ndim != n_dimensions or array.dtype.kind not in "fiub":
        words = "a row of numbers" if n_dimensions == 1 else "a table of numbers"
        raise ValueError(f"{name} has shape {array.shape} and type {array.dtype}; pass {words}.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds a number that is not finite.")
    return array


def same_shape(names: tuple[str, str], first: NDArray[Any], second: NDArray[Any]) -> None:
    if first.shape != second.shape:
        raise ValueError(
            f"{names[0]} has shape {first.shape} and {names[1]} has shape {second.shape}; they "
            "must agree."
        )
    if first.size == 0:
        raise ValueError(f"{names[0]} is empty.")


def group_numbers(group: Any, n: int) -> NDArray[np.int64]:
    """The groups of rows as numbers from 0 on; one group where none are given."""
    if group is None:
        return np.zeros(n, np.int64)
    ids = np.asarray(group)
    if ids.shape != (n,):
        raise ValueError(f"group has shape {ids.shape}; it must hold one id for each of {n} items.")
    return np.unique(ids, return_inverse=True)[1].reshape(-1).astype(np.int64)
