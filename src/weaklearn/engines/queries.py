"""Queries, the metrics of their order, and the gradients of their pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.numeric.total import total
from ..base.queries import Queries
from ..base.types import Floats, Ints
from .sample import WeightKernels


@dataclass(frozen=True)
class QueryKernels:
    """Kernels of rankings."""

    threads: int

    def of(
        self, numbers: Ints, keys: NDArray[Any], grades: Floats, metric: int, k: int
    ) -> _core.Queries:
        """Rows in queries, which ``numbers`` names from 0 on, judged by the first k places.

        Where the rows of a query need an order, it is that of their ``keys``.
        """
        rows = np.lexsort((keys, numbers)).astype(np.int64)
        ends = np.cumsum(np.bincount(numbers)).astype(np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), ends])
        return _core.Queries(rows, starts, np.ascontiguousarray(grades, np.float64), metric, k)

    def metric(
        self, of: Queries, F: Floats, weight: Floats | None = None, copies: Ints | None = None
    ) -> float:
        """The mean metric of queries at the scores F, (1, m): of those that have one."""
        return _mean_of_queries(of, of.ranked.values(F[0], self.threads), weight, copies)

    def lambdas(
        self,
        of: Queries,
        F: Floats,
        weight: Floats | None,
        copies: Ints | None,
        room: tuple[Floats, Floats | None] | None,
    ) -> tuple[Floats, Floats | None, float]:
        """Gradient, curvature and total loss of queries; the mean loss is 1 - the mean metric."""
        g, c = (np.empty_like(F), None) if room is None else room
        c = np.empty_like(F) if c is None else c
        clicked = passed = None
        if of.bias is not None:
            clicked, passed = of.bias.clicked, of.bias.passed
        values = of.pairs.lambdas(
            *(F[0], weight, of.sigma, of.normalize, of.position, clicked, passed),
            *(g[0], c[0], self.threads),
        )
        if of.ranked is not of.pairs:
            values = of.ranked.values(F[0], self.threads)
        everything = WeightKernels(self.threads).total(np.ones(F.shape[1]), weight, copies)
        return g, c, (1 - _mean_of_queries(of, values, weight, copies)) * everything


def _mean_of_queries(
    of: Queries, values: Floats, weight: Floats | None, copies: Ints | None
) -> float:
    """The weighted mean of what queries have; 1 where none has anything."""
    first = of.first
    mass: NDArray[Any] = np.ones(len(first), np.int64) if copies is None else copies[first]
    mass = mass if weight is None else mass * weight[first]
    some = ~np.isnan(values) & (mass > 0)
    everything = total(np.ones(int(some.sum())), mass[some])
    return total(values[some], mass[some]) / everything if everything > 0 else 1.0
