"""Groups of rows by their ids."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .object_column import is_missing


def group_numbers(group: Any, n: int, name: str = "group") -> NDArray[np.int64]:
    """The groups of rows, numbered in the order of their ids; all 0 where there are none."""
    if group is None:
        return np.zeros(n, np.int64)
    ids = np.asarray(group)
    if ids.ndim != 1 or len(ids) != n:
        sizes = ids.ndim == 1 and ids.dtype.kind in "iu" and int(ids.sum()) == n
        hint = f"; for sizes, pass np.repeat(np.arange({len(ids)}), {name})" if sizes else ""
        raise ValueError(
            f"{name} has shape {ids.shape} and X has {n} rows; it must hold one id per row{hint}."
        )
    missing = [i for i, value in enumerate(ids.tolist()) if is_missing(value)]
    if missing:
        raise ValueError(
            f"{name} is missing in row {missing[0]}; every row must belong to a group."
        )
    try:
        return np.unique(ids, return_inverse=True)[1].reshape(-1).astype(np.int64)
    except TypeError:
        raise TypeError(f"{name} mixes ids that cannot be put in order; use one type.") from None
