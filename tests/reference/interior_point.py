"""The interior-point method of the kernel, step by step in numpy: the same bits."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from scipy.special import expm1, xlogy

from weaklearn.base.types import Floats
from weaklearn.boosters.parts.distinct_rows import Patterns

_VAIN, _VAIN_CURVED = 5, 40  # steps in a row that may come no nearer
_CLOSE, _CLOSEST = 1e-9, 1e-14  # what may be missing in all, and of a mean product
_SHORT = 0.999  # of the way to where a number would be 0
_SLOW = 0.1  # products fall no faster where the objective is curved
_TINY = 1e-14  # of the largest pivot


@dataclass(frozen=True)
class Point:
    """An interior point, or a step.

    ``v`` holds one after another D, q = cap - D and s = b - r(D); ``u`` holds x, xi and w, their
    multipliers, of D >= 0, q >= 0 and s >= 0. rho is that of sum D = 1; n is the size of D.
    """

    v: Floats
    u: Floats
    b: float
    rho: float
    n: int

    @property
    def D(self) -> Floats:
        return self.v[: self.n]

    @property
    def q(self) -> Floats:
        return self.v[self.n : 2 * self.n]

    @property
    def s(self) -> Floats:
        return self.v[2 * self.n :]

    @property
    def x(self) -> Floats:
        return self.u[: self.n]

    @property
    def xi(self) -> Floats:
        return self.u[self.n : 2 * self.n]

    @property
    def w(self) -> Floats:
        return self.u[2 * self.n :]

    @property
    def products(self) -> float:
        """The complementarity gap: the sum of variables times multipliers, 0 at an optimum."""
        return float((self.v * self.u).sum())

    def moved(self, step: Point, primal: float, dual: float) -> Point:
        v, u = self.v + primal * step.v, self.u + dual * step.u
        return Point(v, u, self.b + primal * step.b, self.rho + dual * step.rho, self.n)

    def room(self, step: Point, share: float) -> tuple[float, float]:
        """The largest primal and dual step sizes that use at most this share of every variable."""
        return min(1.0, share * _room(self.v, step.v)), min(1.0, share * _room(self.u, step.u))


class _Missing(NamedTuple):
    """The residuals of the optimality conditions, complementarity excepted."""

    slope: Floats  # z + curve (ln(D/D_1) + 1) - rho - x + xi
    bound: Floats  # r(D) - b + s
    cap: Floats  # D + q - cap
    one: float  # sum D - 1
    total: float  # total - sum w


@dataclass(frozen=True)
class Task:
    """Minimises total * b + curve * RE(D || D_1) subject to r(D) <= b, sum D = 1, 0 <= D <= cap.

    Where ``total`` is None, b is given. The method is Mehrotra's: Newton's steps towards the
    conditions of an optimum, whose products fall together; one Cholesky factor of the size of the
    votes a step.
    """

    patterns: Patterns
    cap: Floats
    curve: float
    total: float | None

    def settled(self, point: Point, steps: int) -> tuple[Floats, Floats, float]:
        """The D and w of the best point from here on, and its error."""
        with np.errstate(all="ignore"):  # a step that fails is not better
            return self._search(point, steps)

    def _slope(self, D: Floats) -> Floats:
        return np.asarray(self.curve * (xlogy(1.0, D / self.patterns.share) + 1))

    def _search(self, point: Point, steps: int) -> tuple[Floats, Floats, float]:
        best, least, vain = point, inf, 0
        patience = _VAIN_CURVED if self.curve > 0 else _VAIN
        for _ in range(steps):
            missing, products = self._missing(point), point.products
            error = self._error(point, missing, products)
            best, least, vain = (point, error, 0) if error < least else (best, least, vain + 1)
            mean = products / len(point.v)
            if vain > patience or (error < _CLOSE and (self.curve > 0 or mean < _CLOSEST)):
                break
            point = self._next(point, missing, products)
        return best.D, best.w, least

    def _missing(self, p: Point) -> _Missing:
        return _Missing(
            self.patterns.margins(p.w) + self._slope(p.D) - p.rho - p.x + p.xi,
            self.patterns.correlations(p.D) - p.b + p.s,
            p.D + p.q - self.cap,
            float(p.D.sum()) - 1,
            0.0 if self.total is None else self.total - float(p.w.sum()),
        )

    def _error(self, p: Point, missing: _Missing, products: float) -> float:
        """The largest residual; that of the gradient in units of weight."""
        slope = np.abs(missing.slope).max()
        if self.curve > 0:
            slope = (p.D * np.abs(expm1(np.minimum(-missing.slope, 600.0)))).sum()
        off = max(np.abs(missing.bound).max(), np.abs(missing.cap).max(), abs(missing.one))
        return float(max(products / max(1.0, float(p.w.sum())), off, slope))

    def _next(self, p: Point, missing: _Missing, products: float) -> Point:
        newton = _Newton(self, p, missing)
        now = p.v * p.u
        ahead = newton.step(-now)
        fall = (p.moved(ahead, *p.room(ahead, 1.0)).products / products) ** 3
        aim = products / len(p.v) * max(fall, _SLOW if self.curve > 0 else 0.0)
        step = newton.step(aim - now - ahead.v * ahead.u)
        return p.moved(step, *p.room(step, _SHORT))


class _Newton:
    """The Newton equations, reduced to the steps of w, rho and b."""

    def __init__(self, task: Task, p: Point, missing: _Missing) -> None:
        self.task, self.p, self.missing = task, p, missing
        self.theta = 1 / ((p.x + task.curve) / p.D + p.xi / p.q)  # D moves by theta times a slope
        self.mass = float(self.theta.sum())
        M = task.patterns.gram(self.theta)
        M[np.diag_indices(len(M))] += p.s / p.w
        self.factor = cholesky(M)
        self.r = task.patterns.correlations(self.theta)
        both = solved(self.factor, np.column_stack([self.r, np.ones_like(self.r)]))
        self.by_rho, self.by_b = both[:, 0], both[:, 1]

    def step(self, change: Floats) -> Point:
        """The step that changes the products by so much."""
        p, missing, patterns, n = self.p, self.missing, self.task.patterns, self.p.n
        pulls = change / p.v
        pull = pulls[:n] - pulls[n : 2 * n] - p.xi * missing.cap / p.q - missing.slope
        moved = self.theta * pull
        right = patterns.correlations(moved) + change[2 * n :] / p.w + missing.bound
        w = solved(self.factor, right[:, None])[:, 0]
        rho, b = self._two(w, float(moved.sum()) + missing.one)
        w = w + self.by_rho * rho - self.by_b * b
        D = self.theta * (pull - patterns.margins(w) + rho)
        inner = np.concatenate([D, -missing.cap - D])
        x = pulls[: 2 * n] - p.u[: 2 * n] / p.v[: 2 * n] * inner
        s = (change[2 * n :] - p.s * w) / p.w
        return Point(np.concatenate([inner, s]), np.concatenate([x, w]), b, rho, n)

    def _two(self, w: Floats, moved: float) -> tuple[float, float]:
        """The steps of rho and b that restore sum D and sum w."""
        a = float((self.r * self.by_rho).sum()) - self.mass
        first = moved - float((self.r * w).sum())
        if self.task.total is None:
            return first / a, 0.0
        c, d = -float((self.r * self.by_b).sum()), -float(self.by_b.sum())
        e = float(self.by_rho.sum())
        second = self.missing.total - float(w.sum())
        scale = a * d - c * e
        return (first * d - c * second) / scale, (a * second - first * e) / scale


def _room(v: Floats, step: Floats) -> float:
    falls = step < 0
    return float((v[falls] / -step[falls]).min(initial=inf))


def cholesky(M: Floats) -> Floats:
    """The lower factor of a positive matrix, by the same operations on every machine."""
    L = M.copy()
    least = _TINY * float(np.diag(M).max())
    for k in range(len(L)):
        root = np.sqrt(max(L[k, k], least))
        L[k, k] = root
        below = L[k + 1 :, k] / root
        L[k + 1 :, k] = below
        L[k + 1 :, k + 1 :] -= below[:, None] * below
    return L


def solved(L: Floats, B: Floats) -> Floats:
    """The X with L L' X = B."""
    X = B.copy()
    for k in range(len(L)):
        X[k] /= L[k, k]
        X[k + 1 :] -= L[k + 1 :, k, None] * X[k]
    for k in reversed(range(len(L))):
        X[k] /= L[k, k]
        X[:k] -= L[k, :k, None] * X[k]
    return X
