"""The row sketch: a sorted list of hashes of the training rows.

A test set that holds rows of training says nothing of the true error, and calibration rows that
were trained on say nothing of coverage. So a fit notes a hash of every row that it looked at, those
that rounds were stopped by included, and labels left out. A sketch keeps at most 2^17 hashes, one
megabyte: of larger tables the smallest ones, and then a row can be looked up where its own hash is
as small. In a file it is smaller again: 2048 hashes, without bits that hardly tell rows apart. Rows
are compared as the model reads them: rare categories that share a code are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.compression.stream import Reader, StreamError, Writer
from ..base.numeric.hashing import Keys, column_factors
from ..base.rows import Cells
from ..base.types import Floats
from ..engines import on_threads

MOST_HASHES = 2**17
MOST_IN_FILES = 2**11
_BITS = 20  # of a hash in a file, beyond those that its place among the others tells
_ALL = np.uint64(2**64 - 1)


@dataclass(frozen=True)
class Lookup:
    """Numbers of rows: in the table, decided by the sketch, found among the training rows."""

    n: int
    decided: int
    found: int

    @property
    def words(self) -> str:
        """How many rows were found, as part of a sentence."""
        least = "" if self.decided == self.n else "at least "
        return f"{least}{self.found} of {self.n} rows were seen"

    @property
    def checked(self) -> str:
        """The sentence for the case that no row was found."""
        if self.decided == self.n:
            return "none of the rows was seen in training"
        looked_up = f"{self.decided} of {self.n} rows could be looked up"
        return f"{looked_up}, and none of these was seen in training"

    @property
    def undecided(self) -> int:
        """How many rows could not be looked up."""
        return self.n - self.decided


@dataclass(frozen=True, eq=False)
class RowSketch:
    """The hashes of training rows up to ``reach``, without their ``low`` lowest bits.

    ``keys`` may stand in any order and repeat; they are put in order when a row is first looked up.
    """

    keys: Keys
    reach: np.uint64 = _ALL
    low: int = 0

    @cached_property
    def hashes(self) -> Keys:
        """The distinct hashes, sorted."""
        return _rising(self.keys.copy())

    def __getstate__(self) -> dict[str, Any]:
        return {"keys": self.hashes, "reach": self.reach, "low": self.low}

    @classmethod
    def of(cls, parts: Iterable[Cells]) -> RowSketch:
        """The sketch of all rows of several tables."""
        return cls.of_keys([row_keys(cells) for cells in parts])

    @classmethod
    def of_keys(cls, keys: list[Keys], threads: int = 1) -> RowSketch:
        """The sketch of rows by their ``row_keys``."""
        together = keys[0] if len(keys) == 1 else np.concatenate(keys)
        if len(together) <= MOST_HASHES:
            return cls(together)
        kernels = on_threads(threads).rows
        # Hashes are spread evenly: a little above their share lie enough, unless many are equal.
        reach = min(int(2**64 * 1.05 * MOST_HASHES) // len(together), 2**64 - 1)
        few = together[together <= np.uint64(reach)]
        hashes = _distinct(kernels.sort_keys(few))
        if len(hashes) <= MOST_HASHES:
            hashes = _distinct(kernels.sort_keys(together))
        if len(hashes) <= MOST_HASHES:
            return cls(hashes)
        return cls(hashes[:MOST_HASHES].copy(), hashes[MOST_HASHES - 1])

    def _least(self, n: int) -> RowSketch:
        """The sketch of the n smallest hashes."""
        if len(self.hashes) <= n:
            return self
        return RowSketch(self.hashes[:n].copy(), self.hashes[n - 1] | _ones(self.low), self.low)

    def _without(self, low: int) -> RowSketch:
        """The sketch with its hashes cut by the ``low`` lowest bits."""
        return RowSketch(_rising(self.hashes & ~_ones(low)), self.reach, low)

    def joined(self, other: RowSketch) -> RowSketch:
        """The sketch of the rows of two fits."""
        low = max(self.low, other.low)
        reach = min(self.reach, other.reach)
        both = _rising(np.concatenate([self._without(low).hashes, other._without(low).hashes]))
        return RowSketch(both[both <= reach], reach, low)._least(MOST_HASHES)

    def known(self, cells: Cells) -> NDArray[np.bool_]:
        """Mask of the rows found in the sketch."""
        keys = row_keys(cells) & ~_ones(self.low)
        at = np.minimum(np.searchsorted(self.hashes, keys), max(len(self.hashes) - 1, 0))
        return self.hashes[at] == keys if len(self.hashes) else np.zeros(len(keys), bool)

    def new(self, cells: Cells) -> NDArray[np.bool_]:
        """Mask of rows provably not in the training rows; undecided rows are False."""
        return (row_keys(cells) <= self.reach) & ~self.known(cells)

    def look(self, cells: Cells) -> Lookup:
        """How many rows of a table are training rows."""
        decided = int(np.count_nonzero(row_keys(cells) <= self.reach))
        return Lookup(cells.n_rows, decided, int(np.count_nonzero(self.known(cells))))

    def to_bytes(self) -> bytes:
        """The sketch as files keep it: fewer hashes, of fewer bits."""
        least = self._least(MOST_IN_FILES)
        between = (int(least.reach) // max(1, len(least.hashes))).bit_length()
        small = least._without(max(self.low, between - _BITS, 0))
        writer = Writer()
        writer.number(int(small.reach))
        writer.number(small.low)
        writer.integers(np.diff(small.hashes >> np.uint64(small.low), prepend=np.uint64(0)))
        return bytes(writer)

    @classmethod
    def from_bytes(cls, data: bytes) -> RowSketch:
        """The sketch from a file; a ValueError where the bytes are damaged."""
        reader = Reader(data, 8 * MOST_IN_FILES)
        try:
            reach, low = reader.number(), reader.number()
            steps = reader.integers()
            reader.end()
        except StreamError as error:
            raise ValueError(f"the hashes of the training rows are damaged: {error}") from None
        hashes = np.cumsum(steps.view(np.uint64))
        rising = bool((hashes[1:] > hashes[:-1]).all()) and len(hashes) <= MOST_IN_FILES
        if low > 63 or not rising or (hashes > np.uint64(reach >> low)).any():
            raise ValueError("the hashes of the training rows do not rise up to their reach")
        return cls(hashes << np.uint64(low), np.uint64(reach), low)


def _ones(n: int) -> np.uint64:
    """2^n - 1: the n lowest bits set."""
    return np.uint64(2**n - 1)


def _rising(keys: Keys) -> Keys:
    """The distinct keys, sorted."""
    keys.sort()  # three times as fast as np.unique, which hashes whole numbers first
    return _distinct(keys)


def _distinct(keys: Keys) -> Keys:
    """The distinct ones of sorted keys."""
    return keys[np.r_[True, keys[1:] != keys[:-1]]] if len(keys) else keys


def row_keys(cells: Cells, threads: int = 1) -> Keys:
    """A hash of the content of every row; -0.0 equals 0.0, and all NaN are equal.

    The bits of a value, folded so that the low ones tell too, times an odd number of its column,
    summed up: a zero adds nothing, so that sparse tables are hashed by what they hold.
    """
    if cells.matrix is not None:
        return read_matrix(cells.matrix, threads)[0]
    return on_threads(threads).rows.table_keys(cells, column_factors(cells.n_features))


def read_matrix(matrix: NDArray[Any], threads: int = 1) -> tuple[Keys, Floats, Floats]:
    """The ``row_keys`` of a dense matrix, and the least and greatest value of each column."""
    factors = column_factors(matrix.shape[1])
    return on_threads(threads).rows.read_rows(matrix, factors)[:3]
