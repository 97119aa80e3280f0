"""Tables of several bags made one sum of terms: averaged, purified, centred, with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ...base.numeric.total import total
from ...base.sample import Sample
from ...base.streamed_cells import StreamedCells
from ...base.trees.term import Axis, Grid, Term, TermSum
from ...base.types import Floats

Pair = tuple[int, int]

_SURE = 0.95  # how often a band should hold what it is a band of


@dataclass(frozen=True)
class Bag:
    """What one bag learnt: constants (K,), tables of columns (slots, K) and pairs (a, b, K)."""

    constants: Floats
    mains: dict[int, Floats]
    pairs: list[Floats]


def averaged(sample: Sample, coarse: Sample, bags: Sequence[Bag], pairs: Sequence[Pair]) -> TermSum:
    """The mean of the bags, whose pairs see the sample more coarsely.

    Every pair is purified and every function has the mean 0 over the training sample, so that no
    other sum of such terms is the same function of the rows.
    """
    masses, joint = _Masses(sample), _Masses(coarse)
    K, n = len(bags[0].constants), len(bags)
    used = sorted({j for bag in bags for j in bag.mains} | {j for pair in pairs for j in pair})
    mains = {j: np.zeros((masses.slots(j), n, K)) for j in used}
    for k, bag in enumerate(bags):
        for j, table in bag.mains.items():
            mains[j][:, k] += table
    crossed = []
    for place, (a, b) in enumerate(pairs):
        tables = np.stack([bag.pairs[place] for bag in bags], axis=2)  # (a, b, bags, K)
        flat = tables.reshape(*tables.shape[:2], n * K)
        pure, first, second = purified(flat, joint.pair(a, b))
        mains[a] += first.reshape(-1, n, K)[masses.grid(a).within(joint.grid(a))]
        mains[b] += second.reshape(-1, n, K)[masses.grid(b).within(joint.grid(b))]
        crossed.append(pure.reshape(tables.shape))
    constants = np.stack([bag.constants for bag in bags])  # (bags, K)
    terms = []
    for j in used:
        shares = masses.shares(j)
        for k in range(n):
            for output in range(K):
                middle = total(mains[j][:, k, output] * shares)
                mains[j][:, k, output] -= middle
                constants[k, output] += middle
        _silence_missing(mains[j], (masses.grid(j),))
        terms.append(_term((j,), mains[j], (masses.grid(j),), masses.column(j)))
    for (a, b), table in zip(pairs, crossed, strict=True):
        grids = (joint.grid(a), joint.grid(b))
        _silence_missing(table, grids)
        terms.append(_term((a, b), table, grids, joint.pair(a, b)))
    return TermSum(_mean(constants, 0), tuple(terms))


def _silence_missing(table: Floats, grids: tuple[Grid, ...]) -> None:
    """Where training had no missing values, they say nothing."""
    for axis, grid in enumerate(grids):
        if not grid.has_missing:
            table[(slice(None),) * axis + (-1,)] = 0.0


def _mean(x: Floats, axis: int) -> Floats:
    """The mean over bags, added up in their order."""
    return np.asarray(sum(np.moveaxis(x, axis, 0)) / x.shape[axis])


def _term(features: tuple[int, ...], tables: Floats, grids: tuple[Grid, ...], mass: Floats) -> Term:
    """Tables of bags, (cells..., bags, K), as one term with a band.

    Each bag lacks its own part of the sample, so the spread of the bags is that of a jackknife over
    parts: the standard error is the root of (n - 1) / n times the sum of squares.
    """
    n = tables.shape[-2]
    values = _mean(tables, tables.ndim - 2)
    off = tables - np.expand_dims(values, -2)
    error = np.sqrt(_mean(off * off, off.ndim - 2) * (n - 1))
    width = error * float(stdtrit(n - 1, (1 + _SURE) / 2)) if n > 1 else error
    axes = tuple(
        Axis(j, grid.cuts, 0 if grid.cuts is not None else grid.n_codes, grid.ends)
        for j, grid in zip(features, grids, strict=True)
    )
    return merged(Term(axes, values, values - width, values + width, mass))


def merged(term: Term) -> Term:
    """The same term without cuts that part nothing."""
    for place, axis in enumerate(term.axes):
        if axis.cuts is None or len(axis.cuts) == 0:
            continue
        parts = [np.moveaxis(x, place, 0) for x in (term.values, term.low, term.high)]
        alike = np.ones(len(axis.cuts), np.bool_)
        for part in parts:
            flat = part.reshape(len(part), -1)
            alike &= (flat[1:-1] == flat[:-2]).all(axis=1)
        keep = np.concatenate([[True], ~alike, [True]])  # the first cell, and missing
        kept = np.flatnonzero(keep)
        counts = np.add.reduceat(term.counts, kept, axis=place)
        values, low, high = (
            np.take(x, kept, axis=place) for x in (term.values, term.low, term.high)
        )
        axes = list(term.axes)
        axes[place] = replace(axis, cuts=axis.cuts[~alike])
        term = Term(tuple(axes), values, low, high, counts)
    return term


class _Masses:
    """How much of a sample lies in each slot: importances are added as whole numbers."""

    def __init__(self, sample: Sample) -> None:
        self._sample, self._partitions = sample, sample.engine.collective
        self._unit = 1.0
        self._weights: Floats | None = None
        if sample.importance is not None:
            weight = sample.importance * (1 if sample.copies is None else sample.copies)
            own = np.array([len(weight)], np.int64)
            largest = self._partitions.maximum(weight.max(keepdims=True, initial=0.0))
            most = float(largest[0]) * int(self._partitions.sum(own)[0])
            self._unit = 2.0 ** np.floor(np.log2(most) - 51)
            self._weights = np.rint(weight / self._unit)
        elif sample.copies is not None:
            self._weights = sample.copies.astype(np.float64)
        self._grids: dict[int, Grid] = {}

    def grid(self, j: int) -> Grid:
        if j not in self._grids:
            grid = self._sample.engine.columns.grid(self._sample.coded, j)
            self._grids[j] = replace(grid, ends=self._ends(j)) if grid.cuts is not None else grid
        return self._grids[j]

    def _ends(self, j: int) -> tuple[float, float] | None:
        cells = self._sample.cells
        if isinstance(cells, StreamedCells) and cells.summary is not None:
            known = np.array([cells.summary.low[j], cells.summary.high[j]])
        else:
            known = self._sample.column(j)
        known = known[~np.isnan(known)]
        ends = np.array([-known.min(initial=inf), known.max(initial=-inf)], np.float64)
        least, most = self._partitions.maximum(ends).tolist()
        return (-least, most) if most > -inf else None

    def slots(self, j: int) -> int:
        return self.grid(j).n_codes + 1

    def column(self, j: int) -> Floats:
        return self._count(self._of(j), self.slots(j))

    def shares(self, j: int) -> Floats:
        mass = self.column(j)
        shares: Floats = mass / mass.sum()
        return shares

    def pair(self, a: int, b: int) -> Floats:
        shape = (self.slots(a), self.slots(b))
        return self._count(self._of(a) * shape[1] + self._of(b), shape[0] * shape[1]).reshape(shape)

    def _count(self, places: NDArray[np.intp], n: int) -> Floats:
        own = np.bincount(places, self._weights, n).astype(np.int64)  # whole numbers below 2^53
        return np.asarray(self._partitions.sum(own) * self._unit, np.float64)

    def _of(self, j: int) -> NDArray[np.intp]:
        return self._sample.engine.columns.codes(self._sample.coded, j).astype(np.intp)


_NOTHING = 1e-12  # a pivot this much smaller than its diagonal is rounding


def purified(tables: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Tables (a, b, n) of pairs, all with the same weights (a, b), into pure tables, and functions
    of the first column (a, n) and of the second (b, n) that make up the rest.

    In a pure table every row and every column has the weighted mean 0, so it is the only one of its
    kind: the residual of the additive fit, weighted least squares. Its normal equations are solved
    by elimination, once for all tables; where parts of the table are not connected, or hold no
    weight, what cannot be told apart stays where it is.
    """
    rows, columns = weights.sum(axis=1), weights.sum(axis=0)
    share = np.divide(weights, rows[:, None], out=np.zeros_like(weights), where=rows[:, None] > 0)
    laplace = np.diag(columns) - _product(weights.T, share)
    solve = _elimination(laplace)
    pure = tables.astype(np.float64)
    of_first = np.zeros((len(rows), tables.shape[2]))
    of_second = np.zeros((len(columns), tables.shape[2]))
    for _ in range(3):  # the second and third time for what rounding has left
        by_row = (share[:, :, None] * pure).sum(axis=1)
        by_column = (weights[:, :, None] * (pure - by_row[:, None, :])).sum(axis=0)
        second = solve(by_column)
        first = by_row - (share[:, :, None] * second[None]).sum(axis=1)
        first[rows == 0] = 0.0
        pure -= first[:, None, :] + second[None]
        of_first += first
        of_second += second
    return pure, of_first, of_second


