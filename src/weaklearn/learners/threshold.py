"""Threshold rules on the line, and the one-polarity stump scan of the textbook.

The rule ``h(x) = +1 iff x >= nu`` depends on nu only through the interval between neighbouring
values that holds it, so its error is a step function of nu, found in one pass over sorted values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.messages.value_text import show
from ..base.numeric.fixed_point import units
from ..base.types import Floats

_TIE = 1e-12  # errors closer than this share of the total weight are equal


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """The weighted error of ``x >= nu`` as a step function of nu, interval by interval.

    On the k-th interval, ``v_above[k] < nu <= v_at_most[k]``, the error is ``error[k]`` (weights
    normalised to sum 1) and, where weights are integer frequency weights, ``errors[k]`` mistakes
    are made; ``errors`` is None for other weights.
    """

    v_above: Floats
    v_at_most: Floats
    error: Floats
    errors: NDArray[np.int64] | None

    @property
    def best(self) -> float:
        """The least error."""
        return float(self.error.min())

    @property
    def optimal(self) -> NDArray[np.intp]:
        """The intervals of least error, from left to right."""
        return np.flatnonzero(self.error - self.best <= _TIE)

    @property
    def optimal_intervals(self) -> Floats:
        """The optimal intervals as rows (v_above, v_at_most)."""
        return np.column_stack([self.v_above[self.optimal], self.v_at_most[self.optimal]])

    @property
    def nu(self) -> float:
        """The threshold to use: the middle of the leftmost optimal interval.

        One unit outside the data where that interval is unbounded.
        """
        return nu_in(*(float(end) for end in self.optimal_intervals[0]))

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One entry per interval, with None for an infinite end."""
        above: list[Any] = self.v_above.tolist()
        at_most: list[Any] = self.v_at_most.tolist()
        above[0], at_most[-1] = None, None
        names = ["v_above", "v_at_most", "error"]
        parts = [above, at_most, self.error.tolist()]
        if self.errors is not None:
            names, parts = [*names, "errors"], [*parts, self.errors.tolist()]
        return [dict(zip(names, row)) for row in zip(*parts, strict=True)]


def nu_in(above: float, at_most: float) -> float:
    """The middle of an interval, or one unit outside the data where it is unbounded."""
    if above == -np.inf:
        return at_most - 1
    if at_most == np.inf:
        return above + 1 if above + 1 > above else np.inf
    return float(middles(above, at_most))


def middles(above: Any, at_most: Any) -> Floats:
    """The middles of pairs of values, each above the first and at most the second."""
    middle = above / 2 + at_most / 2
    return np.asarray(np.where((above < middle) & (middle <= at_most), middle, at_most))


class SeedScan(NamedTuple):
    """The stump found by :func:`seed_scan`: +1 where ``x[feature] <= theta``, else -1."""

    F: float
    theta: float
    feature: int


def checked_column(values: ArrayLike, name: str, m: int | None = None) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1 or len(column) == 0 or (m is not None and len(column) != m):
        wanted = "at least one value" if m is None else f"{m} values"
        raise ValueError(f"{name} must be one column of {wanted}, got shape {column.shape}.")
    if not np.isfinite(column).all():
        row = int(np.flatnonzero(~np.isfinite(column))[0])
        raise ValueError(f"{name} must be finite, got {column[row]} in row {row}.")
    return column


def checked_labels(y: ArrayLike, m: int) -> NDArray[np.bool_]:
    labels = np.asarray(y)
    if labels.shape != (m,):
        raise ValueError(f"y must be one column of {m} labels, got shape {labels.shape}.")
    if not np.isin(labels, (-1, 1)).all():
        stray = labels[~np.isin(labels, (-1, 1))][0]
        raise ValueError(f"y must hold the labels -1 and +1, got {show(stray)}.")
    return np.asarray(labels == 1)


def checked_weights(D: ArrayLike | None, m: int) -> Floats:
    weights = np.ones(m) if D is None else checked_column(D, "D", m)
    if (weights < 0).any() or not weights.any():
        raise ValueError("D must be non-negative with a positive sum.")
    return weights


def are_counts(weights: Floats) -> bool:
    return bool((weights % 1 == 0).all() and weights.max() < 2.0**53 and weights.sum() < 2.0**53)


