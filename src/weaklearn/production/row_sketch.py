"""Which rows a model was trained on, as a sketch: a sorted list of hashes of their content.

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
from ..base.numeric.hashing import Keys, mixed, stream
from ..base.sample import Cells
from ..engines import on_threads

MOST_HASHES = 2**17
MOST_IN_FILES = 2**11
_BITS = 20  # of a hash in a file, beyond those that its place among the others tells
_AT_ONCE = 2**16  # cells that are hashed at a time: they stay in the cache
_ALL = np.uint64(2**64 - 1)
_NAN = np.array([np.nan]).view(np.uint64)[0]
_SEED, _COLUMNS = 0x5EE4, 7  # of the factors of columns


@dataclass(frozen=True)
class Lookup:
    """How many rows were looked for, how many of them could be told, and how many were found."""

    n: int
    told: int
    found: int

    @property
    def words(self) -> str:
        """What was found, to be put into a sentence."""
        least = "" if self.told == self.n else "at least "
        return f"{least}{self.found} of {self.n} rows were seen"

    @property
    def checked(self) -> str:
        """What the search says where nothing was found."""
        if self.told == self.n:
            return "none of the rows was seen in training"
        return f"none of the {self.told} of {self.n} rows that can be told was seen in training"


@dataclass(frozen=True, eq=False)
class Seen:
    """The rows of a training: all hashes up to ``reach``, without their ``low`` bits.

    ``keys`` may stand in any order and repeat; they are put in order when a row is first looked up.
    """

    keys: Keys
    reach: np.uint64 = _ALL
    low: int = 0

    @cached_property
    def hashes(self) -> Keys:
        """The different hashes, in order."""
        return _rising(self.keys.copy())

    def __getstate__(self) -> dict[str, Any]:
        return {"keys": self.hashes, "reach": self.reach, "low": self.low}

    @classmethod
    def of(cls, parts: Iterable[Cells]) -> Seen:
        """The sketch of all rows of several tables."""
        keys = [row_keys(cells) for cells in parts]
        together = keys[0] if len(keys) == 1 else np.concatenate(keys)
        if len(together) <= MOST_HASHES:
            return cls(together)
        return cls._cut(_rising(together), _ALL)

    @classmethod
    def _cut(cls, hashes: Keys, reach: np.uint64) -> Seen:
        return cls(hashes, reach)._least(MOST_HASHES)

    def _least(self, n: int) -> Seen:
        """The sketch of the n smallest hashes."""
        if len(self.hashes) <= n:
            return self
        return Seen(self.hashes[:n].copy(), self.hashes[n - 1] | _ones(self.low), self.low)

    def _without(self, low: int) -> Seen:
        """The sketch with more bits of its hashes left out."""
        return Seen(_rising(self.hashes & ~_ones(low)), self.reach, low)

    def joined(self, other: Seen) -> Seen:
        """The rows of two trainings."""
        low = max(self.low, other.low)
        reach = min(self.reach, other.reach)
        both = np.union1d(self._without(low).hashes, other._without(low).hashes)
        return Seen(both[both <= reach], reach, low)._least(MOST_HASHES)

    def known(self, cells: Cells) -> NDArray[np.bool_]:
        """Which rows are found among those of training."""
        keys = row_keys(cells) & ~_ones(self.low)
        at = np.minimum(np.searchsorted(self.hashes, keys), max(len(self.hashes) - 1, 0))
        return self.hashes[at] == keys if len(self.hashes) else np.zeros(len(keys), bool)

    def new(self, cells: Cells) -> NDArray[np.bool_]:
        """Which rows are none of training, for certain: those that cannot be told are left out."""
        return (row_keys(cells) <= self.reach) & ~self.known(cells)

    def look(self, cells: Cells) -> Lookup:
        """How many rows of a table were among those of training."""
        told = int(np.count_nonzero(row_keys(cells) <= self.reach))
        return Lookup(cells.n_rows, told, int(np.count_nonzero(self.known(cells))))

    def to_bytes(self) -> bytes:
        """The sketch as files keep it: the smallest hashes, with bits enough to tell rows apart."""
        least = self._least(MOST_IN_FILES)
        between = (int(least.reach) // max(1, len(least.hashes))).bit_length()
        small = least._without(max(self.low, between - _BITS, 0))
        writer = Writer()
        writer.number(int(small.reach))
        writer.number(small.low)
        writer.wholes(np.diff(small.hashes >> np.uint64(small.low), prepend=np.uint64(0)))
        return bytes(writer)

    @classmethod
    def from_bytes(cls, data: bytes) -> Seen:
        """The sketch that a file holds; a ValueError where it is none."""
        reader = Reader(data, 8 * MOST_IN_FILES)
        try:
            reach, low = reader.number(), reader.number()
            steps = reader.wholes()
            reader.end()
        except StreamError as error:
            raise ValueError(f"the hashes of the rows seen are damaged: {error}") from None
        hashes = np.cumsum(steps.view(np.uint64))
        rising = bool((hashes[1:] > hashes[:-1]).all()) and len(hashes) <= MOST_IN_FILES
        if low > 63 or not rising or (hashes > np.uint64(reach >> low)).any():
            raise ValueError("the hashes of the rows seen do not rise up to their reach")
        return cls(hashes << np.uint64(low), np.uint64(reach), low)


def _ones(n: int) -> np.uint64:
    """A number that ends in so many ones."""
    return np.uint64(2**n - 1)


def _rising(keys: Keys) -> Keys:
    """The different ones among keys, in order."""
    keys.sort()  # three times as fast as np.unique, which hashes whole numbers first
    return keys[np.r_[True, keys[1:] != keys[:-1]]] if len(keys) else keys


def row_keys(cells: Cells) -> Keys:
    """A hash of the content of every row: however it is stored, with -0.0 as 0.0, and one NaN.

    The bits of a value, folded so that the low ones tell too, times an odd number of its column,
    summed up: a zero adds nothing, so that sparse tables are hashed by what they hold.
    """
    factors = stream(cells.n_features, _SEED, 0, _COLUMNS) | np.uint64(1)
    if cells.columns is not None or cells.sparse is not None:
        return mixed(_of_columns(cells, factors))
    matrix: Any = cells.matrix
    sums = np.empty(cells.n_rows, np.uint64)
    step = max(1, _AT_ONCE // max(1, cells.n_features))
    for first in range(0, cells.n_rows, step):
        part = slice(first, first + step)
        np.matmul(_bits(matrix[part]), factors, out=sums[part])
    return mixed(sums)


def _of_columns(cells: Cells, factors: Keys) -> Keys:
    """Columns one by one, and what of a sparse matrix is listed."""
    columns = cells.columns or []
    sums = np.zeros(cells.n_rows, np.uint64)
    for column, factor in zip(columns, factors, strict=False):
        sums += _bits(column) * factor
    if cells.sparse is not None:
        sums += on_threads().columns.row_keys(cells.sparse, factors[len(columns) :])
    return sums


def _bits(values: NDArray[Any]) -> Keys:
    """The bits of numbers, folded; a copy."""
    numbers = np.array(values, dtype=np.float64, order="C")
    numbers += 0.0  # -0.0 is 0.0
    bits: Keys = numbers.view(np.uint64)
    missing = np.isnan(numbers)
    if missing.any():
        bits[missing] = _NAN
    bits ^= bits >> np.uint64(32)
    bits ^= bits >> np.uint64(15)
    return bits