class _elimination:
    """Solves A x = b for a symmetric matrix without negative eigenvalues; x is 0 where A says
    nothing. Plain steps in a fixed order: no library that might add up differently elsewhere.
    """

    def __init__(self, matrix: Floats) -> None:
        A = matrix.copy()
        n = len(A)
        least = _NOTHING * np.maximum(np.diag(matrix), 0.0)
        self._pivots = np.zeros(n)
        for k in range(n):
            if A[k, k] <= least[k]:
                A[k:, k] = 0.0
                continue
            self._pivots[k] = A[k, k]
            A[k + 1 :, k] /= A[k, k]
            A[k + 1 :, k + 1 :] -= A[k + 1 :, k, None] * A[None, k, k + 1 :]
            A[k, k + 1 :] = 0.0
        self._factor = np.tril(A, -1)

    def __call__(self, b: Floats) -> Floats:
        x = b.copy()
        for k in range(len(x)):
            x[k + 1 :] -= self._factor[k + 1 :, k, None] * x[None, k]
        known = self._pivots > 0
        x[known] /= self._pivots[known, None]
        x[~known] = 0.0
        for k in range(len(x) - 1, -1, -1):
            x[:k] -= self._factor[k, :k, None] * x[None, k]
        x[~known] = 0.0
        return x


def _product(a: Floats, b: Floats) -> Floats:
    """The matrix product, added up in a fixed order."""
    out = np.zeros((a.shape[0], b.shape[1]))
    for k in range(a.shape[1]):
        out += a[:, k, None] * b[None, k]
    return out
