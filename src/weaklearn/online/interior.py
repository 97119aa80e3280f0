"""An interior-point method for the dual of a support vector machine with few features."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.types import Floats
from ..engines import Engine

_STEPS = 100  # at most
_SHORT = 0.99  # of the way to where a number would be 0


class _Point(NamedTuple):
    """An interior point, or a step: a and u = cap - a, and the multipliers of a >= 0 and u >= 0."""

    a: Floats
    u: Floats
    s: Floats
    t: Floats

    def plus(self, share: float, step: _Point) -> _Point:
        return _Point(*(x + share * dx for x, dx in zip(self, step)))

    @property
    def products(self) -> float:
        """The mean of a s and u t, which is 0 at the optimum."""
        return float((self.a * self.s).mean() + (self.u * self.t).mean()) / 2

    def reach(self, step: _Point) -> float:
        """The largest share of a step that keeps all variables positive."""
        shares = [1.0]
        for x, dx in zip(self, step):
            down = dx < 0
            if down.any():
                shares.append(float((-x[down] / dx[down]).min()))
        return min(shares)


def central(rows: Any, y: Floats, cap: Floats, tol: float, engine: Engine) -> Floats:
    """Multipliers inside their limits whose gap is at most tol, or the least that was reached.

    Newton's method on the conditions of optimality, g - 1 - s + t = 0 with g = y f(x), a s = u t =
    mu, for mu going to 0, with Mehrotra's correction. A step solves a system of as many unknowns as
    there are features, so that it costs n d^2 / 2.
    """
    task = _Task(rows, y, engine)
    a = cap / 2
    g = task.margins(a)
    wide = max(1e-3, float(np.abs(1 - g).mean()))
    at = _Point(a, cap - a, np.maximum(g - 1, 0) + wide, np.maximum(1 - g, 0) + wide)
    best: tuple[float, Floats] = (np.inf, a)
    vain = 0
    for _ in range(_STEPS):
        g = task.margins(at.a)
        gap = float(np.where(g < 1, at.u * (1 - g), at.a * (g - 1)).sum())
        vain = 0 if gap < 0.9 * best[0] else vain + 1
        if gap < best[0]:
            best = (gap, at.a)
        if best[0] <= tol or vain > 10:
            break
        step = task.step(at, g)
        if step is None:
            break
        at = at.plus(_SHORT * at.reach(step), step)
    return np.clip(best[1], 0.0, cap)


class _Task:
    """The rows, and Newton's systems over them."""

    def __init__(self, rows: Any, y: Floats, engine: Engine) -> None:
        self._rows, self._y, self._engine = rows, y, engine

    def margins(self, a: Floats) -> Floats:
        w = self._rows.across(a * self._y / 2)
        return np.asarray(self._y * self._rows.along(w, self._engine.threads))

    def step(self, at: _Point, g: Floats) -> _Point | None:
        """Mehrotra's step: an affine predictor, then a corrector."""
        slack = g - 1 - at.s + at.t
        theta = at.s / at.a + at.t / at.u
        normal = self._rows.normal(1 / theta, self._engine.threads)
        normal[np.diag_indices(len(normal))] += 2.0
        scale = 1 / np.sqrt(np.diag(normal))
        normal *= np.outer(scale, scale)

        def solved(goal_s: Floats, goal_t: Floats) -> _Point:
            right = -slack + goal_s / at.a - at.s - goal_t / at.u + at.t
            v = right / theta
            inner = self._rows.across(v * self._y) * scale
            back = self._engine.svm.solve(normal, inner[None])[0] * scale
            da = v - self._y * self._rows.along(back, self._engine.threads) / theta
            ds = goal_s / at.a - at.s - at.s * da / at.a
            dt = goal_t / at.u - at.t + at.t * da / at.u
            return _Point(da, -da, ds, dt)

        nothing = np.zeros_like(at.a)
        ahead = solved(nothing, nothing)
        if not all(np.isfinite(part).all() for part in ahead):
            return None
        mu, far = at.products, at.plus(at.reach(ahead), ahead).products
        aim = mu * (far / mu) ** 3
        step = solved(aim - ahead.a * ahead.s, aim - ahead.u * ahead.t)
        return step if all(np.isfinite(part).all() for part in step) else None
