"""Halfspaces, through the origin or not, by linear programs; and why d + 2 points are too many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...base.types import Floats
from .. import bounds
from .kind import HypothesisClass, Labels, Witnesses, in_space

_NONE = 1e-12  # of the largest coefficient, this much is none
_ZERO = 1e-9  # scores below this, in units of |w||x|, are 0


@dataclass(frozen=True)
class Halfspace:
    """w.x + b > 0 is +1."""

    w: tuple[float, ...]
    b: float

    def __call__(self, points: Any) -> NDArray[np.int64]:
        x = in_space(points, len(self.w))
        size = np.linalg.norm(x, axis=1) * np.linalg.norm(self.w) + abs(self.b)
        return np.where(x @ np.array(self.w) + self.b > _ZERO * size, 1, -1)


@dataclass(frozen=True)
class Halfspaces(HypothesisClass):
    """w.x + b > 0 in R^n is +1; with ``affine=False`` b = 0. VC dimension n + 1, or n.

    The growth is Cover's 2 (C(m-1, 0) + ... + C(m-1, d-1)) with d = n + 1 or n. Through the origin
    there is one more from m = n + 1 on, where the points surround the origin: then only w = 0 gives
    all -1. ``strict=True`` leaves out hypotheses with a point on their border, w = 0 with them.
    """

    n: int
    affine: bool = True
    strict: bool = False

    def witnesses(self, points: Any) -> Witnesses:
        rows = self._rows(points)
        found: dict[Labels, Floats] = {(): np.zeros(rows.shape[1])}
        for i, row in enumerate(rows):
            found = {
                (*labels, sign): v
                for labels, w in found.items()
                for sign in (-1, 1)
                if (v := self._turned(w, row, rows[: i + 1], (*labels, sign))) is not None
            }
        return {labels: self._halfspace(w) for labels, w in found.items()}

    def _rows(self, points: Any) -> Floats:
        """The points as directions (b is the weight of a coordinate of 1), each of length 1."""
        x = in_space(points, self.n)
        if self.affine:
            x = np.column_stack([x, np.ones(len(x))])
        size = np.linalg.norm(x, axis=1, keepdims=True)
        return np.asarray(np.divide(x, size, out=np.zeros_like(x), where=size > 0))

    def _turned(self, w: Floats, row: Floats, rows: Floats, labels: Labels) -> Floats | None:
        """Weights that yield the labels, w itself where it will do for the last row as well."""
        if labels[-1] * (row @ w) >= 1:
            return w
        strict = _weights(rows, labels, 1.0)
        if strict is not None or self.affine or self.strict:  # b moves a border off its points
            return strict
        return _weights(rows, labels, 0.0)

    def _halfspace(self, w: Floats) -> Halfspace:
        return Halfspace(tuple(w[: self.n].tolist()), float(w[self.n]) if self.affine else 0.0)

    def growth(self, m: int) -> int:
        if m == 0:
            return 1
        cover = bounds.cover_homogeneous_general_position(m, self.n + self.affine)
        around = not self.affine and not self.strict and m > self.n
        return int(cover) + around

    def vc_dimension(self) -> float:
        return self.n + self.affine

    def shattered_set(self, m: int) -> Floats:
        origin = np.zeros((int(self.affine), self.n))
        return np.vstack([origin, np.eye(self.n)])[:m]


def _weights(rows: Floats, labels: Labels, beyond: float) -> Floats | None:
    """w with w.x >= 1 for the rows of +1 and w.x <= -beyond for those of -1, if there is one."""
    from scipy.optimize import linprog  # heavy, and needed here alone

    y = np.array(labels)
    found = linprog(
        np.zeros(rows.shape[1]),
        A_ub=-y[:, None] * rows,
        b_ub=np.where(y > 0, -1.0, -beyond),
        bounds=(None, None),
        method="highs",
    )
    return np.asarray(found.x) if found.status == 0 else None


class Radon(NamedTuple):
    """Two parts of a set of points (their numbers), a point in both convex hulls, and its shares.

    ``point`` is the mean of the first part with the weights ``shares``, and of the second too; the
    shares of each part sum to 1.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    point: Floats
    shares: Floats


def radon(points: Any) -> Radon:
    r"""Splits d + 2 or more points of R^d in two parts whose convex hulls meet.

    Guarantee: always possible (Radon's theorem), so that no halfspace has the first part inside and
    the second outside, and halfspaces of R^d shatter no d + 2 points. The coefficients are a
    solution of :math:`\sum_i c_i x_i = 0, \sum_i c_i = 0`; the points of positive and negative ones
    are the parts, points without one are in the first.

    >>> square = radon([[0, 0], [1, 0], [1, 1], [0, 1]])
    >>> square.first, square.second, square.point.round(9).tolist()
    ((0, 2), (1, 3), [0.5, 0.5])

    Reference: Radon (1921); Blum, Hopcroft and Kannan, Foundations of Data Science, Theorem 6.25.
    """
    x = _points(points)
    moved = x - x.mean(axis=0)
    moved /= max(float(np.abs(moved).max()), np.finfo(float).tiny)
    c = np.linalg.svd(np.vstack([moved.T, np.ones(len(x))]))[2][-1]
    c = np.where(np.abs(c) <= _NONE * np.abs(c).max(), 0.0, c)
    c *= np.sign(c[np.flatnonzero(c)[0]])
    positive = np.maximum(c, 0.0) / np.maximum(c, 0.0).sum()
    negative = np.maximum(-c, 0.0) / np.maximum(-c, 0.0).sum()
    first, second = np.flatnonzero(c >= 0).tolist(), np.flatnonzero(c < 0).tolist()
    return Radon(tuple(first), tuple(second), positive @ x, positive + negative)


def _points(points: Any) -> Floats:
    given = np.asarray(points, np.float64)
    d = given.shape[1] if given.ndim == 2 else 1
    x = in_space(given, d)
    if len(x) < d + 2 or d == 0:
        raise ValueError(
            f"points must be at least d + 2 points of R^d, got {len(x)} points of R^{d}."
        )
    return x
