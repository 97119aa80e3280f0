"""The values of a column in one partition of the rows, in order and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
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

    ``counts`` are its examples with a lesser value than each, and all of them at the end; None:
    every value has one example.
    """

    values: Keys
    counts: Ints | None
    has_missing: bool

    @classmethod
    def of_all(
        cls, columns: Sequence[NDArray[Any]] | NDArray[Any], copies: Ints | None, threads: int
    ) -> list[OwnValues]:
        """Those of several columns: arrays of their own, or the rows of a matrix."""
        if isinstance(columns, np.ndarray):
            return [cls(*found) for found in _core.distinct_values(columns, copies, threads)]
        return [cls._of(column, copies, threads) for column in columns]

    @classmethod
    def _of(cls, column: NDArray[Any], copies: Ints | None, threads: int) -> OwnValues:
        if column.dtype == np.int32:  # categories, whose codes are given
            return cls(np.zeros(0, np.uint64), None, bool(np.any(column < 0)))
        return cls.of_all(column[None, :], copies, threads)[0]

    def head(self, most: int) -> Head:
        n = len(self.values)
        return Head(self.has_missing, int(self.below(n)), n, self.values[: n if n <= most else 0])

    def below(self, places: Any) -> Any:
        """How many examples have a lesser value than those of some places."""
        return places if self.counts is None else self.counts[places]

    def between(self, low: Keys, high: Keys) -> tuple[Ints, Ints]:
        """The first place above each of ``low``, and the first at or above each of ``high``."""
        return (
            np.searchsorted(self.values, low, side="right"),
            np.searchsorted(self.values, high, side="left"),
        )


def distinct(keys: Keys) -> Keys:
    """The keys in order, each once; sorting takes less time than the hashes of ``np.unique``."""
    keys = np.sort(keys)
    return keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys


def numbers_of(keys: Keys) -> Floats:
    """What keys were made from.

    >>> column = np.array([2.0, -np.inf, -0.0, 5e-324, 0.0, np.nan])
    >>> numbers_of(OwnValues.of_all([column], None, 1)[0].values).tolist()
    [-inf, 0.0, 5e-324, 2.0]
    """
    top = np.uint64(2**63)
    return np.where(keys & top, keys ^ top, ~keys).view(np.float64)
