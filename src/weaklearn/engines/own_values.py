"""The values of a column in one partition of the rows, in order and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys
from ..base.types import Floats, Ints


@dataclass(frozen=True)
class Head:
    """What is gathered of every column: its own values only where they are few."""

    has_missing: bool
    n_examples: int
    n_values: int
    values: Keys


@dataclass(frozen=True)
class OwnValues:
    """The distinct values of a column in this partition, ascending, as keys.

    ``below`` counts its examples with a lesser value than each, and all of them at the end.
    """

    values: Keys
    below: Ints
    has_missing: bool

    @classmethod
    def of(cls, column: NDArray[Any], copies: Ints | None) -> OwnValues:
        if column.dtype == np.int32:  # categories, whose codes are given
            return cls(np.zeros(0, np.uint64), np.zeros(1, np.int64), bool(np.any(column < 0)))
        known = column == column
        keys = keys_of(column[known])
        if copies is None:
            keys.sort()
            before: Ints = np.arange(len(keys) + 1)
        else:
            order = np.argsort(keys)
            keys = keys[order]
            before = np.append(0, np.cumsum(copies[known][order]))
        new = np.append(np.ones(min(len(keys), 1), bool), keys[1:] != keys[:-1])
        starts = np.append(np.flatnonzero(new), len(keys))
        return cls(keys[starts[:-1]], before[starts], len(keys) < len(column))

    def head(self, most: int) -> Head:
        n = len(self.values)
        return Head(self.has_missing, int(self.below[-1]), n, self.values[: n if n <= most else 0])

    def between(self, low: Keys, high: Keys) -> tuple[Ints, Ints]:
        """The first place above each of ``low``, and the first at or above each of ``high``."""
        return (
            np.searchsorted(self.values, low, side="right"),
            np.searchsorted(self.values, high, side="left"),
        )


def keys_of(numbers: NDArray[Any]) -> Keys:
    """Numbers as unsigned integers in the same order; -0 and 0 are one.

    >>> ascending = np.array([-np.inf, -1.5, -0.0, 0.0, 5e-324, 2.0, np.inf])
    >>> np.sign(np.diff(keys_of(ascending).astype(object))).tolist()
    [1, 1, 0, 1, 1, 1]
    >>> numbers_of(keys_of(ascending)).tolist()
    [-inf, -1.5, 0.0, 0.0, 5e-324, 2.0, inf]
    """
    bits = (numbers.astype(np.float64) + 0.0).view(np.uint64)
    top = np.uint64(2**63)
    return np.where(bits & top, ~bits, bits | top)


def numbers_of(keys: Keys) -> Floats:
    """What keys were made from."""
    top = np.uint64(2**63)
    return np.where(keys & top, keys ^ top, ~keys).view(np.float64)
