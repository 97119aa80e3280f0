"""The codes of a numeric column, by one plain rule over its sorted values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ends_of_bins(
    x: NDArray[np.float64], copies: NDArray[np.int64] | None, most_codes: int, least_rows: int
) -> NDArray[np.float64]:
    """Least and greatest value of each code: of single values if few, else of even bins."""
    known = ~np.isnan(x)
    values, which = np.unique(x[known] + 0.0, return_inverse=True)
    counts = np.bincount(which, None if copies is None else copies[known], len(values))
    if len(values) <= most_codes:
        return np.repeat(values, 2)
    bins: list[list[float]] = [[]]
    taken, left, rest = 0, most_codes, int(counts.sum())
    for value, count in zip(values.tolist(), counts.astype(int).tolist(), strict=True):
        if left > 1 and taken >= max(-(-rest // left), least_rows):
            rest, taken, left = rest - taken, 0, left - 1
            bins.append([])
        bins[-1].append(value)
        taken += count
    return np.array([[each[0], each[-1]] for each in bins]).ravel()
