"""Batches of trees, and what the trees of a stream share: their thresholds, numbers of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trees.tree_arrays import THRESHOLD
from ..types import Floats, Ints
from .stream import Doubles, Integers, Reader, must
from .tree_columns import each, must_add_up

_BATCH = 2**15  # nodes, or one tree
_WIDE = 4  # outputs beyond which a batch has fewer


@dataclass(frozen=True)
class Batch:
    """Some trees: their arrays joined, and how many nodes, sets and rows of values each has."""

    columns: Mapping[str, NDArray[Any]]
    length: Ints
    sets: Ints
    rows: Ints

    def apart(self) -> Iterator[dict[str, NDArray[Any]]]:
        """The arrays of each tree; they share memory."""
        of_nodes, of_sets, of_rows = (
            np.cumsum(sizes).tolist() for sizes in (self.length, self.sets, self.rows)
        )
        absent = [0] * len(self.length)  # of weights, counts or gains
        tables = {"subsets": of_sets, "values": of_rows}
        ends = {
            name: tables.get(name, of_nodes if len(column) else absent)
            for name, column in self.columns.items()
        }
        for t in range(len(self.length)):
            yield {
                name: column[(ends[name][t - 1] if t else 0) : ends[name][t]]
                for name, column in self.columns.items()
            }


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
    for start in range(0, len(ask), _BATCH):
        stop = min(start + _BATCH, len(ask))
        some = feature.read(start, stop)[ask.read(start, stop) == THRESHOLD]
        found = np.union1d(found, some)
    return found


def batch_stops(length: Ints, n_outputs: int) -> list[int]:
    """The trees at which batches end, by the nodes of each; a large tree is one by itself."""
    most = _BATCH * _WIDE // max(_WIDE, n_outputs)
    ends, stops, done = np.cumsum(length), [0], 0
    while stops[-1] < len(ends):
        stop = int(np.searchsorted(ends, done + most, side="right"))
        stops.append(max(stop, stops[-1] + 1))
        done = int(ends[stops[-1] - 1])
    return stops[1:]


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
