"""Distributions over examples, and sums and draws over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.distribution import Correctness, Distribution
from ..base.types import Floats, Ints

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class WeightKernels:
    """Kernels of distributions, sums and draws; none depends on the order of rows."""

    threads: int

    def distribution(
        self,
        n_rows: int,
        prior: Floats | None,
        copies: Ints | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        """A distribution over rows in fixed point."""
        return Distribution(_core.Weights(n_rows, prior, copies, sign), self.threads, sign)

    def correctness(self, side: NDArray[np.int8]) -> Correctness:
        """The correctness from an array: +1 right, -1 wrong, 0 abstained."""
        return _core.Verdict(np.ascontiguousarray(side, np.int8))

    def total(self, x: Floats, weight: Floats | None = None, copies: Ints | None = None) -> float:
        """The weighted sum of numbers, independent of their order."""
        x = np.asarray(x, np.float64) if weight is None else x * weight
        return _core.total(np.ascontiguousarray(x), copies)

    def exponentials(self, x: Floats) -> Floats:
        """exp of every number, the same bits everywhere; exp(700) at most."""
        return _core.exponentials(np.minimum(x, 700.0), self.threads)

    def draw(
        self, content: Keys, before: Keys | None, salt: int, chance: float
    ) -> NDArray[np.uint32]:
        """The rows of a subsample, each drawn with a probability by its content.

        ``before``: how many copies of the same content come before a row; None where none do.
        """
        return _core.draw(content, before, salt, chance)

    def draw_copies(
        self, content: Keys, before: Keys | None, copies: Ints, salt: int, chance: float
    ) -> Ints:
        """The number of copies of each row in a subsample."""
        return _core.draw_copies(content, before, copies, salt, chance)
