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

    A draw is given as the first row of its group.
    """

    rows: Places
    ends: Floats  # cumulative weights of the groups

    @classmethod
    def of(cls, groups: tuple[Places, Places], D: Distribution) -> WeightedDraws:
        order, begins = groups
        weights = np.add.reduceat(D.exact[order], begins)  # sums of these are exact
        return cls(order[begins], np.cumsum(weights))

    def draw(self, n: int, seed: int, key: int, first: int = 0) -> Places:
        """n rows drawn, starting at draw ``first``, of the sequence of (seed, key)."""
        places = shares(stream(n, seed, key, _DRAW, first)) * self.ends[-1]
        drawn: Places = self.rows[np.searchsorted(self.ends, places, side="right")]
        return drawn
