"""Exact learners on the line: unions of intervals, and rules of three pieces.

Examples of equal x are one group, for no rule tells them apart. With u_1 < ... < u_r the values
and S_k the weight of the positives less that of the negatives up to u_k, the weight that a block
of groups i+1 .. j gains by being called positive is S_j - S_i: both searches are running extremes
of S.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.units import units
from .threshold import are_counts, between, checked_column, checked_labels, checked_weights

__all__ = ["IntervalUnion", "Line", "ThreePiece", "interval_union", "three_piece"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_DIGITS = 43  # sums that agree in so many binary digits of the total weight are equal
_NEVER = -(2**60)


class Line(NamedTuple):
    """The groups of one column: values, the gain of each, and the weight of the positives.

    ``S`` are the running sums of the gains, rounded so that equal ones compare as equal; ``P`` is
    the weight of the positives, rounded alike.
    """

    u: Floats
    gains: Ints
    ups: int
    S: Ints
    P: int

    @classmethod
    def of(cls, x: Floats, positive: NDArray[np.bool_], w: Ints) -> Line:
        order = np.argsort(x)
        sorted_x = x[order]
        starts = np.flatnonzero(np.r_[True, sorted_x[1:] != sorted_x[:-1]])
        gains = np.add.reduceat(np.where(positive, w, -w)[order], starts)
        ups, shift = int(w[positive].sum()), max(0, int(w.sum()).bit_length() - _DIGITS)
        half = (1 << shift) >> 1
        S = (np.r_[0, np.cumsum(gains)] + half) >> shift
        return cls(sorted_x[starts] + 0.0, gains, ups, S, (ups + half) >> shift)  # -0 is 0

    def ends(self, blocks: Ints) -> Floats:
        """Of each block of groups: the value before, its least and greatest, and the one after.

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
    """From before, least, greatest, after: ends in the middle, unbounded where nothing is there."""
    before, least, greatest, after = ends.T
    low = np.where(before < least, _middles(before, least), -np.inf)
    high = np.where(greatest < after, _middles(greatest, after), np.inf)
    return np.column_stack([low, high])


def _middles(above: Floats, at_most: Floats) -> Floats:
    middle = above / 2 + at_most / 2
    return np.where((above < middle) & (middle <= at_most), middle, at_most)


def best_blocks(line: Line, n_max: int | None) -> Ints:
    """The blocks of groups (first, stop) to call positive, at most n_max."""
    edges = np.diff(np.r_[0, (line.gains > 0).astype(np.int8), 0])
    first, stop = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    if n_max is not None and len(first) > n_max:
        runs = _joined_runs(line.S[first], line.S[stop], n_max)
        first, stop = first[runs[:, 0]], stop[runs[:, 1]]
    return np.column_stack([first, stop]).astype(np.int64)


def wrong_of(line: Line, blocks: Ints) -> int:
    """The weight of the mistakes, exactly."""
    sums = np.r_[0, np.cumsum(line.gains)]
    return line.ups - int((sums[blocks[:, 1]] - sums[blocks[:, 0]]).sum())


def _joined_runs(A: Ints, B: Ints, n: int) -> Ints:
    """Which runs to join to at most n blocks (first run, last run), by dynamic programming.

    A and B are S at the beginnings and ends of the runs. With n blocks of which the last ends at
    run b, the gain is B_b plus the running maximum, over its first run a, of out_a - A_a, where
    out_a is the most that n - 1 blocks before a gain. Of the choices only where a running maximum
    grows is noted, in bits. Of equal unions: fewest blocks, then ends furthest to the left.
    """
    out, best, k_best = np.zeros(len(A), np.int64), 0, 0
    opened, closed = [], []
    for k in range(1, n + 1):
        rise = out - A
        highest = np.maximum.accumulate(rise)
        opened.append(np.packbits(rise == highest))  # the latest of equal beginnings
        ended = B + highest
        highest = np.maximum.accumulate(ended)
        closed.append(np.packbits(np.r_[True, ended[1:] > highest[:-1]]))  # the first of equals
        out = np.r_[_NEVER, highest[:-1]]
        if highest[-1] > best:
            best, k_best = int(highest[-1]), k
    blocks, limit = [], len(A)
    for k in reversed(range(k_best)):
        b = _last(closed[k], limit)
        a = _last(opened[k], b + 1)
        blocks.append((a, b))
        limit = a
    return np.array(blocks[::-1], np.int64).reshape(-1, 2)


def _last(bits: NDArray[np.uint8], limit: int) -> int:
    """The last bit set before a limit."""
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
    sums = np.r_[0, np.cumsum(line.gains)]
    downs = line.ups - int(sums[-1])
    _, i, j, less = min(_best_inside(line, +1), _best_inside(line, -1))
    inside = int(sums[j] - sums[i])
    return (downs + inside, i, j, 1) if less == 0 else (line.ups - inside, i, j, -1)


def _best_inside(line: Line, b: int) -> tuple[int, int, int, int]:
    """For one b: the least error, its first block, and the rank of b among equals."""
    S = line.S * b
    least = np.minimum.accumulate(S[::-1])[::-1][1:]  # from i + 1 on
    cost = least - S[:-1]
    i = int(np.argmin(cost))
    j = i + 1 + int(np.argmin(S[i + 1 :]))
    outside = line.P - int(line.S[-1]) if b > 0 else line.P
    return outside + int(cost[i]), i, j, 0 if b > 0 else 1


def pieces_between(ends: Floats) -> tuple[float, float]:
    """t1 and t2 from the values before, at both ends of, and after the inner piece."""
    before, least, greatest, after = ends.tolist()
    t1 = between(before, least) if before < least else -np.inf
    t2 = -between(-after, -greatest) if greatest < after else np.inf  # at least the greatest
    return t1, t2


def _line(x: ArrayLike, y: ArrayLike, D: ArrayLike | None) -> tuple[Line, Ints]:
    column = checked_column(x, "x")
    positive, weights = checked_labels(y, len(column)), checked_weights(D, len(column))
    w = units(weights.astype(np.int64) if are_counts(weights) else weights, len(column))
    return Line.of(column, positive, w), w