def sorted_groups(x: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """An order of rising x, where in it each distinct value begins, and these values."""
    order = np.argsort(x)
    in_order = x[order]
    starts = np.flatnonzero(np.r_[True, in_order[1:] != in_order[:-1]])
    return order, starts, in_order[starts] + 0.0  # -0 is 0, whichever came first


def _steps(left: Floats, right: Floats) -> Floats:
    """Sums of ``left`` before each boundary between blocks, and of ``right`` after it."""
    before = np.concatenate([[0.0], np.cumsum(left)])
    after = np.concatenate([np.cumsum(right[::-1])[::-1], [0.0]])
    return np.asarray(before + after)


def error_curve(x: ArrayLike, y: ArrayLike, D: ArrayLike | None = None) -> ErrorCurve:
    r"""The error of every rule ``h(x) = +1 iff x >= nu`` on one column.

    With distinct values :math:`u_1 < \dots < u_r` there are r + 1 different rules, one for each
    interval :math:`(-\infty, u_1], (u_1, u_2], \dots, (u_r, \infty)`. Passing u_k adds the weight
    of the positives there and takes away that of the negatives.

    Guarantee: ``curve.best`` is the least error of any nu; O(m log m).

    >>> curve = error_curve([1.2, 2.8, 3.3, 5.0, 5.6], [-1, -1, 1, -1, 1])
    >>> curve.errors.tolist()
    [3, 2, 1, 2, 1, 2]
    >>> curve.nu
    3.05

    Reference: Schapire and Freund, Boosting, section 2.1.1.
    """
    column = checked_column(x, "x")
    positive, weights = checked_labels(y, len(column)), checked_weights(D, len(column))
    counted = are_counts(weights)
    w = units(weights.astype(np.int64) if counted else weights / weights.max(), len(column))
    return curve_of(column, positive, w, counted)


def curve_of(
    x: Floats, positive: NDArray[np.bool_], w: NDArray[np.int64], counted: bool
) -> ErrorCurve:
    """The error curve of weights in whole units; ``counted`` where these are copies.

    Integers are summed, so that the order of equal values does not matter.
    """
    order, starts, u = sorted_groups(x)
    gains = np.add.reduceat(np.where(positive, w, -w)[order], starts)
    wrong = int(w[~positive].sum()) + np.concatenate([[0], np.cumsum(gains)])
    ends = np.concatenate([[-np.inf], u, [np.inf]])
    return ErrorCurve(ends[:-1], ends[1:], wrong / int(w.sum()), wrong if counted else None)


def _seed_thresholds(u: Floats) -> Floats:
    """One below the values, the midpoints, and half a unit above the values."""
    below = u[0] - 1 if u[0] - 1 < u[0] else -np.inf
    with np.errstate(over="ignore"):
        middle = (u[:-1] + u[1:]) / 2
    inside = (u[:-1] <= middle) & (middle < u[1:])
    return np.concatenate([[below], np.where(inside, middle, u[:-1]), [u[-1] + 0.5]])


def seed_scan(X: ArrayLike, y: ArrayLike, D: ArrayLike) -> SeedScan:
    r"""The decision-stump search of the textbook's pseudo-code: one polarity only.

    Minimises :math:`F = \sum_i D_i 1[h(x_i) \ne y_i]` over the stumps
    :math:`h(x) = \mathrm{sign}(\theta - x_j)`, that is +1 on the left. The candidates of a
    feature are one below its values, the midpoints, and half a unit above its values; the first
    of the best is returned (features in order, thresholds rising). It is here to be compared
    with: the stumps of this library search both polarities and so never do worse.

    Guarantee: the least F of that polarity; O(d m log m). F has the scale of D.

    >>> seed_scan([[1.0], [2.0], [3.0]], [1, 1, -1], [0.25, 0.25, 0.5])
    SeedScan(F=0.0, theta=2.5, feature=0)

    Reference: Shalev-Shwartz and Ben-David, Understanding Machine Learning, section 10.1.1.
    """
    table = np.asarray(X, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"X must have at least one row and one column, got shape {table.shape}.")
    positive, weights = checked_labels(y, len(table)), checked_weights(D, len(table))
    parts = weights * np.stack([~positive, positive])
    found = [_scan_column(checked_column(x, f"X[:, {j}]"), parts, j) for j, x in enumerate(table.T)]
    best = min(scan.F for scan in found)
    return next(scan for scan in found if scan.F - best <= _TIE * weights.sum())


def _scan_column(x: Floats, parts: NDArray[Any], feature: int) -> SeedScan:
    order, starts, u = sorted_groups(x)
    minus, plus = np.add.reduceat(parts[:, order], starts, axis=1)
    F = _steps(minus, plus)
    first = int(np.flatnonzero(F - F.min() <= _TIE * parts.sum())[0])
    return SeedScan(float(F[first]), float(_seed_thresholds(u)[first]), feature)
