"""Examples to be drawn from with replacement, in an order of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .hashing import shares, stream

if TYPE_CHECKING:
    from ..distribution import Distribution
    from ..sample import Sample

Places = NDArray[np.intp]

_DRAW = 0x55524E  # the purpose of these draws


def heaps_of(sample: Sample) -> tuple[Places, Places]:
    """Rows in an order of their own, and where each heap of identical examples starts in it.

    Draws address heaps, so that neither the order of rows nor copies against weights matter.
    """
    hashes = sample.engine.columns.row_hashes(sample.coded)
    order = np.lexsort((sample.y, hashes))
    if sample.pooled:  # rows that look alike may differ: each is a heap of its own
        return order, np.arange(len(order))
    hashes, y = hashes[order], sample.y[order]
    fresh = (hashes[1:] != hashes[:-1]) | (y[1:] != y[:-1])
    return order, np.flatnonzero(np.r_[True, fresh])


@dataclass(frozen=True)
class Urn:
    """Examples that are drawn as often as a distribution says; of a heap its first row stands."""

    rows: Places
    ends: Floats  # where the share of each heap ends

    @classmethod
    def of(cls, heaps: tuple[Places, Places], D: Distribution) -> Urn:
        order, begins = heaps
        weights = np.add.reduceat(D.exact[order], begins)  # sums of these are exact
        return cls(order[begins], np.cumsum(weights))

    def draw(self, n: int, seed: int, key: int, first: int = 0) -> Places:
        """n draws, from the first on, of the sequence that seed and key name."""
        places = shares(stream(n, seed, key, _DRAW, first)) * self.ends[-1]
        drawn: Places = self.rows[np.searchsorted(self.ends, places, side="right")]
        return drawn
