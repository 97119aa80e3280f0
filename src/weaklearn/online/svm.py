"""Support vector machines by dual coordinate ascent, for rows and for kernels.

The primal problem, in the scaling of Blum, Hopcroft and Kannan, has no factor 1/2 and no intercept:

    min |w|^2 + sum cap_i xi_i,   y_i w.x_i >= 1 - xi_i,   xi_i >= 0

and its dual is

    max sum a_i - 1/4 sum a_i a_j y_i y_j K_ij,   0 <= a_i <= cap_i,   w = 1/2 sum a_i y_i x_i.

With the margins g_i = y_i w.x_i the gap between the two is a sum of one term per row, none of them
below 0: (cap_i - a_i)(1 - g_i) where g_i < 1, and a_i (g_i - 1) elsewhere. At the optimum all of
them are 0: rows with a_i = 0 have margins of at least 1, those with a_i = cap_i of at most 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.history import History
from ..base.types import Floats
from ..engines import Engine, on_threads
from .interior import central
from .kernels import Kernel, Linear
from .points import Points, take

_ROUNDING = 1e-9  # of the objective: a smaller gap is none
_WORKING = 1200  # so many rows are compared with one another at a time
_ROWS = 1024  # so many others follow at a time
_VAIN = 25  # rounds without a better gap
_FACE = 3000  # so many multipliers are moved together at most
_WIDE = 400  # with more columns than this, rows are climbed alone
_INSIDE = 7  # so many passes a column is what the interior-point method costs
_DENSE = 2**27  # cells up to which narrow sparse rows are written out


@dataclass(frozen=True, eq=False)
class Machine:
    """The result of an ascent: multipliers, margins, w (rows only), both objectives per round."""

    a: Floats
    g: Floats
    w: Floats | None
    history: History
    converged: bool

    @property
    def gap(self) -> float:
        return float(self.history["gap"][-1])


def gaps(a: Floats, g: Floats, cap: Floats) -> Floats:
    """The contribution of each row to the duality gap."""
    return np.where(g < 1, (cap - a) * (1 - g), a * (g - 1))


class _Record:
    """Records both objectives, and decides when they are close enough."""

    def __init__(self, cap: Floats, tol: float) -> None:
        self._cap, self._tol = cap, tol
        self.history = History()
        self.closed = False
        self.gap = self._goal = inf

    def note(self, a: Floats, g: Floats) -> None:
        dual = float(a.sum() - (a * g).sum() / 2)
        self.gap = float(gaps(a, g, self._cap).sum())
        self.history.append({"primal": dual + self.gap, "dual": dual, "gap": self.gap})
        self._goal = max(self._tol, _ROUNDING * abs(dual))
        self.closed = self.gap <= self._goal

    def beyond(self, pace: float, passes: int) -> bool:
        """Whether the gap would still be open after so many passes at the given rate."""
        if self.closed:
            return False
        return pace <= 1 or log(self.gap / self._goal) > passes * log(pace)


# ----------------------------------------------------------------------------------- explicit rows


def climb_rows(
    X: Any, y: Floats, cap: Floats, *, tol: float, most: int, threads: int = 1
) -> Machine:
    """The linear support vector machine; X is a matrix, or a sparse one by rows.

    Rows are passed over in drawn orders, each a step of coordinate ascent with w kept up. Where
    features are few and so badly scaled that passes do not get there, an interior-point method
    takes over, and coordinate ascent ends what it began.
    """
    n, d = X.shape
    if not isinstance(X, np.ndarray) and d <= _WIDE and n * d <= _DENSE:
        X = X.toarray()  # of which the sums are the same
    narrow = d <= _WIDE and isinstance(X, np.ndarray)
    ascent = _RowAscent(X, y, cap, tol, threads)
    ascent.passes(min(most, _INSIDE * d + 30) if narrow else most, hurry=narrow)
    if narrow and not ascent.record.closed:
        ascent.jump(min(tol, 1e-4))
        ascent.passes(max(0, most - ascent.done))
    return Machine(ascent.a, ascent.g, ascent.w, ascent.record.history, ascent.record.closed)


class _RowAscent:
    """Dual coordinate ascent on rows: the multipliers, and their w."""

    def __init__(self, X: Any, y: Floats, cap: Floats, tol: float, threads: int) -> None:
        self._X, self._y, self._cap = X, y, cap
        self._engine = on_threads(threads)
        self._rows = self._engine.svm.rows(X)
        self._K = self._rows.squares()
        self.a = np.where(self._K > 0, 0.0, cap)
        self.done = 0
        self.record = _Record(cap, tol)
        self._look()

    def _look(self) -> None:
        """Recomputes w and the margins, and records the objectives."""
        self.w = self._rows.across(self.a * self._y / 2)
        self.g = self._y * self._rows.along(self.w, self._engine.threads)
        self.record.note(self.a, self.g)

    def passes(self, most: int, hurry: bool = False) -> None:
        """Passes over all rows, until the gap is closed or the limit is reached.

        In a hurry they also end where, at the pace so far, these will not close it.
        """
        last, next_look = self.done + most, self.done + 1
        looked, gap = self.done, self.record.gap
        while self.done < last and not self.record.closed:
            self.done += 1
            self._rows.dual_pass(self._y, self._cap, self._K, self.a, self.w, self.done)
            if self.done >= next_look or self.done == last:
                self._look()
                pace = (gap / max(self.record.gap, 1e-300)) ** (1 / (self.done - looked))
                if hurry and self.done > 20 and self.record.beyond(pace, last - self.done):
                    break
                looked, gap = self.done, self.record.gap
                next_look = max(self.done + 1, self.done * 5 // 4)

    def jump(self, tol: float) -> None:
        """Replaces the multipliers by an interior-point solution, if its objective is higher."""
        start = self.a, self.record.gap
        inside = central(self._rows, self._y, self._cap, tol / 4, self._engine)
        self.a = _rounded(inside, self._y * self._margins(inside), self._cap)
        self._look()
        for _ in range(30):
            if self.record.closed or self._settle():
                break
        if not self.record.closed:
            rounded = self.a, self._gap(self.a)
            found = [start, (inside, self._gap(inside)), rounded]
            self.a = min(found, key=lambda one: one[1])[0]
            self._look()

    def _margins(self, a: Floats) -> Floats:
        return self._rows.along(self._rows.across(a * self._y / 2), self._engine.threads)

    def _gap(self, a: Floats) -> float:
        return float(gaps(a, self._y * self._margins(a), self._cap).sum())

    def _settle(self) -> bool:
        """A joint step of the free multipliers; returns whether they have converged."""
        face = np.flatnonzero((self.a > 0) & (self.a < self._cap))
        if not 0 < len(face) <= _FACE:
            return True
        Q = Linear().gram(self._X[face]) * np.outer(self._y[face], self._y[face]) / 2
        a = self.a[face]
        free = self._engine.svm.settle(Q, 1 - self.g[face], self._cap[face], a)
        rest = bool((a == self.a[face]).all())
        self.a = self.a.copy()
        self.a[face] = a
        self._look()
        return rest or (free and self.record.closed)


def _rounded(a: Floats, g: Floats, cap: Floats) -> Floats:
    """Multipliers of an interior point, those near a limit set to it."""
    low = (a < 1e-3 * cap) & (g > 1 + 1e-9) & (a < (g - 1) * cap)
    high = (cap - a < 1e-3 * cap) & (g < 1 - 1e-9) & (cap - a < (1 - g) * cap)
    return np.where(low, 0.0, np.where(high, cap, a))


# ----------------------------------------------------------------------------------------- kernels


def climb_kernel(
    kernel: Kernel, X: Points, y: Floats, cap: Floats, *, tol: float, most: int, threads: int = 1
) -> Machine:
    """The support vector machine of a kernel.

    The rows that are furthest from where they should be, up to 1,200 of them, are compared with
    one another and climbed, by steps of coordinate ascent that gain most and by steps of all
    multipliers inside their limits together; then come those that are furthest now.
    """
    ascent = _KernelAscent(kernel, X, y, cap, tol, threads)
    least, vain = np.inf, 0
    for _ in range(most):
        if ascent.record.closed or not ascent.round() or vain > _VAIN:
            break
        gap = ascent.record.gap
        least, vain = (gap, 0) if gap < 0.9 * least else (least, vain + 1)
    length = float((ascent.a * ascent.g).sum())
    if length < -1e-9 * float((ascent.a * np.abs(ascent.g)).sum()):
        raise ValueError(
            f"|w|^2 came out as {length / 2:g}: the function given as kernel is no inner product "
            "(its matrices must be positive semidefinite)."
        )
    return Machine(ascent.a, ascent.g, None, ascent.record.history, ascent.record.closed)


class _KernelAscent:
    """Dual coordinate ascent with a kernel: the multipliers, and the margins."""

    def __init__(
        self, kernel: Kernel, X: Points, y: Floats, cap: Floats, tol: float, threads: int
    ) -> None:
        self._kernel, self._X, self._y, self._cap = kernel, X, y, cap
        self._K = K = kernel.diagonal(X)
        if (K < 0).any():
            raise ValueError(
                f"the kernel of example {int(np.argmin(K))} with itself is {K.min():g}; an inner "
                "product of a vector with itself is at least 0."
            )
        self._engine = on_threads(threads)
        self._matrix: Floats | None = None  # of all rows, where they are few
        self.a = np.where(K > 0, 0.0, cap)  # a row whose kernels are all 0 has no better place
        self.g = np.zeros(len(y))
        self.record = _Record(cap, tol)
        self.record.note(self.a, self.g)

    def round(self) -> bool:
        """One ascent over some of the rows, or all; returns whether anything changed."""
        work = self._furthest()
        block = self._block(work)
        block.climb_well()
        change = block.a - self.a[work]
        if not change.any():
            return False
        self.a[work], self.g[work] = block.a, block.g
        self._follow(np.setdiff1d(np.arange(len(self.a)), work), work, change)
        self.record.note(self.a, self.g)
        if self.record.closed:  # steps have left their rounding behind
            everyone = np.arange(len(self.a))
            self.g[:] = 0.0
            self._follow(everyone, everyone, self.a)
            self.record.note(self.a, self.g)
        return True

    def _furthest(self) -> NDArray[np.intp]:
        """The rows of the largest contributions to the gap; up to half of them free ones.

        Without these, each choice would undo what the last one did.
        """
        far = gaps(self.a, self.g, self._cap)
        inside = np.flatnonzero((self.a > 0) & (self.a < self._cap))
        kept = inside[np.argsort(-far[inside], kind="stable")][: _WORKING // 2]
        far[kept] = np.inf
        return np.sort(np.argsort(-far, kind="stable")[:_WORKING])

    def _block(self, work: NDArray[np.intp]) -> _Block:
        matrix = self._matrix
        if matrix is None:
            matrix = self._kernel.gram(take(self._X, work), threads=self._engine.threads)
        if len(work) == len(self.a):
            self._matrix = matrix
        columns = (self._y, self._cap, self._K, self.a, self.g)
        return _Block(self._engine, matrix, *(v[work] for v in columns))

    def _follow(self, those: NDArray[np.intp], moved: NDArray[np.intp], change: Floats) -> None:
        """Updates the margins of some rows after changes of multipliers of others."""
        moved, change = moved[change != 0], change[change != 0]
        movers, coefficients = take(self._X, moved), change * self._y[moved] / 2
        for first in range(0, len(those), _ROWS):
            rows = those[first : first + _ROWS]
            block = self._kernel.gram(take(self._X, rows), movers, threads=self._engine.threads)
            self.g[rows] += self._y[rows] * self._engine.svm.rows(block).along(coefficients, 1)


@dataclass(eq=False)
class _Block:
    """A block of rows with their kernel matrix, whose multipliers are optimised together."""

    engine: Engine
    matrix: Floats
    y: Floats
    cap: Floats
    K: Floats
    a: Floats
    g: Floats

    def climb_well(self) -> None:
        """Ascents until nine tenths of the block's gap are closed, or progress is slow."""
        start = self._gap()
        for _ in range(50):
            self.climb()
            if self._gap() <= 0.1 * start:
                break

    def _gap(self) -> float:
        return float(gaps(self.a, self.g, self.cap).sum())

    def climb(self) -> None:
        """Coordinate steps, then joint steps of the free multipliers."""
        steps = max(50, len(self.y) // 2)
        self.engine.svm.climb(self.matrix, self.y, self.cap, self.K, self.a, self.g, steps)
        for _ in range(10):
            if self._settle():
                break

    def _settle(self) -> bool:
        """A joint step of the free multipliers; returns whether it was a full one."""
        face = np.flatnonzero((self.a > 0) & (self.a < self.cap))
        if not 0 < len(face) <= _FACE:
            return True
        rows = self.matrix[face]
        y, a = self.y[face], self.a[face]
        Q = np.ascontiguousarray(rows[:, face]) * np.outer(y, y) / 2
        free = self.engine.svm.settle(Q, 1 - self.g[face], self.cap[face], a)
        step = (a - self.a[face]) * y / 2
        self.a[face] = a
        self.g += self.y * self.engine.svm.rows(rows).across(step)
        return free


class LeastHinge(NamedTuple):
    """Weights of least total hinge loss, the margins y w.x of the rows, that total, and the bound
    on it from the dual program.
    """

    w: Floats
    margins: Floats
    total: float
    bound: float


def least_hinge(X: Any, y: Floats, cost: Floats) -> LeastHinge:
    r"""Minimise the total hinge loss of w over rows, each counting ``cost`` times.

    .. math:: \min_w \sum_i c_i \xi_i, \quad y_i\, w \cdot x_i \ge 1 - \xi_i, \quad \xi_i \ge 0

    It is solved through its dual, which has a row for each feature: maximise the sum of a_i with
    0 <= a_i <= c_i and sum a_i y_i x_i = 0. The multipliers of these equations are w.

    >>> found = least_hinge(np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1, 1]), np.ones(3))
    >>> found.total, found.bound
    (2.0, 2.0)
    """
    from scipy.optimize import linprog  # heavy, and needed here alone

    signed: Any = X * y[:, None] if isinstance(X, np.ndarray) else X.multiply(y[:, None]).tocsr()
    n, d = signed.shape
    found = linprog(
        -np.ones(n),
        A_eq=signed.T,
        b_eq=np.zeros(d),
        bounds=list(zip(np.zeros(n), cost)),
        method="highs",
    )
    if found.status != 0 or found.fun is None:
        raise ValueError(
            f"X: the linear program of its {n} distinct rows and {d} features was not solved: "
            f"{found.message}; scale the columns to numbers of about the same size."
        )
    w = -np.asarray(found.eqlin.marginals, np.float64)
    margins = np.asarray(signed @ w, np.float64)
    total = float((cost * np.maximum(0.0, 1 - margins)).sum())
    return LeastHinge(w, margins, total, float(-found.fun))
