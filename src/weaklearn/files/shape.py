"""The columns and classes of a model, for checks of its parts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .check import need


class Shape(NamedTuple):
    """Number of features and classes, and which features are categories or ranks.

    ``n_categories`` holds those of categorical columns, ``ranks`` the numbers of ranks of columns
    that are known by rank, as dates are. ``n_classes`` is 0 where numbers are predicted. Where rows
    may have ``several`` labels, each has a score of its own.
    """

    n_features: int
    n_categories: dict[int, int]
    ranks: dict[int, int]
    n_classes: int
    several: bool = False

    def n_categories_of(self, features: NDArray[Any]) -> NDArray[np.int64]:
        """The number of categories of each of the given features; 0 for ordered ones."""
        return _looked_up(self.n_categories, features, 0)

    def check_thresholds(self, name: str, features: NDArray[Any], values: NDArray[Any]) -> None:
        """Refuses thresholds on ranks that lie outside of the ranks of their column."""
        if not self.ranks:
            return
        ranks = _looked_up(self.ranks, features, -1)
        outside = (ranks >= 0) & ((values < 0) | (np.floor(values) >= ranks - 1))
        need(not outside.any(), f"{name}: a threshold lies between no two values of its column")


def _looked_up(numbers: dict[int, int], features: NDArray[Any], other: int) -> NDArray[np.int64]:
    if not numbers:
        return np.full(len(features), other, np.int64)
    known = np.array(sorted(numbers), np.int64)
    values = np.array([numbers[j] for j in known.tolist()], np.int64)
    place = np.minimum(np.searchsorted(known, features), len(known) - 1)
    return np.where(known[place] == features, values[place], other)
