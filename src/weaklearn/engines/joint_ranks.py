"""What is known of the ranks of a column's values over all partitions, and what is asked next."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.numeric.hashing import Keys
from ..base.types import Ints
from .collective import Collective
from .own_values import OwnValues

_LISTED = 2**14  # values of a column that are listed at once, over all partitions
_FIRST, _LATER = 2**12, 2**5  # parts that a column, and later a gap between values, is divided in
TOP = np.iinfo(np.uint64).max  # a key above that of every number; 0 is below them all


@dataclass
class Ranks:
    """Some values of a column, ascending, and how many examples of all partitions lie around them.

    ``below`` and ``upto`` count the examples below and up to each value; ``inside`` the distinct
    values of each partition, summed, between each value and the next. The first value is below
    all numbers and the last one above.
    """

    values: Keys
    below: Ints
    upto: Ints
    inside: Ints

    @classmethod
    def of(cls, n_examples: int, n_values: int) -> Ranks:
        ends = np.array([0, n_examples])
        return cls(np.array([0, TOP], np.uint64), ends, ends, np.array([n_values, 0]))

    def play(self, most: int, least: int) -> tuple[Ints, Ints]:
        """The values that end a bin, the last one excepted, and the gaps in which others may do so.

        Behind the first gap the ends are guessed: bins have as many examples beyond their share,
        of the same value as the last, as those before.
        """
        return _core.play_bins(self.below, self.upto, most, least)

    def add(self, values: Keys, below: Ints, upto: Ints) -> None:
        """Takes in values that lie in gaps; what is inside the new gaps is to be set."""
        at = np.searchsorted(self.values, values)
        self.values = np.insert(self.values, at, values)
        self.below = np.insert(self.below, at, below)
        self.upto = np.insert(self.upto, at, upto)
        self.inside = np.insert(self.inside, at, 0)


@dataclass
class Question:
    """What is asked of a column next: values in gaps that begin at some of the known ones."""

    ranks: Ranks
    gaps: NDArray[np.intp]
    listed: bool = field(init=False)

    def __post_init__(self) -> None:
        self.listed = int(self.ranks.inside[self.gaps].sum()) <= _LISTED

    def answer(self, own: OwnValues, all_of: Collective) -> tuple[Keys, Ints]:
        """All own values in the gaps and their numbers of examples, or some of the values."""
        known = self.ranks.values
        first, last = own.between(known[self.gaps], known[self.gaps + 1])
        if self.listed:
            places = _ranges(first, last)
            return own.values[places], own.below(places + 1) - own.below(places)
        # Partitions give values by how many they have, from different places of theirs.
        n = last - first
        parts = _FIRST if len(known) == 2 else _LATER
        n_given = np.minimum(n, -(-(n * parts) // self.ranks.inside[self.gaps]))
        offset = 0.25 + 0.5 * (all_of.rank + 0.5) / all_of.size
        which = np.repeat(np.arange(len(n)), n_given)
        step = _ranges(np.zeros_like(n_given), n_given)
        places = first[which] + ((step + offset) / n_given[which] * n[which]).astype(np.int64)
        return own.values[places], np.zeros(0, np.int64)

    def list(self, values: Keys, counts: Ints) -> None:
        """Takes in all values in the gaps, of all partitions."""
        values, same = np.unique(values, return_inverse=True)
        total = np.zeros(len(values), np.int64)
        np.add.at(total, same, counts)
        before = np.cumsum(total) - total  # of those that are listed
        gap = np.searchsorted(self.ranks.values, values) - 1
        first = np.searchsorted(gap, gap)  # the first value in the same gap
        below = self.ranks.upto[gap] + before - before[first]
        self.ranks.inside[self.gaps] = 0
        self.ranks.add(values, below, below + total)


def _ranges(first: Ints, last: Ints) -> Ints:
    """All of the ranges from first to last, the latter excluded.

    >>> _ranges(np.array([3, 7, 8]), np.array([5, 7, 10])).tolist()
    [3, 4, 8, 9]
    """
    n = last - first
    return np.asarray(np.arange(n.sum()) + np.repeat(first - (np.cumsum(n) - n), n))
