"""What the trees of a stream share: their thresholds, numbers of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trees.tree_arrays import THRESHOLD
from ..types import Floats, Ints
from .batch import BATCH
from .stream import Doubles, Integers, Reader, must
from .tree_columns import each, must_add_up


class Cuts:
    """The thresholds of tests: as they are, or as places among those of the feature."""

    def __init__(self, reader: Reader, ask: Integers, feature: Integers) -> None:
        self._features: Ints | None = None
        self.column: Doubles | Integers
        if not reader.number():
            self.column = reader.later_doubles()
            return
        n_cuts, cuts, self.column = (
            reader.later_integers(),
            reader.later_doubles(),
            reader.later_integers(),
        )
        reader.table(2 * (len(n_cuts) + len(cuts)))
        self._n_cuts, self._cuts = n_cuts.read(), cuts.read()
        self._features = _features_cut(ask, feature)
        must_add_up(each(self._n_cuts, self._features), len(self._cuts))
        self._starts = np.cumsum(self._n_cuts) - self._n_cuts

    def read(self, feature: Ints, start: int) -> Floats:
        """The thresholds of tests of these features, from one of the column on."""
        stop = start + len(feature)
        if isinstance(self.column, Doubles):
            return self.column.read(start, stop)
        assert self._features is not None
        place = self.column.read(start, stop)
        of = np.searchsorted(self._features, feature)
        must(((place >= 0) & (place < self._n_cuts[of])).all(), "a cut is in no list")
        place += self._starts[of]
        return np.asarray(self._cuts[place])


def _features_cut(ask: Integers, feature: Integers) -> Ints:
    """The features that thresholds are asked of, in order."""
    found = np.empty(0, np.int64)
    for start in range(0, len(ask), BATCH):
        stop = min(start + BATCH, len(ask))
        some = feature.read(start, stop)[ask.read(start, stop) == THRESHOLD]
        found = np.union1d(found, some)
    return found


def of_trees(reader: Reader, n: int) -> Ints:
    """One number for each tree."""
    found = reader.later_integers()
    must(len(found) == n, f"there are not {n} trees")
    return found.read()


def narrowed(x: Ints, kind: Any) -> NDArray[Any]:
    """Integers as a smaller type; 64-bit words keep their bits."""
    limits = np.iinfo(kind)
    if limits.bits < 64 and len(x):
        must(limits.min <= x.min() and x.max() <= limits.max, f"{limits.dtype} does not hold all")
    return x.astype(kind)


def spread(x: Ints, where: Ints, n: int, elsewhere: int, kind: Any) -> NDArray[Any]:
    """A column of n entries with these at some places."""
    column = np.full(n, elsewhere, kind)
    column[where] = narrowed(x, kind)
    return column
