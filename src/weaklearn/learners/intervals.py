"""Exact learners on the line: unions of intervals, and rules of three pieces; and other regions.

Examples of equal x are one group, for no rule tells them apart. With u_1 < ... < u_r the values
and S_k the weight of the positives less that of the negatives up to u_k, the weight that a block
of groups i+1 .. j gains by being called positive is S_j - S_i: both searches are running extremes
of S.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.numeric.fixed_point import units
from ..base.rows import Rows
from ..base.types import Bools, Floats, Ints
from .threshold import (
    are_counts,
    checked_column,
    checked_labels,
    checked_weights,
    middles,
    sorted_groups,
)

_TIE = 10**12  # weights that differ by less than the total over it are equal
_NEVER = -(2**62)


class Line(NamedTuple):
    """The groups of one column: values, gains, and the weights of the positives and of all.

    ``calls`` tells which groups are positive by their heavier label, and ``S`` are the running sums
    of the gains, from 0 on.
    """

    u: Floats
    calls: NDArray[np.bool_]
    S: Ints
    ups: int
    total: int

    @classmethod
    def of(cls, x: Floats, positive: NDArray[np.bool_], w: Ints) -> Line:
        order, starts, u = sorted_groups(x)
        gains = np.add.reduceat(np.where(positive, w, -w)[order], starts)
        total = int(w.sum())
        mixed = np.logical_or.reduceat(~positive[order], starts)
        calls = gains > np.where(mixed, total // _TIE, 0)  # of one label alone, however light
        return cls(u, calls, np.r_[0, np.cumsum(gains)], int(w[positive].sum()), total)

    def ends(self, blocks: Ints) -> Floats:
        """For each block of groups: the value before, its least and greatest, and the one after.

        Where there is none before or after, its own end stands for it.
        """
        u, (first, stop) = self.u, blocks.T
        after = np.minimum(stop, len(u) - 1)
        return np.column_stack([u[np.maximum(first - 1, 0)], u[first], u[stop - 1], u[after]])


# --------------------------------------------------------------------------- unions of intervals


class IntervalUnion(NamedTuple):
    """Positive inside disjoint intervals: rows of their ends, from left to right.

    Both ends belong to an interval, or, where ``half_open``, the lower one only.

    >>> rule = IntervalUnion(np.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> rule.holds(np.array([0.0, 1.0, 2.0, 3.0, 4.0])).tolist()
    [False, True, True, False, True]
    """

    intervals: Floats
    half_open: bool = False
    error: float = 0.0

    def holds(self, x: Floats) -> NDArray[np.bool_]:
        if len(self.intervals) == 0:
            return np.zeros(len(x), bool)
        low, high = self.intervals.T
        k = np.searchsorted(low, x, side="right") - 1
        below = x < high[k] if self.half_open else x <= high[k]
        return np.asarray((k >= 0) & below)


def interval_union(
    x: ArrayLike,
    y: ArrayLike,
    D: ArrayLike | None = None,
    *,
    n_max: int | None = None,
    half_open: bool = False,
) -> IntervalUnion:
    """The union of at most n_max intervals of least weighted error on one column.

    Without a limit every maximal run of positive groups is an interval; a group of both labels has
    the heavier one, and of equal weights is negative.

    Guarantee: no union of at most n_max intervals has a smaller error; O(m log m + m n_max).

    >>> found = interval_union([1, 2, 3, 4, 5], [1, 1, -1, 1, -1])
    >>> found.intervals.tolist(), found.error
    ([[1.0, 2.0], [4.0, 4.0]], 0.0)
    >>> found = interval_union([1, 2, 3, 4, 5], [1, 1, -1, 1, -1], n_max=1, half_open=True)
    >>> found.intervals.tolist(), found.error
    ([[-inf, 2.5]], 0.2)

    Reference: Schapire and Freund, Boosting, sections 2.1.1 and 2.2.3, Exercise 2-6.
    """
    line, w = _line(x, y, D)
    blocks = best_blocks(line, n_max)
    wrong = wrong_of(line, blocks)
    return IntervalUnion(intervals_of(line, blocks, half_open), half_open, wrong / int(w.sum()))


def intervals_of(line: Line, blocks: Ints, half_open: bool) -> Floats:
    """Blocks of groups as intervals: of values, or half way to those before and after."""
    ends = line.ends(blocks)
    return halfway(ends) if half_open else np.ascontiguousarray(ends[:, 1:3])


def halfway(ends: Floats) -> Floats:
    """The ends from (before, least, greatest, after): midpoints, infinite at the outside."""
    before, least, greatest, after = ends.T
    low = np.where(before < least, middles(before, least), -np.inf)
    high = np.where(greatest < after, middles(greatest, after), np.inf)
    return np.column_stack([low, high])


def best_blocks(line: Line, n_max: int | None) -> Ints:
    """The blocks of groups (first, stop) to call positive, at most n_max."""
    edges = np.diff(np.r_[0, line.calls.astype(np.int8), 0])
    first, stop = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    if n_max is not None and len(first) > n_max:
        runs = _joined_runs(line.S[first], line.S[stop], n_max, line.total // (2 * n_max * _TIE))
        first, stop = first[runs[:, 0]], stop[runs[:, 1]]
    return np.column_stack([first, stop]).astype(np.int64)


def wrong_of(line: Line, blocks: Ints) -> int:
    """The weight of the mistakes, exactly."""
    return line.ups - int((line.S[blocks[:, 1]] - line.S[blocks[:, 0]]).sum())


def _joined_runs(A: Ints, B: Ints, n: int, tie: int) -> Ints:
    """The runs to join into at most n blocks (first run, last run), by dynamic programming.

    A and B are S at the beginnings and ends of the runs. With n blocks of which the last ends at
    run b, the gain is B_b plus the running maximum, over its first run a, of out_a - A_a, where
    out_a is the most that n - 1 blocks before a gain. Of the choices only where a running maximum
    grows is noted, in bits. Of equal unions: fewest blocks, then ends furthest to the left.
    """
    out, best, k_best = np.zeros(len(A), np.int64), 0, 0
    opened, closed = [], []
    for k in range(1, n + 1):
        rise = out - A
        opened.append(_records(rise, tie))
        ended = B + np.maximum.accumulate(rise)
        closed.append(_records(ended, tie))
        highest = np.maximum.accumulate(ended)
        out = np.r_[_NEVER, highest[:-1]]
        if highest[-1] > best + tie:
            best, k_best = int(highest[-1]), k
    blocks, limit = [], len(A)
    for k in reversed(range(k_best)):
        b = _last(closed[k], limit)
        a = _last(opened[k], b + 1)
        blocks.append((a, b))
        limit = a
    return np.array(blocks[::-1], np.int64).reshape(-1, 2)


def _records(values: Ints, tie: int) -> NDArray[np.uint8]:
    """A bit array of the running maxima of values; ties with an earlier maximum are not marked."""
    larger = np.r_[True, values[1:] > np.maximum.accumulate(values)[:-1]]
    places = np.flatnonzero(larger)
    if tie and (np.diff(values[places]) <= tie).any():
        best = None
        for place, value in zip(places.tolist(), values[places].tolist(), strict=True):
            larger[place] = best is None or value > best + tie
            best = value if larger[place] else best
    return np.packbits(larger)


def _last(bits: NDArray[np.uint8], limit: int) -> int:
    """The index of the last bit set before a limit."""
    return int(np.flatnonzero(np.unpackbits(bits, count=limit))[-1])


# --------------------------------------------------------------------------- rules of three pieces


class ThreePiece(NamedTuple):
    """b where x < t1 or x > t2, and -b on [t1, t2]."""

    t1: float
    t2: float
    b: int
    error: float = 0.0

    def holds(self, x: Floats) -> NDArray[np.bool_]:
        inside = (self.t1 <= x) & (x <= self.t2)
        return ~inside if self.b > 0 else inside


def three_piece(x: ArrayLike, y: ArrayLike, D: ArrayLike | None = None) -> ThreePiece:
    """The rule of at most three pieces, of labels b, -b, b, of least weighted error on one column.

    t1 and t2 lie in the middle between values, or at infinity where a piece has no example, so that
    stumps and constants are among the rules. Ties: lowest t1, lowest t2, b = +1.

    Guarantee: no such rule has a smaller error; O(m log m).

    >>> three_piece([1, 2, 3, 4, 5], [1, 1, -1, -1, 1])
    ThreePiece(t1=2.5, t2=4.5, b=1, error=0.0)

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, Example 10.1.
    """
    line, w = _line(x, y, D)
    wrong, i, j, b = best_pieces(line)
    t1, t2 = pieces_between(line.ends(np.array([[i, j]]))[0])
    return ThreePiece(t1, t2, b, wrong / int(w.sum()))


def best_pieces(line: Line) -> tuple[int, int, int, int]:
    """The weight of the mistakes, the groups i .. j-1 inside, and b outside."""
    S, tie = line.S, line.total // _TIE
    outside = {+1: line.ups - int(S[-1]), -1: line.ups}  # the mistakes of b everywhere
    costs = {}
    for b in outside:
        # With groups i .. j-1 inside the mistakes change by b (S_j - S_i); the least over j > i.
        least = np.minimum.accumulate((b * S)[::-1])[::-1][1:]
        costs[b] = least - b * S[:-1]
    best = min(outside[b] + int(costs[b].min()) for b in outside)
    found = []
    for b, cost in costs.items():
        places = np.flatnonzero(cost <= best + tie - outside[b])
        if len(places):
            i = int(places[0])
            change = b * (S[i + 1 :] - S[i])
            j = i + 1 + int(np.argmax(change <= best + tie - outside[b]))
            found.append((i, j, -b, outside[b] + int(change[j - i - 1])))
    i, j, less, wrong = min(found)
    return wrong, i, j, -less


def pieces_between(ends: Floats) -> tuple[float, float]:
    """t1 and t2 from the values before, at both ends of, and after the inner piece."""
    before, least, greatest, after = ends.tolist()
    t1 = float(middles(before, least)) if before < least else -np.inf
    # At least the greatest.
    t2 = -float(middles(-after, -greatest)) if greatest < after else np.inf
    return t1, t2


def _line(x: ArrayLike, y: ArrayLike, D: ArrayLike | None) -> tuple[Line, Ints]:
    column = checked_column(x, "x")
    positive, weights = checked_labels(y, len(column)), checked_weights(D, len(column))
    w = units(weights.astype(np.int64) if are_counts(weights) else weights, len(column))
    return Line.of(column, positive, w), w


# ------------------------------------------------------- boxes, conjunctions of bits, nearest means


def in_box(rows: Rows, lower: Floats, upper: Floats) -> Bools:
    """Mask of the rows inside a box, its boundary included."""
    inside = np.ones(len(rows), bool)
    for j, (low, high) in enumerate(zip(lower, upper, strict=True)):
        x = rows.column(j)
        inside &= (low <= x) & (x <= high)
    return inside


def all_ones(rows: Rows, kept: Iterable[int]) -> Bools:
    """Mask of the rows with a 1 in all of some columns."""
    holds = np.ones(len(rows), bool)
    for j in kept:
        holds &= rows.column(j) == 1
    return holds


def any_one(rows: Rows, kept: Iterable[int]) -> Bools:
    """Mask of the rows with a 1 in any of some columns."""
    holds = np.zeros(len(rows), bool)
    for j in kept:
        holds |= rows.column(j) == 1
    return holds


def nearest(rows: Rows, means: Floats, own: Bools) -> NDArray[np.intp]:
    """The index of the nearest distinct mean, the last on ties."""
    found, highest = np.zeros(len(rows), np.intp), np.full(len(rows), -np.inf)
    for k, score in nearness(rows, means, own):
        ahead = score >= highest
        found[ahead], highest[ahead] = k, score[ahead]
    return found


def nearness(rows: Rows, means: Floats, own: Bools) -> Iterator[tuple[int, Floats]]:
    """Per distinct mean how much nearer it is than the first of them.

    Mean k is nearer than mean 0 by the product of x - (mu_k + mu_0)/2 and mu_k - mu_0: on one
    column nothing is rounded but the middle.
    """
    first, *others = np.flatnonzero(own).tolist()
    yield first, np.zeros(len(rows))
    d = means.shape[1]
    apart = means / 2 - means[first] / 2
    # Powers of two round nothing, and keep every sum within the numbers.
    apart = np.ldexp(apart, -np.frexp(np.abs(apart).max())[1])
    less = 0.25 / 2.0 ** d.bit_length()
    for k in others:
        middle = means[k] / 2 + means[first] / 2
        score = np.zeros(len(rows))
        for j in range(d):
            score += (rows.column(j) * less - middle[j] * less) * apart[k, j]
        yield k, score
