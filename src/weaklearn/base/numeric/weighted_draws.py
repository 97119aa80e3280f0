"""Draws of examples with replacement, independent of the order of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .hashing import shares, stream

if TYPE_CHECKING:
    from ..sample import Distribution, Sample

Places = NDArray[np.intp]

_DRAW = 0x55524E  # the purpose of these draws
_BINS = 4096  # equal parts of the whole weight


def duplicate_groups(sample: Sample) -> tuple[Places, Places]:
    """The rows sorted by content, and where each group of identical examples starts.

    Draws address groups, so that neither the order of rows nor copies against weights matter.
    """
    hashes = sample.row_hashes
    order = np.lexsort((sample.y, hashes))
    hashes, y = hashes[order], sample.y[order]
    fresh = (hashes[1:] != hashes[:-1]) | (y[1:] != y[:-1])
    return order, np.flatnonzero(np.r_[True, fresh])


@dataclass(frozen=True)
class WeightedDraws:
    """Draws groups of identical examples with the probabilities of a distribution.

    A draw is given as the first row of its group. Where a bin of the weight lies within one group,
    the bin tells the group; searching takes longer, and is left for the others.
    """

    rows: Places
    ends: Floats  # cumulative weights of the groups
    group_of_bin: Places  # -1: several groups

    @classmethod
    def of(cls, groups: tuple[Places, Places], D: Distribution) -> WeightedDraws:
        order, begins = groups
        weights = np.add.reduceat(D.exact[order], begins)  # sums of these are exact
        ends = np.cumsum(weights)
        n_ends = np.bincount(_bins(ends, ends[-1]), minlength=_BINS + 1)
        return cls(order[begins], ends, np.where(n_ends > 0, -1, np.cumsum(n_ends)))

    def draw(self, n: int, seed: int, key: int, first: int = 0) -> Places:
        """n rows drawn, starting at draw ``first``, of the sequence of (seed, key)."""
        places = shares(stream(n, seed, key, _DRAW, first)) * self.ends[-1]
        groups = self.group_of_bin[_bins(places, self.ends[-1])]
        unknown = np.flatnonzero(groups < 0)
        groups[unknown] = np.searchsorted(self.ends, places[unknown], side="right")
        drawn: Places = self.rows[groups]
        return drawn


def _bins(places: Floats, whole: float) -> Places:
    """The bin of each place, 0 .. _BINS; never a later one for an earlier place."""
    return (places * (_BINS / whole)).astype(np.intp)
