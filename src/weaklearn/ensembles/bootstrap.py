"""Bags: the examples that each member of an ensemble is trained on.

Draws address examples by their place in an order given by their content, and are keyed by seed and
member. So neither the order of rows nor copies against weights matter, members can be drawn in any
order and on any thread, and a later member never changes an earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import mixed, places, stream
from ..base.types import Ints

_BAG = 0x424147  # the purpose of these draws, as the kernel of forests names it


def canonical_order(
    hashes: NDArray[np.uint64],
    y: NDArray[Any],
    importance: NDArray[np.float64] | None = None,
) -> Ints:
    """The rows sorted by content (hash, label, weight), so that copies are neighbours."""
    keys = mixed(hashes + mixed(_bits(y)))
    if importance is not None:
        keys = mixed(keys + _bits(importance))
    return np.argsort(keys, kind="stable").astype(np.int64)


def _bits(x: NDArray[Any]) -> NDArray[np.uint64]:
    if x.dtype.kind == "f":
        return (x.astype(np.float64) + 0.0).view(np.uint64)  # no negative zeros
    return x.astype(np.int64).view(np.uint64)


@dataclass(frozen=True, eq=False)
class Bags:
    """Draws of ``n_draws`` examples for every member, with replacement or without.

    ``order`` lists the rows, ``copies`` says how often each counts (None: once); with replacement
    a row is drawn in proportion to its ``importance``, where that is given.
    """

    order: Ints
    n_draws: int
    seed: int = 0
    replacement: bool = True
    copies: Ints | None = None
    importance: NDArray[np.float64] | None = None

    @property
    def n_examples(self) -> int:
        return len(self.order) if self.copies is None else int(self.copies.sum())

    @cached_property
    def _ends(self) -> Ints:
        assert self.copies is not None
        return np.cumsum(self.copies[self.order])

    @cached_property
    def _heights(self) -> NDArray[np.float64]:
        assert self.importance is not None
        return np.cumsum(self.importance[self.order])

    def places(self, member: int) -> Ints:
        """The examples drawn, as positions in the canonical order with copies expanded."""
        if not self.replacement:  # those of the smallest random numbers
            numbers = stream(self.n_examples, self.seed, member, _BAG)
            return np.argsort(numbers, kind="stable")[: self.n_draws]
        numbers = stream(self.n_draws, self.seed, member, _BAG)
        if self.importance is None:
            return places(numbers, self.n_examples)
        heights = self._heights
        fine = places(numbers, 2**52) * 2.0**-52 * heights[-1]
        drawn = np.searchsorted(heights, fine, side="right")
        return np.asarray(np.minimum(drawn, len(self.order) - 1))

    def rows(self, member: int) -> Ints:
        """The rows drawn, in canonical order; a row drawn twice is listed twice."""
        return self.order[self._lines(np.sort(self.places(member)))]

    def counts(self, member: int) -> Ints:
        """How often each row was drawn."""
        return np.bincount(self.rows(member), minlength=len(self.order))

    def _lines(self, places: Ints) -> Ints:
        """The index in the canonical order of each position."""
        if self.copies is None:
            return places
        return np.searchsorted(self._ends, places, side="right")

    @cached_property
    def row_of_example(self) -> Ints:
        """The row of every example, in canonical order."""
        return self.order if self.copies is None else np.repeat(self.order, self.copies[self.order])

    def unseen(self, member: int) -> NDArray[np.intp]:
        """The positions of the examples that the member's bag leaves out."""
        left = np.ones(self.n_examples, bool)
        left[self.places(member)] = False
        return np.flatnonzero(left)
